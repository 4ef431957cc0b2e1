//! Scores: evaluation in points, and proven results by distance.

/// A score seen from one side. Evaluations stay within [`SCORE_LIMIT`];
/// proven wins and losses lie beyond [`PROVEN`].
pub type Score = i32;

/// Deepest ply the search may reach.
pub const MAX_PLY: usize = 256;
/// An immediate win. A win in `n` plies scores `WIN - n`.
pub const WIN: Score = 30_000;
/// Scores at or above this are proven wins, at or below its negation proven losses. Far below
/// [`WIN`], because a win may be as many plies away as the largest board has cells.
pub const PROVEN: Score = WIN - 1_500;
/// Largest evaluation.
pub const SCORE_LIMIT: Score = 20_000;
/// Larger than every score.
pub const INFINITE: Score = 32_000;

/// Score of winning with the stone placed `plies` plies from here.
#[inline]
pub const fn win_in(plies: usize) -> Score {
    WIN - plies as Score
}

/// Score of losing to the stone placed `plies` plies from here.
#[inline]
pub const fn loss_in(plies: usize) -> Score {
    -WIN + plies as Score
}

/// Plies to the end of a proven win or loss; `None` for an evaluation.
pub const fn plies_to_end(score: Score) -> Option<usize> {
    if score.abs() >= PROVEN { Some((WIN - score.abs()) as usize) } else { None }
}

/// Points of an evaluation that multiply the odds of winning by e: the scale at which
/// `goren tune` fits the weights.
pub const POINTS_PER_LOGIT: f64 = 200.0;

/// The expected result, 0 to 1, of the side with this score, where a draw is 0.5: the logistic
/// curve that the weights are fitted to. Exactly 1 for proven wins, 0 for proven losses.
pub fn win_rate(score: Score) -> f64 {
    match score {
        PROVEN.. => 1.0,
        _ if score <= -PROVEN => 0.0,
        _ => 1.0 / (1.0 + (-f64::from(score) / POINTS_PER_LOGIT).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_rates_follow_the_fitted_curve() {
        assert_eq!(win_rate(0), 0.5);
        assert!((win_rate(200) - 0.731_059).abs() < 1e-6);
        assert!((win_rate(-200) + win_rate(200) - 1.0).abs() < 1e-12);
        assert_eq!((win_rate(win_in(9)), win_rate(loss_in(9))), (1.0, 0.0));
        assert!((-999..1000).all(|score| win_rate(score - 1) < win_rate(score)));
    }

    #[test]
    fn proven_scores_carry_their_distance() {
        assert_eq!(plies_to_end(win_in(13)), Some(13));
        assert_eq!(plies_to_end(loss_in(12)), Some(12));
        assert_eq!(plies_to_end(350), None);
        const { assert!(PROVEN > SCORE_LIMIT) };
        const { assert!(win_in(26 * 26 + MAX_PLY) >= PROVEN) };
    }
}
