//! Scores: evaluation in points, and proven results by distance.

/// A score seen from one side. Evaluations stay within [`SCORE_LIMIT`];
/// proven wins and losses lie beyond [`PROVEN`].
pub type Score = i32;

/// Deepest ply the search may reach.
pub const MAX_PLY: usize = 256;
/// A win at once. A win in `n` plies is worth `WIN - n`.
pub const WIN: Score = 30_000;
/// Scores of at least this are proven wins, of at most its negation losses.
/// Far below [`WIN`], as a win may be as many plies away as the largest board
/// has cells.
pub const PROVEN: Score = WIN - 1_500;
/// Largest evaluation.
pub const SCORE_LIMIT: Score = 20_000;
/// Beyond every score.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_carry_their_distance() {
        assert_eq!(plies_to_end(win_in(13)), Some(13));
        assert_eq!(plies_to_end(loss_in(12)), Some(12));
        assert_eq!(plies_to_end(350), None);
        const { assert!(PROVEN > SCORE_LIMIT) };
        const { assert!(win_in(26 * 26 + MAX_PLY) >= PROVEN) };
    }
}
