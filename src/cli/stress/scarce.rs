//! Failing allocations: the engine answers by `ERROR` or a move, does not crash,
//! and keeps the position.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Reply};

use super::conditions::chance;
use super::fault::{EngineFault, FaultKind, report};
use super::moves;
use super::watched_engine::{EngineResult, WatchedEngine, reported};
use crate::engine::{Terms, point};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_session::wire::{Axes, action_of, ply_of};

/// KiB of address space that a process gets beyond what it has after a move.
const MORE: [u64; 6] = [0, 64, 256, 1 << 10, 16 << 10, 256 << 10];
/// MiB of address space that a process gets from the start; the steps are small
/// where it just begins to suffice.
const FROM_THE_START: [u64; 22] =
    [4, 8, 16, 20, 24, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 40, 48, 64, 128, 256];
/// Longest wait for an answer once it is asked for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tries both and prints the outcome. Whether the engine survived.
pub(super) fn run(command: &str, think: Duration) -> bool {
    let mut good = true;
    let connect6 = Variant::all().into_iter().find(|v| v.to_string() == "connect6");
    let mut games = vec![Terms::Gomocup(Setup { rule: RuleId::Renju, width: 15, height: 15 })];
    games.extend(connect6.map(|variant| Terms::Family(Contest::new(variant))));
    println!("failing allocations:");
    for terms in games {
        for threads in [1, 2] {
            for more in MORE {
                let place = format!(
                    "{}, {threads} threads, {more} KiB beyond what it has",
                    terms.contest().variant
                );
                good &= report_try(
                    &place,
                    try_in(command, |engine| squeezed(engine, terms, threads, more << 10, think)),
                );
            }
        }
    }
    for mib in FROM_THE_START {
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

fn report_try(place: &str, tried: EngineResult<String>) -> bool {
    match tried {
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
    let tried = work(&mut engine);
    let transcript = engine.transcript.clone();
    drop(engine);
    tried.map_err(|fault| (fault, transcript.text()))
}

/// Asks for a move, limits the address space, asks for another move, lifts the
/// limit and asks again.
fn squeezed(
    engine: &mut WatchedEngine,
    terms: Terms,
    threads: u32,
    more: u64,
    think: Duration,
) -> Result<String, EngineFault> {
    let rule = terms.rule().map_or(0, |rule| rule.gomocup());
    engine.say(&format!(
        "INFO variant gomocup\nINFO rule {rule}\nINFO timeout_match 0\nINFO timeout_turn 20\n{}",
        terms.naming()
    ))?;
    engine.expect_ok(&terms.start().to_wire())?;
    let mut game_state = GameState::new(terms.contest());
    moves::lay(&mut game_state, 4, &mut chance(more, threads.into()), 0.2);
    engine.say(&moves::whole(terms, &game_state).to_wire())?;
    let asked = answer(engine, Duration::ZERO)?;
    place(&mut game_state, &asked)?;
    moves::reply(&mut game_state, &mut chance(more, 1), 0.0);
    if !engine.process.limit_addresses(Some(more)) {
        return Ok("the system sets no such limit".into());
    }
    engine.say(&format!(
        "INFO thread_num {threads}\nINFO max_memory {}\nINFO timeout_turn 2147483647\n",
        1_u64 << 30
    ))?;
    let turn = game_state.actions().last().map(|action| turn_of(terms, action)).unwrap_or_default();
    engine.say(&turn)?;
    let first = answer(engine, think)?;
    engine.expect_name()?;
    engine.process.limit_addresses(None);
    let outcome = match &first {
        Reply::Error(text) => {
            // The position is that before the question, so it may be asked again.
            engine.say(&turn)?;
            let again = answer(engine, think)?;
            place(&mut game_state, &again)?;
            format!("ERROR {text}")
        }
        reply => {
            place(&mut game_state, reply)?;
            "a move".into()
        }
    };
    moves::reply(&mut game_state, &mut chance(more, 2), 0.0);
    if game_state.pending_decision().is_some() {
        let action =
            game_state.actions().last().map(|action| turn_of(terms, action)).unwrap_or_default();
        engine.say(&action)?;
        let last = answer(engine, think)?;
        place(&mut game_state, &last)?;
    }
    engine.expect_name()?;
    Ok(outcome)
}

/// The last ply alone.
fn turn_of(terms: Terms, action: &Action) -> String {
    match (terms, action) {
        (Terms::Gomocup(_), Action::Stones { cells, .. }) if !cells.is_empty() => {
            Command::Turn(point(cells[0])).to_wire()
        }
        _ => Command::TurnPly(ply_of(action, Axes::ColumnFirst)).to_wire(),
    }
}

/// The answer to a question; it is asked to stop after a while.
fn answer(engine: &mut WatchedEngine, think: Duration) -> Result<Reply, EngineFault> {
    let asked = Instant::now();
    let mut heard = engine.receive(asked + think)?;
    if heard.is_none() {
        engine.say("YXSTOP\n")?;
        heard = engine.receive(Instant::now() + PATIENCE)?;
    }
    let heard = heard.ok_or_else(|| EngineFault::new(FaultKind::Silent, "no answer"))?;
    match &heard.reply {
        Ok(reply) if reply.ply().is_some() || matches!(reply, Reply::Error(_)) => Ok(reply.clone()),
        _ => Err(EngineFault::new(
            FaultKind::Line,
            format!("{} where a move was due", reported(&heard)),
        )),
    }
}

/// Judges a move and plays it.
fn place(game_state: &mut GameState, reply: &Reply) -> Result<(), EngineFault> {
    let illegal = |why: String| EngineFault::new(FaultKind::Illegal, format!("'{reply}': {why}"));
    let ply = reply.ply().ok_or_else(|| illegal("no move, though there was memory".into()))?;
    let action =
        action_of(game_state, &ply, Axes::ColumnFirst).map_err(|at| illegal(at.to_string()))?;
    game_state.apply(&action).map_err(|why| illegal(why.to_string()))
}

/// A process whose address space is limited from its start: one that cannot
/// start must say so or exit.
fn from_the_start(engine: &mut WatchedEngine, think: Duration) -> Result<String, EngineFault> {
    let mut play = || -> Result<String, EngineFault> {
        // It may have said that it cannot start, and ended, before it is written to.
        let said = engine.say("INFO timeout_turn 2147483647\nINFO timeout_match 0\nSTART 15\n");
        let silent = || EngineFault::new(FaultKind::Silent, "no answer to START");
        let heard = engine.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        match &heard.reply {
            Ok(Reply::Ok) => said?,
            Ok(Reply::Error(text)) => return Ok(format!("ERROR {text}")),
            _ => return Err(EngineFault::new(FaultKind::Line, reported(&heard))),
        }
        engine.say("BOARD\n7,7,2\n7,8,1\n8,8,2\nDONE\n")?;
        let reply = answer(engine, think)?;
        engine.expect_name()?;
        Ok(match reply {
            Reply::Error(text) => format!("ERROR {text}"),
            _ => "a move".into(),
        })
    };
    match play() {
        // Too little for the loader and what runs before the engine.
        Err(fault) if fault.kind == FaultKind::Crash && engine.transcript.bytes_printed() == 0 => {
            Ok(format!("does not begin: {}", fault.words))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_says_why_and_ends_at_once_has_not_crashed() {
        let tried = try_in("sh -c 'echo ERROR no memory; exit 1'", |engine| {
            // By now it has ended, and nothing can be written to it.
            std::thread::sleep(Duration::from_millis(300));
            from_the_start(engine, Duration::from_millis(20))
        });
        assert_eq!(tried.map_err(|(fault, _)| fault.words), Ok("ERROR no memory".to_owned()));
        let silent = try_in("sh -c 'exit 1'", |engine| from_the_start(engine, Duration::ZERO));
        assert!(silent.is_ok_and(|said| said.starts_with("does not begin")));
    }
}
