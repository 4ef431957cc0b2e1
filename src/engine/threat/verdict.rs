//! Static verdict: wins and losses that the census of classes proves without search.

use arrayvec::ArrayVec;

use super::can_make_four;
use super::vcf::forced_cells;
use crate::board::Board;
use crate::pattern::{Class, LineClass};
use goren_core::rules::{Ends, Rule};
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Score, loss_in, win_in};

/// The static verdict for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins in at most this many plies.
    Win(usize),
    /// The side to move loses in this many plies.
    Loss(usize),
    /// Nothing is proven.
    Unknown,
}

impl Verdict {
    /// Returns the score for the side to move, `ply` plies below the root; `None` if nothing
    /// is proven.
    #[inline]
    pub fn score(self, ply: usize) -> Option<Score> {
        match self {
            Verdict::Win(plies) => Some(win_in(ply + plies)),
            Verdict::Loss(plies) => Some(loss_in(ply + plies)),
            Verdict::Unknown => None,
        }
    }
}

/// Computes the static verdict for `me`, the side to move.
#[inline]
pub fn verdict<R: Rule>(board: &Board<R>, me: Color) -> Verdict {
    if board.count(me, Class::Five) > 0 {
        return Verdict::Win(1);
    }
    let five_threats = board.count(!me, Class::Five);
    if five_threats > 0 {
        return answer_five(board, me, five_threats);
    }
    if board.count(me, Class::OpenFour) > 0 {
        return Verdict::Win(3);
    }
    if board.count(me, Class::FourThree) > 0 {
        let winning = |c| four_three(board, me, c).is_some_and(|ft| ft.wins(board, me));
        if board.cells_of(me, Class::FourThree).iter().any(winning) {
            return Verdict::Win(5);
        }
    }
    // Two open threes against an opponent that cannot make a four: when it stops one of
    // them, the other becomes an open four.
    if board.count(me, Class::DoubleThree) > 0 && !can_make_four(board, !me) {
        return Verdict::Win(5);
    }
    Verdict::Unknown
}

/// Returns the verdict if the opponent has `threats` cells that make a five.
fn answer_five<R: Rule>(board: &Board<R>, me: Color, threats: u16) -> Verdict {
    if threats > 1 {
        // In Caro, a stone at a common end of two fives stops both.
        let stops = R::ENDS != Ends::Any && forced_cells(board, me).is_some_and(|c| !c.is_empty());
        return if stops { Verdict::Unknown } else { Verdict::Loss(2) };
    }
    match board.cells_of(!me, Class::Five).first() {
        Some(block) if board.is_forbidden(me, block) => Verdict::Loss(2),
        _ => Verdict::Unknown,
    }
}

/// A stone that makes a four and an open three at once.
#[derive(Clone, Debug)]
pub struct FourThree {
    /// The stone.
    pub at: Cell,
    /// Direction of the four.
    pub four: Direction,
    /// The cells where a stone stops the four.
    pub blocks: ArrayVec<Cell, 3>,
    /// Direction of the open three.
    pub three: Direction,
}

/// Finds the four and the open three that a [`Class::FourThree`] stone at `at` makes.
pub fn four_three<R: Rule>(board: &Board<R>, color: Color, at: Cell) -> Option<FourThree> {
    let info = board.cell(at);
    let find = |pick: fn(LineClass) -> bool| {
        DIRECTIONS.into_iter().find(|&dir| pick(info.line(dir, color)))
    };
    let four = find(|l| l == LineClass::Four)?;
    let three = find(LineClass::is_open_three)?;
    let blocks = board.four_answers(color, at, four);
    Some(FourThree { at, four, blocks, three })
}

impl FourThree {
    /// Whether the stone wins for `color` by four, answer, open four, five: no answer gives
    /// the opponent a four and, for a colour with fouls, the open four is legal after the
    /// answer. The answers are on the line of the four, so they do not stop the three.
    pub fn wins<R: Rule>(&self, board: &Board<R>, color: Color) -> bool {
        let fouls = R::has_fouls(color);
        self.blocks.iter().all(|&block| {
            let placed = [(color, self.at), (!color, block)];
            board.class(!color, block) < Class::Four
                && (!fouls || board.real_three(color, self.at, self.three, &placed))
        })
    }
}
