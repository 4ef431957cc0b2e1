//! Labels of the positions of training games.

use super::game_position::TrainingPosition;
use goren_core::rules::Outcome;
use goren_core::types::{Color, Score};
use goren_training_data::PackedGame;

/// The training label of a position.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct TrainingLabel {
    /// Score of the search for the side to move.
    pub score: Score,
    /// Result for the side to move: 1 won, 0.5 drawn, 0 lost. `None` where it says little
    /// about the position: a random move was played later, or the position was not played.
    pub result: Option<f32>,
    /// Whether the game is held out for validation.
    pub held_out: bool,
}

impl TrainingLabel {
    /// The label of a position of a packed game.
    pub fn of(game: &PackedGame, position: TrainingPosition<'_>, held_out: bool) -> TrainingLabel {
        let result = match position {
            TrainingPosition::Played(ply) => {
                // After the last move that was not the best one, the result is that of
                // good play.
                let last_random = game.plies.iter().rposition(|ply| ply.played != ply.best);
                last_random.is_none_or(|last| ply > last).then(|| result_at(game, ply))
            }
            TrainingPosition::Sampled(_) => None,
        };
        TrainingLabel { score: position.score(game), result, held_out }
    }
}

/// The result of a packed game for the side to move before ply number `ply`; see
/// [`result_for`].
pub(super) fn result_at(game: &PackedGame, ply: usize) -> f32 {
    result_for(game.result, Color::ALL[(game.opening.len() + ply) % 2])
}

/// A result as a number: 1 if `color` won, 0.5 for a draw, 0 if it lost.
pub(super) fn result_for(outcome: Outcome, color: Color) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(winner == color),
    }
}
