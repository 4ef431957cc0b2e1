//! The arguments of `goren tune`.

use std::path::PathBuf;

use goren_core::rules::Variant;
use goren_core::types::{MAX_SIDE, MIN_SIDE, POINTS_A_LOGIT};

/// Arguments of `goren tune`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games, as `goren selfplay` writes them.
    #[arg(required = true, value_name = "DATA")]
    pub(super) data: Vec<PathBuf>,
    /// The game: freestyle, standard, renju, caro, pente, pente+keryo,
    /// connect6, and so on. Training games of others are passed over.
    #[arg(long, alias = "rule", value_parser = Variant::from_name)]
    pub(super) game: Variant,
    /// Rows and columns of the boards to learn from, or any (five in a row).
    #[arg(long, default_value = "any", value_parser = size)]
    pub(super) size: Size,
    /// Where the weights go.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Where plots of the losses go: FILE for the evaluation, and beside it
    /// one that ends in `-order` for the ordering.
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Weights to compare with, instead of those of the engine.
    #[arg(long, value_name = "FILE")]
    pub(super) base: Option<PathBuf>,
    /// Learns on from the weights compared with: the sums of their evaluation
    /// stay, their ordering and net are what learning begins with. Tuples
    /// always do.
    #[arg(long)]
    pub(super) learn_on: bool,
    /// Times every position is learnt from, at most.
    #[arg(long, default_value_t = 20, value_parser = at_least_one)]
    pub(super) epochs: usize,
    /// Positions of a step.
    #[arg(long, default_value_t = 1024, value_parser = at_least_one)]
    pub(super) batch: usize,
    /// Times every position is learnt from by the net, at most; 0 for an
    /// evaluation without a net, or with `--learn-on` the net there was. Only
    /// five in a row has one.
    #[arg(long, default_value_t = 6)]
    pub(super) net_epochs: usize,
    /// Size of the first steps of the net, as `--rate` says it.
    #[arg(long, default_value_t = 0.02, value_parser = positive)]
    pub(super) net_rate: f32,
    /// Size of the first steps, as a part of what a parameter is expected to
    /// be.
    #[arg(long, default_value_t = 0.05, value_parser = positive)]
    pub(super) rate: f32,
    /// Part of the result in what a position should be worth; the rest is the
    /// score of the search.
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub(super) lambda: f64,
    /// Points of the evaluation that multiply the odds to win by e.
    #[arg(long, default_value_t = POINTS_A_LOGIT as f32, value_parser = positive)]
    pub(super) scale: f32,
    /// Reads the scores of the search by the scale that fits the results best,
    /// instead of that of the evaluation.
    #[arg(long)]
    pub(super) fit_scale: bool,
    /// Part of the games that is held out.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    pub(super) valid: f64,
    /// Most positions to learn from and to hold out together.
    #[arg(long, default_value_t = 5_000_000, value_parser = at_least_one)]
    pub(super) positions: usize,
    /// What chooses the games held out and the order of learning. The same
    /// seed gives the same weights on any number of threads.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads; 0 for as many as there are cores.
    #[arg(long, default_value_t = 0)]
    pub(super) threads: usize,
    /// Uses the whole games of a file that is damaged or cut short.
    #[arg(long)]
    pub(super) whole_games: bool,
}

/// The side of the boards to learn from; `None` for any.
#[derive(Copy, Clone, Debug)]
pub(super) struct Size(pub(super) Option<usize>);

fn size(text: &str) -> Result<Size, String> {
    if text == "any" {
        return Ok(Size(None));
    }
    let number = text.parse().ok().filter(|n| (MIN_SIDE..=MAX_SIDE).contains(n));
    let size = number.ok_or_else(|| format!("any, or {MIN_SIDE} to {MAX_SIDE}"))?;
    Ok(Size(Some(size)))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a number of at least 1 is needed".into())
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".into())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is needed".into())
}
