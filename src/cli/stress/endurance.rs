//! Many games in one process, the memory of which must not grow.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use goren_protocol::Reply;

use super::conditions::game_rng;
use super::fault::{EngineFault, FaultKind, report};
use super::moves;
use super::watched_engine::{self, WatchedEngine, quote};
use crate::engine::Terms;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_session::wire::{Axes, action_of};

/// Fraction by which memory may grow after the settling games.
const MAX_GROWTH: f64 = 0.02;
/// Number of games in the median of the memory, so that a single game matters little.
const WINDOW: usize = 25;
/// Maximum number of plies of a game.
const MAX_PLIES: usize = 24;
/// Milliseconds per move.
const TURN_MS: u64 = 10;
/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Returns the games of a round; two equal games in a row test `RESTART`.
fn round() -> Vec<Terms> {
    let five = |rule, side| Terms::Gomocup(Setup { rule, width: side, height: side });
    let mut round = Vec::new();
    for (i, rule) in RuleId::ALL.into_iter().filter(|rule| rule.is_plain()).enumerate() {
        round.extend([five(rule, 15); 2]);
        round.push(five(rule, [20, 26, 5, 10, 19][i % 5]));
    }
    let others = Variant::all().into_iter().filter(|v| v.options().count() == 0);
    let others = others.filter(|v| !matches!(v, Variant::Five(_)));
    round.extend(others.map(|variant| Terms::Family(Contest::new(variant))));
    round
}

/// Plays, and prints the resident memory after `settle` games and at the end. Returns
/// whether it stayed constant.
pub(super) fn run(command: &str, games: u64, settle: usize) -> bool {
    let begun = Instant::now();
    match watched_engine::run(command, None, |engine| play(engine, games, settle)) {
        Ok((settled, last)) => {
            let change = last as f64 / settled as f64 - 1.0;
            let flat = change <= MAX_GROWTH;
            println!(
                "{games} games in one process: resident {:.2} MiB after {settle}, {:.2} MiB at \
                 the end, {:+.2}%{}; {:.0} s",
                mib(settled),
                mib(last),
                change * 100.0,
                if flat { "" } else { ": NOT FLAT" },
                begun.elapsed().as_secs_f64()
            );
            flat
        }
        Err((fault, transcript)) => {
            report(&fault, "in one process", &transcript);
            false
        }
    }
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Plays, and returns the resident memory after `settle` games and at the end.
fn play(engine: &mut WatchedEngine, games: u64, settle: usize) -> Result<(u64, u64), EngineFault> {
    engine.send(&format!(
        "INFO timeout_turn {TURN_MS}\nINFO timeout_match 0\nINFO max_memory {}\n",
        64 << 20
    ))?;
    let round = round();
    let mut newest = VecDeque::new();
    let mut settled = None;
    let mut last_terms = None;
    for number in 0..games {
        engine.transcript.clear();
        let terms = round[number as usize % round.len()];
        game(engine, number, terms, last_terms == Some(terms))?;
        last_terms = Some(terms);
        if newest.len() == WINDOW {
            newest.pop_front();
        }
        newest.push_back(engine.process.resident_memory().unwrap_or(0));
        let played = number as usize + 1;
        if played == settle {
            settled = Some(median(&newest));
        }
        if played.is_multiple_of(200) {
            println!("{played} games: {:.2} MiB", mib(median(&newest)));
        }
    }
    let last = median(&newest);
    Ok((settled.unwrap_or(last), last))
}

fn median(values: &VecDeque<u64>) -> u64 {
    let mut sorted: Vec<u64> = values.iter().copied().collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

fn game(
    engine: &mut WatchedEngine,
    number: u64,
    terms: Terms,
    again: bool,
) -> Result<(), EngineFault> {
    if again {
        engine.expect_ok("RESTART\n")?;
    } else {
        let rule = terms.rule().map_or(0, |rule| rule.gomocup());
        let info_lines = terms.info_lines();
        engine.send(&format!("INFO variant gomocup\nINFO rule {rule}\n{info_lines}"))?;
        engine.expect_ok(&terms.start().to_wire())?;
    }
    let mut rng = game_rng(number, 0);
    let mut game_state = GameState::new(terms.contest());
    while game_state.pending_decision().is_some() && game_state.actions().len() < MAX_PLIES {
        if game_state.actions().len() % 2 == number as usize % 2 {
            moves::reply(&mut game_state, &mut rng, 0.3);
            continue;
        }
        engine.expect_silence()?;
        engine.send(&moves::position_command(terms, &game_state).to_wire())?;
        let silent = || EngineFault::new(FaultKind::Silent, "no answer");
        let line = engine.receive(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        let illegal =
            |why: String| EngineFault::new(FaultKind::Illegal, format!("{}: {why}", quote(&line)));
        let ply = line.reply.as_ref().ok().and_then(Reply::ply);
        let ply = ply.ok_or_else(|| illegal("no move".into()))?;
        let action = action_of(&game_state, &ply, Axes::ColumnFirst)
            .map_err(|at| illegal(at.to_string()))?;
        game_state.apply(&action).map_err(|why| illegal(why.to_string()))?;
    }
    engine.expect_silence()
}
