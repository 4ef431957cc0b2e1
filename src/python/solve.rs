//! Solvers: wins by fours and by threats in five in a row, the value of Four In A Row.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::attended::quietly;
use crate::error::bad;
use crate::game::Game;
use crate::limits::Limits;
use crate::number::whole;
use crate::position::labels;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, FourInARow, Placement, Variant};
use goren_core::types::{Color, Pace};
use goren_engine::threat::{Gravity, Meter, Value, Watch};
use goren_engine::{Control, Engine};

/// What a solver searches for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Goal {
    /// A win by fours.
    Vcf,
    /// A shortest win by fours.
    ShortestVcf,
    /// A win by fours and threats.
    Vct,
}

impl Goal {
    /// # Errors
    /// No goal has this name.
    pub(crate) fn named(name: &str) -> PyResult<Goal> {
        match name {
            "vcf" => Ok(Goal::Vcf),
            "shortest-vcf" => Ok(Goal::ShortestVcf),
            "vct" => Ok(Goal::Vct),
            _ => Err(bad(format!("goal {name:?} is not \"vcf\", \"shortest-vcf\" or \"vct\""))),
        }
    }
}

/// A win that a solver found.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct Win {
    /// The first move.
    best: String,
    /// Length of the win in plies of both sides.
    plies: usize,
    /// Moves of both sides, with the goal ``"shortest-vcf"`` only.
    line: Option<Vec<String>>,
}

#[pymethods]
impl Win {
    fn __repr__(&self) -> String {
        format!("Win({} in {} plies)", self.best, self.plies)
    }
}

/// Searches a win of the side to move.
///
/// # Errors
/// The game is not five in a row or is over, there is no limit or no memory, or the user has
/// stopped the search.
pub(crate) fn solve(
    py: Python<'_>,
    engine: &Engine,
    state: &GameState,
    goal: Goal,
    limits: &Limits,
) -> PyResult<Option<Win>> {
    limits.check()?;
    let contest = *state.contest();
    let none = || bad(format!("{} has no threat solver", contest.variant));
    let setup = contest.setup().ok_or_else(none)?;
    if state.result().is_some() {
        return Err(bad("the game is over"));
    }
    let memory = |error: goren_engine::TableError| PyMemoryError::new_err(error.to_string());
    let mut solver = engine.solver(setup).map_err(memory)?;
    let deadline = limits.duration()?.and_then(|time| Instant::now().checked_add(time));
    let control = Arc::new(deadline.map_or_else(Control::default, Control::until));
    let nodes = limits.nodes.unwrap_or(u64::MAX);
    let (stones, to_move) = (state.placed(), state.to_move());
    let found = quietly(py, &|| control.stop(), || {
        solver.set_up(&stones, to_move);
        match goal {
            Goal::Vcf => solver.vcf(nodes, &control).map(|(cell, plies)| (cell, plies, None)),
            Goal::Vct => {
                solver.vct_in_thread(nodes, 0, &control).map(|(cell, plies)| (cell, plies, None))
            }
            Goal::ShortestVcf => solver.shortest_vcf(nodes, &control).and_then(|line| {
                let first = *line.first()?;
                Some((first, line.len(), Some(line)))
            }),
        }
    })?;
    Ok(found.map(|(cell, plies, line)| Win {
        best: cell.label(contest.height),
        plies,
        line: line.map(|line| labels(&contest, &line)),
    }))
}

/// The exact value of a position for the side to move.
#[pyclass(frozen, get_all, module = "goren")]
pub(crate) struct SolvedValue {
    outcome: &'static str,
    /// Plies to the win or the loss.
    plies: Option<usize>,
    /// A move that keeps the value.
    best: Option<String>,
    nodes: u64,
}

#[pymethods]
impl SolvedValue {
    fn __repr__(&self) -> String {
        let plies = self.plies.map_or(String::new(), |plies| format!(" in {plies} plies"));
        format!("SolvedValue({}{plies})", self.outcome)
    }
}

/// Clock that also checks whether the user has stopped the work.
struct Stopped<'a> {
    stop: &'a AtomicBool,
    until: Option<Instant>,
}

impl Watch for Stopped<'_> {
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        (now, self.stop.load(Relaxed) || self.until.is_some_and(|until| now >= until))
    }
}

/// The exact value of a position of four-in-a-row; None if ``time`` (seconds) runs out.
/// The empty 7x6 board takes a long time.
#[pyfunction]
#[pyo3(signature = (game, *, memory = 256, time = None))]
pub(crate) fn four_in_a_row_value(
    py: Python<'_>,
    game: PyRef<'_, Game>,
    #[pyo3(from_py_with = whole)] memory: usize,
    time: Option<f64>,
) -> PyResult<Option<SolvedValue>> {
    let plain = FourInARow { placement: Placement::Gravity, clear: false };
    let state = Game::state_of(game);
    let Contest { variant, width, height, .. } = *state.contest();
    if variant != Variant::FourInARow(plain) {
        return Err(bad(format!("{variant} has no exact solver; only four-in-a-row has one")));
    }
    if state.result().is_some() {
        return Err(bad("the game is over"));
    }
    let time = Limits { time, nodes: None, depth: None }.duration()?;
    let bytes = memory.saturating_mul(1 << 20);
    let mut gravity = Gravity::new(width, height, bytes).map_err(bad)?;
    let pieces = |of: Color| -> Vec<(usize, usize)> {
        let own = state.stones().into_iter().filter(|&(_, color)| color == of);
        own.map(|(cell, _)| (cell.x(), height - 1 - cell.y())).collect()
    };
    let (own, others) = (pieces(state.to_move()), pieces(!state.to_move()));
    let stop = AtomicBool::new(false);
    let (solved, nodes) = quietly(py, &|| stop.store(true, Relaxed), || {
        let until = time.and_then(|time: Duration| Instant::now().checked_add(time));
        let watch = Stopped { stop: &stop, until };
        let mut meter = Meter::watched(u64::MAX, Pace::default(), &watch);
        let solved = gravity.solve(&own, &others, &mut meter);
        (solved, meter.spent())
    })?;
    let Some((value, column)) = solved else { return Ok(None) };
    let best = state.placements().into_iter().find(|cell| Some(cell.x()) == column);
    let (outcome, plies) = match value {
        Value::Win(plies) => ("win", Some(plies)),
        Value::Loss(plies) => ("loss", Some(plies)),
        Value::Draw => ("draw", None),
    };
    let best = best.map(|cell| cell.label(height));
    Ok(Some(SolvedValue { outcome, plies, best, nodes }))
}
