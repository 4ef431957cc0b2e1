//! Worker thread of a match, with its engine processes.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::contestant::Contestant;
use super::game::{FinishedGame, GameFault, JudgeSettings, SeatedEngine, play};
use super::log::GameLog;
use super::schedule::{Schedule, Slot};
use crate::engine::{EngineProcess, Failure, Terms};
use crate::run::shard::Shard;
use crate::run::stop::signalled_with_a_child;
use goren_core::opening::Action;

/// Maximum number of attempts to start an engine for one game.
const MAX_STARTS: u32 = 3;

/// Time an engine has to exit.
pub(super) const GRACE: Duration = Duration::from_millis(1000);

/// State shared by the worker threads of a match.
pub(super) struct SharedState<'a> {
    pub(super) terms: Terms,
    pub(super) contestants: &'a [Contestant],
    pub(super) openings: &'a [Vec<Action>],
    pub(super) schedule: &'a Schedule,
    pub(super) judging: &'a JudgeSettings,
    /// Whether every game gets new processes.
    pub(super) restart: bool,
    pub(super) start_wait: Duration,
    /// The part of the pairs of games to play.
    pub(super) shard: Shard,
    /// Folder of the logs, if logs are written.
    pub(super) log: Option<&'a Path>,
    /// Games played in an earlier run.
    pub(super) done: &'a HashSet<u64>,
    /// The next game to look at.
    pub(super) next: AtomicU64,
    /// Set when no more games are wanted; games in progress are abandoned.
    pub(super) stop: AtomicBool,
}

impl SharedState<'_> {
    /// Claims the next game that no thread has begun.
    fn next_slot(&self) -> Option<Slot> {
        loop {
            let slot = self.schedule.slot(self.next.fetch_add(1, Relaxed))?;
            if self.shard.has(slot.game / 2) && !self.done.contains(&slot.game) {
                return Some(slot);
            }
        }
    }

    /// Plays games until none is left, `stop` is set, or `observer` returns false.
    pub(super) fn work(&self, observer: impl Fn(Result<(Slot, FinishedGame)>) -> bool) {
        let log = self.log.map(GameLog::new);
        let mut worker = Worker { shared: self, engines: Vec::new(), log };
        while !self.stop.load(Relaxed)
            && let Some(slot) = self.next_slot()
        {
            let result = match worker.play(slot).transpose() {
                Some(result) => result.map(|played| (slot, played)),
                None => break,
            };
            // A crash by a signal that stops us as well is no result of a game.
            let is_crash =
                |played: &FinishedGame| matches!(played.fault, Some((_, GameFault::Crash, _)));
            if result.as_ref().map_or(true, |(_, played)| is_crash(played))
                && signalled_with_a_child()
            {
                break;
            }
            let failed = result.is_err();
            if !observer(result) || failed {
                break;
            }
        }
        worker.close();
    }
}

/// A worker thread with the processes of its last game.
struct Worker<'a> {
    shared: &'a SharedState<'a>,
    engines: Vec<(usize, EngineProcess)>,
    log: Option<GameLog<'a>>,
}

impl Worker<'_> {
    /// Plays a game and writes its log, if logs are written; `None` if stopped.
    fn play(&mut self, slot: Slot) -> Result<Option<FinishedGame>> {
        let (kept, free) = self.engines.drain(..).partition(|(who, _)| slot.players.contains(who));
        self.engines = kept;
        close(free);
        if let Some(log) = &self.log {
            log.begin();
        }
        let played = self.play_started(slot);
        let is_stopped = matches!(played, Ok(None));
        let written = match self.log.as_ref().filter(|_| !is_stopped) {
            Some(log) => {
                let name = |who: usize| self.shared.contestants[who].name.as_str();
                log.write(slot, slot.players.map(name))
            }
            None => Ok(()),
        };
        played.and_then(|played| written.map(|()| played))
    }

    /// Starts the engines of a game, and plays it.
    fn play_started(&mut self, slot: Slot) -> Result<Option<FinishedGame>> {
        let shared = self.shared;
        let mut engines = Vec::new();
        for who in slot.players {
            let engine = self.started(who).with_context(|| format!("{slot}"))?;
            engines.push((who, engine));
        }
        let [first, second] = engines.as_mut_slice() else { return Ok(None) };
        let limits = slot.players.map(|who| &shared.contestants[who].limits);
        let mut players = [
            SeatedEngine { engine: &mut first.1, limits: limits[0] },
            SeatedEngine { engine: &mut second.1, limits: limits[1] },
        ];
        let opening = &shared.openings[slot.opening];
        let contest = shared.terms.contest();
        let played = play(contest, opening, &mut players, shared.judging, &shared.stop)
            .with_context(|| format!("{slot}"))?;
        if let Some(played) = &played {
            // If the next game needs this engine, a new process is started.
            let unusable = played.fault.as_ref().filter(|fault| !fault.1.leaves_engine_usable());
            if let Some((seat, ..)) = unusable {
                engines.remove(seat.index());
            }
            // The peak of a process never falls; it would count in every later game.
            let is_over = |who: usize| {
                let mut sides = slot.players.iter().zip(&played.sides);
                sides.any(|(&player, side)| player == who && side.over_memory)
            };
            let (over, kept) = engines.into_iter().partition(|&(who, _)| is_over(who));
            close(over);
            self.engines = kept;
            if shared.restart {
                self.close();
            }
        }
        Ok(played)
    }

    /// Starts a game in an engine: in the process of the last game, or in a new one.
    fn started(&mut self, who: usize) -> Result<EngineProcess> {
        let running = self.engines.iter().position(|&(other, _)| other == who);
        let mut running = running.map(|i| self.engines.swap_remove(i).1);
        let contestant = &self.shared.contestants[who];
        let mut last = None;
        for _ in 0..MAX_STARTS {
            let SharedState { terms, start_wait, .. } = *self.shared;
            let is_new = running.is_none();
            match start(contestant, running.take(), terms, start_wait, self.log.as_ref()) {
                Ok(engine) => return Ok(engine),
                // Another new process would fail the same way.
                Err(failure @ (Failure::Spawn(_) | Failure::Refused { .. })) if is_new => {
                    return Err(anyhow!("{} {failure}", contestant.name));
                }
                Err(failure) => last = Some(failure),
            }
        }
        let failure = last.map(|failure| failure.to_string()).unwrap_or_default();
        let name = &contestant.name;
        Err(anyhow!("{name} failed to start {MAX_STARTS} times in a row: {failure}"))
    }

    fn close(&mut self) {
        close(std::mem::take(&mut self.engines));
    }
}

/// Asks engines to exit.
fn close(engines: Vec<(usize, EngineProcess)>) {
    for (_, engine) in engines {
        engine.close(GRACE);
    }
}

/// Starts a game, in a new process if none is running, and logs its lines.
fn start(
    contestant: &Contestant,
    running: Option<EngineProcess>,
    terms: Terms,
    wait: Duration,
    log: Option<&GameLog<'_>>,
) -> Result<EngineProcess, Failure> {
    let recorder = || log.map(|log| log.recorder(&contestant.name));
    let mut engine = match running {
        Some(engine) => engine,
        None => EngineProcess::spawn_watched(&contestant.spec(), recorder())?,
    };
    engine.start(terms, &contestant.limits, wait)?;
    Ok(engine)
}
