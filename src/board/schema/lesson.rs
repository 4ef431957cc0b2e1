//! The parts of events that carry reviews, puzzles and exercises.

use goren_core::types::Color;
use serde::{Deserialize, Serialize};

/// The state of a review.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// There is none.
    None,
    /// It is running, whenever no other search does.
    Running,
    /// It was stopped: the results so far are shown.
    Stopped,
    /// It is over.
    Done,
}

/// How bad a move was, by its loss of win rate.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// At least 0.05.
    Inaccuracy,
    /// At least 0.1.
    Mistake,
    /// At least 0.2.
    Blunder,
}

/// A ply that the review has judged.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewPly {
    /// The node after it.
    pub node: usize,
    /// Number of the ply in the game, from 1.
    pub number: usize,
    /// The side that played it.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
    /// The ply in words.
    pub text: String,
    /// Black's win rate after it, 0 to 1.
    pub black: f64,
    /// The score for the side that played it.
    pub score: String,
    /// The best turn instead; empty if the ply was the best.
    pub best: String,
    /// The score of the best turn.
    pub best_score: String,
    /// Its loss of win rate, 0 to 1.
    pub loss: f64,
    /// How bad it was; absent for a good move.
    pub grade: Option<Grade>,
    /// How it changed the proven result; empty if it did not.
    pub proof_note: String,
}

/// Summary of a side's moves in a game.
#[derive(Copy, Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewSide {
    /// Number of judged moves.
    pub moves: usize,
    /// Average share of the win rate that a move kept, 0 to 1.
    pub accuracy: f64,
    /// Number of inaccuracies.
    pub inaccuracies: usize,
    /// Number of mistakes.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
}

/// The review of a game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewView {
    /// Its state.
    pub state: ReviewState,
    /// Number of plies done.
    pub done: usize,
    /// Number of plies to review.
    pub of: usize,
    /// The plies judged so far that are still in the tree.
    pub plies: Vec<ReviewPly>,
    /// The summaries of Black and White.
    pub sides: [ReviewSide; 2],
    /// The node of the move that decided the game, if there is one.
    pub losing: Option<usize>,
    /// That move in a sentence.
    pub decision: String,
    /// Number of plies from which puzzles can be made.
    pub misses: usize,
}

/// The task of a puzzle.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleKind {
    /// A win by fours (VCF).
    Fours,
    /// A win by threats (VCT).
    Threats,
    /// Another win.
    Win,
    /// One of the few moves that do not lose.
    Defence,
}

/// A puzzle.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PuzzleInfo {
    /// Its task.
    pub kind: PuzzleKind,
    /// Whether only a longer search solves it.
    pub hard: bool,
    /// The game.
    pub game: String,
    /// Plies to the end of the win; absent for a defence.
    pub plies: Option<usize>,
    /// The puzzle as a line of JSON, for `train`.
    pub text: String,
}

/// The state of an exercise.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseState {
    /// There is none: the game is shown.
    None,
    /// The user is to move.
    Asked,
    /// The answer is being judged.
    Judged,
    /// The solution is being searched for.
    Solving,
    /// The answer was wrong: the refutation is in the tree.
    Wrong,
    /// The solution was shown.
    Revealed,
    /// It is solved.
    Solved,
}

/// The current exercise.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exercise {
    /// Its state.
    pub state: ExerciseState,
    /// The state or the question, as a sentence.
    pub text: String,
    /// The puzzle as a line of JSON; empty if there is none.
    pub puzzle: String,
    /// The node of the question.
    pub node: usize,
}
