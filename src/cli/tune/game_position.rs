//! The positions of a training game: those before its plies, and those sampled from its
//! searches.

use goren_core::rules::Rule;
use goren_core::types::{Cell, CellSet, Color, Score};
use goren_engine::board::Board;
use goren_engine::eval::near::{self, EarlierMove};
use goren_engine::pattern::Class;
use goren_engine::threat::{self, Verdict};
use goren_training_data::{PackedGame, SampledPosition};

/// A position of a training game in which a best move was found.
#[derive(Copy, Clone)]
pub(super) enum TrainingPosition<'a> {
    /// The position before this ply.
    Played(usize),
    /// A position that a search evaluated.
    Sampled(&'a SampledPosition),
}

/// A stone that cannot be placed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stone {number} is on an occupied point")]
pub(super) struct Occupied {
    /// Counted from 1.
    pub number: usize,
}

impl<'a> TrainingPosition<'a> {
    /// All positions of a game: first those that were played, in order.
    ///
    /// # Errors
    /// A stone on another, in the game or in a line to a sampled position.
    pub fn all(game: &'a PackedGame) -> Result<Vec<TrainingPosition<'a>>, Occupied> {
        check_distinct(&game.stones_before(game.plies.len()).collect::<Vec<_>>())?;
        let sampled: Vec<_> = game.sampled.iter().map(TrainingPosition::Sampled).collect();
        sampled.iter().try_for_each(|sampled| check_distinct(&sampled.stones(game)))?;
        Ok((0..game.plies.len()).map(TrainingPosition::Played).chain(sampled).collect())
    }

    /// Position number `number` of [`TrainingPosition::all`].
    pub fn of(game: &'a PackedGame, number: usize) -> TrainingPosition<'a> {
        match number.checked_sub(game.plies.len()) {
            None => TrainingPosition::Played(number),
            Some(sampled) => TrainingPosition::Sampled(&game.sampled[sampled]),
        }
    }

    /// The stones before it, in turn.
    pub fn stones(self, game: &PackedGame) -> Vec<Cell> {
        match self {
            TrainingPosition::Played(ply) => game.stones_before(ply).collect(),
            TrainingPosition::Sampled(SampledPosition { ply, line, .. }) => {
                game.stones_before(*ply).chain(line.iter().copied()).collect()
            }
        }
    }

    /// The best move.
    pub fn best(self, game: &PackedGame) -> Cell {
        match self {
            TrainingPosition::Played(ply) => game.plies[ply].best,
            TrainingPosition::Sampled(sampled) => sampled.best,
        }
    }

    /// Score of the search for the side to move.
    pub fn score(self, game: &PackedGame) -> Score {
        match self {
            TrainingPosition::Played(ply) => game.plies[ply].score,
            TrainingPosition::Sampled(sampled) => sampled.score,
        }
    }
}

/// Checks that no stone is on another.
fn check_distinct(stones: &[Cell]) -> Result<(), Occupied> {
    let mut seen = CellSet::EMPTY;
    for (i, &cell) in stones.iter().enumerate() {
        if seen.contains(cell) {
            return Err(Occupied { number: i + 1 });
        }
        seen.insert(cell);
    }
    Ok(())
}

/// Places stones in turn, each on a point of its own, on a board that may have others; the
/// stones that both begin with stay. Returns the last move and the one before it, each with
/// its grade.
pub(super) fn set_up<R: Rule>(board: &mut Board<R>, stones: &[Cell]) -> [Option<EarlierMove>; 2] {
    // The last two are placed again, as their grades are needed.
    let before = &stones[..stones.len().saturating_sub(2)];
    let placed = board.stones().map(|(cell, _)| cell);
    let common = placed.zip(before).take_while(|(a, b)| a == *b).count();
    while board.placed() > common {
        board.unmake();
    }
    let mut last = [None; 2];
    for (i, &cell) in stones.iter().enumerate().skip(common) {
        let mover = Color::ALL[i % 2];
        last = [Some((cell, near::grade(board.class(mover, cell)))), last[0]];
        board.make(cell, mover);
    }
    last
}

/// Whether the search evaluates a position: no five must be prevented, and there is no
/// static verdict.
pub(super) fn is_evaluated<R: Rule>(board: &Board<R>, me: Color) -> bool {
    board.count(!me, Class::Five) == 0 && threat::verdict(board, me) == Verdict::Unknown
}
