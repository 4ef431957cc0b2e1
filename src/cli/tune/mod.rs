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

mod evaluation;
pub(super) mod families;
mod finish;
mod load;
mod model;
mod net;
mod ordering;
mod positions;
mod replay;
mod report;
#[cfg(test)]
mod tests;
mod train;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use self::evaluation::{Evaluation, best_scale, target};
use self::load::{Choice, load};
use self::model::Ties;
use self::net::Net;
use self::ordering::Ordering;
use self::positions::{Layout, Positions};
use self::report::{EvaluationReport, Odds, OrderingReport};
use self::train::{Epoch, Fit, Problem, Schedule, fit};
use crate::out;
use goren_core::rules::{RuleId, Variant};
use goren_core::types::{MAX_SIDE, MIN_SIDE, POINTS_A_LOGIT};
use goren_engine::eval::{Weights, family};

/// Arguments of `goren tune`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Files of games, as `goren selfplay` writes them.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// The game: freestyle, standard, renju, caro, pente, pente+keryo,
    /// connect6, and so on. Training games of others are passed over.
    #[arg(long, alias = "rule", value_parser = Variant::from_name)]
    game: Variant,
    /// Rows and columns of the boards to learn from, or any (five in a row).
    #[arg(long, default_value = "any", value_parser = size)]
    size: Size,
    /// Where the weights go.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where plots of the losses go: FILE for the evaluation, and beside it
    /// one that ends in `-order` for the ordering.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Weights to compare with, instead of those of the engine.
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// Learns on from the weights compared with: the sums of their evaluation
    /// stay, their ordering and net are what learning begins with. Tuples
    /// always do.
    #[arg(long)]
    learn_on: bool,
    /// Times every position is learnt from, at most.
    #[arg(long, default_value_t = 20, value_parser = at_least_one)]
    epochs: usize,
    /// Positions of a step.
    #[arg(long, default_value_t = 1024, value_parser = at_least_one)]
    batch: usize,
    /// Times every position is learnt from by the net, at most; 0 for an
    /// evaluation without a net, or with `--learn-on` the net there was. Only
    /// five in a row has one.
    #[arg(long, default_value_t = 6)]
    net_epochs: usize,
    /// Size of the first steps of the net, as `--rate` says it.
    #[arg(long, default_value_t = 0.02, value_parser = positive)]
    net_rate: f32,
    /// Size of the first steps, as a part of what a parameter is expected to
    /// be.
    #[arg(long, default_value_t = 0.05, value_parser = positive)]
    rate: f32,
    /// Part of the result in what a position should be worth; the rest is the
    /// score of the search.
    #[arg(long, default_value_t = 0.5, value_parser = share)]
    lambda: f64,
    /// Points of the evaluation that multiply the odds to win by e.
    #[arg(long, default_value_t = POINTS_A_LOGIT as f32, value_parser = positive)]
    scale: f32,
    /// Reads the scores of the search by the scale that fits the results best,
    /// instead of that of the evaluation.
    #[arg(long)]
    fit_scale: bool,
    /// Part of the games that is held out.
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    valid: f64,
    /// Most positions to learn from and to hold out together.
    #[arg(long, default_value_t = 5_000_000, value_parser = at_least_one)]
    positions: usize,
    /// What chooses the games held out and the order of learning. The same
    /// seed gives the same weights on any number of threads.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for as many as there are cores.
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Uses the whole games of a file that is damaged or cut short.
    #[arg(long)]
    whole_games: bool,
}

#[derive(Copy, Clone, Debug)]
struct Size(Option<usize>);

fn size(text: &str) -> Result<Size, String> {
    if text == "any" {
        return Ok(Size(None));
    }
    let number = text.parse().ok().filter(|n| (MIN_SIDE..=MAX_SIDE).contains(n));
    let size = number.ok_or_else(|| format!("any, or {MIN_SIDE} to {MAX_SIDE}"))?;
    Ok(Size(Some(size)))
}

fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| "a number of at least 1 is needed".into())
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".into())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is needed".into())
}

/// Fits and writes the weights, and says how well they do.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written; no weights are
/// written then.
pub fn run(args: &Args) -> Result<bool> {
    // Before the hours that it takes.
    for path in [&args.out].into_iter().chain(&args.plot) {
        out::ready(path, &args.data)?;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| match args.game {
        Variant::Five(rule) => five(args, rule),
        variant => families::tune(args, variant),
    })?;
    Ok(true)
}

/// Fits the weights of a game of five in a row.
fn five(args: &Args, rule: RuleId) -> Result<()> {
    if rule != family(rule) {
        bail!("{rule} plays by the weights of {}", family(rule));
    }
    let base = base(args, rule)?;
    let renju = rule.card().fouls;
    let layout = Layout { sides: if renju { 2 } else { 1 } };
    let data = read(args, rule, layout)?;

    let all = || 0..data.len() as u32;
    let (valid, train): (Vec<u32>, Vec<u32>) =
        all().partition(|&i| data.label(i as usize).held_out);
    let best = best_scale(train.iter().map(|&i| data.label(i as usize)));
    if let Some(best) = best {
        println!("The scores of the search fit the results best at {best:.0} points a logit.");
    }
    let search = best.filter(|_| args.fit_scale).unwrap_or(args.scale);
    let targets: Vec<f32> =
        all().map(|i| target(data.label(i as usize), args.lambda as f32, search)).collect();
    let schedule =
        Schedule { epochs: args.epochs, batch: args.batch, rate: args.rate, seed: args.seed };

    let evaluation = Evaluation { positions: &data, targets: &targets, scale: args.scale };
    let begin = args.learn_on.then(|| finish::vectors(&base, layout));
    let points = match &begin {
        Some((sums, _)) => Fit { weights: sums.clone(), epochs: Vec::new() },
        None => {
            let ties = Ties::evaluation(layout, renju);
            learn("evaluation", &evaluation, &ties, &train, &valid, &schedule)?
        }
    };

    let ordering = Ordering { positions: &data };
    let free = |samples: &[u32]| -> Vec<u32> {
        samples.iter().copied().filter(|&i| !data.candidates_at(i as usize).is_empty()).collect()
    };
    let (train_free, valid_free) = (free(&train), free(&valid));
    let ties = match &begin {
        Some((_, priors)) => Ties::ordering_around(priors),
        None => Ties::ordering(layout, renju),
    };
    let priors = learn("ordering", &ordering, &ties, &train_free, &valid_free, &schedule)?;

    let mut tuned = finish::weights(rule, layout, &points.weights, &priors.weights)?;
    let (before, after) = (finish::vectors(&base, layout), finish::vectors(&tuned, layout));
    let mut epochs = points.epochs;
    if args.net_epochs > 0 {
        let points = Net::points(&evaluation, data.len(), &after.0);
        let net =
            Net { positions: &data, layout, targets: &targets, points: &points, scale: args.scale };
        let schedule =
            Schedule { epochs: args.net_epochs, batch: 2048, rate: args.net_rate, ..schedule };
        let numbers = begin.as_ref().and_then(|_| finish::net_vector(&base, layout));
        let ties = match numbers {
            Some(numbers) => net::ties_from(layout, &numbers),
            None => net::ties(layout, args.seed),
        };
        let fitted = learn("net", &net, &ties, &train, &valid, &schedule)?;
        if begin.is_some() {
            epochs = fitted.epochs;
        }
        tuned = tuned.with_net(&finish::net_sides(layout, &fitted.weights)?);
    } else if let Some(numbers) = begin.as_ref().and_then(|_| finish::net_vector(&base, layout)) {
        tuned = tuned.with_net(&finish::net_sides(layout, &numbers)?);
    }
    let judge = |sums: &[f32], weights: &Weights| {
        let points = Net::points(&evaluation, data.len(), sums);
        let net =
            Net { positions: &data, layout, targets: &targets, points: &points, scale: args.scale };
        let numbers = finish::net_vector(weights, layout);
        let odds = |at: usize| match &numbers {
            Some(numbers) => net.odds(at, numbers),
            None => evaluation.odds(at, sums),
        };
        all().map(|i| odds(i as usize)).collect::<Vec<f32>>()
    };
    let (old, new) = (judge(&before.0, &base), judge(&after.0, &tuned));
    let judged: [(_, Odds); 3] = [
        ("before", &|at| old[at]),
        ("sums alone", &|at| evaluation.odds(at, &after.0)),
        ("after", &|at| new[at]),
    ];
    let of_points = EvaluationReport::new(&evaluation, &valid, search, &judged);
    let of_priors = OrderingReport::new(&ordering, &valid_free, [&before.1, &after.1]);
    println!("{of_points}\n{of_priors}");
    finish::save(&args.out, &tuned.write())?;
    println!("Wrote {}.", args.out.display());
    if let Some(path) = &args.plot {
        plot(path, "evaluation", &epochs, of_points.loss(0))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!("{stem}-order.svg"));
        plot(&beside, "ordering", &priors.epochs, of_priors.losses()[0])?;
    }
    Ok(())
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

/// Fits one of the two, with a bar of progress.
fn learn(
    name: &str,
    problem: &impl Problem,
    ties: &Ties,
    train: &[u32],
    valid: &[u32],
    schedule: &Schedule,
) -> Result<Fit> {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed} {msg}")?;
    let bar = ProgressBar::new(schedule.epochs as u64).with_style(style);
    bar.set_prefix(name.to_owned());
    bar.tick();
    let fit = fit(problem, ties, train, valid, schedule, |epoch| {
        bar.inc(1);
        bar.set_message(format!("loss {:.5}, held out {:.5}", epoch.train, epoch.valid));
    })
    .with_context(|| format!("no {name}"))?;
    bar.finish_and_clear();
    Ok(fit)
}

/// Writes the curves of a fit, and the loss before it.
fn plot(path: &Path, name: &str, epochs: &[Epoch], before: f64) -> Result<()> {
    let points = |loss: &dyn Fn(&Epoch) -> f64| {
        epochs.iter().enumerate().map(|(i, epoch)| ((i + 1) as f64, loss(epoch))).collect()
    };
    let series = [
        ("learnt from", points(&|epoch| epoch.train)),
        ("held out", points(&|epoch| epoch.valid)),
        ("held out, before", points(&|_| before)),
    ];
    let svg = super::plot::losses(&format!("Loss of the {name}"), &series, "epoch", "loss")?;
    finish::save(path, svg.as_bytes())
}
