//! Fits the policy net of a game of five in a row to the best moves of
//! self-play. All other weights stay as they are: the net learns what their
//! priors lack.

mod model;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::finish;
use super::learn::{learn, plot};
use super::report::MovesReport;
use super::samples::{Samples, is_choice};
use super::train::Schedule;
use goren_core::rules::{Rule, RuleId, Visitor, with_rule};
use goren_core::types::Color;
use goren_engine::eval::Weights;
use model::{Shape, Trained};

/// Fits the net, and writes the weights with it.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(
    args: &Args,
    base: &Arc<Weights>,
    rule: RuleId,
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    with_rule(rule, Tune { args, base, checkpoint })
}

struct Tune<'a> {
    args: &'a Args,
    base: &'a Arc<Weights>,
    checkpoint: &'a mut Checkpoint,
}

impl Visitor for Tune<'_> {
    type Out = Result<()>;

    fn visit<R: Rule>(self) -> Result<()> {
        let Tune { args, base, checkpoint } = self;
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
        finish::save(&args.out, &tuned.write())?;
        println!("Wrote {}.", args.out.display());
        args.plot
            .as_deref()
            .map_or(Ok(()), |path: &Path| plot(path, "policy net", &fit.epochs, report.losses()[0]))
    }
}

/// How well weights tell the best moves, as the engine reads them.
fn report<R: Rule>(
    samples: &Samples<R>,
    valid: &[u32],
    weights: [&Arc<Weights>; 2],
) -> MovesReport {
    let judged = weights.map(|weights| {
        let judge = |samples: &Samples<R>, &at: &u32| samples.judged(at as usize, weights);
        valid.par_iter().map(|at| judge(samples, at)).collect::<Vec<_>>()
    });
    MovesReport::new(judged)
}
