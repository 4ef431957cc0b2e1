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

/// How often an engine is tried to be started for one game.
const STARTS: u32 = 3;

/// How long an engine may take to leave.
pub(super) const GRACE: Duration = Duration::from_millis(1000);

/// All that the threads of a match share.
pub(super) struct Hall<'a> {
    pub(super) terms: Terms,
    pub(super) contestants: &'a [Contestant],
    pub(super) openings: &'a [Vec<Action>],
    pub(super) schedule: &'a Schedule,
    pub(super) judging: &'a JudgeSettings,
    /// Whether no process may play a second game.
    pub(super) restart: bool,
    pub(super) start_wait: Duration,
    /// Which pairs of games are played.
    pub(super) shard: Shard,
    /// The folder of the logs, if there are any.
    pub(super) log: Option<&'a Path>,
    /// Games that were played before.
    pub(super) done: &'a HashSet<u64>,
    /// The next game to look at.
    pub(super) next: AtomicU64,
    /// Set when no more games are wanted: those in progress are given up.
    pub(super) stop: AtomicBool,
}

impl Hall<'_> {
    /// The next game nobody has begun.
    fn next_slot(&self) -> Option<Slot> {
        loop {
            let slot = self.schedule.slot(self.next.fetch_add(1, Relaxed))?;
            if self.shard.has(slot.game / 2) && !self.done.contains(&slot.game) {
                return Some(slot);
            }
        }
    }

    /// Plays games until there are no more, it is told to stop, or `tell`
    /// says so.
    pub(super) fn work(&self, observer: impl Fn(Result<(Slot, FinishedGame)>) -> bool) {
        let log = self.log.map(GameLog::new);
        let mut stable = Stable { hall: self, engines: Vec::new(), log };
        while !self.stop.load(Relaxed)
            && let Some(slot) = self.next_slot()
        {
            let result = match stable.play(slot).transpose() {
                Some(result) => result.map(|played| (slot, played)),
                None => break,
            };
            // What a signal did to its engine as well is no result of a game.
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
        stable.close();
    }
}

/// The processes of one thread: those of the last game.
struct Stable<'a> {
    hall: &'a Hall<'a>,
    engines: Vec<(usize, EngineProcess)>,
    log: Option<GameLog<'a>>,
}

impl Stable<'_> {
    /// Plays a game, and writes its log if there are logs; `None` if it was stopped.
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
                let name = |who: usize| self.hall.contestants[who].name.as_str();
                log.write(slot, slot.players.map(name))
            }
            None => Ok(()),
        };
        played.and_then(|played| written.map(|()| played))
    }

    /// Starts the engines of a game, and plays it.
    fn play_started(&mut self, slot: Slot) -> Result<Option<FinishedGame>> {
        let hall = self.hall;
        let mut engines = Vec::new();
        for who in slot.players {
            let engine = self.started(who).with_context(|| format!("{slot}"))?;
            engines.push((who, engine));
        }
        let [first, second] = engines.as_mut_slice() else { return Ok(None) };
        let limits = slot.players.map(|who| &hall.contestants[who].limits);
        let mut players = [
            SeatedEngine { engine: &mut first.1, limits: limits[0] },
            SeatedEngine { engine: &mut second.1, limits: limits[1] },
        ];
        let opening = &hall.openings[slot.opening];
        let played = play(hall.terms.contest(), opening, &mut players, hall.judging, &hall.stop)
            .with_context(|| format!("{slot}"))?;
        if let Some(played) = &played {
            // Should the next game need it, a fresh process is made.
            let unusable = played.fault.as_ref().filter(|fault| !fault.1.leaves_it_usable());
            if let Some((seat, ..)) = unusable {
                engines.remove(seat.index());
            }
            // The peak of a process stays, and would count in each later game.
            let is_over = |who: usize| {
                let mut sides = slot.players.iter().zip(&played.sides);
                sides.any(|(&player, side)| player == who && side.over_memory)
            };
            let (over, kept) = engines.into_iter().partition(|&(who, _)| is_over(who));
            close(over);
            self.engines = kept;
            if hall.restart {
                self.close();
            }
        }
        Ok(played)
    }

    /// An engine for which a game was started: the process of the last game,
    /// or another.
    fn started(&mut self, who: usize) -> Result<EngineProcess> {
        let kept = self.engines.iter().position(|&(other, _)| other == who);
        let mut kept = kept.map(|i| self.engines.swap_remove(i).1);
        let contestant = &self.hall.contestants[who];
        let mut last = None;
        for _ in 0..STARTS {
            let Hall { terms, start_wait, .. } = *self.hall;
            let is_new = kept.is_none();
            match start(contestant, kept.take(), terms, start_wait, self.log.as_ref()) {
                Ok(engine) => return Ok(engine),
                // Another new process would say the same again.
                Err(failure @ (Failure::Spawn(_) | Failure::Refused { .. })) if is_new => {
                    return Err(anyhow!("{} {failure}", contestant.name));
                }
                Err(failure) => last = Some(failure),
            }
        }
        let failure = last.map(|failure| failure.to_string()).unwrap_or_default();
        Err(anyhow!("{} could not be started {STARTS} times in a row: {failure}", contestant.name))
    }

    fn close(&mut self) {
        close(std::mem::take(&mut self.engines));
    }
}

/// Asks engines to leave.
fn close(engines: Vec<(usize, EngineProcess)>) {
    for (_, engine) in engines {
        engine.close(GRACE);
    }
}

/// Starts a game, in a new process if none is running; its lines go to the log.
fn start(
    contestant: &Contestant,
    kept: Option<EngineProcess>,
    terms: Terms,
    wait: Duration,
    log: Option<&GameLog<'_>>,
) -> Result<EngineProcess, Failure> {
    let recorder = || log.map(|log| log.recorder(&contestant.name));
    let mut engine = match kept {
        Some(engine) => engine,
        None => EngineProcess::spawn_watched(&contestant.spec(), recorder())?,
    };
    engine.start(terms, &contestant.limits, wait)?;
    Ok(engine)
}
