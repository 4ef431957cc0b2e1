//! Targets by temporal differences, TD(λ) of Sutton (1988): the target of a position mixes
//! its search score with those of the positions after it. As long as the best moves are
//! played, a score some plies later stands for a deeper search.

use super::label::result_at;
use goren_core::types::{PROVEN, Score};
use goren_training_data::PackedGame;

/// The probability, from 0 to 1, that the side to move before a ply of a game wins: the
/// score there has the weight 1 - `lambda`, what follows it `lambda`. The trace ends at a
/// proven score, at a move that was not the best, or with the result of the game. `value`
/// converts a score to a probability.
pub(super) fn td_target(
    game: &PackedGame,
    ply: usize,
    lambda: f32,
    value: impl Fn(Score) -> f32,
) -> f32 {
    let goes_on = |ply: usize| {
        let ply = &game.plies[ply];
        ply.played == ply.best && ply.score.abs() < PROVEN
    };
    let end = (ply..game.plies.len()).find(|&ply| !goes_on(ply));
    let first = end.unwrap_or(game.plies.len() - 1);
    let last = value(game.plies[first].score);
    let last = match end {
        Some(_) => last,
        None => (1.0 - lambda) * last + lambda * result_at(game, first),
    };
    // The other side is to move before the next ply.
    let earlier = game.plies[ply..first].iter().rev();
    earlier.fold(last, |next, ply| (1.0 - lambda) * value(ply.score) + lambda * (1.0 - next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Outcome, RuleId, Setup};
    use goren_core::types::{Cell, Color, win_in};
    use goren_training_data::PackedPly;

    /// A game of two stones of opening, with these scores; Black moves first.
    fn game(scores: &[Score], last_random: Option<usize>, result: Outcome) -> PackedGame {
        let cell = |at: usize| Cell::new(at % 15, at / 15);
        let ply = |(at, &score): (usize, &Score)| {
            let played = cell(at + 2);
            let best = if last_random == Some(at) { cell(200) } else { played };
            PackedPly { played, best, score }
        };
        PackedGame {
            setup: Setup::new(RuleId::Freestyle, 15, 15).unwrap(),
            seed: 1,
            opening: vec![cell(0), cell(1)],
            plies: scores.iter().enumerate().map(ply).collect(),
            sampled: Vec::new(),
            result,
            played_out: false,
        }
    }

    #[test]
    fn later_scores_count_less_up_to_the_end_of_the_trace() {
        // 0 is a probability of 0.5, 100 of 0.7.
        let value = |score: Score| {
            if score.abs() >= PROVEN { f32::from(score > 0) } else { 0.5 + score as f32 * 0.002 }
        };
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-6, "{a} {b}");
        let scores = [100, -50, 200];
        let won = game(&scores, None, Outcome::Win(Color::Black));
        near(td_target(&won, 2, 0.5, value), 0.5 * 0.9 + 0.5);
        near(td_target(&won, 1, 0.5, value), 0.5 * 0.4 + 0.5 * (1.0 - 0.95));
        near(td_target(&won, 0, 0.5, value), 0.5 * 0.7 + 0.5 * (1.0 - 0.225));
        near(td_target(&won, 0, 0.0, value), 0.7);
        // With λ = 1 only the result is left.
        near(td_target(&won, 1, 1.0, value), 0.0);
        near(td_target(&game(&scores, None, Outcome::Draw), 1, 1.0, value), 0.5);
        // The second move was random: what follows it does not count.
        let random = game(&scores, Some(1), Outcome::Win(Color::White));
        near(td_target(&random, 1, 0.5, value), 0.4);
        near(td_target(&random, 0, 0.5, value), 0.5 * 0.7 + 0.5 * 0.6);
        // A proven score is final.
        let proven = game(&[100, -win_in(5), 200], None, Outcome::Win(Color::White));
        near(td_target(&proven, 0, 0.5, value), 0.5 * 0.7 + 0.5);
        near(td_target(&proven, 1, 0.5, value), 0.0);
    }
}
