//! Messages between the session and the search thread.

use super::balance::{Balance, Balanced};
use super::verbosity::{Mark, Verbosity};
use crate::decide::Decision as PlyDecision;
use crate::decide::Strength;
use crate::state::played_game::PlayedGame;
use goren_core::types::Cell;
use goren_engine::{Info, Request};

/// What to decide.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// The next move.
    Move,
    /// The next move, or more of them, for somebody who wants to know.
    Analyse,
    /// Nothing: think ahead while the other side is to move.
    Ponder,
    /// The next ply of an opening in which sides may be swapped: of swap2, or after
    /// the first stone.
    Opening,
    /// Stones that make the position worth so much.
    Balance(Balance),
    /// The next ply of an opening that is told apart from the game.
    OpeningStep,
}

/// What was decided.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// A ply; none if the game is over.
    Ply(Option<Box<PlyDecision>>),
    /// Stones that make the position worth so much, or nearly; none if there
    /// is no room.
    Balance(Balance, Option<Balanced>),
}

/// What is lent to the search thread.
pub struct Lent {
    /// The game.
    pub game: Box<PlayedGame>,
    /// The opening that is decided, while the game waits beside it.
    pub opening: Option<Box<PlayedGame>>,
}

impl Lent {
    /// What is searched.
    pub fn searched(&mut self) -> &mut PlayedGame {
        self.opening.as_deref_mut().unwrap_or(&mut self.game)
    }
}

/// A game, and what to decide about it.
pub struct Job {
    /// The game.
    pub lent: Lent,
    /// What to decide.
    pub task: Task,
    /// What is asked of the search.
    pub request: Request,
    /// How well to play; in full where more than a move is wanted.
    pub strength: Strength,
    /// Games begun so far: weaker play differs from game to game.
    pub games: u64,
    /// How much to tell.
    pub verbosity: Verbosity,
}

/// What the search thread tells.
pub enum SearchEvent {
    /// A line, after an iteration.
    Report(Info),
    /// Something happened at the root.
    Mark(Mark),
    /// The moves that do not lose as far as is known, and how many do.
    Holding(Vec<Cell>, usize),
    /// The job is done.
    Done {
        /// The game, as it was before.
        lent: Lent,
        /// What was decided.
        decision: Decision,
    },
}
