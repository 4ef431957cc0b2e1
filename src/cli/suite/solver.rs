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

/// Time an engine may take to start: it may read large files.
const START_WAIT: Duration = Duration::from_secs(60);

/// Time an engine that has started may take to answer ABOUT.
const ABOUT_WAIT: Duration = Duration::from_secs(10);

/// Time an engine may take to end.
const END_WAIT: Duration = Duration::from_millis(500);

/// The resources of every engine of a run.
#[derive(Copy, Clone, Debug)]
pub(super) struct Resources {
    pub(super) budget: PuzzleLimit,
    pub(super) threads: u32,
    /// Bytes.
    pub(super) memory: usize,
    /// Time that another engine is waited for beyond its budget.
    pub(super) patience: Duration,
}

/// Lets our engine try a puzzle from a cleared state. The memory of its table stays
/// allocated from puzzle to puzzle, as that of another engine does.
///
/// # Errors
/// No memory for the table.
pub(super) fn own_attempt(
    puzzle: &SuitePuzzle,
    resources: &Resources,
    engine: &mut Own,
) -> Result<Attempt> {
    let mut game = SearchedGame::new(puzzle.game_state.contest(), &WeightSet::default());
    game.begin(puzzle.game_state.actions(), engine)?;
    let (time, max_nodes) = match resources.budget {
        // The hard limit of a game's budget, with its safety margin; all of it is used.
        PuzzleLimit::Time(time) => (Time::per_move(time).hard, None),
        PuzzleLimit::Nodes(nodes) => (Duration::MAX, Some(nodes)),
    };
    let budget = Time { hard: time, ..Time::UNLIMITED };
    let threads = resources.threads as usize;
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
    // A proof of an unfinished iteration is a claim too.
    note(&answer.info, &mut claims);
    let (elapsed, nodes) = (answer.info.elapsed, answer.info.nodes);
    Ok(Attempt { claims, elapsed, nodes, ..Attempt::default() }.within(resources.budget))
}

fn note(info: &Info, claims: &mut FirstClaims) {
    let Some(plies) = plies_to_end(info.score) else { return };
    let claim = ResultClaim { after: info.elapsed, plies: plies as u32, nodes: info.nodes };
    let place = if info.score >= PROVEN { &mut claims.win } else { &mut claims.loss };
    place.get_or_insert(claim);
}

/// Another engine, restarted after a failure.
pub(super) struct Rival<'a> {
    spec: &'a EngineSpec,
    engine: Option<EngineProcess>,
}

impl<'a> Rival<'a> {
    pub(super) fn new(spec: &'a EngineSpec) -> Rival<'a> {
        Rival { spec, engine: None }
    }

    /// Its name with its version number, if it reports them. Begins a game of these terms
    /// first: an engine that is still starting might not answer in time.
    ///
    /// # Errors
    /// The engine cannot be run, ends at once or does not answer.
    pub(super) fn name(&mut self, terms: Terms) -> Result<Option<String>, Failure> {
        let engine = self.running()?;
        match engine.begin(terms, START_WAIT) {
            // It may support the games of other puzzles.
            Ok(()) | Err(Failure::Refused { .. }) => {}
            Err(failure) => return Err(failure),
        }
        let about = engine.about(ABOUT_WAIT)?;
        // Some report compiler and machine after their version number.
        let version = |about: &About| {
            about.version().split_whitespace().next().unwrap_or_default().to_string()
        };
        let name = about.map(|about| format!("{} {}", about.name(), version(&about)));
        Ok(name.map(|name| name.trim().to_string()).filter(|name| !name.is_empty()))
    }

    /// Lets the engine try a puzzle. Kills it after a failure, to be restarted for
    /// the next puzzle.
    pub(super) fn attempt(&mut self, puzzle: &SuitePuzzle, resources: &Resources) -> Attempt {
        let tried = self.think(puzzle, resources).unwrap_or_else(|failure| {
            self.engine = None;
            Attempt { failure: Some(failure.to_string()), ..Attempt::default() }
        });
        tried.within(resources.budget)
    }

    fn think(&mut self, puzzle: &SuitePuzzle, resources: &Resources) -> Result<Attempt, Failure> {
        let (time, nodes) = match resources.budget {
            PuzzleLimit::Time(time) => (Some(time), None),
            PuzzleLimit::Nodes(nodes) => (None, Some(nodes)),
        };
        let limits = engine::EngineLimits {
            turn_ms: time.map(|time| time.as_millis() as u64),
            nodes,
            threads: Some(resources.threads),
            memory: Some(resources.memory as u64),
            ..engine::EngineLimits::default()
        };
        // No engine worth a trial searches less than one node per millisecond.
        let wait = time.unwrap_or(Duration::from_millis(nodes.unwrap_or(0))) + resources.patience;
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
