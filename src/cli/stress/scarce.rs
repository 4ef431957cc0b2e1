//! Check of failing allocations: the engine answers `ERROR` or a move, does not crash, and
//! keeps the position.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Reply};

use super::conditions::game_rng;
use super::fault::{EngineFault, FaultKind, report};
use super::moves;
use super::watched_engine::{EngineResult, WatchedEngine, quote};
use crate::engine::{Terms, point};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_session::wire::{Axes, action_of, ply_of};

/// KiB of address space granted beyond the size of the process after a move.
const EXTRA_KIB: [u64; 6] = [0, 64, 256, 1 << 10, 16 << 10, 256 << 10];
/// MiB of address space granted from the start; the steps are small where the space is
/// barely enough.
const START_MIB: [u64; 22] =
    [4, 8, 16, 20, 24, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 40, 48, 64, 128, 256];
/// Longest wait for an answer after `START` or `YXSTOP`.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs both checks and prints the outcomes. Returns whether the engine survived.
pub(super) fn run(command: &str, think: Duration) -> bool {
    let mut good = true;
    let connect6 = Variant::all().into_iter().find(|v| v.to_string() == "connect6");
    let mut games = vec![Terms::Gomocup(Setup { rule: RuleId::Renju, width: 15, height: 15 })];
    games.extend(connect6.map(|variant| Terms::Family(Contest::new(variant))));
    println!("failing allocations:");
    for terms in games {
        for threads in [1, 2] {
            for more in EXTRA_KIB {
                let place = format!(
                    "{}, {threads} threads, {more} KiB beyond its size",
                    terms.contest().variant
                );
                good &= report_try(
                    &place,
                    try_in(command, |engine| squeezed(engine, terms, threads, more << 10, think)),
                );
            }
        }
    }
    for mib in START_MIB {
        let script = format!("ulimit -v {}; exec {command}", mib << 10);
        let script = shlex::try_quote(&script).map_or(String::new(), |script| script.into_owned());
        let engine = |engine: &mut WatchedEngine| from_the_start(engine, think);
        good &= report_try(
            &format!("{mib} MiB from the start"),
            try_in(&format!("sh -c {script}"), engine),
        );
    }
    good
}

fn report_try(place: &str, result: EngineResult<String>) -> bool {
    match result {
        Ok(outcome) => {
            println!("  {place}: {outcome}");
            true
        }
        Err((fault, transcript)) => {
            report(&fault, place, &transcript);
            false
        }
    }
}

fn try_in(
    command: &str,
    work: impl FnOnce(&mut WatchedEngine) -> Result<String, EngineFault>,
) -> EngineResult<String> {
    let mut engine = WatchedEngine::new(command, None).map_err(|fault| (fault, String::new()))?;
    let result = work(&mut engine);
    let transcript = engine.transcript.clone();
    drop(engine);
    result.map_err(|fault| (fault, transcript.text()))
}

/// Requests a move, limits the address space, requests another move, lifts the limit and
/// requests a third one.
fn squeezed(
    engine: &mut WatchedEngine,
    terms: Terms,
    threads: u32,
    more: u64,
    think: Duration,
) -> Result<String, EngineFault> {
    let rule = terms.rule().map_or(0, |rule| rule.gomocup());
    engine.send(&format!(
        "INFO variant gomocup\nINFO rule {rule}\nINFO timeout_match 0\nINFO timeout_turn 20\n{}",
        terms.info_lines()
    ))?;
    engine.expect_ok(&terms.start().to_wire())?;
    let mut game_state = GameState::new(terms.contest());
    moves::play_plies(&mut game_state, 4, &mut game_rng(more, threads.into()), 0.2);
    engine.send(&moves::position_command(terms, &game_state).to_wire())?;
    let asked = answer(engine, Duration::ZERO)?;
    place(&mut game_state, &asked)?;
    moves::reply(&mut game_state, &mut game_rng(more, 1), 0.0);
    if !engine.process.limit_addresses(Some(more)) {
        return Ok("the system cannot set such a limit".into());
    }
    engine.send(&format!(
        "INFO thread_num {threads}\nINFO max_memory {}\nINFO timeout_turn 2147483647\n",
        1_u64 << 30
    ))?;
    let turn = game_state.actions().last().map(|action| turn_of(terms, action)).unwrap_or_default();
    engine.send(&turn)?;
    let first = answer(engine, think)?;
    engine.expect_name()?;
    engine.process.limit_addresses(None);
    let outcome = match &first {
        Reply::Error(text) => {
            // The position must be unchanged, so that the question can be repeated.
            engine.send(&turn)?;
            let again = answer(engine, think)?;
            place(&mut game_state, &again)?;
            format!("ERROR {text}")
        }
        reply => {
            place(&mut game_state, reply)?;
            "a move".into()
        }
    };
    moves::reply(&mut game_state, &mut game_rng(more, 2), 0.0);
    if game_state.pending_decision().is_some() {
        let action =
            game_state.actions().last().map(|action| turn_of(terms, action)).unwrap_or_default();
        engine.send(&action)?;
        let last = answer(engine, think)?;
        place(&mut game_state, &last)?;
    }
    engine.expect_name()?;
    Ok(outcome)
}

/// Returns the command that sends only the last ply.
fn turn_of(terms: Terms, action: &Action) -> String {
    match (terms, action) {
        (Terms::Gomocup(_), Action::Stones { cells, .. }) if !cells.is_empty() => {
            Command::Turn(point(cells[0])).to_wire()
        }
        _ => Command::TurnPly(ply_of(action, Axes::ColumnFirst)).to_wire(),
    }
}

/// Waits for the answer to a question; stops the search after `think`.
fn answer(engine: &mut WatchedEngine, think: Duration) -> Result<Reply, EngineFault> {
    let asked = Instant::now();
    let mut line = engine.receive(asked + think)?;
    if line.is_none() {
        engine.send("YXSTOP\n")?;
        line = engine.receive(Instant::now() + PATIENCE)?;
    }
    let line = line.ok_or_else(|| EngineFault::new(FaultKind::Silent, "no answer"))?;
    match &line.reply {
        Ok(reply) if reply.ply().is_some() || matches!(reply, Reply::Error(_)) => Ok(reply.clone()),
        _ => Err(EngineFault::new(FaultKind::Line, format!("{} instead of a move", quote(&line)))),
    }
}

/// Judges a move and plays it.
fn place(game_state: &mut GameState, reply: &Reply) -> Result<(), EngineFault> {
    let illegal = |why: String| EngineFault::new(FaultKind::Illegal, format!("'{reply}': {why}"));
    let ply =
        reply.ply().ok_or_else(|| illegal("no move, although memory was available".into()))?;
    let action =
        action_of(game_state, &ply, Axes::ColumnFirst).map_err(|at| illegal(at.to_string()))?;
    game_state.apply(&action).map_err(|why| illegal(why.to_string()))
}

/// Plays with a process whose address space is limited from the start: if it cannot start,
/// it must print an error or exit.
fn from_the_start(engine: &mut WatchedEngine, think: Duration) -> Result<String, EngineFault> {
    let mut play = || -> Result<String, EngineFault> {
        // The engine may have printed an error and ended before the lines are written.
        let sent = engine.send("INFO timeout_turn 2147483647\nINFO timeout_match 0\nSTART 15\n");
        let silent = || EngineFault::new(FaultKind::Silent, "no answer to START");
        let line = engine.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        match &line.reply {
            Ok(Reply::Ok) => sent?,
            Ok(Reply::Error(text)) => return Ok(format!("ERROR {text}")),
            _ => return Err(EngineFault::new(FaultKind::Line, quote(&line))),
        }
        engine.send("BOARD\n7,7,2\n7,8,1\n8,8,2\nDONE\n")?;
        let reply = answer(engine, think)?;
        engine.expect_name()?;
        Ok(match reply {
            Reply::Error(text) => format!("ERROR {text}"),
            _ => "a move".into(),
        })
    };
    match play() {
        // Not enough for the loader and the code that runs before the engine.
        Err(fault) if fault.kind == FaultKind::Crash && engine.transcript.bytes_printed() == 0 => {
            Ok(format!("does not start: {}", fault.words))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_prints_an_error_and_ends_has_not_crashed() {
        let result = try_in("sh -c 'echo ERROR no memory; exit 1'", |engine| {
            // By then it has ended, and writing to it fails.
            std::thread::sleep(Duration::from_millis(300));
            from_the_start(engine, Duration::from_millis(20))
        });
        assert_eq!(result.map_err(|(fault, _)| fault.words), Ok("ERROR no memory".to_owned()));
        let silent = try_in("sh -c 'exit 1'", |engine| from_the_start(engine, Duration::ZERO));
        assert!(silent.is_ok_and(|outcome| outcome.starts_with("does not start")));
    }
}
