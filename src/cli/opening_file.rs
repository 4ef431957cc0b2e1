//! Files of openings, one a line, in both forms in use.
//!
//! Points: moves in a row, a letter for the column from the left and a number for
//! the row, such as `h8i9j8`. In files that begin with [`HEAD`], as all that are
//! written do, rows count from the bottom; in others from the top, as in the files
//! of other programs and in those written before there was a head. Offsets: `dx,dy`
//! pairs from the middle cell (`size / 2`, rounded down), such as `0,0, 1,1, 2,0`; the
//! form of Gomocup, Piskvork and c-gomoku-cli. Black's stones come first.
//! Blank lines and what follows a `#` are skipped.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;

use super::forms::{NoteWriter, text_of};
use goren_core::rules::Setup;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color};

/// How openings are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// `0,0, 1,1, 2,0`: columns and rows from the middle cell.
    Offsets,
    /// `h8i9j8`: a letter for the column and a number for the row.
    Points,
}

/// The openings of a file, in a format or in the one its first line is in.
///
/// # Errors
/// The file cannot be read or holds no opening, a line cannot be read, or an
/// opening is illegal under the rule: a stone off the board, on another one or
/// on a forbidden point, or a game that is over. Names the file, the line and
/// the move. Where the numbers could be something else, what they are read as is
/// told on standard error.
pub fn read(path: &Path, setup: Setup, format: Option<Format>) -> Result<Vec<Vec<Cell>>> {
    let text = text_of(path)?;
    let openings = parse(&text, setup, format);
    let openings = openings.with_context(|| format!("openings of {}", path.display()))?;
    let say = |what| NoteWriter::new(Some(&path.display().to_string())).say(what, None);
    if format.is_none() && may_be_absolute(&text) {
        say(AS_OFFSETS);
    }
    if openings.rows == Rows::FromTop {
        say(FROM_TOP);
    }
    Ok(openings.moves)
}

/// The first line of a file of points whose rows count from the bottom.
pub const HEAD: &str = "# goren openings 2: rows count from the bottom";
/// How such a line begins, whatever the version.
const HEAD_BEGINS: &str = "# goren openings ";

const AS_OFFSETS: &str = "pairs of numbers are read as offsets from the middle of the board; \
                          columns and rows are written as points, such as h8i9j8";
const FROM_TOP: &str = "the rows of the points count from the top, as there is no line \
                        \"# goren openings 2\" before them; with it they count from the bottom";

/// Where the rows of points count from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Rows {
    FromTop,
    FromBottom,
    /// No points were read whose rows could be told.
    Unknown,
}

/// The openings of a text, and where its points count rows from.
#[derive(Debug)]
struct Openings {
    moves: Vec<Vec<Cell>>,
    rows: Rows,
}

/// The part of a line that says something.
fn said(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// Whether a text has pairs of numbers that may be columns and rows: none of
/// them is negative.
fn may_be_absolute(text: &str) -> bool {
    let lines = || text.lines().map(said);
    lines().any(|line| line.contains(',')) && !lines().any(|line| line.contains('-'))
}

/// [`read`] of a text.
fn parse(text: &str, setup: Setup, format: Option<Format>) -> Result<Openings> {
    let mut openings = Vec::new();
    let mut format = format;
    let mut rows = Rows::FromTop;
    if let Some(version) = text.lines().next().and_then(|line| line.strip_prefix(HEAD_BEGINS)) {
        let version = version.split([':', ' ']).next().unwrap_or_default();
        ensure!(version == "2", "line 1: version {version:?} of openings is not known");
        rows = Rows::FromBottom;
    }
    for (number, line) in (1..).zip(text.lines()) {
        let line = said(line);
        if line.is_empty() {
            continue;
        }
        let detected = if line.contains(',') { Format::Offsets } else { Format::Points };
        let opening = match *format.get_or_insert(detected) {
            Format::Offsets => offsets(line, setup),
            Format::Points => points(line, setup, rows),
        };
        let opening = opening.and_then(|moves| check(&moves, setup, rows).map(|()| moves));
        openings.push(opening.with_context(|| format!("line {number}"))?);
    }
    ensure!(!openings.is_empty(), "no opening in it");
    if format != Some(Format::Points) || openings.iter().all(Vec::is_empty) {
        rows = Rows::Unknown;
    }
    Ok(Openings { moves: openings, rows })
}

/// The first line of a file in a format, if it has one.
pub fn head(format: Format) -> Option<&'static str> {
    (format == Format::Points).then_some(HEAD)
}

/// An opening as a line, without its end.
pub fn write_line(moves: &[Cell], setup: Setup, format: Format) -> String {
    let (cx, cy) = ((setup.width / 2) as i64, (setup.height / 2) as i64);
    let offset = |cell: &Cell| format!("{},{}", cell.x() as i64 - cx, cell.y() as i64 - cy);
    match format {
        Format::Points => moves.iter().map(|cell| cell.label(setup.height)).collect(),
        Format::Offsets => moves.iter().map(offset).collect::<Vec<_>>().join(", "),
    }
}

fn offsets(line: &str, setup: Setup) -> Result<Vec<Cell>> {
    let numbers = line.split(',').map(|word| {
        let word = word.trim();
        word.parse::<i64>().with_context(|| format!("{word:?} is no number"))
    });
    let numbers = numbers.collect::<Result<Vec<i64>>>()?;
    ensure!(numbers.len().is_multiple_of(2), "a column without its row at the end");
    let moves = (1..).zip(numbers.chunks_exact(2));
    let cell = |(number, pair): (usize, &[i64])| {
        // Saturating, so that no number however large wraps onto the board.
        let x = pair[0].saturating_add((setup.width / 2) as i64);
        let y = pair[1].saturating_add((setup.height / 2) as i64);
        on_board(x, y, setup)
            .with_context(|| format!("move {number} ({},{}) is off the board", pair[0], pair[1]))
    };
    moves.map(cell).collect()
}

/// The cells of points in a row, such as `h8i9j8`, on a board.
///
/// # Errors
/// Something else than points, or a point off the board; names the move.
pub(super) fn points(line: &str, setup: Setup, rows: Rows) -> Result<Vec<Cell>> {
    let mut rest = line;
    let mut moves = Vec::new();
    while !rest.is_empty() {
        let number = moves.len() + 1;
        let letter = rest.chars().next().filter(char::is_ascii_alphabetic);
        let Some(letter) = letter else {
            bail!("move {number}: a letter is needed before {rest:?}");
        };
        let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (point, tail) = rest.split_at(1 + digits);
        let Ok(row) = point[1..].parse::<i64>() else {
            bail!("move {number}: {point:?} is no point");
        };
        let column = i64::from(letter.to_ascii_lowercase() as u8 - b'a');
        let y = if rows == Rows::FromBottom { setup.height as i64 - row } else { row - 1 };
        let cell = on_board(column, y, setup);
        moves.push(cell.with_context(|| format!("move {number} ({point}) is off the board"))?);
        rest = tail.trim_start_matches([' ', '\t']);
    }
    Ok(moves)
}

fn on_board(x: i64, y: i64, setup: Setup) -> Option<Cell> {
    let inside = (0..setup.width as i64).contains(&x) && (0..setup.height as i64).contains(&y);
    inside.then(|| Cell::new(x as usize, y as usize))
}

/// Whether an opening may be played and the game goes on after it.
fn check(moves: &[Cell], setup: Setup, rows: Rows) -> Result<()> {
    let mut referee = FiveReferee::new(setup);
    for (i, &cell) in moves.iter().enumerate() {
        // As it stands in the file.
        let from_top = || Cell::new(cell.x(), (setup.height - 1).saturating_sub(cell.y()));
        let named = if rows == Rows::FromTop { from_top() } else { cell };
        let point = || format!("move {} ({})", i + 1, named.label(setup.height));
        if let Some(outcome) = referee.place(Color::ALL[i % 2], cell).with_context(point)? {
            bail!("{} ends the game ({outcome:?})", point());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use proptest::prelude::*;

    fn setup(rule: RuleId) -> Setup {
        Setup::new(rule, 15, 15).unwrap()
    }

    fn error(text: &str, rule: RuleId) -> String {
        format!("{:#}", parse(text, setup(rule), None).unwrap_err())
    }

    #[test]
    fn both_forms_are_read_and_the_file_says_which() {
        let expected =
            vec![vec![Cell::new(7, 7), Cell::new(8, 8), Cell::new(9, 7)], vec![Cell::new(0, 14)]];
        let freestyle = setup(RuleId::Freestyle);
        let points = "# an opening file\n\nh8i9j8  # level\r\nA15\n";
        let read = |text: &str| parse(text, freestyle, None).unwrap();
        assert_eq!((read(points).moves, read(points).rows), (expected.clone(), Rows::FromTop));
        let headed = format!("{HEAD}\n# an opening file\nh8i7j8  # level\r\nA1\n");
        assert_eq!((read(&headed).moves, read(&headed).rows), (expected.clone(), Rows::FromBottom));
        let offsets = "0,0, 1,1,2 , 0\n-7,7\n";
        assert_eq!((read(offsets).moves, read(offsets).rows), (expected, Rows::Unknown));
    }

    #[test]
    fn pairs_without_a_minus_may_be_columns_and_rows() {
        for (text, may_be) in [
            ("0,0, 1,1\n2,2\n", true),
            ("# -1,0\n7,7, 8,8 # a-b\n", true),
            ("0,0, 1,1\n-2,2\n", false),
            ("h8i9\n", false),
            ("", false),
        ] {
            assert_eq!(may_be_absolute(text), may_be, "{text}");
        }
    }

    #[test]
    fn bad_openings_are_named() {
        use RuleId::*;
        assert_eq!(error("h8\nh8p1", Freestyle), "line 2: move 2 (p1) is off the board");
        assert_eq!(error("h8i0", Freestyle), "line 1: move 2 (i0) is off the board");
        assert_eq!(error("h8 h8", Freestyle), "line 1: move 2 (h8): the point is occupied");
        assert_eq!(error("0,0, 8,0", Freestyle), "line 1: move 2 (8,0) is off the board");
        assert_eq!(error("0,0, 1", Freestyle), "line 1: a column without its row at the end");
        assert_eq!(
            error("0,0, 1,x", Freestyle),
            "line 1: \"x\" is no number: invalid digit found in string"
        );
        assert_eq!(error("8h", Freestyle), "line 1: move 1: a letter is needed before \"8h\"");
        assert_eq!(error("h", Freestyle), "line 1: move 1: \"h\" is no point");
        assert_eq!(error("# nothing\n", Freestyle), "no opening in it");
        let newer = HEAD.replace('2', "3");
        assert!(error(&format!("{newer}\nh8"), Freestyle).contains("version \"3\" of openings"));
        assert_eq!(
            error(&format!("{HEAD}\nh16"), Freestyle),
            "line 2: move 1 (h16) is off the board"
        );
        let five = "a1a2b1b2c1c2d1d2e1";
        assert!(error(five, Freestyle).contains("move 9 (e1) ends the game (Win(Black))"));
        // A double three.
        let foul = "g8a1i8a15h7o1h9o15h8";
        assert!(error(foul, Renju).contains("move 9 (h8) ends the game (Win(White))"));
        assert!(parse(foul, setup(Standard), None).is_ok());
        let missing = read(Path::new("/nowhere/openings.txt"), setup(Renju), None).unwrap_err();
        assert!(missing.to_string().contains("/nowhere/openings.txt"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            cells in prop::collection::hash_set((0usize..20, 0usize..12), 1..8),
            points in any::<bool>(),
        ) {
            let setup = Setup::new(RuleId::Freestyle, 20, 12).unwrap();
            let moves: Vec<Cell> = cells.into_iter().map(|(x, y)| Cell::new(x, y)).collect();
            let format = if points { Format::Points } else { Format::Offsets };
            let line = write_line(&moves, setup, format);
            let text = format!("{}\n{line}", head(format).unwrap_or_default());
            prop_assert_eq!(parse(&text, setup, None).unwrap().moves, vec![moves]);
        }

        #[test]
        fn no_text_is_a_disaster(text in "[ -~\n\u{e9}]{0,60}") {
            let _ = parse(&text, setup(RuleId::Renju), None);
            let _ = parse(&text, setup(RuleId::Renju), Some(Format::Offsets));
            let _ = parse(&text, setup(RuleId::Renju), Some(Format::Points));
        }
    }
}
