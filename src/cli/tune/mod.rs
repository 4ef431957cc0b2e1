//! `goren tune`: fits the weights of a game to games of self-play.
//!
//! The parts of the weights are fitted one after another. Some of the games (`--valid`) are
//! held out; a fit ends when its loss on them no longer falls.
//!
//! | part | model | target |
//! |---|---|---|
//! | evaluation | logistic regression: points divided by `--scale` are the log-odds that the side to move wins | result and score of the search, mixed by `--lambda` |
//! | move ordering | softmax over the moves that the search would try | the move that the search found best |
//! | network | correction of the fitted evaluation | as the evaluation |
//! | window features, alone with `--window-epochs` | inputs of the network, fitted with its layers | as the evaluation, or TD(λ) with `--td-lambda` |
//! | policy net, alone with `--policy-epochs` | correction of the move ordering | as the move ordering |
//!
//! Weights deviate from a prior, and are regularised towards it:
//!
//! | weight | prior |
//! |---|---|
//! | code of a cell (five in a row) | ladder: shared values of its strongest line, the second, the others and its class |
//! | tuple or state (other games) | the hand-made value or that of `--base` |
//! | number of a net | none |
//!
//! An untouched cell adds 0 to the evaluation, which therefore depends neither on the size
//! of the board nor on the length of the game. With `--learn-on` the evaluation stays as it
//! is, and move ordering and network are trained further.
//!
//! `load` reads the games and decides which are held out; `dataset` keeps their positions,
//! encoded (`five_positions`, `tuple_positions`), and `encoded_fit` fits evaluation, ordering
//! and network (`net`) to them. `five` and `tuples` are the front ends: the models of their
//! games, and the weights that vectors become. Window features and policy net are fitted to
//! replayed boards (`replayed`).

mod args;
mod checkpoint;
mod dataset;
mod encoded;
mod encoded_fit;
mod evaluation;
mod files;
mod five;
mod five_positions;
mod five_weights;
mod game_position;
mod label;
mod layers;
mod layout;
mod load;
mod net;
mod ordering;
mod own_weights;
mod per_thread;
mod policy;
mod quantize;
mod replayed;
mod report;
mod stage;
#[cfg(test)]
mod tests;
mod ties;
mod trace;
mod train;
mod tuple_positions;
mod tuple_weights;
mod tuples;
mod window_policy;
mod window_rows;
mod windows;

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::data::check_training;
use crate::{input_path, picture};
pub use args::Args;
use checkpoint::Checkpoint;
use goren_core::rules::Variant;
use goren_engine::eval::{MAX_FILE, WeightFile};
use goren_files::output_path;
use own_weights::check_own_weights;

/// Fits and writes the weights, and prints how well they do.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written; no weights are
/// written then.
pub fn run(args: &Args) -> Result<bool> {
    // Checked before the fit, which takes hours.
    if let Variant::Five(rule) = args.game {
        check_own_weights(rule)?;
    }
    let inputs: Vec<&PathBuf> = args.data.iter().chain(&args.base).collect();
    input_path::no_pipes(&inputs, "tune")?;
    if args.td_lambda > 0.0 && args.window_epochs == 0 {
        bail!("--td-lambda needs --window-epochs");
    }
    if !matches!(args.game, Variant::Five(_)) && args.window_epochs + args.policy_epochs > 0 {
        bail!("--window-epochs and --policy-epochs are for five in a row");
    }
    output_path::check_replaced(&args.out, &args.data)?;
    output_path::check_kind(&args.out, MAX_FILE as u64 + 1, |old| WeightFile::read(old).is_ok())?;
    let plots = files::plot_paths(args);
    for path in &plots {
        picture::ready_svg(path, "--plot", &inputs)?;
    }
    output_path::check_apart([&args.out].into_iter().chain(&plots))?;
    check_training(&args.data)?;
    let mut checkpoint = Checkpoint::open(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| match args.game {
        Variant::Five(rule) => five::tune(args, rule, &mut checkpoint),
        variant => tuples::tune(args, variant, &mut checkpoint),
    })?;
    checkpoint.remove()?;
    Ok(true)
}
