//! The parts of events that carry reviews, puzzles and exercises.

use goren_core::types::Color;
use serde::{Deserialize, Serialize};

/// How far a review has come.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// There is none.
    None,
    /// It goes on, whenever nothing else is searched.
    Running,
    /// It was stopped: what was found so far is shown.
    Stopped,
    /// It is over.
    Done,
}

/// How bad a move was, by the win rate it gave away.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// From 0.05 on.
    Inaccuracy,
    /// From 0.1 on.
    Mistake,
    /// From 0.2 on.
    Blunder,
}

/// A ply that was judged.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewPly {
    /// The node after it.
    pub node: usize,
    /// Which ply of the game, from 1.
    pub number: usize,
    /// Who played it.
    #[cfg_attr(test, ts(type = "Color"))]
    pub color: Color,
    /// The ply in words.
    pub text: String,
    /// The share of games that Black should win after it, 0 to 1.
    pub black: f64,
    /// The score for the side that played it.
    pub score: String,
    /// The best turn instead; empty if it was the best.
    pub best: String,
    /// The score of the best turn.
    pub best_score: String,
    /// The win rate that it gave away, 0 to 1.
    pub loss: f64,
    /// How bad that was; absent for a good move.
    pub grade: Option<Grade>,
    /// What it did to what was proven; empty if nothing.
    pub proof_note: String,
}

/// What a side did in a game.
#[derive(Copy, Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewSide {
    /// Moves that were judged.
    pub moves: usize,
    /// The share of the win rate that a move kept on average, 0 to 1.
    pub accuracy: f64,
    /// Moves of each grade.
    pub inaccuracies: usize,
    /// The same.
    pub mistakes: usize,
    /// The same.
    pub blunders: usize,
}

/// What is known of a game by its review.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReviewView {
    /// How far it has come.
    pub state: ReviewState,
    /// Plies that were looked at, and all of them.
    pub done: usize,
    /// The same.
    pub of: usize,
    /// The plies that are judged so far and still stand in the tree.
    pub plies: Vec<ReviewPly>,
    /// What Black and White did.
    pub sides: [ReviewSide; 2],
    /// The node of the move that decided the game, if there is one.
    pub losing: Option<usize>,
    /// That in a sentence.
    pub decision: String,
    /// Plies of which puzzles can be made.
    pub misses: usize,
}

/// What a puzzle asks for.
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
    /// What it asks for.
    pub kind: PuzzleKind,
    /// Whether only a longer search finds it.
    pub hard: bool,
    /// The game.
    pub game: String,
    /// Plies to the end of the win; absent for a defence.
    pub plies: Option<usize>,
    /// The puzzle as a line of JSON, which `train` takes.
    pub text: String,
}

/// How an exercise stands.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExerciseState {
    /// There is none: the game is shown.
    None,
    /// The person is to move.
    Asked,
    /// The answer is judged.
    Judged,
    /// The solution is looked for.
    Solving,
    /// It was wrong: what the other side does is in the tree.
    Wrong,
    /// The solution was shown.
    Revealed,
    /// It is solved.
    Solved,
}

/// The exercise at hand.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Exercise {
    /// How it stands.
    pub state: ExerciseState,
    /// That, or what is asked, in a sentence.
    pub text: String,
    /// The puzzle as a line of JSON; empty if there is none.
    pub puzzle: String,
    /// The node of the question.
    pub node: usize,
}
