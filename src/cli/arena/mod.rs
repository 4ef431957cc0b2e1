//! `goren match`: matches between engines, through the Gomocup protocol and
//! Goren's extensions for other games and openings.
//!
//! The schedule is a function of the settings; each thread takes the next game
//! of it and plays it with its own pair of processes, judged by the referee.
//! Game-specific code is limited to the engine driver and the journal; the rest
//! sees plies of seats that take turns. One thread alone counts and writes. The
//! journal of games (`games.jsonl`) is the source; everything else can be
//! derived from it again.

mod args;
mod contestant;
mod files;
mod game;
mod journal;
mod line;
mod opening_source;
mod progress;
mod random_opening;
mod schedule;
mod summary;
mod tally;
mod worker;

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use self::args::{OPENINGS, Settings};
use contestant::{Contestant, tell_apart};
use files::GameFiles;
use game::Played;
use journal::Past;
use line::GameLine;
use progress::Progress;
use schedule::Slot;
use tally::Tally;
use worker::Hall;

use super::engine::{Engine, Terms};
use super::journal::Journal;
use goren_core::record::GameRecord;
use goren_core::rules::{Contest, Variant};

pub use self::args::Args;
pub use schedule::{Order, Tournament};

/// Plays the match and prints its result.
///
/// # Errors
/// Settings that make no match, an engine that cannot be started, files that
/// cannot be read or written. What has been played is kept.
pub fn run(args: &Args) -> Result<bool> {
    let mut settings = Settings::new(args)?;
    name_engines(&mut settings)?;
    let settings = settings;
    let names: Vec<String> = settings.contestants.iter().map(|c| c.name.clone()).collect();
    let (mut journal, past) = open(&settings)?;
    let mut tally = Tally::new(names.len(), &settings.schedule, settings.sprt);
    for line in &past.games {
        tally.add(line, &settings.schedule);
    }
    let mut progress = Progress::new(settings.quiet, settings.schedule.games(), tally.games);
    if past.dropped > 0 {
        progress.note(&format!(
            "note: the journal ends within a game ({} bytes); that game is played again",
            past.dropped
        ));
    }
    let folder = settings.out.as_deref();
    let Contest { variant, width, height, opening, .. } = settings.terms.contest();
    let five = matches!(variant, Variant::Five(_));
    let files = folder.map(|folder| GameFiles::new(folder, &past.games, five));
    let mut files = files.transpose()?;
    let (before, begun) = (tally.games, Instant::now());
    let mut played = Ok(());
    if !tally.decided() {
        let done = past.games.iter().map(|line| line.game).collect();
        played = play(&settings, &done, |line| {
            if let Some(journal) = &mut journal {
                journal.append(&line.write()?)?;
            }
            tally.add(&line, &settings.schedule);
            if let Some(files) = &mut files {
                files.add(&line)?;
            }
            progress.show(&tally, &names);
            Ok(!tally.decided())
        });
    }
    progress.finish();
    let gomocup = matches!(settings.terms, Terms::Gomocup(_));
    let text = summary::summary(&tally, &names, !gomocup);
    let (games, hours) = (tally.games - before, begun.elapsed().as_secs_f64() / 3600.0);
    let written = match folder {
        Some(folder) => {
            let game = match settings.terms {
                Terms::Gomocup(setup) => format!("{} {width}x{height}", setup.rule),
                Terms::Family(_) => format!("{variant} {width}x{height}, {opening}"),
            };
            files::write_results(folder, &text, &tally, &names, &game)
        }
        None => Ok(()),
    };
    // The files first: whoever reads may close the pipe.
    print!("{text}");
    files.iter().flat_map(GameFiles::report).for_each(|line| println!("{line}"));
    println!("{games} games in this run, {:.0} an hour", games as f64 / hours.max(1e-9));
    played.and(written).map(|()| true)
}

/// The journal, if there is to be one, and what it holds.
fn open(settings: &Settings) -> Result<(Option<Journal>, Past)> {
    let Some(folder) = &settings.out else { return Ok((None, Past::default())) };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (path, header) = (folder.join("games.jsonl"), settings.header());
    let Settings { terms, schedule, openings, resume, .. } = settings;
    let contest = terms.contest();
    let (journal, past) = journal::open(&path, &header, &contest, schedule, openings, *resume)?;
    let lines = opening_source::lines(&contest, openings);
    files::write_openings(&folder.join(OPENINGS), &lines)?;
    Ok((Some(journal), past))
}

/// Tries every engine once, and names those that were given no name.
fn name_engines(settings: &mut Settings) -> Result<()> {
    let mut names = Vec::new();
    for contestant in &settings.contestants {
        let name = own_name(contestant, settings);
        names.push(name.with_context(|| format!("engine {}", names.len() + 1))?);
    }
    tell_apart(&mut names, &settings.contestants);
    for (contestant, name) in settings.contestants.iter_mut().zip(names) {
        contestant.name = name;
    }
    Ok(())
}

/// The name of an engine: the given one, its own, or that of its program.
fn own_name(contestant: &Contestant, settings: &Settings) -> Result<String> {
    let given = contestant.name.as_str();
    let shown = if given.is_empty() { contestant.program() } else { given.to_owned() };
    let fails = |failure| anyhow!("{shown} {failure}");
    let mut engine = Engine::spawn(&contestant.spec()).map_err(fails)?;
    let about = engine.about(settings.about_wait).map_err(fails)?;
    let own = about.as_ref().map(|about| about.name()).filter(|name| !name.is_empty());
    if own.is_none() && !settings.quiet {
        eprintln!("note: {shown} does not tell its name by ABOUT");
    }
    let started = worker::start(contestant, Some(engine), settings.terms, settings.start_wait);
    started.map_err(fails)?.close(worker::GRACE);
    Ok(match own {
        Some(own) if given.is_empty() => own.to_owned(),
        _ => shown,
    })
}

/// Plays all games but those that are `done`, until `sink` says that it is
/// enough.
///
/// # Errors
/// An engine that cannot be started, or what `sink` returns.
fn play(
    settings: &Settings,
    done: &HashSet<u64>,
    mut sink: impl FnMut(GameLine) -> Result<bool>,
) -> Result<()> {
    let hall = Hall {
        terms: settings.terms,
        contestants: &settings.contestants,
        openings: &settings.openings,
        schedule: &settings.schedule,
        judging: &settings.judging,
        restart: settings.restart,
        start_wait: settings.start_wait,
        done,
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        for number in 0..settings.concurrency {
            let (send, hall) = (send.clone(), &hall);
            let thread = thread::Builder::new().name(format!("games {number}"));
            let work = move || hall.work(|result| send.send(result).is_ok());
            if let Err(error) = thread.spawn_scoped(scope, work) {
                hall.stop.store(true, Relaxed);
                outcome = Err(error).context("no thread for a game");
                break;
            }
        }
        drop(send);
        for result in results {
            // What has been played is kept even after a fault, as long as it
            // can be.
            let kept = result.and_then(|(slot, played)| sink(line(settings, slot, played)));
            if !matches!(kept, Ok(true)) {
                hall.stop.store(true, Relaxed);
            }
            if let (Err(error), Ok(())) = (kept, &outcome) {
                outcome = Err(error);
            }
        }
    });
    outcome
}

fn line(settings: &Settings, slot: Slot, played: Played) -> GameLine {
    let record = GameRecord {
        contest: settings.terms.contest(),
        players: slot.players.map(|who| settings.contestants[who].name.clone()),
        opening: settings.openings[slot.opening].clone(),
        plies: played.plies.clone(),
        black: played.black,
        ending: Some(played.ending),
        reason: played.reason.to_owned(),
    };
    GameLine::new(slot, played, record)
}
