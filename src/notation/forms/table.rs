//! The forms of games: how each is recognised, and its reader. A new text form needs a
//! variant of [`Form`], an entry in [`Form::ALL`] and a row here. `binary` recognises binary
//! forms and `read_binary` reads them; `open.rs` recognises and reads RIF, game by game.

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
    /// All forms.
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

/// A file in the views that readers need.
#[derive(Copy, Clone)]
pub(super) struct FileView<'a> {
    /// The bytes, with ASCII unchanged.
    pub(super) input: &'a Input<'a>,
    /// All bytes, decoded.
    pub(super) text: &'a str,
    /// Hints of the user.
    pub(super) hints: &'a Hints,
}

impl FileView<'_> {
    /// Whether the file is likely psq: it has the head of psq, or its lines are not moves of
    /// a list with numbers or colours.
    fn is_psq(&self) -> bool {
        psq::looks(self.text)
            && (psq::has_head(self.text)
                || self.hints.per_line.is_none() && !list::has_marks(self.text))
    }

    /// Whether a text that fits no other form is a drawn board: it has rows, and is not a list
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

/// The games of a file, read on demand.
type Games<'a> = Box<dyn Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a>;

/// A form of text.
struct Row {
    form: Form,
    looks: fn(&FileView<'_>) -> bool,
    read: for<'a> fn(&FileView<'a>, &'a Hints) -> Games<'a>,
}

/// Text forms in the order of trial. A text that fits no other form is read as a list of
/// moves.
const ROWS: [Row; 8] = [
    Row {
        form: Form::Json,
        looks: |view| view.text.trim_start().starts_with('{'),
        read: |view, _| Box::new(super::json::read(view.text)),
    },
    Row {
        form: Form::Sgf,
        looks: |view| sgf::looks(view.input.bytes()),
        read: |view, hints| Box::new(sgf::read(view.input, hints)),
    },
    Row {
        form: Form::PenteOrg,
        looks: |view| pente_org::looks(view.text),
        read: |view, hints| Box::new(pente_org::read(view.text, hints)),
    },
    Row {
        form: Form::Pgn,
        looks: |view| pgn::looks(view.text),
        read: |view, hints| Box::new(pgn::read(view.text, hints)),
    },
    Row {
        form: Form::Sav,
        looks: |view| sav::looks(view.text),
        read: |view, hints| Box::new(sav::read(view.text, hints)),
    },
    Row {
        form: Form::Psq,
        looks: |view| view.is_psq(),
        read: |view, hints| Box::new(psq::read(view.text, hints)),
    },
    Row {
        form: Form::Board,
        looks: |view| view.is_board(),
        read: |view, _| Box::new(std::iter::once(board(view))),
    },
    Row {
        form: Form::Moves,
        looks: |_| true,
        read: |view, hints| Box::new(list::read(view.text, hints)),
    },
];

/// Returns the form that a text looks like, with a remark if another form is possible.
pub(super) fn form(view: &FileView<'_>) -> (Form, Option<Note>) {
    let row = ROWS.iter().find(|row| (row.looks)(view));
    let form = row.map_or(Form::Moves, |row| row.form);
    let remark = |what: &str| Note::remark(Place::File, what);
    let note = match form {
        Form::Psq if !psq::has_head(view.text) => Some(remark(
            "read as psq: columns and rows from 1, from the upper left, and milliseconds; \
             choose with --form",
        )),
        Form::Moves if psq::looks(view.text) => Some(remark(
            "read as moves with their numbers or colours, not as psq; choose with --form",
        )),
        _ => None,
    };
    (form, note)
}

/// Reads the games of a text in a form.
pub(super) fn read<'a>(form: Form, view: &FileView<'a>, hints: &'a Hints) -> Games<'a> {
    let row = ROWS.iter().find(|row| row.form == form);
    row.map_or_else(|| Box::new(std::iter::empty()) as Games<'_>, |row| (row.read)(view, hints))
}

/// The form of binary input, recognised by its bytes or by the name of the file.
pub(super) fn binary(bytes: &[u8], name: Option<&str>) -> Option<Form> {
    let is_called = name.is_some_and(|name| name.to_ascii_lowercase().ends_with(".pos"));
    (pos::looks(bytes) || is_called && pos::may_be(bytes)).then_some(Form::Pos)
}

/// Reads the games of binary input; `None` if the form is a text form.
pub(super) fn read_binary<'a>(form: Form, bytes: &'a [u8], hints: &Hints) -> Option<Games<'a>> {
    match form {
        Form::Pos => Some(Box::new(pos::read(bytes, hints))),
        _ => None,
    }
}

/// Reads a drawn board as a game without moves.
fn board(view: &FileView<'_>) -> Result<ImportedGame, UnreadableGame> {
    let array = is_array(view.text).then(|| view.text.replace("],", "],\n"));
    match diagram::read(array.as_deref().unwrap_or(view.text)) {
        Ok(Drawn { variant, board, has_labels, mut notes }) => {
            let size @ (width, height) = (board.width, board.height);
            let is_usual = size == view.hints.usual_size(view.hints.variant.or(variant));
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
