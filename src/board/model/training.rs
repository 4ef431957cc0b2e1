//! The state of an exercise.

use super::reviewed::Reviewed;
use super::tree::Tree;
use crate::clock::GameClock;
use crate::schema::{ExerciseState, Player};
use goren_core::types::Cell;
use goren_review::maker::Answer;
use goren_review::puzzle::Puzzle;
use goren_review::work::Work;

/// An exercise, and the game that was set aside for it.
pub(super) struct Training {
    pub(super) puzzle: Puzzle,
    pub(super) text: String,
    /// The node of the question.
    pub(super) question: usize,
    pub(super) state: ExerciseState,
    pub(super) message: String,
    pub(super) work: Option<Judging>,
    pub(super) aside: Aside,
}

/// A search for an exercise.
pub(super) enum Judging {
    /// Judges an answer that was played.
    Answer {
        /// The node after it: another node may be shown when the judgement is complete.
        node: usize,
        /// The judgement.
        work: Work<Answer>,
    },
    /// Finds the solution.
    Solution(Work<Vec<Cell>>),
}

/// A game that was set aside for an exercise or a walk.
pub(super) struct Aside {
    pub(super) tree: Tree,
    pub(super) players: [Player; 2],
    pub(super) review: Option<Reviewed>,
    pub(super) clock: Option<GameClock>,
}

impl Training {
    /// Sets the state, and the message about it.
    pub(super) fn set(&mut self, state: ExerciseState, message: String) {
        (self.state, self.message) = (state, message);
    }
}
