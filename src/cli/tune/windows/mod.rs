//! Fits the window features of the evaluation network (`eval/windows`), and its layers
//! with them, to the results and scores of self-play. The tables and the embeddings of
//! codes stay as they are.

mod model;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::evaluation::{best_scale, chance, mixed};
use super::learn::{learn, plot};
use super::positions::Label;
use super::report::{EvaluationReport, Odds};
use super::samples::{Samples, is_undecided};
use super::train::Schedule;
use goren_core::rules::Rule;
use goren_engine::eval::{Eval, Weights};
use goren_files::output_path;
use model::{Shape, Trained};

/// Fits the window features, and writes the weights with them.
///
/// # Errors
/// Weights without a network, bad data, too few of them, or files that cannot be written.
pub(super) fn tune<R: Rule>(
    args: &Args,
    base: &Arc<Weights>,
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    let shape = Shape::of::<R>();
    let ties = shape.ties(base, args.seed)?;
    let samples = Samples::<R>::read(args, is_undecided)?;
    let [train, valid] = samples.split();
    let labels: Vec<Label> = (0..samples.len()).map(|at| samples.label(at)).collect();
    let best = best_scale(train.iter().map(|&at| &labels[at as usize]));
    let search = best.filter(|_| args.fit_scale).unwrap_or(args.scale);
    let target = |(at, label): (usize, &Label)| {
        let traced = samples.traced(at, args.td_lambda as f32, |score| chance(score, search));
        mixed(label, args.lambda as f32, traced)
    };
    let targets: Vec<f32> = labels.iter().enumerate().map(target).collect();
    let schedule = Schedule {
        epochs: args.window_epochs,
        batch: 2048,
        rate: args.window_rate,
        seed: args.seed,
    };
    let trained = Trained::new(&samples, base, &shape, &targets, args.scale);
    let fit = learn("window features", &trained, &ties, &train, &valid, &schedule, checkpoint)?;
    let tuned = Arc::new(Weights::clone(base).with_net(&shape.sides(base, &fit.weights)?));
    let odds = [base, &tuned].map(|weights| all_odds(&samples, weights, args.scale));
    let judged: [(_, Odds); 2] = [("before", &|at| odds[0][at]), ("after", &|at| odds[1][at])];
    let label = |at: u32| labels[at as usize];
    let report = EvaluationReport::new(&label, &targets, &valid, search, &judged);
    println!("{report}");
    output_path::replace(&args.out, &tuned.write())?;
    println!("Wrote {}.", args.out.display());
    match &args.plot {
        Some(path) => plot(path, "window features", &fit.epochs, report.loss(0)),
        None => Ok(()),
    }
}

/// The odds of every position, as the engine computes them.
fn all_odds<R: Rule>(samples: &Samples<R>, weights: &Arc<Weights>, scale: f32) -> Vec<f32> {
    let odds = |at: usize| {
        samples.with(at, |sample| {
            Eval::new(sample.board, weights.clone()).score(sample.board, sample.to_move) as f32
                / scale
        })
    };
    (0..samples.len()).into_par_iter().map(odds).collect()
}
