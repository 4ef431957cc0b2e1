//! A puzzle that is asked.

use super::clock::GameClock;
use super::reviewed::Reviewed;
use super::tree::Tree;
use crate::schema::{ExerciseState, Player};
use goren_core::types::Cell;
use goren_review::maker::Answer;
use goren_review::puzzle::Puzzle;
use goren_review::work::Work;

/// A puzzle that is asked, and the game that was put aside for it.
pub(super) struct Training {
    pub(super) puzzle: Puzzle,
    pub(super) text: String,
    /// The node of the question.
    pub(super) question: usize,
    pub(super) state: ExerciseState,
    pub(super) reported: String,
    pub(super) work: Option<Judging>,
    pub(super) aside: Aside,
}

/// What is searched for it.
pub(super) enum Judging {
    /// What an answer that was played is worth.
    Answer {
        /// The node after it: another one may be shown by the time that it is judged.
        node: usize,
        /// What finds that out.
        work: Work<Answer>,
    },
    /// The solution, to be shown.
    Solution(Work<Vec<Cell>>),
}

/// What is shown again after the exercise.
pub(super) struct Aside {
    pub(super) tree: Tree,
    pub(super) players: [Player; 2],
    pub(super) review: Option<Reviewed>,
    pub(super) clock: Option<GameClock>,
}

impl Training {
    /// How it stands now, and that in a sentence.
    pub(super) fn set(&mut self, state: ExerciseState, reported: String) {
        (self.state, self.reported) = (state, reported);
    }
}
