//! Policy score, class and shape of a move from the lines through its cell, for all games
//! on a [`LineCountBoard`].

use super::position::{DENIED_SHAPES, MoveClass};
use crate::board::{LONGEST, LineCountBoard, Live};
use goren_core::types::{Cell, CellSet, Color};

/// Policy values of the lines through a cell, in hundredths of the log-odds that the move
/// is the best.
#[derive(Copy, Clone, Debug)]
pub(super) struct LinePolicy {
    /// By the number of own stones on a line without opponent's stones, before the move.
    pub(super) own: [i32; LONGEST + 1],
    /// By the number of opponent's stones on a line without own stones.
    pub(super) deny: [i32; LONGEST + 1],
}

impl LinePolicy {
    pub(super) fn of(&self, board: &LineCountBoard, color: Color, cell: Cell) -> i32 {
        let sum = |values: &[i32; LONGEST + 1], live: Live| {
            let lines = live.counts().into_iter().zip(values);
            lines.map(|(lines, value)| i32::from(lines) * value).sum::<i32>()
        };
        // A line without stones is live for both colours; `deny[0]` is 0, so that it counts
        // once.
        sum(&self.own, board.live(color, cell)) + sum(&self.deny, board.live(!color, cell))
    }
}

/// Returns the empty cells near stones; on an empty board the middle cell.
pub(super) fn near(board: &LineCountBoard) -> CellSet {
    let near = board.near();
    if !near.is_empty() || board.empty().is_empty() {
        return near;
    }
    let geometry = board.geometry();
    let middle = Cell::new(geometry.width() / 2, geometry.height() / 2);
    [middle].into_iter().filter(|&cell| board.is_empty(cell)).collect()
}

/// The fullest of the live lines of a colour through a cell.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Fullest {
    pub(super) stones: usize,
    pub(super) lines: usize,
}

impl Fullest {
    /// Finds the fullest live lines of `color` through `cell`.
    pub(super) fn of(board: &LineCountBoard, color: Color, cell: Cell) -> Fullest {
        let live = board.live(color, cell);
        Fullest { stones: live.most(), lines: live.of(live.most()) }
    }

    /// Returns the grade of the fullest line: `max` if it misses one stone of `length`, one
    /// less for each further missing stone, at least 0.
    pub(super) fn grade(&self, length: usize, max: usize) -> usize {
        let missing = length - self.stones;
        (max + 1).saturating_sub(missing)
    }
}

/// Returns the shape of a move (see `Position::shape`): the grade of the fullest own line
/// times [`DENIED_SHAPES`], plus the grade of the opponent's fullest line.
pub(super) fn shape(board: &LineCountBoard, color: Color, cell: Cell) -> usize {
    let length = board.geometry().length();
    let own = Fullest::of(board, color, cell).grade(length, 6);
    let denied = Fullest::of(board, !color, cell).grade(length, DENIED_SHAPES - 1);
    own * DENIED_SHAPES + denied
}

/// Returns the class of a move by its lines alone, in a game where a line that misses one stone
/// forces an answer.
pub(super) fn move_class(board: &LineCountBoard, color: Color, cell: Cell) -> MoveClass {
    let length = board.geometry().length();
    let own = Fullest::of(board, color, cell);
    let denied = Fullest::of(board, !color, cell);
    let missing = length - own.stones;
    if missing <= 2 && own.lines > 1 {
        MoveClass::StrongFour
    } else if missing <= 2 {
        MoveClass::Four
    } else if length - denied.stones <= 2 || missing == 3 && own.lines > 1 {
        MoveClass::Threat
    } else if missing == 3 || length - denied.stones == 3 {
        MoveClass::Active
    } else {
        MoveClass::Quiet
    }
}
