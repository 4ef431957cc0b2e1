//! Fit of the weights of five in a row.

use std::sync::Arc;

use anyhow::Result;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::dataset::{EncodedGame, Split, read_distinct};
use super::encoded::EncodedPositions;
use super::encoded_fit::EncodedFit;
use super::evaluation::{Evaluation, targets};
use super::files::{self, Curve, read_base};
use super::five_positions::FiveEncoder;
use super::five_weights::{TableVectors, net_layout, net_sides, net_vector};
use super::layout::TableLayout;
use super::net::NetFit;
use super::ordering::{FIVE_SCALE, Ordering};
use super::own_weights::with_own_weights;
use super::per_thread::PerThread;
use super::policy;
use super::report::Odds;
use super::ties::Ties;
use super::train::Fit;
use super::windows;
use goren_core::rules::{Rule, RuleId, Variant, Visitor};
use goren_core::types::Color;
use goren_engine::eval::Weights;
use goren_training_data::PackedGame;

/// Fits the weights, and writes them.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(args: &Args, rule: RuleId, checkpoint: &mut Checkpoint) -> Result<()> {
    let base = read_base(args, |bytes| Ok(Weights::read(bytes, rule)?))?;
    let base = base.map_or_else(|| Weights::embedded(rule), Arc::new);
    if args.window_epochs > 0 || args.policy_epochs > 0 {
        return with_own_weights(rule, ReplayedFit { args, base: &base, checkpoint });
    }
    let has_fouls = rule.card().has_fouls();
    let layout = TableLayout { sides: if has_fouls { 2 } else { 1 } };
    let data = read(args, rule, layout)?;

    let split = Split::of(data.labels());
    let best_scale = split.best_scale(data.labels());
    let search_scale = best_scale.filter(|_| args.fit_scale).unwrap_or(args.scale);
    let targets = targets(data.labels(), args.lambda, search_scale);
    let fit = EncodedFit {
        args,
        evaluation: Evaluation { positions: &data, targets: &targets, scale: args.scale },
        ordering: Ordering { positions: &data, scale: FIVE_SCALE },
        search_scale,
        choices: split.with_candidates(&data),
        split,
    };
    let tables = Tables { fit, base: &base, before: TableVectors::of(&base, layout), layout };
    tables.tune(rule, has_fouls, checkpoint)
}

/// The fit of the tables and the network.
struct Tables<'a> {
    fit: EncodedFit<'a>,
    base: &'a Weights,
    /// The tables of `base`.
    before: TableVectors,
    layout: TableLayout,
}

impl Tables<'_> {
    fn tune(&self, rule: RuleId, has_fouls: bool, checkpoint: &mut Checkpoint) -> Result<()> {
        let Tables { fit, base, before, layout } = self;
        let args = fit.args;
        let evaluation = if args.learn_on {
            Fit { weights: before.evaluation.clone(), epochs: Vec::new() }
        } else {
            fit.fit_evaluation(&Ties::evaluation(*layout, has_fouls), checkpoint)?
        };
        let ordering_ties = if args.learn_on {
            Ties::ordering_with_prior(&before.ordering)
        } else {
            Ties::ordering(*layout, has_fouls)
        };
        let ordering = fit.fit_ordering(&ordering_ties, checkpoint)?;
        let fitted = TableVectors { evaluation: evaluation.weights, ordering: ordering.weights };
        let mut tuned = fitted.weights(rule, *layout)?;
        // As the engine reads them from the file: rounded, and with floors.
        let after = TableVectors::of(&tuned, *layout);
        let mut epochs = evaluation.epochs;
        if args.net_epochs > 0 {
            let net = self.fit_net(&after.evaluation, checkpoint)?;
            if args.learn_on {
                epochs = net.epochs;
            }
            tuned = tuned.with_net(&net_sides(*layout, &net.weights)?);
        } else if let (true, [Some(black), Some(white)]) =
            (args.learn_on, Color::ALL.map(|color| base.net_side(color)))
        {
            tuned = tuned.with_net(&[black, white]);
        }
        let [evaluation_loss, ordering_loss] = self.report(&tuned, &after);
        let curves = [
            Curve { name: "evaluation", epochs: &epochs, before: evaluation_loss },
            Curve { name: "ordering", epochs: &ordering.epochs, before: ordering_loss },
        ];
        files::write(args, &tuned.write(), &curves)
    }

    /// Fits the network on top of the vector of a fitted evaluation.
    fn fit_net(&self, evaluation: &[f32], checkpoint: &mut Checkpoint) -> Result<Fit> {
        let Tables { fit, base, layout, .. } = self;
        let net_layout = net_layout(*layout);
        let points = fit.evaluation.points(evaluation);
        let net = NetFit { evaluation: &fit.evaluation, layout: &net_layout, points: &points };
        let known = if fit.args.learn_on { net_vector(base, *layout) } else { None };
        let ties = match known {
            Some(numbers) => net_layout.ties_from(&numbers),
            None => net_layout.ties(fit.args.seed),
        };
        fit.fit_net(&net, &ties, checkpoint)
    }

    /// Prints the losses of the weights before and after the fit; returns those before it, of
    /// the evaluation and of the ordering.
    fn report(&self, tuned: &Weights, after: &TableVectors) -> [f64; 2] {
        let Tables { fit, base, before, layout } = self;
        let odds = |vectors: &TableVectors, weights: &Weights| {
            all_odds(&fit.evaluation, *layout, &vectors.evaluation, weights)
        };
        let (old, new) = (odds(before, base), odds(after, tuned));
        let before_name = if has_windows(base) { "old sums" } else { "before" };
        let evaluations: [(_, Odds); 3] = [
            (before_name, &|at| old[at]),
            ("sums alone", &|at| fit.evaluation.odds(at, &after.evaluation)),
            ("after", &|at| new[at]),
        ];
        let evaluation_loss = fit.report_evaluation(&evaluations);
        let ordering_loss = fit.report_ordering([&before.ordering, &after.ordering]);
        if has_windows(base) && fit.args.net_epochs > 0 {
            println!("The new network has no window features; --window-epochs fits them to it.");
        }
        if base.policy_side(Color::Black).is_some() {
            // The net corrects only the scores of the tables that it was fitted to.
            println!(
                "The new weights have no policy net, and the ordering before the fit was judged \
                 without one too; --policy-epochs fits a new one."
            );
        }
        [evaluation_loss, ordering_loss]
    }
}

/// The fit of one part of the weights to replayed boards: the window features, or else the
/// policy net.
struct ReplayedFit<'a> {
    args: &'a Args,
    base: &'a Arc<Weights>,
    checkpoint: &'a mut Checkpoint,
}

impl Visitor for ReplayedFit<'_> {
    type Out = Result<()>;

    fn visit<R: Rule>(self) -> Result<()> {
        let ReplayedFit { args, base, checkpoint } = self;
        if args.window_epochs > 0 {
            windows::tune::<R>(args, base, checkpoint)
        } else {
            policy::tune::<R>(args, base, checkpoint)
        }
    }
}

/// Whether the evaluation network has window features.
fn has_windows(weights: &Weights) -> bool {
    weights.net_side(Color::Black).is_some_and(|net| net.windows.is_some())
}

/// The odds of every position by weights whose tables are the vector `sums`: by the tables
/// alone if there are window features, which encoded positions do not have.
fn all_odds(
    evaluation: &Evaluation,
    layout: TableLayout,
    sums: &[f32],
    weights: &Weights,
) -> Vec<f32> {
    let (net_layout, points) = (net_layout(layout), evaluation.points(sums));
    let net = NetFit { evaluation, layout: &net_layout, points: &points };
    let numbers = net_vector(weights, layout).filter(|_| !has_windows(weights));
    let odds = |at: usize| match &numbers {
        Some(numbers) => net.odds(at, numbers),
        None => evaluation.odds(at, sums),
    };
    (0..evaluation.positions.len()).map(odds).collect()
}

/// Reads the positions of the games of a rule.
fn read(args: &Args, rule: RuleId, layout: TableLayout) -> Result<EncodedPositions> {
    let encoders = PerThread::new(|| FiveEncoder::new(layout));
    read_distinct(
        args,
        |variant| variant == Variant::Five(rule),
        |game: &PackedGame, held_out| {
            encoders.with(|encoder| with_own_weights(rule, Encode { encoder, game, held_out }))
        },
    )
}

/// The encoding of a game by its rule.
struct Encode<'a> {
    encoder: &'a mut FiveEncoder,
    game: &'a PackedGame,
    held_out: bool,
}

impl Visitor for Encode<'_> {
    type Out = Result<EncodedGame>;

    fn visit<R: Rule>(self) -> Self::Out {
        Ok(self.encoder.encode::<R>(self.game, self.held_out)?)
    }
}
