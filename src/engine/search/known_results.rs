//! Known results: externally supplied proven scores of positions below the root,
//! from a database or the user.
//!
//! The search trusts them, unless a static verdict contradicts them. They are kept apart from the
//! transposition table, whose entries may be replaced and give no cutoff at PV nodes. With excluded
//! cells or sequences they are ignored.

use std::cmp::Reverse;

use super::request::KnownResult;
use super::table_score::from_table;
use crate::game::Position;
use crate::threat::{Meter, Watch};
use goren_core::types::{Cell, MAX_PLY, Move, PROVEN, Pace, Score, WIN};

/// Magnitudes of the scores that count: proven at every ply of the search, where distances
/// count from the root, and at most [`WIN`], as a larger score has no distance and may not fit
/// the transposition table.
const USABLE: std::ops::RangeInclusive<Score> = PROVEN + MAX_PLY as Score..=WIN;

/// Known results by key. They hold at any depth of the search and in any window, up to the ply that
/// the longest path reaches.
#[derive(Default)]
pub struct KnownResults {
    /// Key and score of each position, sorted by key. Distances of proven scores
    /// count from the position.
    scores: Vec<(u64, Score)>,
    /// Length of the longest path, in plies.
    plies: usize,
}

impl KnownResults {
    /// Plays the path of each result from the root. A result whose path is empty or
    /// has an illegal move, or whose score is not [`USABLE`], is ignored. If the last move
    /// of a path leads to a win of the side that plays it, the position before that
    /// move is won too. When `watch` runs out of time, the remaining results are
    /// ignored.
    pub fn of<P: Position>(root: &P, given: &[KnownResult], watch: &dyn Watch) -> KnownResults {
        let usable = |given: &&KnownResult| {
            USABLE.contains(&given.score.saturating_abs())
                && (1..MAX_PLY).contains(&given.path.len())
        };
        let mut given: Vec<&KnownResult> = given.iter().filter(usable).collect();
        given.sort_by(|a, b| a.path.cmp(&b.path));
        given.dedup_by(|a, b| a.path == b.path);
        let mut results = KnownResults::default();
        if given.is_empty() {
            return results;
        }
        let mut position = root.clone();
        let mut played: Vec<Cell> = Vec::new();
        let mut meter = Meter::watched(u64::MAX, Pace::default(), watch);
        for KnownResult { path, score } in given {
            let shared = played.iter().zip(path).take_while(|(a, b)| a == b).count();
            for _ in shared..played.len() {
                position.unmake();
            }
            played.truncate(shared);
            let mut before = None;
            for &cell in &path[shared..] {
                let m = Move::at(cell);
                let over = position.outcome().is_some();
                if over || !position.is_pseudo_legal(m) || !position.is_legal(m) {
                    break;
                }
                if !meter.spend() {
                    break;
                }
                before = Some((position.key(), position.to_move()));
                position.make(m);
                played.push(cell);
            }
            let Some((key, mover)) = before.filter(|_| played == *path) else { continue };
            results.scores.push((position.key(), *score));
            results.plies = results.plies.max(path.len());
            let for_mover = if position.to_move() == mover { *score } else { -score };
            if for_mover >= PROVEN {
                results.scores.push((key, for_mover - 1));
            }
        }
        // Of several results for a position, the shortest win or loss counts.
        results.scores.sort_by_key(|&(key, score)| (key, Reverse(score.abs()), score));
        results.scores.dedup_by_key(|&mut (key, _)| key);
        results
    }

    /// Returns the known score of the position with this key, `ply` plies below the root; distances
    /// count from the root. `key` is called only if a result can exist at this ply.
    #[inline]
    pub fn at(&self, ply: usize, key: impl FnOnce() -> u64) -> Option<Score> {
        if ply > self.plies {
            return None;
        }
        let at = self.scores.binary_search_by_key(&key(), |&(key, _)| key).ok()?;
        Some(from_table(self.scores[at].1, ply))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::game::Five;
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::{loss_in, win_in};

    /// A clock that never ends the work.
    struct Unlimited;

    impl Watch for Unlimited {
        fn look(&self) -> (Instant, bool) {
            (Instant::now(), false)
        }
    }

    /// A score beyond [`WIN`] did not fit the table, which read a large one back as a win of
    /// the other side. One that was barely proven was taken for an evaluation below the root.
    #[test]
    fn scores_that_the_search_cannot_keep_are_ignored() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Five::<Freestyle>::new(setup);
        let cell = Cell::new(7, 7);
        let found = |score| {
            let given = [KnownResult { path: vec![cell], score }];
            let results = KnownResults::of(&root, &given, &Unlimited);
            results.at(1, || root.key_after(Move::at(cell)))
        };
        for plies in [0, 5, 500] {
            assert_eq!(found(win_in(plies)), Some(win_in(plies + 1)));
            assert_eq!(found(loss_in(plies)), Some(loss_in(plies + 1)));
        }
        for score in [PROVEN, PROVEN + MAX_PLY as Score - 1, WIN + 1, 35_000, Score::MAX] {
            assert_eq!((found(score), found(-score)), (None, None), "{score}");
        }
        assert_eq!(found(Score::MIN), None);
    }
}
