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
use super::dataset::Split;
use super::evaluation::{mixed, probability};
use super::files::{self, Curve};
use super::label::TrainingLabel;
use super::replayed::{ReplayedPositions, is_undecided};
use super::report::{EvaluationReport, Odds};
use super::stage::fit_stage;
use super::train::FitSchedule;
use goren_core::rules::Rule;
use goren_engine::eval::{Eval, Weights};
use model::{WindowLayout, WindowProblem};

/// Positions per step.
const BATCH: usize = 2048;

/// Fits the window features, and writes the weights with them.
///
/// # Errors
/// Weights without a network, bad data, too few of them, or files that cannot be written.
pub(super) fn tune<R: Rule>(
    args: &Args,
    base: &Arc<Weights>,
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    let layout = WindowLayout::of::<R>();
    let ties = layout.ties(base, args.seed)?;
    let positions = ReplayedPositions::<R>::read(args, is_undecided)?;
    let labels = positions.labels();
    let split = Split::of(labels);
    let best_scale = split.best_scale(labels);
    let search_scale = best_scale.filter(|_| args.fit_scale).unwrap_or(args.scale);
    let target = |(at, label): (usize, &TrainingLabel)| {
        let value = |score| probability(score, search_scale);
        mixed(label, args.lambda as f32, positions.td_target(at, args.td_lambda as f32, value))
    };
    let targets: Vec<f32> = labels.iter().enumerate().map(target).collect();
    let Args { window_epochs: epochs, window_rate: rate, seed, .. } = *args;
    let schedule = FitSchedule { epochs, batch: BATCH, rate, seed };
    let problem = WindowProblem::new(&positions, base, &layout, &targets, args.scale);
    let fit = fit_stage("window features", &problem, &ties, split.parts(), &schedule, checkpoint)?;
    let tuned = Arc::new(Weights::clone(base).with_net(&layout.sides(base, &fit.weights)?));
    let odds = [base, &tuned].map(|weights| all_odds(&positions, weights, args.scale));
    let evaluations: [(_, Odds); 2] = [("before", &|at| odds[0][at]), ("after", &|at| odds[1][at])];
    let report = EvaluationReport::new(labels, &targets, &split.valid, search_scale, &evaluations);
    println!("{report}");
    let curve = Curve { name: "window features", epochs: &fit.epochs, before: report.loss(0) };
    files::write(args, &tuned.write(), &[curve])
}

/// The odds of every position, as the engine computes them.
fn all_odds<R: Rule>(
    positions: &ReplayedPositions<R>,
    weights: &Arc<Weights>,
    scale: f32,
) -> Vec<f32> {
    let odds = |at: usize| {
        positions.with(at, |position| {
            let mut eval = Eval::new(position.board, weights.clone());
            eval.score(position.board, position.to_move) as f32 / scale
        })
    };
    (0..positions.len()).into_par_iter().map(odds).collect()
}
