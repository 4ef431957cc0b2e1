//! Arguments of `goren selfplay`.

use std::path::PathBuf;

use clap::ArgGroup;

use super::game::GameConditions;
use crate::cores;
use crate::number::{share, whole};
use crate::run::shard::{Shard, ShardArgs};
use crate::run::stop::StopArgs;
use crate::variant;
use crate::weights::WeightsArg;
use goren_core::types::Score;

/// Arguments of `goren selfplay`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren selfplay --game caro --positions 1000000 --out caro.games
  goren selfplay --game pente+keryo --games 20000 --nodes 4000 --out keryo.games
  goren selfplay --game renju --games 1000 --openings openings.txt --out renju.games
  goren selfplay --games 1000 --shard 3/16 --out part-3.games     (every sixteenth of them)

The same command continues a run that was stopped.")]
#[command(group = ArgGroup::new("total").required(true).args(["games", "positions"]))]
pub struct Args {
    #[command(flatten)]
    pub(super) game: variant::BoardArgs,
    /// Output file. Continues an existing run; refuses any other file.
    #[arg(long)]
    pub(super) out: PathBuf,
    /// Total number of games at the end, of all parts together.
    #[arg(long, value_parser = whole::<u64>(1..))]
    pub(super) games: Option<u64>,
    /// Total number of searched positions at the end, or a few more, as games are played
    /// whole. Not with --shard: a part cannot know how many games that takes.
    #[arg(long, value_parser = whole::<u64>(1..))]
    pub(super) positions: Option<u64>,
    /// Average nodes per move.
    #[arg(long, default_value_t = 2000, value_parser = whole::<u64>(1..))]
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
        default_value_t = 10, value_parser = whole::<usize>(0..))]
    pub(super) random_move_plies: usize,
    /// Positions to sample from each search, at random among those that it evaluated; each is
    /// searched itself, with --sample-nodes nodes. Only five in a row.
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..=16))]
    pub(super) samples: usize,
    /// Average nodes per sampled position; default: those of --nodes.
    #[arg(long, value_name = "NODES", requires = "samples", value_parser = whole::<u64>(1..))]
    pub(super) sample_nodes: Option<u64>,
    /// File of openings to start from instead of new ones.
    #[arg(long)]
    pub(super) openings: Option<PathBuf>,
    /// Minimum number of stones of new openings.
    #[arg(long, default_value_t = 2, value_parser = whole::<usize>(0..))]
    pub(super) min_stones: usize,
    /// Maximum number of stones of new openings.
    #[arg(long, default_value_t = 8, value_parser = whole::<usize>(0..))]
    pub(super) max_stones: usize,
    /// Maximum score of new openings for either side, in points.
    #[arg(long, default_value_t = 150, value_parser = whole::<Score>(0..=20_000))]
    pub(super) max_score: Score,
    #[command(flatten)]
    pub(super) weights: WeightsArg,
    /// Random seed. Equal seeds and settings give equal games, on any machine
    /// and with any --concurrency.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) shard: ShardArgs,
    #[command(flatten)]
    pub(super) stop: StopArgs,
    /// Games played at the same time; default: one per core.
    #[arg(short, long, alias = "threads", value_parser = whole::<usize>(1..))]
    concurrency: Option<usize>,
}

impl Args {
    /// Number of games played at the same time.
    pub(super) fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(cores)
    }

    /// Conditions of the games.
    pub(super) fn conditions(&self) -> GameConditions {
        GameConditions {
            nodes: self.nodes,
            jitter: self.jitter,
            random_move_rate: self.random_move_rate,
            random_move_plies: self.random_move_plies,
            samples: self.samples,
            sample_nodes: self.sample_nodes.unwrap_or(self.nodes),
        }
    }

    /// Target size of the file of a part, and what it counts.
    pub(super) fn total(&self, shard: Shard) -> (u64, &'static str) {
        match self.games {
            Some(games) => (shard.share(games), "games"),
            None => (self.positions.unwrap_or(0), "positions"),
        }
    }
}
