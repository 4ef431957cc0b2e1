//! Places the moves of a game on its board, once the size of the board and the lettering of its
//! columns are known.

use super::game::{GameBuilder, variant};
use super::moves::SgfPoint;
use super::op::Op;
use crate::record::diagram::Diagram;
use crate::record::import::points::{WrittenPoint, guess};
use crate::record::import::{
    Columns, ImportedEvent, MoveStats, Note, Place, Question, UnreadableGame,
};
use crate::rules::Variant;
use crate::types::{Cell, Color, FRAME};

/// Board sides to try if a file does not give the size.
const SIDES: [usize; 3] = [15, 19, 20];

/// Maximum number of events per point of the board: captured points can be played again.
const MAX_ROUNDS: usize = 8;

/// Coordinate of a pass in older versions of SGF, on boards up to 19x19.
const OLD_PASS: u8 = 19;

/// How to read the points of a game.
#[derive(Copy, Clone, Debug)]
struct Frame {
    size: (usize, usize),
    columns: Columns,
    from_top: bool,
}

impl Frame {
    fn cell(self, point: SgfPoint) -> Option<Cell> {
        match point {
            SgfPoint::Letters { x, y, .. } => {
                let (x, y) = (usize::from(x), usize::from(y));
                (x < self.size.0 && y < self.size.1).then(|| Cell::new(x, y))
            }
            SgfPoint::Numbered(point) => point.cell(self.columns, self.size, self.from_top),
        }
    }

    /// Whether a point is a pass of older versions.
    fn is_old_pass(self, point: SgfPoint) -> bool {
        let pass = matches!(point, SgfPoint::Letters { x: OLD_PASS, y: OLD_PASS, .. });
        pass && self.size.0 <= usize::from(OLD_PASS) && self.size.1 <= usize::from(OLD_PASS)
    }

    /// Whether all points of the operations are on the board.
    fn holds(self, ops: &[Op]) -> bool {
        let inside = |point| self.cell(point).is_some() || self.is_old_pass(point);
        ops.iter().all(|op| match *op {
            Op::Stone { point, .. } => inside(point),
            Op::Add { from, to, .. } => inside(from) && inside(to),
            Op::Pass { .. } | Op::Swap { .. } | Op::Turn { .. } => true,
        })
    }
}

/// Lays out a game: as events, or as a board if stones were set up.
///
/// # Errors
/// A point is off the board, or there are far more moves than points; the error names the byte.
pub(super) fn lay_out(builder: &mut GameBuilder<'_>) -> Result<(), UnreadableGame> {
    let frame = record_frame(builder);
    if builder.has_set_up { board(builder, frame) } else { events(builder, frame) }
}

/// Lays out a line of a game as events. Returns the board before them if stones are set up there.
/// The line ends before stones that are set up later.
///
/// # Errors
/// As [`lay_out`].
pub(super) fn lay_out_line(
    builder: &mut GameBuilder<'_>,
) -> Result<Option<Diagram>, UnreadableGame> {
    let frame = record_frame(builder);
    let ops = &builder.ops;
    let late = late_set_up(ops);
    let first = first_event(ops);
    let is_set_up = ops[..first].iter().any(|op| matches!(op, Op::Add { .. }));
    let beginning = if is_set_up { Some(diagram(&ops[..first], frame)?) } else { None };
    // The first move decides who is to move, whatever the file states before.
    let mover = match ops.get(first) {
        Some(&(Op::Stone { color, .. } | Op::Pass { color, .. })) => Some(color),
        _ => None,
    };
    if let Some((at, byte)) = late {
        builder.ops.truncate(at);
        let what = "stones are set up after a move: they and what follows are left out";
        builder.notes.doubt(Place::Byte(byte), what);
    }
    events(builder, frame)?;
    let beginning = beginning.filter(|board| !board.stones.is_empty());
    Ok(beginning.map(|board| Diagram { to_move: mover.or(board.to_move), ..board }))
}

fn first_event(ops: &[Op]) -> usize {
    ops.iter().position(|op| op.is_event()).unwrap_or(ops.len())
}

/// Finds the first operation that sets up stones after a move. Returns its index and its byte.
pub(super) fn late_set_up(ops: &[Op]) -> Option<(usize, usize)> {
    let add = |(at, op): (usize, &Op)| match *op {
        Op::Add { byte, .. } => Some((at, byte)),
        _ => None,
    };
    ops.iter().enumerate().skip(first_event(ops)).find_map(add)
}

/// Finds how the points are read, and records size, columns and notes in the builder.
fn record_frame(builder: &mut GameBuilder<'_>) -> Frame {
    let frame = frame(builder);
    builder.game.size = Some(frame.size);
    builder.game.columns = Some(frame.columns).filter(|&columns| columns == Columns::WithoutI);
    let capitals = builder.ops.iter().find_map(|op| match *op {
        Op::Stone { byte, point: SgfPoint::Letters { capitals: true, .. }, .. } => Some(byte),
        _ => None,
    });
    if let Some(byte) = capitals {
        builder.notes.remark(Place::Byte(byte), "capital letters are read as small ones");
    }
    frame
}

/// Finds how the points of the game are read.
fn frame(builder: &mut GameBuilder<'_>) -> Frame {
    let variant = variant(builder);
    let known = builder.game.size.or(builder.hints.size);
    let size = known.unwrap_or_else(|| builder.hints.usual_size(variant));
    let from_top = builder.hints.from_top.unwrap_or(false);
    let mut frame = Frame { size, columns: Columns::WithI, from_top };
    let numbered: Vec<WrittenPoint> = builder
        .ops
        .iter()
        .flat_map(|op| match *op {
            Op::Stone { point, .. } => [Some(point), None],
            Op::Add { from, to, .. } => [Some(from), Some(to)],
            _ => [None, None],
        })
        .flatten()
        .filter_map(|point| match point {
            SgfPoint::Numbered(point) => Some(point),
            SgfPoint::Letters { .. } => None,
        })
        .collect();
    let columns = |size, builder: &GameBuilder<'_>| match builder.hints.columns {
        Some(columns) => (columns, None),
        None => guess(&numbered, size, Columns::WithI, false),
    };
    let mut note;
    (frame.columns, note) = columns(size, builder);
    if known.is_none() && !frame.holds(&builder.ops) {
        let larger = SIDES.into_iter().map(|side| {
            let size = (side, side);
            let (columns, note) = columns(size, builder);
            (Frame { size, columns, ..frame }, note)
        });
        if let Some((found, found_note)) = larger.into_iter().find(|(f, _)| f.holds(&builder.ops)) {
            let (width, height) = found.size;
            let what = format!("no size is given, and the stones need {width}x{height}");
            builder.notes.push(Note::doubt(Place::File, what).asking(Question::Size));
            (frame, note) = (found, found_note);
        }
    }
    if let Some(note) = note {
        builder.notes.push(note);
    }
    frame
}

/// Lays out the operations as events.
fn events(builder: &mut GameBuilder<'_>, frame: Frame) -> Result<(), UnreadableGame> {
    let most = MAX_ROUNDS * frame.size.0 * frame.size.1;
    if builder.ops.len() > most {
        let reason = format!("more than {most} moves");
        return Err(UnreadableGame { place: Place::File, reason });
    }
    let mut move_stats = std::mem::take(&mut builder.game.move_stats).into_iter();
    for op in std::mem::take(&mut builder.ops) {
        let stats: Option<MoveStats> = move_stats.next();
        let (byte, event) = match op {
            Op::Stone { byte, color, point } if frame.is_old_pass(point) => {
                (byte, ImportedEvent::Pass(Some(color)))
            }
            Op::Stone { byte, color, point } => {
                let cell = frame.cell(point).ok_or_else(|| off_board(byte, point, frame.size))?;
                (byte, ImportedEvent::Stone(cell, Some(color)))
            }
            Op::Pass { byte, color } => (byte, ImportedEvent::Pass(Some(color))),
            Op::Swap { byte } => (byte, ImportedEvent::Swap),
            // The side to move follows from the moves.
            Op::Add { .. } | Op::Turn { .. } => continue,
        };
        builder.game.events.push(event);
        builder.game.places.push(Place::Byte(byte));
        builder.game.move_stats.extend(stats);
    }
    Ok(())
}

fn off_board(byte: usize, point: SgfPoint, (width, height): (usize, usize)) -> UnreadableGame {
    let name = match point {
        SgfPoint::Letters { x, y, .. } => [x, y].map(|n| char::from(b'a' + n)).iter().collect(),
        SgfPoint::Numbered(point) => point.to_string(),
    };
    let reason = format!("{name} is off the board of {width}x{height}");
    UnreadableGame { place: Place::Byte(byte), reason }
}

/// Lays out set-up stones, and the moves after them, as a board.
fn board(builder: &mut GameBuilder<'_>, frame: Frame) -> Result<(), UnreadableGame> {
    let ops = std::mem::take(&mut builder.ops);
    let board = diagram(&ops, frame)?;
    if variant(builder).is_some_and(Variant::takes_stones) {
        for op in ops {
            if let Op::Stone { byte, point, .. } = op
                && !frame.is_old_pass(point)
            {
                let what = "captures by moves after stones that were set up are not worked out";
                builder.notes.doubt(Place::Byte(byte), what);
            }
        }
    }
    let stats = std::mem::take(&mut builder.game.move_stats);
    if std::mem::take(&mut builder.game.prelude) > 0 || !stats.is_empty() {
        let what = "not used: data on moves in comments, as only the position is read";
        builder.notes.remark(Place::File, what);
    }
    builder.game.board = Some(board);
    Ok(())
}

/// Returns the board after all operations.
///
/// # Errors
/// A point is off the board or gets two stones; the error names the byte.
fn diagram(ops: &[Op], frame: Frame) -> Result<Diagram, UnreadableGame> {
    let mut stones = vec![None; FRAME];
    let (mut last, mut to_move) = (None, None);
    for &op in ops {
        let (byte, color, from, to) = match op {
            Op::Stone { color, point, .. } if frame.is_old_pass(point) => {
                to_move = Some(!color);
                continue;
            }
            Op::Stone { byte, color, point } => (byte, Some(color), point, point),
            Op::Add { byte, color, from, to } => (byte, color, from, to),
            Op::Turn { color } => {
                to_move = Some(color);
                continue;
            }
            Op::Pass { color, .. } => {
                to_move = Some(!color);
                continue;
            }
            Op::Swap { .. } => continue,
        };
        let played = matches!(op, Op::Stone { .. });
        let corner = |point| frame.cell(point).ok_or_else(|| off_board(byte, point, frame.size));
        let (from, to) = (corner(from)?, corner(to)?);
        for y in from.y().min(to.y())..=from.y().max(to.y()) {
            for x in from.x().min(to.x())..=from.x().max(to.x()) {
                let cell = Cell::new(x, y);
                let before = std::mem::replace(&mut stones[cell.index()], color);
                if before.is_some() && color.is_some() {
                    let name = cell.label(frame.size.1);
                    let reason = format!("a second stone on {name}");
                    return Err(UnreadableGame { place: Place::Byte(byte), reason });
                }
                last = Some(cell).filter(|_| played);
            }
        }
        if played {
            to_move = color.map(|color| !color);
        }
    }
    let stone = |(index, color): (usize, Option<Color>)| Some((Cell::from_index(index), color?));
    let stones = stones.into_iter().enumerate().filter_map(stone).collect();
    let (width, height) = frame.size;
    Ok(Diagram { width, height, stones, last, to_move })
}
