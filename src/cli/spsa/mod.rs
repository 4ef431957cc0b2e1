//! `goren spsa`: tunes the search parameters by games at fixed nodes.
//!
//! Each iteration plays pairs of games, inside the process, between two settings:
//! the first moves each parameter one step to one side, the second to the other
//! side. Then all parameters move towards the winner. The file holds the results
//! of each iteration, from which `--resume` computes the values again.

mod game;
mod learner;
mod part;
mod pipeline;
mod record;
mod report;
mod select;
#[cfg(test)]
mod tests;
mod tuner;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::progress::Steps;
use super::run::shard::ShardArgs;
use super::run::stop::StopArgs;
use super::{cores, opening_file, variant, weights};
use crate::number::{positive, whole};
use game::{Condition, PairPlayer, Results};
use goren_core::rules::{Contest, Variant};
use goren_core::types::keys;
use goren_engine::Params;
use goren_notation::words::plural;
use learner::Learner;
use part::PartRun;
pub(super) use part::{FORMAT, join};
use pipeline::Pipeline;
use record::IterationLine;
use tuner::{Gains, Trial, Tuner};

/// Maximum number of iterations and of pairs per iteration, so that game counts do not
/// overflow.
const MAX_COUNT: u64 = 1_000_000;

/// Arguments of `goren spsa`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren spsa --game renju --out run.jsonl
  goren spsa --game freestyle,connect6 --params 'lmr_*,!lmr_four' --nodes 5000 --out lmr.jsonl
  goren spsa --game renju --out run.jsonl --resume

On many machines: --shard 3/8 --out part-3.jsonl plays every eighth pair, and reads the results of
the other parts in the folder of its own file. All parts must run at the same time, as each needs
the results of all; --resume continues one that was stopped. `goren merge run.jsonl part-*.jsonl`
makes the file of the whole run.

src/engine/search/params.rs lists the search parameters with their ranges and steps. Try values
by INFO params NAME VALUE ... or goren bench --params.")]
pub struct Args {
    /// Game with its options, such as renju or pente+keryo; may be repeated.
    /// Pairs of games take the games in turn; a game named twice gets two
    /// turns.
    #[arg(
        long = "game",
        alias = "rule",
        value_name = "GAME",
        value_delimiter = ',',
        default_value = "freestyle"
    )]
    games: Vec<String>,
    /// Board size, such as 15 or 20x15 (columns x rows); default: the usual
    /// board of the game, 15x15 for Gomocup rules.
    #[arg(long, value_parser = variant::size)]
    size: Option<(usize, usize)>,
    /// Openings of a game, as GAME=FILE, instead of new ones for each pair; may
    /// be repeated.
    #[arg(long, value_name = "GAME=FILE", value_parser = game_and_file)]
    openings: Vec<(String, PathBuf)>,
    /// Weights file of a game; default: the weights of the engine; may be
    /// repeated.
    #[arg(long)]
    weights: Vec<PathBuf>,
    /// Parameters to tune: names such as iir, patterns such as lmr_*, and
    /// exclusions such as !lmr_four, separated by commas.
    #[arg(long, default_value = "*")]
    params: String,
    /// Initial values, as `NAME VALUE NAME VALUE ...`; default: those of the
    /// engine. Parameters that are not tuned keep them.
    #[arg(long, default_value = "", hide_default_value = true)]
    from: String,
    /// Iterations of the whole run; the gain sequences depend on it.
    #[arg(long, default_value_t = 5000, value_parser = whole::<u64>(1..=MAX_COUNT))]
    iterations: u64,
    /// Pairs of games per iteration.
    #[arg(long, default_value_t = 8, value_parser = whole::<u64>(1..=MAX_COUNT))]
    pairs: u64,
    /// Nodes per move.
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u64>(1..))]
    nodes: u64,
    /// Learning rate at the end: the change per won game, in steps of the
    /// parameter.
    #[arg(long, default_value_t = 0.002, value_parser = positive::<f64>)]
    rate: f64,
    /// Exponent of the decay of the learning rate.
    #[arg(long, default_value_t = 0.602, value_parser = positive::<f64>)]
    alpha: f64,
    /// Exponent of the decay of the perturbation.
    #[arg(long, default_value_t = 0.101, value_parser = positive::<f64>)]
    gamma: f64,
    /// Random seed. Equal seeds and settings give equal runs with any
    /// --concurrency.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Games played at the same time; default: one per core.
    #[arg(short, long, alias = "threads", value_parser = whole::<usize>(1..))]
    concurrency: Option<usize>,
    /// Output file in JSON Lines: settings, then the results of each iteration. Without
    /// --resume it must be new or empty.
    #[arg(long)]
    out: PathBuf,
    /// Continue the run of --out if the file exists.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    stop: StopArgs,
    /// Print the values after every this many iterations.
    #[arg(long, default_value_t = 250, value_parser = whole::<u64>(1..))]
    every: u64,
}

impl Args {
    /// Number of games played at the same time.
    fn concurrency(&self) -> usize {
        self.concurrency.unwrap_or_else(cores)
    }
}

fn game_and_file(text: &str) -> Result<(String, PathBuf), String> {
    let (game, file) = text.split_once('=').ok_or("GAME=FILE is needed")?;
    Ok((game.into(), file.into()))
}

/// Plays the run, or the rest of it, and prints the values.
///
/// # Errors
/// Invalid settings, a file that cannot be read or written, no memory for the
/// searches; the run was stopped. Results so far stay in the file.
pub fn run(args: &Args) -> Result<bool> {
    let (shard, stop) = (args.shard.shard()?, args.stop.watch());
    let conditions = conditions(args)?;
    let mut base = Params::default();
    base.set_all(&args.from).context("--from")?;
    let specs = select::select(&args.params)?;
    let gains = Gains {
        iterations: args.iterations,
        rate_end: args.rate,
        alpha: args.alpha,
        gamma: args.gamma,
    };
    let tuner = Tuner::new(gains, args.seed, base.clone(), &specs);
    let header = record::header(&tuner, &base, &conditions, args.nodes, args.pairs, args.seed);
    let (chance, drift) = report::prospects(tuner.gains(), args.pairs);
    println!(
        "{}, {} of {} games",
        plural(specs.len(), "parameter", "parameters"),
        plural(args.iterations, "iteration", "iterations"),
        2 * args.pairs
    );
    println!("values move about {chance:.1} steps by chance, {drift:.1} if each step gains an Elo");
    let learner = Learner::new(args.pairs, args.every, conditions.len());
    let count = conditions.len() as u64;
    let player = || PairPlayer::new(args.nodes, &conditions, stop);
    let play = |player: &mut PairPlayer, pair: u64, trial: &Trial| {
        let seed = keys::mix(keys::mix(args.seed ^ keys::mix(pair)));
        player.play_pair((pair % count) as usize, trial, seed)
    };
    let (tuner, learner) = if shard.is_whole() {
        run_whole(args, &conditions, &header, tuner, learner, player, play)?
    } else {
        let Args { out, resume, pairs, every, .. } = args;
        let (resume, pairs, every, threads) = (*resume, *pairs, *every, args.concurrency());
        let part = PartRun { out, resume, header, shard, stop, pairs, every, threads };
        part.play(tuner, learner, player, play)?
    };
    print_results(&conditions, &learner.total, &tuner);
    Ok(true)
}

/// Plays a run on this machine alone; returns its final state.
fn run_whole<'a>(
    args: &Args,
    conditions: &'a [Condition],
    header: &Value,
    tuner: Tuner,
    mut learner: Learner,
    player: impl Fn() -> Result<PairPlayer<'a>> + Sync,
    play: impl Fn(&mut PairPlayer<'a>, u64, &Trial) -> Result<Results> + Sync,
) -> Result<(Tuner, Learner)> {
    let pipeline = Pipeline::new(tuner);
    let restore = |line: IterationLine| {
        learner.restore(&line);
        pipeline.learn(line.won());
    };
    let mut journal =
        record::open(&args.out, header, conditions.len(), args.pairs, args.resume, restore)?;
    let restored = pipeline.tuner().done();
    if restored > 0 {
        let iterations = plural(restored, "iteration", "iterations");
        println!("{}: {iterations} kept", args.out.display());
    }
    let steps = Steps::new(args.iterations, restored, "iterations");
    let take = |pair: u64, score: Results| -> Result<bool> {
        let learnt = learner.take(pair, score, |won| pipeline.learn(won));
        let Some((line, tuner)) = learnt else { return Ok(true) };
        journal.append(&format!("{}\n", serde_json::to_string(&line)?))?;
        learner.report(&steps, &line, &tuner);
        Ok(tuner.done() < args.iterations)
    };
    if restored < args.iterations {
        pipeline.play(args.pairs, args.concurrency(), player, play, take)?;
    }
    drop(steps);
    Ok((pipeline.tuner(), learner))
}

/// Prints the results of the games, and the values.
fn print_results(conditions: &[Condition], total: &[Results], tuner: &Tuner) {
    for (condition, Results(won, lost, drawn)) in conditions.iter().zip(total) {
        let game = variant::shown(condition.contest.variant);
        println!("{game}: first sides won {won}, lost {lost}, {drawn} drawn");
    }
    println!("\n{}\n{}", report::table(tuner.axes()), report::list(tuner.axes()));
}

/// The games with their openings and weights.
fn conditions(args: &Args) -> Result<Vec<Condition>> {
    let contests: Vec<Contest> = args
        .games
        .iter()
        .map(|name| variant::contest_of(name, args.size))
        .collect::<Result<_>>()?;
    let variants: Vec<Variant> = contests.iter().map(|contest| contest.variant).collect();
    let weights = weights::load(&args.weights, &variants)?;
    let mut conditions: Vec<Condition> = contests
        .into_iter()
        .map(|contest| Condition { contest, weights: weights.clone(), openings: Vec::new() })
        .collect();
    for (game, path) in &args.openings {
        let contest = variant::contest_of(game, args.size)?;
        let matching = conditions.iter_mut().filter(|condition| condition.contest == contest);
        let mut matching = matching.peekable();
        ensure!(
            matching.peek().is_some(),
            "{}: openings of {game}, which the run does not play",
            path.display()
        );
        for condition in matching {
            condition.openings.extend(opening_file::read(path, &contest)?);
        }
    }
    Ok(conditions)
}
