//! The forms of games that are read: how each is recognised, and its reader.
//! A new form of text is a value of [`Form`], a place in [`Form::ALL`] and a row here;
//! forms of bytes are told by `binary` and read by `read_binary`, and RIF, which is read
//! game by game, by `open.rs`.

use goren_core::record::diagram::{self, Drawn};
use goren_core::record::import::{
    Hints, ImportedGame, Note, Place, UnreadableGame, list, pente_org, pgn, pos, sav,
};
use goren_core::record::text::Input;
use goren_core::record::{psq, sgf};

/// The form of a file of games or positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Form {
    /// Moves such as h8i9j8, also as printed by the getpos command of a GUI.
    Moves,
    /// Drawn board, row by row: `X` and `O` for stones, `.` for empty points.
    Board,
    /// SGF, Smart Game Format.
    Sgf,
    /// Game file of Piskvork.
    Psq,
    /// Games of `goren match`, JSON Lines.
    Json,
    /// Text game of pente.org.
    PenteOrg,
    /// PGN as written by PlayOK, figrid-board and c-gomoku-cli.
    Pgn,
    /// Binary position of RenLib and Yixin-Board.
    Pos,
    /// Saved game of Yixin-Board.
    Sav,
    /// Database of RenjuNet, XML.
    Rif,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 10] = [
        Form::Moves,
        Form::Board,
        Form::Sgf,
        Form::Psq,
        Form::Json,
        Form::PenteOrg,
        Form::Pgn,
        Form::Pos,
        Form::Sav,
        Form::Rif,
    ];
}

/// A file as it is looked at.
#[derive(Copy, Clone)]
pub(super) struct FileView<'a> {
    /// The bytes, ASCII as it is.
    pub(super) input: &'a Input<'a>,
    /// All of them as a text.
    pub(super) text: &'a str,
    /// What the user says.
    pub(super) hints: &'a Hints,
}

impl FileView<'_> {
    /// Whether psq is likely: it has its head, or its moves are not rather those of a
    /// list with numbers or colours.
    fn is_psq(&self) -> bool {
        psq::looks(self.text)
            && (psq::has_head(self.text)
                || self.hints.per_line.is_none() && !list::has_marks(self.text))
    }

    /// Whether a text is a drawn board where it is nothing else: it has rows, and is no list
    /// of moves.
    fn is_board(&self) -> bool {
        let mut lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let has_rows = lines.nth(1).is_some() || is_array(self.text);
        has_rows && self.hints.per_line.is_none() && !list::looks(self.text, self.hints.variant)
    }
}

/// Whether a text is an array of arrays on one line.
fn is_array(text: &str) -> bool {
    let text = text.trim();
    !text.contains('\n') && text.starts_with('[') && text[1..].trim_start().starts_with('[')
}

/// Games as they are asked for.
type Games<'a> = Box<dyn Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a>;

/// A form of text.
struct Row {
    form: Form,
    looks: fn(&FileView<'_>) -> bool,
    read: for<'a> fn(&FileView<'a>, &'a Hints) -> Games<'a>,
}

/// Text formats in the order in which they are tried. A text that fits no other format is
/// read as a list of moves.
const ROWS: [Row; 8] = [
    Row {
        form: Form::Json,
        looks: |seen| seen.text.trim_start().starts_with('{'),
        read: |seen, _| Box::new(super::json::read(seen.text)),
    },
    Row {
        form: Form::Sgf,
        looks: |seen| sgf::looks(seen.input.bytes()),
        read: |seen, hints| Box::new(sgf::read(seen.input, hints)),
    },
    Row {
        form: Form::PenteOrg,
        looks: |seen| pente_org::looks(seen.text),
        read: |seen, hints| Box::new(pente_org::read(seen.text, hints)),
    },
    Row {
        form: Form::Pgn,
        looks: |seen| pgn::looks(seen.text),
        read: |seen, hints| Box::new(pgn::read(seen.text, hints)),
    },
    Row {
        form: Form::Sav,
        looks: |seen| sav::looks(seen.text),
        read: |seen, hints| Box::new(sav::read(seen.text, hints)),
    },
    Row {
        form: Form::Psq,
        looks: |seen| seen.is_psq(),
        read: |seen, hints| Box::new(psq::read(seen.text, hints)),
    },
    Row {
        form: Form::Board,
        looks: |seen| seen.is_board(),
        read: |seen, _| Box::new(std::iter::once(board(seen))),
    },
    Row {
        form: Form::Moves,
        looks: |_| true,
        read: |seen, hints| Box::new(list::read(seen.text, hints)),
    },
];

/// The form that a text looks like, and a remark where it could be another.
pub(super) fn form(seen: &FileView<'_>) -> (Form, Option<Note>) {
    let row = ROWS.iter().find(|row| (row.looks)(seen));
    let form = row.map_or(Form::Moves, |row| row.form);
    let remark = |what: &str| Note::remark(Place::File, what);
    let note = match form {
        Form::Psq if !psq::has_head(seen.text) => Some(remark(
            "taken for psq: columns and rows from 1, from the upper left, and milliseconds; \
             --form chooses",
        )),
        Form::Moves if psq::looks(seen.text) => Some(remark(
            "taken for moves with their numbers or colours, and not for psq; --form chooses",
        )),
        _ => None,
    };
    (form, note)
}

/// The games of a text in a form.
pub(super) fn read<'a>(form: Form, seen: &FileView<'a>, hints: &'a Hints) -> Games<'a> {
    let row = ROWS.iter().find(|row| row.form == form);
    row.map_or_else(|| Box::new(std::iter::empty()) as Games<'_>, |row| (row.read)(seen, hints))
}

/// The form of bytes that are no text, or of which the name of their file says it.
pub(super) fn binary(bytes: &[u8], name: Option<&str>) -> Option<Form> {
    let is_called = name.is_some_and(|name| name.to_ascii_lowercase().ends_with(".pos"));
    (pos::looks(bytes) || is_called && pos::may_be(bytes)).then_some(Form::Pos)
}

/// The games of bytes that are no text; `None` if the form is one of text.
pub(super) fn read_binary<'a>(form: Form, bytes: &'a [u8], hints: &Hints) -> Option<Games<'a>> {
    match form {
        Form::Pos => Some(Box::new(pos::read(bytes, hints))),
        _ => None,
    }
}

/// A drawn board as a game without moves.
fn board(seen: &FileView<'_>) -> Result<ImportedGame, UnreadableGame> {
    let array = is_array(seen.text).then(|| seen.text.replace("],", "],\n"));
    match diagram::read(array.as_deref().unwrap_or(seen.text)) {
        Ok(Drawn { variant, board, has_labels, mut notes }) => {
            let size @ (width, height) = (board.width, board.height);
            let is_usual = size == seen.hints.usual_size(seen.hints.variant.or(variant));
            if !has_labels && width != height && !is_usual {
                let what =
                    format!("the board has {width} columns and {height} rows as it is drawn");
                notes.push(Note::remark(Place::File, what));
            }
            let board = Some(board);
            Ok(ImportedGame { variant, size: Some(size), board, notes, ..ImportedGame::default() })
        }
        Err(error) => Err(UnreadableGame { place: Place::File, reason: error.to_string() }),
    }
}
