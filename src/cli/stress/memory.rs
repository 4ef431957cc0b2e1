//! The memory an engine holds under a limit: measured as a judge does, but
//! throughout the search.

use std::time::{Duration, Instant};

use super::conditions::chance;
use super::fault::{EngineFault, FaultKind, report};
use super::moves;
use super::watched_engine::{self, EngineResult, WatchedEngine, reported};
use crate::engine::Terms;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_notation::words::plural;

/// Limits in MiB, unless others are given.
pub(super) const LIMITS: &str = "16,20,24,32,48,64,96,128,192,256,350,512";
/// Time between two measurements.
const INTERVAL: Duration = Duration::from_millis(2);
/// Moves of the engine in a game.
const MOVES: usize = 3;
/// Longest wait for an answer once it is asked for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Games for each limit: those whose transposition tables differ most.
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

/// Plays under each limit and prints the peaks. Whether no limit was exceeded.
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
                        let most = &mut peaks[threads as usize - 1];
                        if peak > *most {
                            *most = peak;
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
        let [one, two] = peaks.map(|bytes| bytes as f64 / f64::from(1 << 20));
        println!("{limit:>6} {one:>7.1}  {two:>14.1}  {of}");
    }
    good
}

/// Peak private memory during a game.
fn peak(
    command: &str,
    terms: Terms,
    limit: u64,
    threads: u32,
    think: Duration,
) -> EngineResult<u64> {
    watched_engine::run(command, None, |engine| {
        let most = game(engine, terms, limit, threads, think)?;
        if most > limit {
            let words = format!("held {most} bytes where {limit} were allowed");
            return Err(EngineFault::new(FaultKind::Memory, words));
        }
        Ok(most)
    })
}

fn game(
    engine: &mut WatchedEngine,
    terms: Terms,
    limit: u64,
    threads: u32,
    think: Duration,
) -> Result<u64, EngineFault> {
    // Without a limit of time the transposition table is as large as it may ever be.
    let rule = terms.rule().map_or(String::new(), |rule| format!("INFO rule {}\n", rule.gomocup()));
    engine.say(&format!(
        "INFO max_memory {limit}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n\
         INFO timeout_match 0\nINFO variant gomocup\n{rule}{}",
        terms.naming()
    ))?;
    engine.expect_ok(&terms.start().to_wire())?;
    let mut most = 0;
    for number in 0..MOVES {
        // Each position is laid anew, whatever the engine answered to the last.
        let mut game_state = GameState::new(terms.contest());
        moves::lay(&mut game_state, 4 + 2 * number, &mut chance(limit, number as u64), 0.2);
        engine.say(&moves::whole(terms, &game_state).to_wire())?;
        most = most.max(watched(engine, think)?);
    }
    Ok(most)
}

/// Peak private memory up to the answer; the search is stopped after `think`.
fn watched(engine: &mut WatchedEngine, think: Duration) -> Result<u64, EngineFault> {
    let asked = Instant::now();
    let (mut most, mut stopped) = (0, false);
    loop {
        if let Some(heard) = engine.receive(Instant::now() + INTERVAL)? {
            return match heard.reply {
                Ok(reply) if reply.ply().is_some() => Ok(most),
                _ => Err(EngineFault::new(
                    FaultKind::Line,
                    format!("{} where a move was due", reported(&heard)),
                )),
            };
        }
        most = most.max(engine.process.private_memory().unwrap_or(0));
        if !stopped && asked.elapsed() >= think {
            engine.say("YXSTOP\n")?;
            stopped = true;
        }
        if asked.elapsed() > think + PATIENCE {
            return Err(EngineFault::new(FaultKind::Silent, "no answer"));
        }
    }
}
