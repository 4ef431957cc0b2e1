//! `goren stress`: refereed games under freezes, CPU load, short clocks, memory
//! limits and malformed input, and checks of the memory that an engine uses and
//! the files that it writes.
//!
//! Each fault is printed with the transcript that shows it. Linux only: private
//! memory and waits for a core come from `/proc`.
//!
//! Seed and number determine the conditions of a game. Lines are judged more strictly
//! than by any single manager. Frozen time is not charged; waits for a core are
//! reported separately.

mod after;
mod conditions;
mod endurance;
mod fault;
mod folder;
mod game;
mod load;
mod memory;
mod moves;
mod noise;
mod scarce;
mod swap2;

mod tally;
mod transcript;
mod watched_engine;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};

use crate::engine::{EngineProcess, EngineSpec};
use crate::number::whole;
use conditions::{Conditions, game_rng};
use fault::{EngineFault, report};
use game::StressGame;
use load::CpuLoad;
use tally::StressTotals;
use watched_engine::WatchedEngine;

/// Default of `--games` when no other check is requested.
const DEFAULT_GAMES: u64 = 100;

/// Arguments of `goren stress`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  goren stress -e target/release/pbrain-goren --games 200
  goren stress -e ./pbrain-goren --games 200 --load 4 --seed 7
  goren stress -e ./pbrain-goren --seed 7 --first 31 --games 1
  goren stress -e ./pbrain-goren --memory-test 500 --endurance 1000 --folder

Games cover all rules, variants, openings and board sizes, with clocks down to 10 ms per turn
and random memory limits. Positions are sent by BEGIN, TURN, BOARD, PLIES and TAKEBACK, openings
by SWAP2BOARD; some games go on after a win; settings and malformed lines come between the
moves, and the process is frozen at random. Frozen time is not charged. Seed and number fix the
conditions of a game: the third example repeats game 31.

A fault is an illegal move, an answer later than its limit plus --tolerance (GomocupJudge and
Piskvork allow a second), no answer, a crash, a process that does not exit after END, an
unexpected line or one that a manager would misread, or more private memory than allowed.")]
pub struct Args {
    /// Command of the engine; default: pbrain-goren in the folder of this
    /// program.
    #[arg(short, long)]
    engine: Option<String>,
    /// Number of games under random conditions; default: 100, or 0 with
    /// --memory-test, --endurance or --folder.
    #[arg(long, value_parser = whole::<u64>(0..))]
    games: Option<u64>,
    /// Number of the first game.
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0..))]
    first: u64,
    /// Random seed of the conditions.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Games played at the same time. The default is fixed, as games that share cores
    /// make answers late.
    #[arg(short, long, default_value_t = 2, value_parser = whole::<u16>(1..))]
    concurrency: u16,
    /// Number of busy threads that load the processor during the games.
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..))]
    load: usize,
    /// Milliseconds an answer may be late before it is a fault.
    #[arg(long, default_value_t = 1000, value_parser = whole::<u64>(0..))]
    tolerance: u64,
    /// Milliseconds beyond the limit and --tolerance after which a silent
    /// engine is killed.
    #[arg(long, default_value_t = 20_000, value_parser = whole::<u64>(0..))]
    patience: u64,
    /// Start no more games after this many faults.
    #[arg(long, default_value_t = 20, value_parser = whole::<u64>(1..))]
    faults: u64,
    /// Also measure memory under limits from 16 MiB up, at MS milliseconds per
    /// move, and test failing allocations.
    #[arg(long, alias = "memory", value_name = "MS", value_parser = whole::<u64>(0..))]
    memory_test: Option<u64>,
    /// Memory limits for --memory-test in MiB, separated by commas.
    #[arg(long, alias = "limits", value_name = "MIB,...", value_delimiter = ',',
        default_value = memory::LIMITS, value_parser = whole::<u64>(0..))]
    memory_limits: Vec<u64>,
    /// Also play this many games in one process, more than --settled, and check that its
    /// memory does not grow.
    #[arg(long, value_name = "GAMES", value_parser = whole::<u64>(0..))]
    endurance: Option<u64>,
    /// Games of --endurance after which memory must stay constant.
    #[arg(long, default_value_t = 100, value_parser = whole::<usize>(1..))]
    settled: usize,
    /// Also check which files the engine writes, with and without INFO folder.
    #[arg(long)]
    folder: bool,
}

/// Runs all requested checks and prints the results. Returns whether no fault was found.
///
/// # Errors
/// The engine cannot be run, or the system cannot provide threads or files.
pub fn run(args: &Args) -> Result<bool> {
    if let Some(games) = args.endurance {
        let settled = args.settled;
        ensure!(
            games > settled as u64,
            "--endurance {games} must be more than --settled {settled}, to have games to compare"
        );
    }
    let command = match &args.engine {
        Some(command) => with_absolute_program(command)?,
        None => default_engine()?,
    };
    try_to_run(&command)?;
    let _load = CpuLoad::new(args.load)?;
    let others = args.memory_test.is_some() || args.endurance.is_some() || args.folder;
    let games = args.games.unwrap_or(if others { 0 } else { DEFAULT_GAMES });
    let mut good = true;
    if games > 0 {
        good &= play(args, &command, games)?;
    }
    if let Some(ms) = args.memory_test {
        let think = Duration::from_millis(ms);
        good &= memory::run(&command, &args.memory_limits, think);
        good &= scarce::run(&command, think);
    }
    if let Some(games) = args.endurance {
        good &= endurance::run(&command, games, args.settled);
    }
    if args.folder {
        good &= folder::run(&command)?;
    }
    Ok(good)
}

/// Makes a command independent of the working folder: a path of its program becomes
/// absolute.
///
/// # Errors
/// A quote is left open, or our own folder is unknown.
fn with_absolute_program(command: &str) -> Result<String> {
    let mut words = shlex::split(command).context("a quote is not closed in --engine")?;
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        let path = std::path::absolute(&*program).context("cannot find the path of the engine")?;
        let path = path.into_os_string().into_string().ok();
        *program = path.context("the path of the engine is not UTF-8")?;
    }
    Ok(shlex::try_join(words.iter().map(String::as_str))?)
}

/// Runs the engine once, in an empty folder: a command that cannot be run is an error, not
/// a fault of the engine.
///
/// # Errors
/// The engine cannot be run, or no temporary folder can be created.
fn try_to_run(command: &str) -> Result<()> {
    let scratch = tempfile::tempdir().context("cannot create a temporary folder for the engine")?;
    let folder = Some(scratch.path().to_path_buf());
    let engine = EngineProcess::spawn(&EngineSpec { command: command.to_owned(), folder });
    drop(engine.map_err(|failure| anyhow!("the engine {failure}"))?);
    Ok(())
}

/// Returns the command of the engine in the folder of this program.
fn default_engine() -> Result<String> {
    let own = std::env::current_exe().context("cannot find the path of this program")?;
    let engine = own.with_file_name("pbrain-goren");
    let text = engine.to_str().context("the path of this program is not UTF-8")?;
    Ok(shlex::try_quote(text)?.into_owned())
}

/// Plays games under random conditions.
fn play(args: &Args, command: &str, games: u64) -> Result<bool> {
    let begun = Instant::now();
    let next = AtomicU64::new(args.first);
    let faults = AtomicU64::new(0);
    let total = Mutex::new(StressTotals::default());
    std::thread::scope(|scope| -> Result<()> {
        let work = || {
            let mut tally = StressTotals::default();
            let mut running = None;
            while faults.load(Relaxed) < args.faults {
                let number = next.fetch_add(1, Relaxed);
                if number - args.first >= games {
                    break;
                }
                let found = play_one(args, command, number, &mut running, &mut tally);
                faults.fetch_add(found, Relaxed);
            }
            if let Some(engine) = running {
                let transcript = engine.transcript.clone();
                if let Err(fault) = engine.close() {
                    report(&fault, "at the end", &transcript.text());
                    tally.faults.push((fault.kind, 0));
                }
            }
            if let Ok(mut total) = total.lock() {
                total.add(tally);
            }
        };
        for _ in 0..args.concurrency {
            let thread = std::thread::Builder::new();
            thread.spawn_scoped(scope, work).context("cannot start a thread for a game")?;
        }
        Ok(())
    })?;
    let total = total.into_inner().unwrap_or_default();
    let tolerance = Duration::from_millis(args.tolerance);
    print!("{}", total.text(tolerance));
    println!("seed {}, load {}, {:.0} s", args.seed, args.load, begun.elapsed().as_secs_f64());
    Ok(total.faults.is_empty())
}

/// Plays game `number` and prints its fault; returns the number of faults.
fn play_one(
    args: &Args,
    command: &str,
    number: u64,
    running: &mut Option<WatchedEngine>,
    tally: &mut StressTotals,
) -> u64 {
    let mut rng = game_rng(args.seed, number);
    let conditions = Conditions::draw(number, &mut rng);
    tally.games += 1;
    // Transcript of a process that failed while closing.
    let mut last = String::new();
    let mut attempt = || -> Result<(), EngineFault> {
        if conditions.fresh
            && let Some(engine) = running.take()
        {
            let transcript = engine.transcript.clone();
            engine.close().inspect_err(|_| last = transcript.text())?;
        }
        let engine = match running {
            Some(engine) => engine,
            None => {
                tally.processes += 1;
                running.insert(WatchedEngine::new(command, None)?)
            }
        };
        engine.transcript.clear();
        let waits = [args.tolerance, args.patience].map(Duration::from_millis);
        StressGame::new(&conditions, &mut rng, engine, tally, waits).play()
    };
    let Err(fault) = attempt() else { return 0 };
    // After a fault the state of the process is unknown.
    let transcript = running.take().map_or(last, |engine| engine.transcript.text());
    report(&fault, &conditions.to_string(), &transcript);
    tally.faults.push((fault.kind, number));
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn a_command_is_the_same_in_any_folder() {
        let engine = std::env::current_dir().unwrap().join("bin/engine");
        let expected = shlex::try_join([engine.to_str().unwrap(), "--name", "it is"]).unwrap();
        assert_eq!(with_absolute_program("./bin/engine --name 'it is'").unwrap(), expected);
        assert_eq!(with_absolute_program("/opt/engine").unwrap(), "/opt/engine");
        assert_eq!(with_absolute_program("sh -c 'echo ./x'").unwrap(), "sh -c 'echo ./x'");
        assert!(with_absolute_program("engine 'open").is_err());
    }

    #[test]
    fn a_missing_program_is_an_error_not_a_crash() {
        let args: Args = parse("-e ./nosuch --games 1").unwrap();
        let error = format!("{:#}", run(&args).unwrap_err());
        assert!(
            error.starts_with("the engine cannot be run: ") && error.contains("/nosuch"),
            "{error}"
        );
    }
}
