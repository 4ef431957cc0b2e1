//! Known results: externally supplied scores of positions below the root, from a
//! database or the user.
//!
//! The search believes them, unless a static verdict contradicts them. They are
//! kept by key beside the transposition table, as table entries give no cutoff
//! in an open window and may be replaced. They are ignored where cells or lines
//! are excluded.

use std::cmp::Reverse;

use super::request::KnownResult;
use super::stored::from_table;
use crate::game::Position;
use crate::threat::{Meter, Watch};
use goren_core::types::{Cell, MAX_PLY, Move, PROVEN, Pace, Score};

/// Known results by key. They hold at any depth and in any window.
#[derive(Default)]
pub struct KnownResults {
    /// In order of keys; distances count from the position.
    scores: Vec<(u64, Score)>,
    /// Plies below the root of the farthest one.
    plies: usize,
}

impl KnownResults {
    /// Plays each path from the root; paths with an illegal move are ignored.
    /// Where a move leads to a win of the side that plays it, the position before
    /// that move is won too. Stops early when `watch` runs out of time.
    pub fn of<P: Position>(root: &P, given: &[KnownResult], watch: &dyn Watch) -> KnownResults {
        let usable = |given: &&KnownResult| {
            given.score.abs() >= PROVEN && (1..MAX_PLY).contains(&given.path.len())
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
        // Of two results for a position the shorter win or loss counts.
        results.scores.sort_by_key(|&(key, score)| (key, Reverse(score.abs()), score));
        results.scores.dedup_by_key(|&mut (key, _)| key);
        results
    }

    /// The score, counted from the root, of a position `ply` plies below it.
    #[inline]
    pub fn at(&self, ply: usize, key: impl FnOnce() -> u64) -> Option<Score> {
        if ply > self.plies {
            return None;
        }
        let at = self.scores.binary_search_by_key(&key(), |&(key, _)| key).ok()?;
        Some(from_table(self.scores[at].1, ply))
    }
}
