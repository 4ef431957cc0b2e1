//! How to read points in letters and numbers: the lettering of the columns, the first row, and the
//! origin of numbers.

use std::collections::BTreeSet;

use super::item::{Item, ListMove};
use super::numbers::Triples;
use crate::record::import::points::{WrittenPoint, guess};
use crate::record::import::{Columns, Hints, Note, Place, Question};
use crate::rules::Variant;
use crate::types::{Cell, MAX_SIDE};

/// Evidence for the reading of points, from a list or from all lines of a text.
#[derive(Clone, Default)]
pub(super) struct Evidence {
    /// Distinct points in the order of their first occurrence.
    points: Vec<WrittenPoint>,
    /// Distinct pairs.
    pairs: BTreeSet<[i32; 2]>,
    /// First pairs of games.
    firsts: BTreeSet<[i32; 2]>,
    /// Letters and rows of `points`.
    seen: BTreeSet<(usize, usize)>,
}

impl Evidence {
    /// Adds the moves of a game.
    pub(super) fn add(&mut self, items: &[Item]) {
        for item in items {
            match item.what {
                ListMove::Point(point)
                    if point.row <= MAX_SIDE && self.seen.insert((point.letter, point.row)) =>
                {
                    self.points.push(point);
                }
                ListMove::Pair(pair) => {
                    self.pairs.insert(pair);
                }
                _ => {}
            }
        }
        let first = items.iter().find(|item| item.what.is_stone()).map(|item| item.what);
        if let Some(ListMove::Pair(pair)) = first {
            self.firsts.insert(pair);
        }
    }
}

/// Origin of pairs of numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Origin {
    /// Column and row of the upper left corner have this number.
    Corner(i32),
    /// Pairs are offsets from the middle of the board.
    Centre,
}

/// How to read points: origin, direction of rows and column lettering.
#[derive(Clone)]
pub(super) struct PointReading {
    board: (usize, usize),
    pub(super) columns: Columns,
    from_top: Option<bool>,
    origin: Origin,
    /// Notes on guesses.
    pub(super) notes: Vec<Note>,
}

impl PointReading {
    /// Chooses the reading that the user gives, else the one that the moves make likely.
    pub(super) fn of(
        evidence: &Evidence,
        board: (usize, usize),
        variant: Option<Variant>,
        triples: Option<Triples>,
        hints: &Hints,
    ) -> PointReading {
        let mut notes = Vec::new();
        let columns = columns(evidence, board, variant, hints, &mut notes);
        let given = hints.origin.and_then(|origin| i32::try_from(origin).ok());
        let guessed = || origin(evidence, board, triples, hints, &mut notes);
        let origin = given.map(Origin::Corner).unwrap_or_else(guessed);
        PointReading { board, columns, from_top: hints.from_top, origin, notes }
    }

    pub(super) fn cell(&self, what: ListMove) -> Option<Cell> {
        let (width, height) = self.board;
        match what {
            ListMove::Point(point) => {
                point.cell(self.columns, self.board, self.from_top.unwrap_or(false))
            }
            ListMove::Pair([x, y]) => {
                let place = |value: i32, side: usize| {
                    let place = match self.origin {
                        Origin::Corner(first) => value - first,
                        Origin::Centre => value + (side / 2) as i32,
                    };
                    usize::try_from(place).ok()
                };
                self.corner_cell(place(x, width)?, place(y, height)?)
            }
            ListMove::Letters([x, y]) => self.corner_cell(x, y),
            ListMove::Drop(_) | ListMove::Pass | ListMove::Swap => None,
        }
        .filter(|cell| cell.x() < width && cell.y() < height)
    }

    /// Returns the cell of a column and a row, both from 0. Rows count from the top unless the user
    /// overrides it.
    fn corner_cell(&self, x: usize, y: usize) -> Option<Cell> {
        let (width, height) = self.board;
        let y = if self.from_top.unwrap_or(true) { y } else { height.checked_sub(y + 1)? };
        (x < width && y < height).then(|| Cell::new(x, y))
    }

    /// Returns the message that a move is on no point of the board. `is_given`: whether the size of
    /// the board is given.
    pub(super) fn off_board(&self, what: ListMove, is_given: bool) -> String {
        let (width, height) = self.board;
        let lacks = matches!(what, ListMove::Point(point) if point.lacks_column(self.columns));
        if lacks {
            return "there is no column I on this board".into();
        }
        let reason = match (what, self.origin) {
            (ListMove::Pair(_), Origin::Centre) => {
                ": as a number is negative, all are offsets from the middle"
            }
            _ => "",
        };
        if is_given {
            return format!("the point is outside the board{reason}");
        }
        format!("the point is outside the board of {width}x{height}{reason}; --size sets another")
    }
}

/// Chooses the lettering of the columns.
fn columns(
    evidence: &Evidence,
    board: (usize, usize),
    variant: Option<Variant>,
    hints: &Hints,
    notes: &mut Vec<Note>,
) -> Columns {
    if let Some(columns) = hints.columns {
        return columns;
    }
    // These games are played on Go boards, which are often lettered without I.
    let of_go =
        matches!(variant, Some(Variant::Pente(_) | Variant::Connect6(_) | Variant::Irensei(_)));
    let (likely, note) = guess(&evidence.points, board, Columns::WithI, false);
    if !of_go || likely == Columns::WithI {
        return Columns::WithI;
    }
    if evidence.points.iter().any(|point| point.letter >= board.0) {
        notes.extend(note);
        return likely;
    }
    // Lists written by Goren have a column I.
    let text = "columns are read with an I, as Goren writes them; without I the first stone \
                would be the centre (--columns without-i)";
    notes.push(Note::remark(Place::File, text).asking(Question::Columns));
    Columns::WithI
}

/// Chooses the origin of pairs.
fn origin(
    evidence: &Evidence,
    (width, height): (usize, usize),
    triples: Option<Triples>,
    hints: &Hints,
    notes: &mut Vec<Note>,
) -> Origin {
    let pairs = &evidence.pairs;
    let (columns, rows) = (width as i32, height as i32);
    let zero = pairs.iter().any(|pair| pair.contains(&0));
    let last = pairs.iter().any(|&[x, y]| x == columns || y == rows);
    let centre = |origin: i32| evidence.firsts.contains(&[columns / 2 + origin, rows / 2 + origin]);
    let is_offset = pairs.iter().flatten().any(|&number| number < 0);
    // After BOARD of Gomocup's protocol, numbers begin with 0.
    let is_board = triples == Some(Triples::Colored);
    let (origin, reason, is_doubted) = match (zero, last, centre(0), centre(1)) {
        (true, ..) => (0, "as there is a 0", false),
        (_, true, ..) => (1, "as the last column or row occurs", false),
        (_, _, true, true) => (1, "though a game begins at the centre either way", true),
        (_, _, true, _) => (0, "as the first stone is the centre then", false),
        (_, _, _, true) => (1, "as the first stone is the centre then", is_board),
        _ => (1, "as usual", is_board),
    };
    if pairs.is_empty() {
        return Origin::Corner(origin);
    }
    if is_offset {
        let text = "numbers are offsets from the middle of the board, as one is negative";
        notes.push(Note::remark(Place::File, text));
    } else {
        let text = format!("numbers are column and row from {origin}, {reason}");
        let note = if is_doubted { Note::doubt } else { Note::remark };
        notes.push(note(Place::File, text).asking(Question::Origin));
    }
    if hints.from_top.is_none() {
        let text = "rows in numbers count from the top";
        notes.push(Note::remark(Place::File, text).asking(Question::Rows));
    }
    if is_offset { Origin::Centre } else { Origin::Corner(origin) }
}
