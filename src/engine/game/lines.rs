//! Shared by the games on a [`LineCountBoard`]: policy score, class and shape of
//! a move by the lines through its cell.

use super::position::{DENIED_SHAPES, MoveClass};
use crate::board::{LONGEST, LineCountBoard, Live};
use goren_core::types::{Cell, CellSet, Color};

/// Values of a stone by the lines through its cell, for the ordering: 100 are
/// one in the logarithm of the odds of being the best move.
#[derive(Copy, Clone, Debug)]
pub(super) struct LinePolicy {
    /// By own stones in a line without opponents.
    pub(super) own: [i32; LONGEST + 1],
    /// By opponent's stones in a line without own ones.
    pub(super) deny: [i32; LONGEST + 1],
}

impl LinePolicy {
    /// Policy score of a stone of a colour on a cell.
    pub(super) fn of(&self, board: &LineCountBoard, color: Color, cell: Cell) -> i32 {
        let sum = |values: &[i32; LONGEST + 1], live: Live| {
            let lines = live.counts().into_iter().zip(values);
            lines.map(|(lines, value)| i32::from(lines) * value).sum::<i32>()
        };
        // Lines without any stone are counted as own ones.
        sum(&self.own, board.live(color, cell)) + sum(&self.deny, board.live(!color, cell))
    }
}

/// The empty cells near stones, or the middle of an empty board.
pub(super) fn near(board: &LineCountBoard) -> CellSet {
    let near = board.near();
    if !near.is_empty() || board.empty().is_empty() {
        return near;
    }
    let geometry = board.geometry();
    let middle = Cell::new(geometry.width() / 2, geometry.height() / 2);
    [middle].into_iter().filter(|&cell| board.is_empty(cell)).collect()
}

/// The fullest lines through a cell that only one colour has stones on: how
/// many stones they have, and how many lines there are of that many.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Fullest {
    pub(super) stones: usize,
    pub(super) lines: usize,
}

impl Fullest {
    /// Of a colour's lines through a cell.
    pub(super) fn of(board: &LineCountBoard, color: Color, cell: Cell) -> Fullest {
        let live = board.live(color, cell);
        Fullest { stones: live.most(), lines: live.of(live.most()) }
    }

    /// A grade from 0 to `most`: the more stones are missing of the line of
    /// `length`, the less.
    pub(super) fn grade(&self, length: usize, most: usize) -> usize {
        let missing = length - self.stones;
        (most + 1).saturating_sub(missing)
    }
}

/// A shape for histories, from what a stone adds to the own lines and what it
/// takes from the opponent's.
pub(super) fn shape(board: &LineCountBoard, color: Color, cell: Cell) -> usize {
    let length = board.geometry().length();
    let own = Fullest::of(board, color, cell).grade(length, 6);
    let denied = Fullest::of(board, !color, cell).grade(length, DENIED_SHAPES - 1);
    own * DENIED_SHAPES + denied
}

/// The class of a stone in a game where stones are captured: to capture some is at
/// least a threat.
#[inline]
pub(super) fn kind_capturing(
    board: &LineCountBoard,
    color: Color,
    cell: Cell,
    captures: impl FnOnce() -> bool,
) -> MoveClass {
    let class = move_class(board, color, cell);
    if class < MoveClass::Threat && captures() { MoveClass::Threat } else { class }
}

/// The class of a stone where a line one short forces an answer.
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
