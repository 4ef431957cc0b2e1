//! Main history (by cell) and counter moves order the moves (`picker.rs`). Continuation
//! history (relative to the move one ply ago) and follow-up history (relative to the
//! move two plies ago) do not; late move reduction reads all three histories.

use super::params::{HISTORY_MAX, Params};
use crate::eval::near::{EarlierMove, GRADES, SPOTS, spot};
use crate::game::{DENIED_SHAPES, MoveClass, SHAPES, THREATENING};
use goren_core::types::{Cell, Color, FRAME, Move};

/// Greatest distance, in columns and in rows, at which an active move continues an
/// attack.
const ATTACK_REACH: usize = 4;
/// Entries of a history that is relative to an earlier move: by the grade of that
/// move, the offset from it, and the shape of the move.
const RELATIVE: usize = GRADES * SPOTS * SHAPES;

/// A move and its shape when it was made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The cell of the stone.
    pub cell: Cell,
    /// [`crate::game::Position::shape`] of the move, taken before it was made.
    pub shape: usize,
}

impl PlayedMove {
    /// Returns the cell and the grade of the move.
    pub fn earlier(self) -> EarlierMove {
        (self.cell, self.shape / DENIED_SHAPES)
    }

    /// Whether the move made a threat.
    fn threatens(self) -> bool {
        self.shape / DENIED_SHAPES >= THREATENING
    }
}

/// The moves before a node; `None` for moves before the root, as the moves of the game are not
/// recorded.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct Context {
    /// The last move: the opponent's, if a turn has one stone.
    pub one_ply_ago: Option<PlayedMove>,
    /// The move before that: of the side to move, if a turn has one stone.
    pub two_plies_ago: Option<PlayedMove>,
}

impl Context {
    /// Whether a move continues the attack of the same side's last move: that move
    /// made a threat, and `played` makes another one or is an active move near it.
    /// Only meaningful if a turn has one stone.
    #[inline]
    pub fn continues_attack(&self, played: PlayedMove, class: MoveClass) -> bool {
        self.two_plies_ago.is_some_and(|own| {
            let dx = own.cell.x().abs_diff(played.cell.x());
            let dy = own.cell.y().abs_diff(played.cell.y());
            let near = dx.max(dy) <= ATTACK_REACH;
            own.threatens() && (played.threatens() || class >= MoveClass::Active && near)
        })
    }
}

/// Histories of one search thread. The first index of each is the colour of the
/// move.
#[derive(Clone)]
pub struct History {
    main: Box<[[i16; FRAME]; 2]>,
    counter: Box<[[Move; FRAME]; 2]>,
    continuation: [Box<[i16; RELATIVE]>; 2],
    follow_up: [Box<[i16; RELATIVE]>; 2],
}

impl Default for History {
    fn default() -> History {
        let relative = || [Box::new([0; RELATIVE]), Box::new([0; RELATIVE])];
        History {
            main: Box::new([[0; FRAME]; 2]),
            counter: Box::new([[Move::NONE; FRAME]; 2]),
            continuation: relative(),
            follow_up: relative(),
        }
    }
}

/// The history scores of one move, each within [`HISTORY_MAX`].
#[derive(Copy, Clone, Default, Debug)]
pub struct HistoryScores {
    /// Main history.
    pub main: i32,
    /// Continuation history, relative to the last move.
    pub continuation: i32,
    /// Follow-up history, relative to the move two plies ago.
    pub follow_up: i32,
}

impl History {
    /// Main history of a cell, within [`HISTORY_MAX`].
    #[inline]
    pub fn main(&self, color: Color, cell: Cell) -> i32 {
        self.main[color.index()][cell.index()] as i32
    }

    /// Returns all history scores of a move.
    #[inline]
    pub fn get(&self, color: Color, played: PlayedMove, context: &Context) -> HistoryScores {
        let c = color.index();
        HistoryScores {
            main: self.main[c][played.cell.index()] as i32,
            continuation: context
                .one_ply_ago
                .map_or(0, |last| self.continuation[c][relative(last, played)] as i32),
            follow_up: context
                .two_plies_ago
                .map_or(0, |own| self.follow_up[c][relative(own, played)] as i32),
        }
    }

    /// Returns the counter move of `color` against a stone on `last`, or [`Move::NONE`].
    #[inline]
    pub fn counter(&self, color: Color, last: Option<Cell>) -> Move {
        last.map_or(Move::NONE, |c| self.counter[color.index()][c.index()])
    }

    /// Sets the counter move of `color` against a stone on `last`.
    pub fn set_counter(&mut self, color: Color, last: Option<Cell>, m: Move) {
        if let Some(last) = last {
            self.counter[color.index()][last.index()] = m;
        }
    }

    /// Adds a bonus to the three histories of a move; a negative bonus is a malus.
    pub fn add(&mut self, color: Color, played: PlayedMove, context: &Context, bonus: i32) {
        let c = color.index();
        gravitate(&mut self.main[c][played.cell.index()], bonus);
        if let Some(last) = context.one_ply_ago {
            gravitate(&mut self.continuation[c][relative(last, played)], bonus);
        }
        if let Some(own) = context.two_plies_ago {
            gravitate(&mut self.follow_up[c][relative(own, played)], bonus);
        }
    }

    /// Clears all histories in place, as allocating them again is slow.
    pub fn clear(&mut self) {
        self.main.iter_mut().for_each(|of_color| of_color.fill(0));
        self.counter.iter_mut().for_each(|of_color| of_color.fill(Move::NONE));
        for relative in self.continuation.iter_mut().chain(&mut self.follow_up) {
            relative.fill(0);
        }
    }

    /// Halves the main history, at the start of every search. Counter moves, continuation
    /// and follow-up history stay as they are until [`History::clear`].
    pub fn decay_main(&mut self) {
        for entry in self.main.iter_mut().flatten() {
            *entry /= 2;
        }
    }
}

/// History bonus of a move that failed high at `depth` plies.
pub fn bonus(params: &Params, depth: i32) -> i32 {
    (params.history_bonus_square * depth * depth + params.history_bonus_ply * depth)
        .min(params.history_bonus_max)
}

/// Updates an entry with history gravity: the nearer it is to [`HISTORY_MAX`], the
/// less a bonus adds.
#[inline]
fn gravitate(entry: &mut i16, bonus: i32) {
    *entry += (bonus - *entry as i32 * bonus.abs() / HISTORY_MAX) as i16;
}

/// Index of the move `to` in a history relative to the earlier move `from`.
#[inline]
fn relative(from: PlayedMove, to: PlayedMove) -> usize {
    let (cell, grade) = from.earlier();
    // The index is in range: the remainder only spares a bounds check.
    ((grade * SPOTS + spot(cell, to.cell)) * SHAPES + to.shape) % RELATIVE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attack_continues_by_threats_anywhere_and_by_active_moves_nearby() {
        let played =
            |x, y, grade: usize| PlayedMove { cell: Cell::new(x, y), shape: grade * DENIED_SHAPES };
        let after = |own: PlayedMove| Context { one_ply_ago: None, two_plies_ago: Some(own) };
        let three = after(played(7, 7, THREATENING));
        assert!(three.continues_attack(played(14, 0, THREATENING), MoveClass::Threat));
        assert!(three.continues_attack(played(11, 3, 2), MoveClass::Active));
        assert!(!three.continues_attack(played(12, 7, 2), MoveClass::Active));
        assert!(!three.continues_attack(played(8, 7, 1), MoveClass::Quiet));
        let two = after(played(7, 7, THREATENING - 1));
        assert!(!two.continues_attack(played(8, 8, THREATENING), MoveClass::Threat));
        assert!(!Context::default().continues_attack(played(8, 8, THREATENING), MoveClass::Threat));
    }
}
