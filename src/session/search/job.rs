//! Messages between the session and the search thread.

use crate::order::task::Task;
use crate::order::verbosity::{Mark, Verbosity};
use crate::state::played_game::PlayedGame;
use goren_core::types::Cell;
use goren_decide::Decision as PlyDecision;
use goren_decide::{Balance, Balanced, Strength};
use goren_engine::{Info, Request};

/// Decision of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// A ply; `None` if the game is over.
    Ply(Option<Box<PlyDecision>>),
    /// The requested balance, and the stones found; `None` if no stones are possible.
    Balance(Balance, Option<Balanced>),
}

/// Games lent to the search thread.
pub struct Lent {
    /// The game at hand.
    pub game: Box<PlayedGame>,
    /// The game of the opening to be decided; if there is one, it is searched.
    pub opening: Option<Box<PlayedGame>>,
}

impl Lent {
    /// The game to search.
    pub fn searched(&mut self) -> &mut PlayedGame {
        self.opening.as_deref_mut().unwrap_or(&mut self.game)
    }
}

/// A game, and what to decide in it.
pub struct Job {
    /// The game.
    pub lent: Lent,
    /// The task.
    pub task: Task,
    /// The request for the engine.
    pub request: Request,
    /// The strength; full for tasks other than a move.
    pub strength: Strength,
    /// Seed of the random choices below full strength.
    pub seed: u64,
    /// How much to report.
    pub verbosity: Verbosity,
}

/// A message from the search thread.
pub enum SearchEvent {
    /// A PV, after an iteration.
    Report(Info),
    /// A mark on the board of a GUI.
    Mark(Mark),
    /// Root moves not known to lose, and the number of losing ones.
    Holding(Vec<Cell>, usize),
    /// The job is done.
    Done {
        /// The lent games, unchanged.
        lent: Lent,
        /// The decision.
        decision: Decision,
    },
}
