//! `goren tune`: fits the weights of a rule to games of self-play.
//!
//! The evaluation is fitted as logistic regression: the points of a position,
//! divided by a fixed scale, are the logarithm of the odds that the side to
//! move wins; the target is part the result and part the score of the search.
//! The ordering is fitted as a choice: the chance of a move to be the one the
//! search found best is a softmax over the moves it would have tried. Every
//! tenth game or so is held out; when its losses gain no more, the fit ends.
//! What the sums of the evaluation cannot tell, a small net learns after them
//! from the same positions and targets.
//!
//! In five in a row a value is a ladder (what the strongest line, the second,
//! the others and their class are worth) plus a deviation of the code,
//! regularised towards 0. An untouched cell is worth 0, so that neither board
//! size nor the length of the game is. The network is fitted after the sums to
//! the same targets; its numbers are free, and 0 for an untouched cell. With
//! `--learn-on` the sums stay as they were, and ordering and network continue
//! from theirs. With `--window-epochs` nothing is fitted but
//! the window features of the network and its layers, with `--policy-epochs` nothing but
//! the policy net, which learns to choose the best moves on top of the ordering. Tuples and states each deviate
//! from a first guess, and are pulled towards it.

mod args;
mod checkpoint;
mod evaluation;
pub(super) mod families;
mod finish;
mod five;
mod game_position;
mod layers;
mod learn;
mod load;
mod loaded;
mod model;
mod net;
mod ordering;
mod own_weights;
mod per_thread;
mod policy;
mod positions;
mod replay;
mod report;
mod samples;
#[cfg(test)]
mod tests;
mod trace;
mod train;
mod tuple_net;
mod window_policy;
mod window_rows;
mod windows;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::{output_path, picture};
pub use args::Args;
use checkpoint::Checkpoint;
use goren_core::rules::Variant;
use goren_engine::eval::{MAX_FILE, WeightFile};
use learn::order_plot;

/// Fits and writes the weights, and says how well they do.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written; no weights are
/// written then.
pub fn run(args: &Args) -> Result<bool> {
    // Before the hours that it takes.
    output_path::no_pipes(&args.data, "tune")?;
    if args.td_lambda > 0.0 && args.window_epochs == 0 {
        bail!("--td-lambda is for --window-epochs");
    }
    let inputs: Vec<&PathBuf> = args.data.iter().chain(&args.base).collect();
    output_path::check_replaced(&args.out, &args.data)?;
    output_path::check_kind(&args.out, MAX_FILE as u64 + 1, |old| WeightFile::read(old).is_ok())?;
    let plots: Vec<PathBuf> = args.plot.iter().flat_map(|path| plots(path, args.game)).collect();
    for path in &plots {
        picture::ready_svg(path, "--plot", &inputs)?;
    }
    output_path::check_apart([&args.out].into_iter().chain(&plots))?;
    let mut checkpoint = Checkpoint::open(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| match args.game {
        Variant::Five(rule) => five::tune(args, rule, &mut checkpoint),
        variant => families::tune(args, variant, &mut checkpoint),
    })?;
    checkpoint.remove()?;
    Ok(true)
}

/// The files of the plots that may be written: that of the ordering of five in a row too.
fn plots(path: &Path, game: Variant) -> Vec<PathBuf> {
    let has_ordering = matches!(game, Variant::Five(_));
    [Some(path.to_owned()), has_ordering.then(|| order_plot(path))].into_iter().flatten().collect()
}
