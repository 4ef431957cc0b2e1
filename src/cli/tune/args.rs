//! Arguments of `goren tune`.

use std::path::PathBuf;

use crate::number::{positive, share, whole};
use crate::variant;
use goren_core::rules::Variant;
use goren_core::types::{MAX_SIDE, MIN_SIDE, POINTS_PER_LOGIT};

/// Arguments of `goren tune`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Examples:
  goren tune --game caro caro.games --out caro.bin
  goren tune --game renju renju.games --out renju.bin --learn-on --plot loss.svg
  goren tune --game renju renju.games --base renju.bin --out renju-2.bin --policy-epochs 6
  goren tune --game renju renju.games --base renju-2.bin --out renju-3.bin --window-epochs 6
  goren tune --game pente+keryo keryo.games --out pente-keryo.bin

The report compares old and new weights on the held-out games. Try weights by --weights FILE,
or in any GUI by INFO weights FILE.")]
pub struct Args {
    /// Files of training games, as written by `goren selfplay`. A file of another kind is
    /// refused before any is read.
    #[arg(required = true, value_name = "DATA")]
    pub(super) data: Vec<PathBuf>,
    /// Game of the weights, such as freestyle, standard, renju, caro, pente,
    /// pente+keryo or connect6. Training games of other games are skipped, but files of five
    /// in a row (packed) and of other games (JSON Lines) cannot be mixed.
    #[arg(long, alias = "rule", value_parser = variant::game)]
    pub(super) game: Variant,
    /// Side of the boards to learn from, or any.
    #[arg(long, default_value = "any", value_parser = size)]
    pub(super) size: BoardSide,
    /// Output file of the weights. Overwrites weights, but no other kind of file.
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Plot the losses: FILE for the evaluation, and a second file ending in
    /// `-order` for the move ordering. Overwrites an SVG, but no other kind of file.
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Weights file to compare with, and to build on with --learn-on, --policy-epochs or
    /// --window-epochs; default: the weights of the engine.
    #[arg(long, value_name = "FILE")]
    pub(super) base: Option<PathBuf>,
    /// Continue from the weights of --base: the tables of the evaluation stay,
    /// move ordering and network are trained further (without window features, which
    /// --window-epochs fits afterwards). In other games values and policy scores always
    /// continue, and the network never does.
    #[arg(long)]
    pub(super) learn_on: bool,
    /// Maximum number of epochs (passes over all positions).
    #[arg(long, default_value_t = 20, value_parser = whole::<usize>(1..))]
    pub(super) epochs: usize,
    /// Positions per step (batch size) of the tables and the policy of windows; the nets
    /// and the window features have steps of a fixed size.
    #[arg(long, default_value_t = 1024, value_parser = whole::<usize>(1..))]
    pub(super) batch: usize,
    /// Maximum number of epochs of the network. 0: no network, or with --learn-on,
    /// in five in a row, the existing one.
    #[arg(long, default_value_t = 6, value_parser = whole::<usize>(0..))]
    pub(super) net_epochs: usize,
    /// Initial learning rate of the network, in the unit of --rate.
    #[arg(long, default_value_t = 0.02, value_parser = positive::<f32>)]
    pub(super) net_rate: f32,
    /// Fit the window features of the network and its layers, and nothing else, in at
    /// most this many epochs (five in a row only). Everything else stays as in --base.
    #[arg(long, default_value_t = 0, conflicts_with = "policy_epochs", value_parser = whole::<usize>(0..))]
    pub(super) window_epochs: usize,
    /// Initial learning rate of the window features, in the unit of --rate.
    #[arg(long, default_value_t = 0.05, value_parser = positive::<f32>)]
    pub(super) window_rate: f32,
    /// Fit the policy net and nothing else, in at most this many epochs (five in
    /// a row only). Everything else stays as in --base.
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..))]
    pub(super) policy_epochs: usize,
    /// Initial learning rate of the policy net, in the unit of --rate.
    #[arg(long, default_value_t = 0.1, value_parser = positive::<f32>)]
    pub(super) policy_rate: f32,
    /// Initial learning rate, relative to the expected size of a parameter.
    #[arg(long, default_value_t = 0.05, value_parser = positive::<f32>)]
    pub(super) rate: f32,
    /// Weight of the game result in the training target; the rest is the search
    /// score.
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    pub(super) lambda: f64,
    /// With --window-epochs: λ of TD(λ), the weight of the later scores of the game. A
    /// position counts 1 - λ and what follows it λ, up to a proven score or a move that
    /// was not the best. 0: the score of the position alone.
    #[arg(long, default_value_t = 0.0, value_name = "LAMBDA", value_parser = share)]
    pub(super) td_lambda: f64,
    /// Points of the evaluation per unit of log-odds.
    #[arg(long, default_value_t = POINTS_PER_LOGIT as f32, value_parser = positive::<f32>)]
    pub(super) scale: f32,
    /// Convert search scores by the scale that fits the results best, instead of --scale.
    /// In games other than five in a row this is always done.
    #[arg(long)]
    pub(super) fit_scale: bool,
    /// Fraction of the games held out for validation; --seed chooses them.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    pub(super) valid: f64,
    /// Maximum number of positions, held-out ones included.
    #[arg(long, default_value_t = 5_000_000, value_parser = whole::<usize>(1..))]
    pub(super) positions: usize,
    /// Random seed of the held-out games and of the order of training. Equal
    /// seeds give equal weights with any number of threads.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    pub(super) seed: u64,
    /// Threads; 0: one per core.
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..))]
    pub(super) threads: usize,
    /// Use the complete games of a file that is damaged or cut short: of a packed file those
    /// before its first fault.
    #[arg(long)]
    pub(super) whole_games: bool,
    /// Continue an interrupted run with the same settings and data from its last
    /// epoch, kept in a file beside --out that ends in `.checkpoint`.
    #[arg(long)]
    pub(super) resume: bool,
}

/// The side of the boards to learn from; `None` for any.
#[derive(Copy, Clone, Debug)]
pub(super) struct BoardSide(pub(super) Option<usize>);

fn size(text: &str) -> Result<BoardSide, String> {
    if text == "any" {
        return Ok(BoardSide(None));
    }
    let side = whole(MIN_SIDE as u64..=MAX_SIDE as u64)(text);
    side.map(|side| BoardSide(Some(side))).map_err(|needed| format!("any, or {needed}"))
}
