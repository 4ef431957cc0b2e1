//! Analysis.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;

use crate::attended::attended;
use crate::error::{bad, illegal, of_file};
use crate::game::Game;
use crate::limits::Limits;
use crate::number::{optional, whole};
use crate::position::cell;
use crate::solve::{Goal, Win, solve};
use goren_core::rules::Contest;
use goren_core::types::{Cell, plies_to_end, win_rate};
use goren_engine::eval::WeightFile;
use goren_engine::{
    AnyPosition, Budget, Control, EngineError, Exclusions, Findings, Info, Report, Request,
    TableHandle, WeightSet, position_of,
};
use goren_notation::first_moves::leave_out;
use goren_notation::plies::turns;
use goren_notation::words::score_text;

/// A line of play.
#[pyclass(frozen, get_all, module = "goren")]
#[derive(Clone)]
pub(crate) struct Line {
    /// Points for the side to move.
    score: i32,
    /// The score as text, such as ``"+31"`` or ``"+M9"``.
    text: String,
    /// Plies to a proven win, negative for a proven loss; else None.
    mate: Option<i64>,
    /// Expected result, 0 to 1, by the scale of the evaluation.
    win_rate: f64,
    depth: u32,
    /// Deepest ply reached.
    seldepth: u32,
    nodes: u64,
    seconds: f64,
    /// The moves, turn by turn.
    pv: Vec<String>,
    /// 0 for the best line.
    rank: usize,
}

impl Line {
    fn of(info: &Info, contest: &Contest, left: usize) -> Line {
        let cells: Vec<Cell> = info.pv.iter().map(|m| m.cell()).collect();
        let sign = if info.score < 0 { -1 } else { 1 };
        Line {
            score: info.score,
            text: score_text(info.score),
            mate: plies_to_end(info.score).map(|plies| sign * plies as i64),
            win_rate: win_rate(info.score),
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            seconds: info.elapsed.as_secs_f64(),
            pv: turns(contest, left, &cells),
            rank: info.pv_index,
        }
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        format!("Line({} depth {}-{}: {})", self.text, self.depth, self.seldepth, self.pv.join(" "))
    }
}

/// Result of a search.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Analysis {
    /// The best move; None if the game is over.
    best: Option<String>,
    /// Lines, best first.
    lines: Vec<Line>,
    nodes: u64,
    seconds: f64,
}

#[pymethods]
impl Analysis {
    #[getter]
    fn score(&self) -> Option<i32> {
        self.lines.first().map(|line| line.score)
    }

    fn __repr__(&self) -> String {
        let line = self.lines.first().map_or(String::new(), Line::__repr__);
        format!("Analysis({}, {} nodes)", line, self.nodes)
    }
}

/// Returns the exception for a search that could not start.
pub(crate) fn no_search(error: EngineError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Excludes points from the turn to search, which has `due` stones.
///
/// # Errors
/// A point is no legal move, or no move is left.
fn exclude_points(
    request: &mut Request,
    points: Vec<Cell>,
    position: &mut dyn AnyPosition,
    due: usize,
    height: usize,
) -> PyResult<()> {
    if points.is_empty() {
        return Ok(());
    }
    let candidates = position.candidates().moves;
    let wins = candidates.iter().any(|candidate| candidate.wins);
    let legal: Vec<Cell> = candidates.iter().map(|candidate| candidate.cell).collect();
    if let Some(point) = points.iter().find(|point| !legal.contains(point)) {
        return Err(illegal(format!("{} is not a legal move", point.label(height))));
    }
    let left = leave_out(&points, &legal, due, wins).ok_or_else(|| bad("no move is left"))?;
    request.root_moves = left.only;
    request.exclusions =
        Exclusions { root_moves: points, sequences: left.sequences, ..Exclusions::default() };
    Ok(())
}

/// The engine. It keeps what it has searched from one call to the next.
///
/// ``memory`` is the limit of its table in MiB. Other Python threads run during a call, and
/// may change the game meanwhile; Ctrl-C ends the call with KeyboardInterrupt. A call while
/// another one runs raises RuntimeError; use several engines to search side by side.
#[pyclass(frozen, module = "goren")]
pub(crate) struct Engine {
    engine: Mutex<goren_engine::Engine>,
    weights: Mutex<WeightSet>,
    threads: usize,
}

impl Engine {
    /// Locks the engine.
    ///
    /// # Errors
    /// The engine is searching in another thread.
    fn free(&self) -> PyResult<MutexGuard<'_, goren_engine::Engine>> {
        match self.engine.try_lock() {
            Ok(engine) => Ok(engine),
            // After a panic the next search uses the engine as it is.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("the engine is searching in another thread"))
            }
        }
    }

    fn weights(&self) -> WeightSet {
        self.weights.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, memory = 256, threads = 1))]
    fn new(
        #[pyo3(from_py_with = whole)] memory: usize,
        #[pyo3(from_py_with = whole)] threads: usize,
    ) -> PyResult<Engine> {
        if memory == 0 || threads == 0 || threads > 1024 {
            return Err(bad("memory must be at least 1 MiB, threads 1 to 1024"));
        }
        let hash = TableHandle::up_to(memory.saturating_mul(1 << 20));
        let engine = Mutex::new(goren_engine::Engine::with_hash(hash));
        Ok(Engine { engine, weights: Mutex::default(), threads })
    }

    /// Searches a position until the first limit is met: seconds, nodes over all
    /// threads, depth in plies. At least one limit is needed.
    ///
    /// ``lines`` is the number of best moves. ``exclude`` lists legal points where no stone of
    /// this turn may be placed; a move must be left. ``on_line`` is called with each line as it
    /// is found; if it raises an exception, the search ends and raises it too. With one thread,
    /// a limit of nodes or depth and a new engine, the result is the same every time. Options
    /// of an opening other than placing a stone are not considered.
    #[pyo3(signature = (game, *, time = None, nodes = None, depth = None, lines = 1, exclude = None, on_line = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn analyze(
        &self,
        py: Python<'_>,
        game: PyRef<'_, Game>,
        time: Option<f64>,
        #[pyo3(from_py_with = optional)] nodes: Option<u64>,
        #[pyo3(from_py_with = optional)] depth: Option<u32>,
        #[pyo3(from_py_with = whole)] lines: usize,
        exclude: Option<Vec<String>>,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<Analysis> {
        let limits = Limits { time, nodes, depth };
        limits.check()?;
        if lines == 0 {
            return Err(bad("lines must be at least 1"));
        }
        let state = Game::state_of(game);
        let contest = *state.contest();
        let excluded: Vec<Cell> =
            exclude.iter().flatten().map(|point| cell(&contest, point)).collect::<PyResult<_>>()?;
        let left = state.stones_due();
        let control = Arc::new(Control::default());
        let budget = limits.duration()?.map_or(Budget::UNLIMITED, Budget::per_move);
        let mut request = Request {
            budget,
            max_nodes: nodes,
            max_depth: depth,
            threads: self.threads,
            multi_pv: if lines > 1 { lines.saturating_mul(left) } else { 1 },
            control: control.clone(),
            ..Request::default()
        };
        if state.result().is_some() {
            return Ok(Analysis { best: None, lines: Vec::new(), nodes: 0, seconds: 0.0 });
        }
        let mut position = position_of(&state, &self.weights());
        exclude_points(&mut request, excluded, &mut *position, left, contest.height)?;
        let mut free = self.free()?;
        let engine = &mut *free;
        let mut findings = Findings::with_turns(left, lines);
        let searched = attended(
            py,
            &|| control.stop(),
            |sender: &Sender<Info>| {
                engine.go(&*position, &request, &mut |report| {
                    if let Report::Pv(info) = report {
                        findings.note(info);
                        // After an exception nobody receives the lines.
                        let _ = sender.send(info.clone());
                    }
                })
            },
            |py, info| match &on_line {
                Some(listener) => listener.call1(py, (Line::of(&info, &contest, left),)).map(drop),
                None => Ok(()),
            },
        )?;
        let answer = searched.map_err(no_search)?;
        findings.settle(&answer);
        let found: Vec<Line> =
            findings.lines.iter().map(|info| Line::of(info, &contest, left)).collect();
        let best = found.first().and_then(|line| line.pv.first().cloned());
        Ok(Analysis {
            best: best.or_else(|| {
                answer.best.is_some().then(|| answer.best.cell().label(contest.height))
            }),
            lines: found,
            nodes: answer.info.nodes,
            seconds: answer.info.elapsed.as_secs_f64(),
        })
    }

    /// A win of the side to move by fours (vcf), or by fours and threats (vct), in
    /// five in a row; None if none was found within the limits.
    #[pyo3(signature = (game, goal = "vct", *, time = None, nodes = None))]
    fn solve(
        &self,
        py: Python<'_>,
        game: PyRef<'_, Game>,
        goal: &str,
        time: Option<f64>,
        #[pyo3(from_py_with = optional)] nodes: Option<u64>,
    ) -> PyResult<Option<Win>> {
        let goal = Goal::named(goal)?;
        let state = Game::state_of(game);
        solve(py, &*self.free()?, &state, goal, &Limits { time, nodes, depth: None })
    }

    /// Returns the static evaluation for the side to move.
    fn evaluate(&self, game: &Game) -> i32 {
        position_of(&game.state, &self.weights()).evaluate()
    }

    /// Loads weights of ``goren tune``; returns the name of their game.
    fn load_weights(&self, path: PathBuf) -> PyResult<String> {
        let read = std::fs::read(&path).map_err(anyhow::Error::from);
        let named = |error: anyhow::Error| error.context(path.display().to_string());
        let bytes = read.map_err(|error| of_file(&named(error)))?;
        let file = WeightFile::read(&bytes).map_err(|error| of_file(&named(error.into())))?;
        let games = file.games().to_string();
        // While another thread searches, this fails before the weights or the table change.
        let mut engine = self.free()?;
        self.weights.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(file);
        engine.hash().clear();
        engine.forget();
        Ok(games)
    }

    /// Forgets all previous searches.
    fn clear(&self) -> PyResult<()> {
        let mut engine = self.free()?;
        engine.hash().clear();
        engine.forget();
        Ok(())
    }
}
