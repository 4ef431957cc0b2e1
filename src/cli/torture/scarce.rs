//! Memory that cannot be had: an `ERROR` or a move, never the end of the
//! process, and the position stays.

use std::time::{Duration, Instant};

use goren_protocol::{Command, Reply};

use super::conditions::chance;
use super::fault::{Fault, Kind, report};
use super::moves;
use super::table::{Table, told};
use crate::engine::Terms;
use goren_core::opening::{Act, Course};
use goren_core::rules::{Contest, RuleId, Setup, Variant};
use goren_session::wire::{Axes, act_of, ply_of};

/// KiB of addresses that a process gets beyond those it has after a move.
const MORE: [u64; 6] = [0, 64, 256, 1 << 10, 16 << 10, 256 << 10];
/// MiB of addresses that a process gets from the start: many where it just begins
/// to have enough.
const FROM_THE_START: [u64; 22] =
    [4, 8, 16, 20, 24, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38, 40, 48, 64, 128, 256];
/// Longest wait for an answer once it is asked for.
const PATIENCE: Duration = Duration::from_secs(20);

/// Tries both and prints what came of it. Whether the engine bore it.
pub(super) fn run(command: &str, think: Duration) -> bool {
    let mut good = true;
    let connect6 = Variant::all().into_iter().find(|v| v.to_string() == "connect6");
    let mut games = vec![Terms::Gomocup(Setup { rule: RuleId::Renju, width: 15, height: 15 })];
    games.extend(connect6.map(|variant| Terms::Family(Contest::new(variant))));
    println!("addresses that cannot be had:");
    for terms in games {
        for threads in [1, 2] {
            for more in MORE {
                let place = format!(
                    "{}, {threads} threads, {more} KiB beyond what it has",
                    terms.contest().variant
                );
                good &= tell(
                    &place,
                    try_in(command, |table| squeezed(table, terms, threads, more << 10, think)),
                );
            }
        }
    }
    for mib in FROM_THE_START {
        let script = format!("ulimit -v {}; exec {command}", mib << 10);
        let script = shlex::try_quote(&script).map_or(String::new(), |script| script.into_owned());
        let table = |table: &mut Table| from_the_start(table, think);
        good &=
            tell(&format!("{mib} MiB from the start"), try_in(&format!("sh -c {script}"), table));
    }
    good
}

/// What came of a try, or a fault and what shows it.
type Tried = Result<String, (Fault, String)>;

fn tell(place: &str, tried: Tried) -> bool {
    match tried {
        Ok(outcome) => {
            println!("  {place}: {outcome}");
            true
        }
        Err((fault, said)) => {
            report(&fault, place, &said);
            false
        }
    }
}

fn try_in(command: &str, work: impl FnOnce(&mut Table) -> Result<String, Fault>) -> Tried {
    let mut table = Table::new(command, None).map_err(|fault| (fault, String::new()))?;
    let tried = work(&mut table);
    let said = table.said.clone();
    drop(table);
    tried.map_err(|fault| (fault, said.text()))
}

/// Plays a move, is left with little, is asked for another, and then for one
/// with all it wants.
fn squeezed(
    table: &mut Table,
    terms: Terms,
    threads: u32,
    more: u64,
    think: Duration,
) -> Result<String, Fault> {
    let rule = terms.rule().map_or(0, |rule| rule.gomocup());
    table.say(&format!(
        "INFO variant gomocup\nINFO rule {rule}\nINFO timeout_match 0\nINFO timeout_turn 20\n{}",
        terms.naming()
    ))?;
    table.expect_ok(&terms.start().to_wire())?;
    let mut course = Course::new(terms.contest());
    moves::lay(&mut course, 4, &mut chance(more, threads.into()), 0.2);
    table.say(&moves::whole(terms, &course).to_wire())?;
    let asked = answer(table, Duration::ZERO)?;
    place(&mut course, &asked)?;
    moves::reply(&mut course, &mut chance(more, 1), 0.0);
    if !table.engine.limit_addresses(Some(more)) {
        return Ok("the system sets no such limit".into());
    }
    table.say(&format!(
        "INFO thread_num {threads}\nINFO max_memory {}\nINFO timeout_turn 2147483647\n",
        1_u64 << 30
    ))?;
    let turn = course.acts().last().map(|act| turn_of(terms, act)).unwrap_or_default();
    table.say(&turn)?;
    let first = answer(table, think)?;
    table.expect_name()?;
    table.engine.limit_addresses(None);
    let outcome = match &first {
        Reply::Error(text) => {
            // The position is that before the question: it may be put again.
            table.say(&turn)?;
            let again = answer(table, think)?;
            place(&mut course, &again)?;
            format!("ERROR {text}")
        }
        reply => {
            place(&mut course, reply)?;
            "a move".into()
        }
    };
    moves::reply(&mut course, &mut chance(more, 2), 0.0);
    if course.ask().is_some() {
        let act = course.acts().last().map(|act| turn_of(terms, act)).unwrap_or_default();
        table.say(&act)?;
        let last = answer(table, think)?;
        place(&mut course, &last)?;
    }
    table.expect_name()?;
    Ok(outcome)
}

/// The last ply alone.
fn turn_of(terms: Terms, act: &Act) -> String {
    match (terms, act) {
        (Terms::Gomocup(_), Act::Stones { cells, .. }) if !cells.is_empty() => {
            Command::Turn(moves::point(cells[0])).to_wire()
        }
        _ => Command::TurnPly(ply_of(act, Axes::ColumnFirst)).to_wire(),
    }
}

/// The answer to a question; it is asked to stop after a while.
fn answer(table: &mut Table, think: Duration) -> Result<Reply, Fault> {
    let asked = Instant::now();
    let mut heard = table.hear(asked + think)?;
    if heard.is_none() {
        table.say("YXSTOP\n")?;
        heard = table.hear(Instant::now() + PATIENCE)?;
    }
    let heard = heard.ok_or_else(|| Fault::new(Kind::Silent, "no answer"))?;
    match &heard.reply {
        Ok(reply) if reply.ply().is_some() || matches!(reply, Reply::Error(_)) => Ok(reply.clone()),
        _ => Err(Fault::new(Kind::Line, format!("{} where a move was due", told(&heard)))),
    }
}

/// Judges a move and plays it.
fn place(course: &mut Course, reply: &Reply) -> Result<(), Fault> {
    let illegal = |why: String| Fault::new(Kind::Illegal, format!("'{reply}': {why}"));
    let ply = reply.ply().ok_or_else(|| illegal("no move, though there was memory".into()))?;
    let act = act_of(course, &ply, Axes::ColumnFirst).map_err(|at| illegal(at.to_string()))?;
    course.act(&act).map_err(|why| illegal(why.to_string()))
}

/// A process that has little from its beginning: where it does not even begin,
/// it must say so or leave, but not be killed.
fn from_the_start(table: &mut Table, think: Duration) -> Result<String, Fault> {
    let mut play = || -> Result<String, Fault> {
        table.say("INFO timeout_turn 2147483647\nINFO timeout_match 0\nSTART 15\n")?;
        let silent = || Fault::new(Kind::Silent, "no answer to START");
        let heard = table.hear(Instant::now() + PATIENCE)?.ok_or_else(silent)?;
        match &heard.reply {
            Ok(Reply::Ok) => {}
            Ok(Reply::Error(text)) => return Ok(format!("ERROR {text}")),
            _ => return Err(Fault::new(Kind::Line, told(&heard))),
        }
        table.say("BOARD\n7,7,2\n7,8,1\n8,8,2\nDONE\n")?;
        let reply = answer(table, think)?;
        table.expect_name()?;
        Ok(match reply {
            Reply::Error(text) => format!("ERROR {text}"),
            _ => "a move".into(),
        })
    };
    match play() {
        // There was no room for the loader and what runs before the engine.
        Err(fault) if fault.kind == Kind::Crash && table.said.printed() == 0 => {
            Ok(format!("does not begin: {}", fault.words))
        }
        other => other,
    }
}
