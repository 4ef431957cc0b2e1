//! Memory that an engine uses under a limit, measured as a judge does, but throughout the
//! search.

use std::time::{Duration, Instant};

use super::conditions::game_rng;
use super::fault::{EngineFault, FaultKind, report};
use super::moves;
use super::watched_engine::{self, EngineResult, WatchedEngine, quote};
use crate::engine::Terms;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_notation::words::plural;

/// Default limits in MiB.
pub(super) const LIMITS: &str = "16,20,24,32,48,64,96,128,192,256,350,512";
/// Time between two measurements.
const INTERVAL: Duration = Duration::from_millis(2);
/// Number of moves of the engine per game.
const MOVES: usize = 3;
/// Longest wait for an answer beyond the time to think.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns the games for each limit: those whose transposition tables differ most.
fn games() -> Vec<Terms> {
    let five = |rule, side| Terms::Gomocup(Setup { rule, width: side, height: side });
    let mut games =
        vec![five(RuleId::Freestyle, 15), five(RuleId::Renju, 20), five(RuleId::Caro, 26)];
    let others = Variant::all().into_iter().filter(|v| !matches!(v, Variant::Five(_)));
    games.extend(
        others.filter(|v| v.options().count() == 0).map(|v| Terms::Family(Contest::new(v))),
    );
    games
}

/// Plays under each limit and prints the peaks. Returns whether no limit was exceeded.
pub(super) fn run(command: &str, limits: &[u64], think: Duration) -> bool {
    println!("private memory in MiB, the peak of {MOVES} moves of {} ms", think.as_millis());
    println!("{:>6} {:>7}  with 2 threads  in", "limit", "peak");
    let mut good = true;
    for &limit in limits {
        let (mut peaks, mut of) = ([0; 2], String::new());
        for terms in games() {
            for threads in [1, 2] {
                let words = plural(threads, "thread", "threads");
                let place = format!("{}, {limit} MiB, {words}", terms.contest().variant);
                match peak(command, terms, limit << 20, threads, think) {
                    Ok(peak) => {
                        let max = &mut peaks[threads as usize - 1];
                        if peak > *max {
                            *max = peak;
                            of = terms.contest().variant.to_string();
                        }
                    }
                    Err((fault, transcript)) => {
                        report(&fault, &place, &transcript);
                        good = false;
                    }
                }
            }
        }
        let [single, double] = peaks.map(|bytes| bytes as f64 / f64::from(1 << 20));
        println!("{limit:>6} {single:>7.1}  {double:>14.1}  {of}");
    }
    good
}

/// Returns the peak private memory during a game.
fn peak(
    command: &str,
    terms: Terms,
    limit: u64,
    threads: u32,
    think: Duration,
) -> EngineResult<u64> {
    watched_engine::run(command, None, |engine| {
        let peak = game(engine, terms, limit, threads, think)?;
        if peak > limit {
            let words = format!("held {peak} bytes, but only {limit} are allowed");
            return Err(EngineFault::new(FaultKind::Memory, words));
        }
        Ok(peak)
    })
}

fn game(
    engine: &mut WatchedEngine,
    terms: Terms,
    limit: u64,
    threads: u32,
    think: Duration,
) -> Result<u64, EngineFault> {
    // Without a time limit the transposition table takes its maximum size.
    let rule = terms.rule().map_or(String::new(), |rule| format!("INFO rule {}\n", rule.gomocup()));
    engine.send(&format!(
        "INFO max_memory {limit}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n\
         INFO timeout_match 0\nINFO variant gomocup\n{rule}{}",
        terms.info_lines()
    ))?;
    engine.expect_ok(&terms.start().to_wire())?;
    let mut peak = 0;
    for number in 0..MOVES {
        // Every position is new, whatever the engine answered before.
        let mut game_state = GameState::new(terms.contest());
        let mut rng = game_rng(limit, number as u64);
        moves::play_plies(&mut game_state, 4 + 2 * number, &mut rng, 0.2);
        engine.send(&moves::position_command(terms, &game_state).to_wire())?;
        peak = peak.max(peak_of_search(engine, think)?);
    }
    Ok(peak)
}

/// Returns the peak private memory up to the answer; stops the search after `think`.
fn peak_of_search(engine: &mut WatchedEngine, think: Duration) -> Result<u64, EngineFault> {
    let asked = Instant::now();
    let (mut peak, mut stopped) = (0, false);
    loop {
        if let Some(line) = engine.receive(Instant::now() + INTERVAL)? {
            return match line.reply {
                Ok(reply) if reply.ply().is_some() => Ok(peak),
                _ => Err(EngineFault::new(
                    FaultKind::Line,
                    format!("{} instead of a move", quote(&line)),
                )),
            };
        }
        peak = peak.max(engine.process.private_memory().unwrap_or(0));
        if !stopped && asked.elapsed() >= think {
            engine.send("YXSTOP\n")?;
            stopped = true;
        }
        if asked.elapsed() > think + PATIENCE {
            return Err(EngineFault::new(FaultKind::Silent, "no answer"));
        }
    }
}
