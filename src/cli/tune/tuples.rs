//! Fit of the weights of the games on a line-count board: values of tuples and states,
//! policy values of windows, and the network.
//!
//! Values deviate from a prior: the values of `--base` or of the engine, scaled to fit the
//! results. Regularisation draws deviations towards 0, so that rare codes keep their prior.

use anyhow::{Context, Result, bail};

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::dataset::{Split, read_distinct};
use super::encoded_fit::EncodedFit;
use super::evaluation::{Evaluation, best_scale, targets};
use super::files::{self, Curve, read_base};
use super::label::TrainingLabel;
use super::net::NetFit;
use super::ordering::Ordering;
use super::report::Odds;
use super::train::Fit;
use super::tuple_positions::encode;
use super::tuple_weights::{net_layout, net_vector, net_weights, ties, vector, weights};
use super::window_policy;
use goren_core::rules::Variant;
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::eval::{TupleFamily, WeightFile, write_tuples};
use goren_engine::game::tuple_family;

/// Fits weights to games of a variant and of those that play by the same weights, and
/// writes them.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(args: &Args, variant: Variant, checkpoint: &mut Checkpoint) -> Result<()> {
    let Some(family) = tuple_family(variant) else { bail!("{variant} has no weights to fit") };
    let base = read_base(args, |bytes| match WeightFile::read(bytes)? {
        WeightFile::Tuples(found, weights) if found == family => Ok(weights),
        _ => bail!("they are not for {family}"),
    })?;
    let base = base.unwrap_or_else(|| (*family.weights()).clone());
    let data = read_distinct(args, |variant| tuple_family(variant) == Some(family), encode)?;
    let split = Split::of(data.labels());
    let search_scale = split.best_scale(data.labels()).context("no game with a result")?;
    let targets = targets(data.labels(), args.lambda, search_scale);
    let evaluation = Evaluation { positions: &data, targets: &targets, scale: args.scale };
    let prior_values = scaled_prior(&evaluation, &split, vector(family, &base))?;
    let fit = EncodedFit {
        args,
        evaluation,
        ordering: Ordering { positions: &data, scale: window_policy::SCALE },
        search_scale,
        choices: split.with_candidates(&data),
        split,
    };
    tune_all(&fit, family, &base, &prior_values, checkpoint)
}

/// Fits all parts of the weights in turn, and writes them.
fn tune_all(
    fit: &EncodedFit,
    family: &TupleFamily,
    base: &TupleWeights,
    prior_values: &[f32],
    checkpoint: &mut Checkpoint,
) -> Result<()> {
    let Fit { weights: fitted, epochs } =
        fit.fit_evaluation(&ties(family, prior_values), checkpoint)?;
    let mut tuned = weights(family, &fitted)?;
    // As the engine reads them from the file: rounded.
    let after = vector(family, &tuned);
    // Only some of the positions have a choice of moves.
    let has_choices = fit.choices.parts().iter().all(|part| !part.is_empty());
    let mut ordering = None;
    if has_choices {
        let fitted = fit.fit_ordering(&window_policy::ties(base), checkpoint)?;
        tuned = window_policy::with_values(tuned, &fitted.weights)?;
        ordering = Some(fitted);
    }
    let (net_layout, points) = (net_layout(family), fit.evaluation.points(&after));
    let net = NetFit { evaluation: &fit.evaluation, layout: &net_layout, points: &points };
    let mut numbers = None;
    // A file with a network has policy values too.
    if fit.args.net_epochs > 0 && has_choices {
        let fitted = fit.fit_net(&net, &net_layout.ties(fit.args.seed), checkpoint)?.weights;
        let rounded = net_weights(&net_layout, &fitted)?;
        numbers = Some(net_vector(&rounded));
        tuned = tuned.with_net(rounded);
    }

    let before: Odds = &|at| fit.evaluation.odds(at, prior_values);
    let values_alone: Odds = &|at| fit.evaluation.odds(at, &after);
    let with_net: Odds = &|at| numbers.as_ref().map_or(0.0, |numbers| net.odds(at, numbers));
    let mut evaluations = vec![("before", before)];
    if numbers.is_some() {
        evaluations.extend([("values alone", values_alone), ("after", with_net)]);
    } else {
        evaluations.push(("after", values_alone));
    }
    let loss = fit.report_evaluation(&evaluations);
    let mut curves = vec![Curve { name: "evaluation", epochs: &epochs, before: loss }];
    if let Some(Fit { epochs, .. }) = &ordering {
        let [before, after] = [base, &tuned].map(window_policy::vector);
        let before = fit.report_ordering([&before, &after]);
        curves.push(Curve { name: "ordering", epochs, before });
    }
    files::write(fit.args, &write_tuples(family, &tuned), &curves)
}

/// The prior of the values: those of a vector, scaled so that they fit the results best at
/// the scale of the fit. Prints the scale at which they did before.
///
/// # Errors
/// No game has a result.
fn scaled_prior(evaluation: &Evaluation, split: &Split, mut values: Vec<f32>) -> Result<Vec<f32>> {
    let Evaluation { positions, scale, .. } = *evaluation;
    let points = |at: &u32| TrainingLabel {
        score: (evaluation.odds(*at as usize, &values) * scale) as i32,
        ..*positions.label(*at as usize)
    };
    let labels: Vec<TrainingLabel> = split.train.iter().map(points).collect();
    let best = best_scale(labels.iter()).context("no game with a result")?;
    println!("The weights before the fit do so at {best:.0} points a logit.");
    values.iter_mut().for_each(|value| *value *= scale / best);
    Ok(values)
}
