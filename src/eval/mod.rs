//! The evaluation: a table from the code of every empty cell to points.
//!
//! Watches the board and keeps its sum up to date; never looks at moves.

mod ladder;
mod seeds;

use std::sync::OnceLock;

use crate::board::{Board, CellInfo, Watcher};
use crate::pattern::{CODES, Code};
use crate::rules::{Rule, RuleId};
use crate::types::{Cell, Color, FRAME, SCORE_LIMIT, Score};

/// Size of tables indexed by a code, a power of two.
const TABLE: usize = 4096;

/// Fractions of a point that worths are counted in.
const UNIT: i32 = 16;

/// Worth of a code to the colour that could play there, in [`UNIT`]s: if it is
/// to move, and if the enemy is.
type Worth = [i16; 2];

/// The weights of a variant.
pub struct Weights {
    /// Worth of an empty cell to a colour with this code there.
    potential: [Box<[Worth; TABLE]>; 2],
    /// Worth of playing on a cell with this code, for move ordering; 100
    /// points are one in the logarithm of the odds of being the best move.
    own: [Box<[i16; TABLE]>; 2],
    /// Worth of denying a cell with this code to the enemy, likewise.
    deny: [Box<[i16; TABLE]>; 2],
    /// Worth of being the one to move, by colour, in [`UNIT`]s.
    tempo: [i16; 2],
}

static WEIGHTS: [OnceLock<Weights>; RuleId::ALL.len()] = [const { OnceLock::new() }; 5];

/// A table with an entry for each code.
fn table<T: Copy + Default>(worth: impl Fn(Code) -> T) -> Box<[T; TABLE]> {
    let mut table = Box::new([T::default(); TABLE]);
    for code in 0..CODES as Code {
        table[code as usize] = worth(code);
    }
    table
}

impl Weights {
    /// The weights of a sheet.
    pub fn of<R: Rule>() -> &'static Weights {
        WEIGHTS[R::ID as usize].get_or_init(|| {
            let seeds = Color::ALL.map(|color| seeds::of(R::ID, color));
            let fouls = |color: Color| R::BLACK_FOULS && color == Color::Black;
            let worth = |color: Color, ladder: fn(&seeds::Seeds) -> &seeds::Ladder| {
                move |code| ladder(seeds[color.index()]).worth(code, fouls(color))
            };
            let potential = |color| {
                let to_move = worth(color, |s| &s.to_move);
                let waiting = worth(color, |s| &s.waiting);
                table(|code| [to_move(code), waiting(code)])
            };
            Weights {
                potential: Color::ALL.map(potential),
                own: Color::ALL.map(|color| table(worth(color, |s| &s.own))),
                deny: Color::ALL.map(|color| table(worth(color, |s| &s.deny))),
                tempo: seeds.map(|s| s.tempo),
            }
        })
    }

    /// How good a move looks to `mover` from the codes of its cell alone.
    #[inline]
    pub fn prior(&self, mover: Color, cell: &CellInfo) -> i32 {
        let own = self.own[mover.index()][cell.codes[mover.index()] as usize % TABLE];
        let deny = self.deny[(!mover).index()][cell.codes[(!mover).index()] as usize % TABLE];
        own as i32 + deny as i32
    }
}

/// Sums over the empty cells for each colour: if it is to move, and if not.
type Sums = [[i32; 2]; 2];

/// The running evaluation of a board.
#[derive(Clone)]
pub struct Eval {
    weights: &'static Weights,
    sums: Sums,
    past: Vec<Sums>,
}

impl Eval {
    /// The evaluation of a board as it stands.
    pub fn new<R: Rule>(board: &Board<R>) -> Eval {
        let weights = Weights::of::<R>();
        let mut eval = Eval { weights, sums: Sums::default(), past: Vec::with_capacity(FRAME) };
        for cell in board.empty().iter() {
            eval.cell(cell, CellInfo::WALL, *board.cell(cell));
        }
        eval
    }

    /// Call before a stone is placed: [`Eval::restore`] will come back here.
    #[inline]
    pub fn save(&mut self) {
        self.past.push(self.sums);
    }

    /// Back to what it was at the last [`Eval::save`].
    #[inline]
    pub fn restore(&mut self) {
        if let Some(sums) = self.past.pop() {
            self.sums = sums;
        }
    }

    /// Points for the side to move.
    #[inline]
    pub fn score(&self, to_move: Color) -> Score {
        let [mine, theirs] = [self.sums[to_move.index()][0], self.sums[(!to_move).index()][1]];
        let tempo = self.weights.tempo[to_move.index()] as i32;
        ((mine + theirs + tempo) / UNIT).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// The weights it sums.
    #[inline]
    pub fn weights(&self) -> &'static Weights {
        self.weights
    }
}

impl Watcher for Eval {
    #[inline]
    fn cell(&mut self, _: Cell, old: CellInfo, new: CellInfo) {
        for color in Color::ALL {
            let i = color.index();
            let worth = &self.weights.potential[i];
            let before = worth[old.codes[i] as usize % TABLE];
            let after = worth[new.codes[i] as usize % TABLE];
            for tempo in 0..2 {
                self.sums[i][tempo] += after[tempo] as i32 - before[tempo] as i32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Renju, Setup};
    use crate::types::keys::mix;

    #[test]
    fn the_running_sum_is_the_sum_afresh() {
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        let mut eval = Eval::new(&board);
        let mut seed = 3;
        let mut sums = Vec::new();
        while board.placed() < 120 {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 15, (seed >> 20) as usize % 15);
            if board.is_empty(cell) {
                sums.push(eval.sums);
                eval.save();
                board.make(cell, Color::ALL[board.placed() % 2], &mut eval);
                assert_eq!(eval.sums, Eval::new(&board).sums);
            }
        }
        while let Some(before) = sums.pop() {
            board.unmake();
            eval.restore();
            assert_eq!(eval.sums, before);
        }
    }
}
