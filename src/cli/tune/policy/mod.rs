//! Fits the policy net of a game of five in a row to the best moves of
//! self-play. All other weights stay as they are: the net corrects their policy scores.

mod model;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::learn::{learn, plot};
use super::report::OrderingReport;
use super::samples::{Samples, is_choice};
use super::train::Schedule;
use goren_core::rules::Rule;
use goren_core::types::Color;
use goren_engine::eval::Weights;
use goren_files::output_path;
use model::{Shape, Trained};

/// Fits the net, and writes the weights with it.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune<R: Rule>(
    args: &Args,
    base: &Arc<Weights>,
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    let samples = Samples::<R>::read(args, is_choice)?;
    let [train, valid] = samples.split();
    let schedule = Schedule {
        epochs: args.policy_epochs,
        batch: 4096,
        rate: args.policy_rate,
        seed: args.seed,
    };
    let shape = Shape::of::<R>();
    let ties = match (args.learn_on, base.policy_side(Color::Black)) {
        (true, Some(_)) => shape.ties_from(base)?,
        _ => shape.ties(args.seed),
    };
    let trained = Trained::new(&samples, base, &shape);
    let fit = learn("policy net", &trained, &ties, &train, &valid, &schedule, checkpoint)?;
    let tuned = Weights::clone(base).with_policy_net(&shape.sides(&fit.weights)?);
    let tuned = Arc::new(tuned);
    let report = report(&samples, &valid, [base, &tuned]);
    println!("{report}");
    output_path::replace(&args.out, &tuned.write())?;
    println!("Wrote {}.", args.out.display());
    match &args.plot {
        Some(path) => plot(path, "policy net", &fit.epochs, report.losses()[0]),
        None => Ok(()),
    }
}

/// How well weights tell the best moves, as the engine reads them.
fn report<R: Rule>(
    samples: &Samples<R>,
    valid: &[u32],
    weights: [&Arc<Weights>; 2],
) -> OrderingReport {
    let judged = weights.map(|weights| {
        let judge = |samples: &Samples<R>, &at: &u32| samples.judged(at as usize, weights);
        valid.par_iter().map(|at| judge(samples, at)).collect::<Vec<_>>()
    });
    OrderingReport::of_ranks(judged)
}
