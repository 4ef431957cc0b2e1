//! Training positions as they are gathered from the games of any kind, and their
//! parts.

use anyhow::{Result, bail};
use fxhash::FxHashSet;

use super::evaluation::{best_scale, target};
use super::positions::Positions;
use crate::variant::shown;
use goren_core::rules::Variant;

/// The positions that were read.
#[derive(Default)]
pub(super) struct Loaded {
    /// The positions, each once.
    pub positions: Positions,
    /// Games used.
    pub games: usize,
    /// Games of another variant or board.
    pub others: usize,
    /// Positions seen before.
    pub twice: usize,
    /// Positions whose best move the search would not have tried at once.
    pub strange: usize,
    /// What was wrong with the files, where whole games were enough.
    pub faults: Vec<String>,
    seen: FxHashSet<u64>,
}

impl Loaded {
    /// Counts a game, and adds those of its positions whose keys were not there
    /// before. Whether there are `most` positions then.
    pub fn add(&mut self, positions: &Positions, keys: &[u64], most: usize) -> bool {
        self.games += 1;
        for (at, &key) in keys.iter().enumerate() {
            if self.positions.len() >= most {
                return true;
            }
            if self.seen.insert(key) {
                self.positions.push_from(positions, at);
            } else {
                self.twice += 1;
            }
        }
        false
    }

    /// Reports what was read.
    ///
    /// # Errors
    /// No game was.
    pub fn report(&self, game: Variant) -> Result<()> {
        let Loaded { positions, games, others, twice, strange, faults, .. } = self;
        for fault in faults {
            eprintln!("warning: {fault}");
        }
        if *games == 0 {
            bail!("no games of {} among the {others} there are", shown(game));
        }
        println!(
            "{} positions of {games} games; passed over: {others} games of other rules or \
             boards, {twice} positions seen before.",
            positions.len()
        );
        if *strange > 0 {
            println!("Best moves far from all stones, left out of the ordering: {strange}.");
        }
        Ok(())
    }
}

/// Positions by their numbers: those that are learnt from, and those held out.
pub(super) struct Split {
    pub train: Vec<u32>,
    pub valid: Vec<u32>,
    /// The points a logit by which the scores of the search fit the results
    /// best; `None` if there are no results.
    pub best_scale: Option<f32>,
}

impl Split {
    /// Splits positions, and reports the scale.
    pub fn of(data: &Positions) -> Split {
        let (valid, train): (Vec<u32>, Vec<u32>) =
            (0..data.len() as u32).partition(|&i| data.label(i as usize).held_out);
        let best_scale = best_scale(train.iter().map(|&i| data.label(i as usize)));
        if let Some(best) = best_scale {
            println!("The scores of the search fit the results best at {best:.0} points a logit.");
        }
        Split { train, valid, best_scale }
    }
}

/// The target of each position: the result by its share, the rest the score of the search
/// at some points a logit.
pub(super) fn targets(data: &Positions, share: f64, scale: f32) -> Vec<f32> {
    (0..data.len()).map(|i| target(data.label(i), share as f32, scale)).collect()
}
