//! Messages between the session and the search thread.

use super::balance::{Balance, Balanced};
use super::verbosity::{Mark, Verbosity};
use crate::decide::Decision as PlyDecision;
use crate::decide::Strength;
use crate::state::family_game::FamilyGame;
use goren_core::types::{Cell, Move};
use goren_engine::{Engine, Game, Info, Request};

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
    Dialogue,
}

/// What was decided.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// A ply of a game of the family or an opening; none if it is over.
    Ply(Option<Box<PlyDecision>>),
    /// A move of the side to move.
    Move(Move),
    /// Stones that make the position worth so much, or nearly; none if there
    /// is no room.
    Balance(Balance, Option<Balanced>),
}

/// A game that is lent to the search thread.
pub enum Lent {
    /// One of the Gomocup protocol.
    Game(Box<dyn Game>, Box<Engine>),
    /// Any other, or with an opening.
    Family(Box<FamilyGame>),
    /// An opening, and the game that waits beside it.
    Opening(Box<FamilyGame>, Box<dyn Game>),
}

impl Lent {
    /// Rows of its board.
    pub fn height(&self) -> usize {
        match self {
            Lent::Game(game, _) => game.setup().height,
            Lent::Family(family_game) | Lent::Opening(family_game, _) => family_game.size().1,
        }
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
