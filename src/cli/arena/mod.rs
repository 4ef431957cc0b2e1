//! `goren match`: matches between engines, through the Gomocup protocol and
//! Goren's extensions for other games and openings.
//!
//! The schedule is a function of the settings; each thread takes the next game
//! from it and plays it with its own pair of processes, judged by the referee.
//! Game-specific code is limited to the engine driver and the journal; the rest
//! sees plies of seats that take turns. A single thread counts and writes. The
//! journal of games (`games.jsonl`) is the source, from which all other files
//! can be derived again.

mod args;
mod contestant;
mod files;
mod game;
mod join;
mod journal;
mod line;
mod log;
mod opening_source;
mod progress;
mod random_opening;
mod schedule;
mod standing;
mod summary;
mod totals;
mod worker;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use self::args::MatchSettings;
use contestant::{Contestant, make_distinct};
use files::{OPENINGS, RecordFiles};
use game::FinishedGame;
use journal::{JOURNAL, JournalContent};
use line::MatchRecord;
use progress::MatchProgress;
use schedule::Slot;
use standing::Standing;
use totals::MatchTotals;
use worker::SharedState;

use super::engine::{EngineProcess, Terms};
use super::run::journal::RunJournal;
use super::run::stop::RESUMED;
use goren_core::record::GameRecord;
use goren_core::rules::{Contest, Variant};
use goren_notation::words::plural;

pub use self::args::Args;
pub(super) use join::join;
pub(super) use journal::FORMAT;
pub use schedule::{OpeningOrder, Tournament};

/// Outcome of a stopped match without `--out`.
const NO_OUT: &str = "no game is kept; with --out the next run could continue";

/// How often a match checks whether to stop while no game ends.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// Plays the match and prints its result.
///
/// # Errors
/// Unusable settings, an engine that cannot be started, files that
/// cannot be read or written. Finished games are kept.
pub fn run(args: &Args) -> Result<bool> {
    let mut settings = MatchSettings::new(args)?;
    name_engines(&mut settings)?;
    let settings = settings;
    let names: Vec<String> = settings.contestants.iter().map(|c| c.name.clone()).collect();
    let (mut journal, past) = open(&settings)?;
    let mut standing = Standing::new(&settings, &past.games)?;
    let mut progress = MatchProgress::new(settings.quiet, own_games(&settings), standing.own.games);
    if past.dropped > 0 {
        progress.note(&format!(
            "note: the journal ends in the middle of a game ({}); that game is played again",
            plural(past.dropped, "byte", "bytes")
        ));
    }
    if let Some(folder) = &settings.log {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let contest = settings.terms.contest();
    let mut files = match &settings.out {
        Some(folder) => Some(RecordFiles::new(folder, &past.games, is_five(&contest))?),
        None => None,
    };
    let (games_before, begun) = (standing.own.games, Instant::now());
    let mut played = Ok(());
    if !standing.is_decided() {
        let done = past.games.iter().map(|line| line.game).collect();
        played = play(&settings, &done, |line| {
            if let Some(line) = line {
                if let Some(journal) = &mut journal {
                    journal.append(&line.write()?)?;
                }
                standing.add(&line);
                if let Some(files) = &mut files {
                    files.add(&line)?;
                }
                progress.show(&standing.own, &names);
            }
            standing.keep_up()?;
            Ok(!standing.is_decided() && settings.stop.asked().is_none())
        });
    }
    progress.finish();
    let end = MatchEnd {
        contest,
        gomocup: matches!(settings.terms, Terms::Gomocup(_)),
        names: &names,
        is_whole: settings.shard.is_whole(),
    };
    let written = end.report(settings.out.as_deref(), &standing.own, standing.all.as_ref());
    files.iter().flat_map(RecordFiles::notes).for_each(|line| println!("{line}"));
    let games = standing.own.games - games_before;
    let hourly = games as f64 / (begun.elapsed().as_secs_f64() / 3600.0).max(1e-9);
    println!("{} in this run, {hourly:.0} an hour", plural(games, "game", "games"));
    played.and(written)?;
    let is_left = own_games(&settings).is_none_or(|games| standing.own.games < games);
    if is_left && !standing.is_decided() && settings.stop.asked().is_some() {
        let outcome = if settings.out.is_some() { RESUMED } else { NO_OUT };
        return Err(settings.stop.stopped(outcome).into());
    }
    Ok(true)
}

/// Number of games of this run's part of the match; `None` without end.
fn own_games(settings: &MatchSettings) -> Option<u64> {
    Some(2 * settings.shard.share(settings.schedule.games()? / 2))
}

fn is_five(contest: &Contest) -> bool {
    matches!(contest.variant, Variant::Five(_))
}

/// The end of a match, whose results are printed and written.
struct MatchEnd<'a> {
    contest: Contest,
    gomocup: bool,
    names: &'a [String],
    is_whole: bool,
}

impl MatchEnd<'_> {
    /// Writes the results to the folder, if there is one, and prints them. `all` has the
    /// totals of all parts, if this run plays only one of them.
    ///
    /// # Errors
    /// An I/O error, with the name of the file.
    fn report(
        &self,
        folder: Option<&Path>,
        own: &MatchTotals,
        all: Option<&MatchTotals>,
    ) -> Result<()> {
        let mut text = summary::summary(own, self.names, !self.gomocup);
        text += &all.map(summary::of_all_parts).unwrap_or_default();
        let Contest { variant, width, height, opening, .. } = self.contest;
        let mut game = format!("{variant} {width}x{height}");
        if !self.gomocup {
            game += &format!(", {opening}");
        }
        let written = folder.map_or(Ok(()), |folder| {
            files::write_summary(folder, &text)?;
            // The pairs of a part are not consecutive.
            if self.is_whole { files::write_plots(folder, own, self.names, &game) } else { Ok(()) }
        });
        // Files first: the reader of stdout may close the pipe.
        print!("{text}");
        written
    }
}

/// Opens the journal, if one is wanted, and reads its games.
fn open(settings: &MatchSettings) -> Result<(Option<RunJournal>, JournalContent)> {
    let Some(folder) = &settings.out else { return Ok((None, JournalContent::default())) };
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let (path, header) = (folder.join(JOURNAL), settings.header());
    let MatchSettings { terms, schedule, openings, resume, .. } = settings;
    let contest = terms.contest();
    let (journal, past) = journal::open(&path, &header, &contest, schedule, openings, *resume)?;
    let lines = opening_source::lines(&contest, openings);
    files::write_openings(&folder.join(OPENINGS), &lines)?;
    Ok((Some(journal), past))
}

/// Starts every engine once, and names those without a given name.
fn name_engines(settings: &mut MatchSettings) -> Result<()> {
    let mut names = Vec::new();
    for contestant in &settings.contestants {
        let name = own_name(contestant, settings);
        names.push(name.with_context(|| format!("engine {}", names.len() + 1))?);
    }
    make_distinct(&mut names, &settings.contestants);
    for (contestant, name) in settings.contestants.iter_mut().zip(names) {
        contestant.name = name;
    }
    Ok(())
}

/// Returns the name of an engine: the given one, its own, or that of its program.
fn own_name(contestant: &Contestant, settings: &MatchSettings) -> Result<String> {
    let given = contestant.name.as_str();
    let shown = if given.is_empty() { contestant.program() } else { given.to_owned() };
    let fails = |failure| anyhow!("{shown} {failure}");
    let mut engine = EngineProcess::spawn(&contestant.spec()).map_err(fails)?;
    // An engine that is still starting could not answer ABOUT in time.
    engine.begin(settings.terms, settings.start_wait).map_err(fails)?;
    let about = engine.about(settings.about_wait).map_err(fails)?;
    let own = about.as_ref().map(|about| about.name()).filter(|name| !name.is_empty());
    if own.is_none() && !settings.quiet {
        eprintln!("note: {shown} does not report its name in reply to ABOUT");
    }
    engine.limit(&contestant.limits).map_err(fails)?;
    // The engine would play without the setting, and the games would not show it.
    if !contestant.limits.options.is_empty()
        && let Some(message) = engine.not_used(settings.about_wait).map_err(fails)?
    {
        bail!("{shown}: {message}");
    }
    engine.close(worker::GRACE);
    Ok(match own {
        Some(own) if given.is_empty() => own.to_owned(),
        _ => shown,
    })
}

/// Plays all games except those in `done`, until `sink` returns false; `sink` is also
/// called now and then without a game.
///
/// # Errors
/// An engine that cannot be started, or what `sink` returns.
fn play(
    settings: &MatchSettings,
    done: &HashSet<u64>,
    mut sink: impl FnMut(Option<MatchRecord>) -> Result<bool>,
) -> Result<()> {
    let shared = SharedState {
        terms: settings.terms,
        contestants: &settings.contestants,
        openings: &settings.openings,
        schedule: &settings.schedule,
        judging: &settings.judging,
        restart: settings.restart,
        start_wait: settings.start_wait,
        shard: settings.shard,
        log: settings.log.as_deref(),
        done,
        next: AtomicU64::new(0),
        stop: AtomicBool::new(false),
    };
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        for number in 0..settings.concurrency {
            let (send, shared) = (send.clone(), &shared);
            let thread = thread::Builder::new().name(format!("games {number}"));
            let work = move || shared.work(|result| send.send(result).is_ok());
            if let Err(error) = thread.spawn_scoped(scope, work) {
                shared.stop.store(true, Relaxed);
                outcome = Err(error).context("cannot start a thread for a game");
                break;
            }
        }
        drop(send);
        loop {
            // Finished games are kept even after an error, as long as they can be written.
            let go_on = match results.recv_timeout(STOP_CHECK) {
                Ok(result) => {
                    result.and_then(|(slot, played)| sink(Some(line(settings, slot, played))))
                }
                Err(RecvTimeoutError::Timeout) => sink(None),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if !matches!(go_on, Ok(true)) {
                shared.stop.store(true, Relaxed);
            }
            if let (Err(error), Ok(())) = (go_on, &outcome) {
                outcome = Err(error);
            }
        }
    });
    outcome
}

fn line(settings: &MatchSettings, slot: Slot, played: FinishedGame) -> MatchRecord {
    let record = GameRecord {
        contest: settings.terms.contest(),
        players: slot.players.map(|who| settings.contestants[who].name.clone()),
        opening: settings.openings[slot.opening].clone(),
        plies: played.plies.clone(),
        black: played.black,
        ending: Some(played.ending),
        reason: played.reason.to_owned(),
    };
    MatchRecord::new(slot, played, record)
}
