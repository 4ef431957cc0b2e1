//! A judged game as JSON.
//!
//! ```json
//! {"game":"renju","width":15,"height":15,"players":["a","b"],
//!  "ended":{"winner":"black","reason":"line"},"said":null,
//!  "plies":[{"number":1,"color":"black","move":"h8","judged":{
//!    "score":35,"win_rate":0.54,"best":"h9","best_score":60,"best_win_rate":0.57,
//!    "loss":0.03,"grade":null,"turn":null,"depth":12,"nodes":80000,
//!    "line":["h9","g8"]}}],
//!  "black":{"moves":10,"loss":0.02,"inaccuracies":1,"mistakes":0,"blunders":0},
//!  "white":{"moves":10,"loss":0.05,"inaccuracies":0,"mistakes":0,"blunders":1},
//!  "losing_ply":12}
//! ```
//!
//! Scores and win rates (0 to 1) are from the point of view of the side that moves; a
//! score s beyond 28,500 is a proven end in 30,000 - s plies. Each position has one
//! value: the `score` of a ply is, for the other side, the `best_score` of the next
//! ply, and both scores of a ply are equal if `move` is `best`. `loss` is the win rate
//! given away; for a player, on average. `grade` is inaccuracy, mistake, blunder
//! or null; `turn` is win_missed, loss_handed_over, win_to_loss or null;
//! `judged` is null for plies of an opening that are no plain turns; `best` is
//! empty if a position is known to be won, but not by which move; `losing_ply` is the
//! number of the ply that decided the game, or null. The plies of an opening
//! that was set up before the players took over have no grade and count for
//! neither player. `ended` is the result by the stones, `said` the result given in the
//! file with its reason, which may be empty: `{"winner":"white","reason":"resign"}`,
//! where `winner` is null for a draw. Both are null if there is none.

use serde::Serialize;

use super::report::ReviewedGame;
use crate::analyze::json::{Ended, color_name, rounded};
use goren_core::rules::Outcome;
use goren_core::types::win_rate;
use goren_review::judge::Judged;
use goren_review::tally::LossCount;

#[derive(Serialize)]
struct Root<'a> {
    game: String,
    width: usize,
    height: usize,
    players: &'a [String; 2],
    ended: Option<Ended>,
    said: Option<RecordedResult<'a>>,
    plies: Vec<Ply>,
    black: Side,
    white: Side,
    losing_ply: Option<usize>,
}

/// The result given in the file.
#[derive(Serialize)]
struct RecordedResult<'a> {
    winner: Option<&'static str>,
    reason: &'a str,
}

impl RecordedResult<'_> {
    fn of((outcome, reason): &(Outcome, String)) -> RecordedResult<'_> {
        let winner = match *outcome {
            Outcome::Win(color) => Some(color_name(color)),
            Outcome::Draw => None,
        };
        RecordedResult { winner, reason: reason.trim() }
    }
}

#[derive(Serialize)]
struct Ply {
    number: usize,
    color: &'static str,
    #[serde(rename = "move")]
    text: String,
    judged: Option<JudgedPly>,
}

#[derive(Serialize)]
struct JudgedPly {
    score: i32,
    win_rate: f64,
    best: String,
    best_score: i32,
    best_win_rate: f64,
    loss: f64,
    grade: Option<&'static str>,
    turn: Option<&'static str>,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

#[derive(Serialize)]
struct Side {
    moves: usize,
    loss: f64,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

impl Side {
    fn of(tally: LossCount) -> Side {
        let [inaccuracies, mistakes, blunders] = tally.grades;
        let loss = rounded(tally.mean());
        Side { moves: tally.moves, loss, inaccuracies, mistakes, blunders }
    }
}

/// Formats the game as one line of JSON.
pub(super) fn text(review: &ReviewedGame) -> serde_json::Result<String> {
    let ply = |ply: &Judged| {
        let judged = ply.judgement.as_ref().map(|judgement| {
            let line = review.better(ply);
            JudgedPly {
                score: judgement.played,
                win_rate: rounded(win_rate(judgement.played)),
                best: line.first().cloned().unwrap_or_default(),
                best_score: judgement.best,
                best_win_rate: rounded(win_rate(judgement.best)),
                loss: rounded(judgement.loss()),
                grade: review.grade(ply).map(|grade| grade.name()),
                turn: judgement.proof_change().map(|turn| turn.name()),
                depth: judgement.depth,
                nodes: judgement.nodes,
                line,
            }
        });
        let color = color_name(ply.color);
        Ply { number: ply.number, color, text: ply.text.clone(), judged }
    };
    let [black, white] = review.tallies().map(Side::of);
    serde_json::to_string(&Root {
        game: review.contest.variant.to_string(),
        width: review.contest.width,
        height: review.contest.height,
        players: review.players,
        ended: Ended::of(review.end),
        said: review.recorded_result.as_ref().map(RecordedResult::of),
        plies: review.plies.iter().map(ply).collect(),
        black,
        white,
        losing_ply: review.losing_move().map(|ply| ply.number),
    })
}
