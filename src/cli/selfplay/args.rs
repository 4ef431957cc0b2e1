//! Arguments of `goren selfplay`.

use std::path::PathBuf;

use super::game::Rules;
use crate::openings::default_threads;
use crate::variant;
use goren_core::types::{Score, keys};

/// Arguments of `goren selfplay`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren selfplay --game caro --positions 1000000 --out caro.games
  goren selfplay --game pente+keryo --games 20000 --nodes 4000 --out keryo.games
  goren selfplay --game renju --games 1000 --openings openings.txt --out renju.games")]
pub struct Args {
    #[command(flatten)]
    pub(super) game: variant::Game,
    /// Output file; an existing run is continued.
    #[arg(long)]
    pub(super) out: PathBuf,
    /// Total number of games in the file at the end.
    #[arg(long, required_unless_present = "positions")]
    pub(super) games: Option<u64>,
    /// Total number of searched positions in the file at the end.
    #[arg(long, conflicts_with = "games")]
    pub(super) positions: Option<u64>,
    /// Average nodes per move.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Random variation of --nodes, as a fraction.
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    pub(super) jitter: f64,
    /// Probability of playing the second-best move instead of the best, in the
    /// first plies after the opening.
    #[arg(long = "random-moves", alias = "astray", value_name = "RATE", default_value_t = 0.1,
        value_parser = share)]
    pub(super) random_move_rate: f64,
    /// Number of plies after the opening to which `--random-moves` applies.
    #[arg(
        long = "random-move-plies",
        alias = "astray-plies",
        value_name = "PLIES",
        default_value_t = 10
    )]
    pub(super) random_move_plies: usize,
    /// File of openings to start from instead of new ones.
    #[arg(long)]
    pub(super) openings: Option<PathBuf>,
    /// Minimum number of stones of new openings.
    #[arg(long, default_value_t = 2)]
    pub(super) min_stones: usize,
    /// Maximum number of stones of new openings.
    #[arg(long, default_value_t = 8)]
    pub(super) max_stones: usize,
    /// Maximum score of new openings for either side, in points.
    #[arg(long, default_value_t = 150)]
    pub(super) max_score: Score,
    /// Weights file for the evaluation; default: the weights of the engine.
    #[arg(long)]
    pub(super) weights: Option<PathBuf>,
    /// Random seed. Equal seeds and settings give equal games, on any machine
    /// and with any number of threads.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Play part I of N of the games, as `I/N`; all parts together are the
    /// whole run.
    #[arg(long, default_value = "1/1", value_parser = shard)]
    pub(super) shard: Shard,
    /// Games played at the same time.
    #[arg(long, default_value_t = default_threads())]
    pub(super) threads: usize,
}

impl Args {
    /// How games are played.
    pub(super) fn rules(&self) -> Rules {
        Rules {
            nodes: self.nodes,
            jitter: self.jitter,
            random_move_rate: self.random_move_rate,
            random_move_plies: self.random_move_plies,
        }
    }

    /// How many there are to be at the end, and of what.
    pub(super) fn total(&self) -> (u64, &'static str) {
        match self.games {
            Some(games) => (games, "games"),
            None => (self.positions.unwrap_or(0), "positions"),
        }
    }

    /// The seed of the `item`th game of the file.
    pub(super) fn seed_of(&self, item: u64) -> u64 {
        let index = item * self.shard.of + self.shard.number - 1;
        keys::mix(keys::mix(self.seed) ^ index)
    }
}

/// Every `of`th game from the `number`th (from 1) on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Shard {
    pub(super) number: u64,
    pub(super) of: u64,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("a shard is I/N with I from 1 to N, such as 2/8".into()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is needed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_from_one() {
        assert_eq!(shard("2/8"), Ok(Shard { number: 2, of: 8 }));
        for bad in ["0/8", "9/8", "1", "a/b", "1/0", ""] {
            assert!(shard(bad).is_err(), "{bad}");
        }
    }
}
