//! The weights of a game of five in a row.

use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::Args;
use super::evaluation::{Evaluation, best_scale, target};
use super::finish;
use super::learn::{learn, plot};
use super::load::{Choice, load};
use super::model::Ties;
use super::net::{self, Net};
use super::ordering::Ordering;
use super::positions::{Layout, Positions};
use super::report::{EvaluationReport, Odds, OrderingReport};
use super::train::{Epoch, Fit, Schedule};
use goren_core::rules::RuleId;
use goren_engine::eval::{Weights, family};

/// Fits the weights, and writes them.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(args: &Args, rule: RuleId) -> Result<()> {
    if rule != family(rule) {
        bail!("{rule} plays by the weights of {}", family(rule));
    }
    let base = base(args, rule)?;
    let layout = Layout { sides: if rule.card().fouls { 2 } else { 1 } };
    let data = Data::new(args, read(args, rule, layout)?, layout);
    let start = args.learn_on.then_some(&*base);
    let schedule =
        Schedule { epochs: args.epochs, batch: args.batch, rate: args.rate, seed: args.seed };

    let before = finish::vectors(&base, layout);
    let sums = match start {
        Some(_) => Fit { weights: before.0.clone(), epochs: Vec::new() },
        None => fit_sums(&data, rule, &schedule)?,
    };
    let free = [data.with_candidates(&data.train), data.with_candidates(&data.valid)];
    let ties = match start {
        Some(_) => Ties::ordering_around(&before.1),
        None => Ties::ordering(layout, rule.card().fouls),
    };
    let ordering = Ordering { positions: &data.positions };
    let priors = learn("ordering", &ordering, &ties, &free[0], &free[1], &schedule)?;

    let tuned = finish::weights(rule, layout, &sums.weights, &priors.weights)?;
    let after = finish::vectors(&tuned, layout);
    let (tuned, of_net) = with_net(args, &data, tuned, &after.0, start)?;
    let (old, new) = (data.judge(&before.0, &base), data.judge(&after.0, &tuned));
    let evaluation = data.evaluation();
    let judged: [(_, Odds); 3] = [
        ("before", &|at| old[at]),
        ("sums alone", &|at| evaluation.odds(at, &after.0)),
        ("after", &|at| new[at]),
    ];
    let of_points = EvaluationReport::new(&evaluation, &data.valid, data.search_scale, &judged);
    let of_priors = OrderingReport::new(&ordering, &free[1], [&before.1, &after.1]);
    println!("{of_points}\n{of_priors}");
    finish::save(&args.out, &tuned.write())?;
    println!("Wrote {}.", args.out.display());
    if let Some(path) = &args.plot {
        // The sums stay as they are with --learn-on: the net alone has losses.
        let epochs = if start.is_some() { &of_net } else { &sums.epochs };
        plot(path, "evaluation", epochs, of_points.loss(0))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!("{stem}-order.svg"));
        plot(&beside, "ordering", &priors.epochs, of_priors.losses()[0])?;
    }
    Ok(())
}

/// Positions with their targets, and which of them are held out.
struct Data {
    positions: Positions,
    layout: Layout,
    targets: Vec<f32>,
    train: Vec<u32>,
    valid: Vec<u32>,
    /// Points of the evaluation per unit of log-odds.
    scale: f32,
    /// Points of a search score per unit of log-odds.
    search_scale: f32,
}

impl Data {
    /// Computes the targets, and prints the scale that fits the search scores.
    fn new(args: &Args, positions: Positions, layout: Layout) -> Data {
        let all = || 0..positions.len() as u32;
        let (valid, train): (Vec<u32>, Vec<u32>) =
            all().partition(|&i| positions.label(i as usize).held_out);
        let best = best_scale(train.iter().map(|&i| positions.label(i as usize)));
        if let Some(best) = best {
            println!("The scores of the search fit the results best at {best:.0} points a logit.");
        }
        let search_scale = best.filter(|_| args.fit_scale).unwrap_or(args.scale);
        let share = args.lambda as f32;
        let targets =
            all().map(|i| target(positions.label(i as usize), share, search_scale)).collect();
        Data { positions, layout, targets, train, valid, scale: args.scale, search_scale }
    }

    fn evaluation(&self) -> Evaluation<'_> {
        Evaluation { positions: &self.positions, targets: &self.targets, scale: self.scale }
    }

    /// The network on top of the points that the sums give.
    fn net<'a>(&'a self, points: &'a [f32]) -> Net<'a> {
        let Data { positions, layout, targets, scale, .. } = self;
        Net { positions, layout: *layout, targets, points, scale: *scale }
    }

    fn points(&self, sums: &[f32]) -> Vec<f32> {
        Net::points(&self.evaluation(), self.positions.len(), sums)
    }

    /// Those of the samples that can train the ordering.
    fn with_candidates(&self, samples: &[u32]) -> Vec<u32> {
        let has = |i: &u32| !self.positions.candidates_at(*i as usize).is_empty();
        samples.iter().copied().filter(has).collect()
    }

    /// Log-odds of all positions by weights, the network included if they have one.
    fn judge(&self, sums: &[f32], weights: &Weights) -> Vec<f32> {
        let (points, evaluation) = (self.points(sums), self.evaluation());
        let net = self.net(&points);
        let numbers = finish::net_vector(weights, self.layout);
        let odds = |at: usize| match &numbers {
            Some(numbers) => net.odds(at, numbers),
            None => evaluation.odds(at, sums),
        };
        (0..self.positions.len()).map(odds).collect()
    }
}

/// Fits the sums of the evaluation.
fn fit_sums(data: &Data, rule: RuleId, schedule: &Schedule) -> Result<Fit> {
    let ties = Ties::evaluation(data.layout, rule.card().fouls);
    learn("evaluation", &data.evaluation(), &ties, &data.train, &data.valid, schedule)
}

/// Weights with the network fitted on top of their `sums`, and its epochs; the
/// network begins as that of `start`, and stays so if no epoch is wanted.
fn with_net(
    args: &Args,
    data: &Data,
    tuned: Weights,
    sums: &[f32],
    start: Option<&Weights>,
) -> Result<(Weights, Vec<Epoch>)> {
    let layout = data.layout;
    let begin = start.and_then(|weights| finish::net_vector(weights, layout));
    if args.net_epochs == 0 {
        let tuned = match begin {
            Some(numbers) => tuned.with_net(&finish::net_sides(layout, &numbers)?),
            None => tuned,
        };
        return Ok((tuned, Vec::new()));
    }
    let points = data.points(sums);
    let schedule =
        Schedule { epochs: args.net_epochs, batch: 2048, rate: args.net_rate, seed: args.seed };
    let ties = match begin {
        Some(numbers) => net::ties_from(layout, &numbers),
        None => net::ties(layout, args.seed),
    };
    let fit = learn("net", &data.net(&points), &ties, &data.train, &data.valid, &schedule)?;
    let sides = finish::net_sides(layout, &fit.weights)?;
    Ok((tuned.with_net(&sides), fit.epochs))
}

fn base(args: &Args, rule: RuleId) -> Result<Arc<Weights>> {
    let Some(path) = &args.base else { return Ok(Weights::embedded(rule)) };
    let name = || format!("weights {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    Ok(Arc::new(Weights::read(&bytes, rule).with_context(name)?))
}

fn read(args: &Args, rule: RuleId, layout: Layout) -> Result<Positions> {
    let choice = Choice {
        rule,
        size: args.size.0,
        positions: args.positions,
        valid: args.valid,
        seed: args.seed,
        whole_games: args.whole_games,
    };
    let style = ProgressStyle::with_template("reading {spinner} {pos} positions {elapsed}")?;
    let progress = ProgressBar::new_spinner().with_style(style);
    let loaded = load(&args.data, layout, &choice, &progress)?;
    progress.finish_and_clear();
    for fault in &loaded.faults {
        eprintln!("warning: {fault}");
    }
    if loaded.games == 0 {
        bail!("no games of {rule} among the {} there are", loaded.others);
    }
    println!(
        "{} positions of {} games; passed over: {} games of other rules or boards, \
         {} positions seen before.",
        loaded.positions.len(),
        loaded.games,
        loaded.others,
        loaded.twice
    );
    if loaded.strange > 0 {
        println!("Best moves far from all stones, left out of the ordering: {}.", loaded.strange);
    }
    Ok(loaded.positions)
}
