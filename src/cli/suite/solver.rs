//! Engines under test: ours, in this process, and any other.

use std::time::Duration;

use anyhow::Result;
use goren_protocol::About;

use super::puzzle::SuitePuzzle;
use super::verdict::{Attempt, PuzzleLimit};
use crate::engine::{self, EngineProcess, EngineSpec, Failure, FirstClaims, ResultClaim, Terms};
use crate::searched_game::SearchedGame;
use goren_core::types::{PROVEN, plies_to_end};
use goren_engine::{Budget as Time, Engine as Own, Info, Report, Request, WeightSet};

/// How long an engine may take to start: it may read large files.
const START_WAIT: Duration = Duration::from_secs(60);

/// How long an engine that has started may take to say who it is.
const ABOUT_WAIT: Duration = Duration::from_secs(10);

/// How long an engine may take to end.
const END_WAIT: Duration = Duration::from_millis(500);

/// The means of every engine of a run.
#[derive(Copy, Clone, Debug)]
pub(super) struct Means {
    pub(super) budget: PuzzleLimit,
    pub(super) threads: u32,
    /// Bytes.
    pub(super) memory: usize,
    /// How much longer than its budget another engine is waited for.
    pub(super) patience: Duration,
}

/// Lets our engine try a puzzle, knowing nothing from before. The memory of its
/// table stays from puzzle to puzzle, as that of another engine does.
///
/// # Errors
/// No memory for the table.
pub(super) fn own(puzzle: &SuitePuzzle, means: &Means, engine: &mut Own) -> Result<Attempt> {
    let mut game = SearchedGame::new(puzzle.game_state.contest(), &WeightSet::default());
    game.begin(puzzle.game_state.actions(), engine)?;
    let (time, max_nodes) = match means.budget {
        // The hard limit of a game's budget, with its safety margin; all of it is used.
        PuzzleLimit::Time(time) => (Time::per_move(time).hard, None),
        PuzzleLimit::Nodes(nodes) => (Duration::MAX, Some(nodes)),
    };
    let budget = Time { hard: time, ..Time::UNLIMITED };
    let threads = means.threads as usize;
    let request = Request { budget, max_nodes, threads, ..Request::default() };
    engine.hash().for_search(&request)?.clear();
    let mut claims = FirstClaims::default();
    let answer = engine.go(game.position(), &request, &mut |report: &Report| {
        let Some(info) = report.best_pv() else { return };
        note(info, &mut claims);
        if claims.win.is_some() {
            request.control.stop();
        }
    })?;
    // What an unfinished iteration proved is no less a claim.
    note(&answer.info, &mut claims);
    let (elapsed, nodes) = (answer.info.elapsed, answer.info.nodes);
    Ok(Attempt { claims, elapsed, nodes, ..Attempt::default() }.within(means.budget))
}

fn note(info: &Info, claims: &mut FirstClaims) {
    let Some(plies) = plies_to_end(info.score) else { return };
    let claim = ResultClaim { after: info.elapsed, plies: plies as u32, nodes: info.nodes };
    let place = if info.score >= PROVEN { &mut claims.win } else { &mut claims.loss };
    place.get_or_insert(claim);
}

/// Another engine, run again whenever it fails.
pub(super) struct Rival<'a> {
    spec: &'a EngineSpec,
    engine: Option<EngineProcess>,
}

impl<'a> Rival<'a> {
    pub(super) fn new(spec: &'a EngineSpec) -> Rival<'a> {
        Rival { spec, engine: None }
    }

    /// Its name with the number of its version, if it tells them. It begins a game of these
    /// terms first: while it is still starting it could not say its name in time.
    ///
    /// # Errors
    /// It cannot be run, ends at once or does not answer.
    pub(super) fn name(&mut self, terms: Terms) -> Result<Option<String>, Failure> {
        let engine = self.running()?;
        match engine.begin(terms, START_WAIT) {
            // It may know the games of other puzzles.
            Ok(()) | Err(Failure::Refused { .. }) => {}
            Err(failure) => return Err(failure),
        }
        let about = engine.about(ABOUT_WAIT)?;
        // Some tell compiler and machine after the number of their version.
        let version = |about: &About| {
            about.version().split_whitespace().next().unwrap_or_default().to_string()
        };
        let name = about.map(|about| format!("{} {}", about.name(), version(&about)));
        Ok(name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty()))
    }

    /// Lets it try a puzzle. If it fails it is killed, to be run anew for the
    /// next.
    pub(super) fn attempt(&mut self, puzzle: &SuitePuzzle, means: &Means) -> Attempt {
        let tried = self.think(puzzle, means).unwrap_or_else(|failure| {
            self.engine = None;
            Attempt { failure: Some(failure.to_string()), ..Attempt::default() }
        });
        tried.within(means.budget)
    }

    fn think(&mut self, puzzle: &SuitePuzzle, means: &Means) -> Result<Attempt, Failure> {
        let (time, nodes) = match means.budget {
            PuzzleLimit::Time(time) => (Some(time), None),
            PuzzleLimit::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = engine::EngineLimits {
            turn_ms: time.map(|time| time.as_millis() as u64),
            nodes,
            threads: Some(means.threads),
            memory: Some(means.memory as u64),
            ..engine::EngineLimits::default()
        };
        // No engine worth a trial searches fewer nodes than one a millisecond.
        let wait = time.unwrap_or(Duration::from_millis(nodes.unwrap_or(0))) + means.patience;
        let engine = self.running()?;
        engine.start(puzzle.terms, &limits, START_WAIT)?;
        let answer = engine.think(&puzzle.game_state, None, wait)?;
        answer.played(&puzzle.game_state)?;
        Ok(Attempt {
            claims: answer.claims,
            elapsed: answer.elapsed,
            nodes: answer.report.nodes,
            failure: None,
            complaint: answer.complaint,
        })
    }

    fn running(&mut self) -> Result<&mut EngineProcess, Failure> {
        match &mut self.engine {
            Some(engine) => Ok(engine),
            none => Ok(none.insert(EngineProcess::spawn(self.spec)?)),
        }
    }

    pub(super) fn close(self) {
        if let Some(engine) = self.engine {
            engine.close(END_WAIT);
        }
    }
}
