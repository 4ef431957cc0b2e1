//! Fits the policy net of a game of five in a row to the best moves of self-play. All other
//! weights stay as they are: the net corrects their policy scores.

mod model;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::dataset::Split;
use super::files::{self, Curve};
use super::replayed::{ReplayedPositions, is_choice};
use super::report::OrderingReport;
use super::stage::fit_stage;
use super::train::FitSchedule;
use goren_core::rules::Rule;
use goren_core::types::Color;
use goren_engine::eval::Weights;
use model::{PolicyLayout, PolicyProblem};

/// Positions per step.
const BATCH: usize = 4096;

/// Fits the net, and writes the weights with it.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune<R: Rule>(
    args: &Args,
    base: &Arc<Weights>,
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    let positions = ReplayedPositions::<R>::read(args, is_choice)?;
    let split = Split::of(positions.labels());
    let Args { policy_epochs: epochs, policy_rate: rate, seed, .. } = *args;
    let schedule = FitSchedule { epochs, batch: BATCH, rate, seed };
    let layout = PolicyLayout::of::<R>();
    let ties = match (args.learn_on, base.policy_side(Color::Black)) {
        (true, Some(_)) => layout.ties_from(base)?,
        _ => layout.ties(seed),
    };
    let problem = PolicyProblem::new(&positions, base, &layout);
    let fit = fit_stage("policy net", &problem, &ties, split.parts(), &schedule, checkpoint)?;
    let tuned = Weights::clone(base).with_policy_net(&layout.sides(&fit.weights)?);
    let tuned = Arc::new(tuned);
    let report = report(&positions, &split.valid, [base, &tuned]);
    println!("{report}");
    let before = report.losses()[0];
    let curve = Curve { name: "policy net", epochs: &fit.epochs, before };
    files::write(args, &tuned.write(), &[curve])
}

/// How well weights order the moves, as the engine reads them.
fn report<R: Rule>(
    positions: &ReplayedPositions<R>,
    valid: &[u32],
    weights: [&Arc<Weights>; 2],
) -> OrderingReport {
    let losses_and_ranks = weights.map(|weights| {
        let judge = |&at: &u32| positions.loss_and_rank(at as usize, weights);
        valid.par_iter().map(judge).collect::<Vec<_>>()
    });
    OrderingReport::of_ranks(losses_and_ranks)
}
