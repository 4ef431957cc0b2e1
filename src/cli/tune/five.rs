//! Fit of the weights of five in a row.

use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::evaluation::Evaluation;
use super::finish;
use super::learn::{learn, order_plot, plot};
use super::load::{Choice, load};
use super::loaded::{Split, targets};
use super::model::Ties;
use super::net::{self, Net};
use super::ordering::{Ordering, SCALE};
use super::own_weights::{Known, with_own_weights};
use super::policy;
use super::positions::{Layout, Positions};
use super::report::{EvaluationReport, Odds, OrderingReport};
use super::train::{Fit, Schedule};
use super::windows;
use goren_core::rules::{Rule, RuleId, Variant, Visitor};
use goren_core::types::Color;
use goren_engine::eval::Weights;
use goren_files::output_path;

/// Fits the weights, and writes them.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(args: &Args, rule: RuleId, checkpoint: &mut Checkpoint) -> Result<()> {
    // Told before anything is read.
    with_own_weights(rule, Known)?;
    let base = base(args, rule)?;
    if args.window_epochs > 0 || args.policy_epochs > 0 {
        return with_own_weights(rule, Part { args, base: &base, checkpoint });
    }
    let renju = rule.card().has_fouls();
    let layout = Layout { sides: if renju { 2 } else { 1 } };
    let data = read(args, rule, layout)?;

    let split = Split::of(&data);
    let search = split.best_scale.filter(|_| args.fit_scale).unwrap_or(args.scale);
    let targets = targets(&data, args.lambda, search);
    let evaluation = Evaluation { positions: &data, targets: &targets, scale: args.scale };
    let begin = args.learn_on.then(|| finish::vectors(&base, layout));
    let free = [&split.train, &split.valid].map(|samples| with_candidates(&data, samples));
    let tables = Tables { args, base: &base, layout, renju, evaluation, split, free, begin };

    let points = tables.fit_evaluation(checkpoint)?;
    let policy_scores = tables.fit_ordering(checkpoint)?;
    let mut tuned = finish::weights(rule, layout, &points.weights, &policy_scores.weights)?;
    let (before, after) = (finish::vectors(&base, layout), finish::vectors(&tuned, layout));
    let mut epochs = points.epochs;
    if args.net_epochs > 0 {
        let fitted = tables.fit_net(&after.0, checkpoint)?;
        if tables.begin.is_some() {
            epochs = fitted.epochs;
        }
        tuned = tuned.with_net(&finish::net_sides(layout, &fitted.weights)?);
    } else if let (true, [Some(black), Some(white)]) =
        (args.learn_on, Color::ALL.map(|color| base.net_side(color)))
    {
        tuned = tuned.with_net(&[black, white]);
    }
    let [evaluation_loss, ordering_loss] = tables.report(&tuned, [&before, &after], search);
    output_path::replace(&args.out, &tuned.write())?;
    println!("Wrote {}.", args.out.display());
    if let Some(path) = &args.plot {
        plot(path, "evaluation", &epochs, evaluation_loss)?;
        plot(&order_plot(path), "ordering", &policy_scores.epochs, ordering_loss)?;
    }
    Ok(())
}

/// The samples whose positions have candidates.
fn with_candidates(data: &Positions, samples: &[u32]) -> Vec<u32> {
    samples.iter().copied().filter(|&i| !data.candidates_at(i as usize).is_empty()).collect()
}

/// The fit of the tables and the network.
struct Tables<'a> {
    args: &'a Args,
    base: &'a Weights,
    layout: Layout,
    /// Whether the rule has fouls, so that the colours have weights of their own.
    renju: bool,
    evaluation: Evaluation<'a>,
    split: Split,
    /// Samples with candidates: those that are learnt from, and those held out.
    free: [Vec<u32>; 2],
    /// The vectors of `base`, if the fit begins with them.
    begin: Option<(Vec<f32>, Vec<f32>)>,
}

impl Tables<'_> {
    /// The schedule of the tables.
    fn schedule(&self) -> Schedule {
        let Args { epochs, batch, rate, seed, .. } = *self.args;
        Schedule { epochs, batch, rate, seed }
    }

    /// Fits the sums of the evaluation, unless they are kept.
    fn fit_evaluation(&self, checkpoint: &mut Checkpoint) -> Result<Fit> {
        if let Some((sums, _)) = &self.begin {
            return Ok(Fit { weights: sums.clone(), epochs: Vec::new() });
        }
        let ties = Ties::evaluation(self.layout, self.renju);
        let Split { train, valid, .. } = &self.split;
        let schedule = self.schedule();
        learn("evaluation", &self.evaluation, &ties, train, valid, &schedule, checkpoint)
    }

    /// Fits the policy scores.
    fn fit_ordering(&self, checkpoint: &mut Checkpoint) -> Result<Fit> {
        let ordering = Ordering { positions: self.evaluation.positions, scale: SCALE };
        let ties = match &self.begin {
            Some((_, policy_scores)) => Ties::ordering_around(policy_scores),
            None => Ties::ordering(self.layout, self.renju),
        };
        let [train, valid] = &self.free;
        learn("ordering", &ordering, &ties, train, valid, &self.schedule(), checkpoint)
    }

    /// Fits the network upon fitted `sums` of the evaluation.
    fn fit_net(&self, sums: &[f32], checkpoint: &mut Checkpoint) -> Result<Fit> {
        let Tables { args, base, layout, ref evaluation, ref split, ref begin, .. } = *self;
        let Evaluation { positions, targets, scale } = *evaluation;
        let points = Net::points(evaluation, positions.len(), sums);
        let net = Net { positions, layout, targets, points: &points, scale };
        let schedule = Schedule {
            epochs: args.net_epochs,
            batch: 2048,
            rate: args.net_rate,
            ..self.schedule()
        };
        let numbers = begin.as_ref().and_then(|_| finish::net_vector(base, layout));
        let ties = match numbers {
            Some(numbers) => net::ties_from(layout, &numbers),
            None => net::ties(layout, args.seed),
        };
        learn("net", &net, &ties, &split.train, &split.valid, &schedule, checkpoint)
    }

    /// Prints the losses of the weights before and after the fit, whose vectors are given;
    /// returns those before it, of the evaluation and of the ordering.
    fn report(
        &self,
        tuned: &Weights,
        [before, after]: [&(Vec<f32>, Vec<f32>); 2],
        search: f32,
    ) -> [f64; 2] {
        let Tables { args, base, layout, ref evaluation, ref split, .. } = *self;
        let odds = |sums, weights| all_odds(evaluation, layout, sums, weights);
        let (old, new) = (odds(&before.0, base), odds(&after.0, tuned));
        let before_name = if has_windows(base) { "old sums" } else { "before" };
        let judged: [(_, Odds); 3] = [
            (before_name, &|at| old[at]),
            ("sums alone", &|at| evaluation.odds(at, &after.0)),
            ("after", &|at| new[at]),
        ];
        let data = evaluation.positions;
        let label = |at: u32| *data.label(at as usize);
        let of_points =
            EvaluationReport::new(&label, evaluation.targets, &split.valid, search, &judged);
        let ordering = Ordering { positions: data, scale: SCALE };
        let of_policy_scores = OrderingReport::new(&ordering, &self.free[1], [&before.1, &after.1]);
        println!("{of_points}\n{of_policy_scores}");
        if has_windows(base) && args.net_epochs > 0 {
            println!("The new network has no window features; --window-epochs fits them to it.");
        }
        [of_points.loss(0), of_policy_scores.losses()[0]]
    }
}

/// The fit of one part of the weights, from replayed boards: the window features, or else
/// the policy net.
struct Part<'a> {
    args: &'a Args,
    base: &'a Arc<Weights>,
    checkpoint: &'a mut Checkpoint,
}

impl Visitor for Part<'_> {
    type Out = Result<()>;

    fn visit<R: Rule>(self) -> Result<()> {
        let Part { args, base, checkpoint } = self;
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

/// The odds of every position by some weights, whose sums are `sums`: by the sums alone if
/// there are window features, which these positions do not have.
fn all_odds(evaluation: &Evaluation, layout: Layout, sums: &[f32], weights: &Weights) -> Vec<f32> {
    let Evaluation { positions, targets, scale } = *evaluation;
    let points = Net::points(evaluation, positions.len(), sums);
    let net = Net { positions, layout, targets, points: &points, scale };
    let numbers = finish::net_vector(weights, layout).filter(|_| !has_windows(weights));
    let odds = |at: usize| match &numbers {
        Some(numbers) => net.odds(at, numbers),
        None => evaluation.odds(at, sums),
    };
    (0..positions.len()).map(odds).collect()
}

fn base(args: &Args, rule: RuleId) -> Result<Arc<Weights>> {
    let Some(path) = &args.base else { return Ok(Weights::embedded(rule)) };
    let name = || format!("weights {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    Ok(Arc::new(Weights::read(&bytes, rule).with_context(name)?))
}

fn read(args: &Args, rule: RuleId, layout: Layout) -> Result<Positions> {
    let choice = Choice::of(args, rule);
    let style = ProgressStyle::with_template("reading {spinner} {pos} positions {elapsed}")?;
    let progress = ProgressBar::new_spinner().with_style(style);
    let loaded = load(&args.data, layout, &choice, &progress)?;
    progress.finish_and_clear();
    loaded.report(Variant::Five(rule))?;
    Ok(loaded.positions)
}
