//! Exact value of a position of Four In A Row, in which pieces fall to the bottom and stay.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::position::GivenPosition;
use crate::progress::with_spinner;
use goren_core::rules::{Contest, FourInARow, Placement, Variant};
use goren_core::types::{Cell, Color, Pace};
use goren_engine::threat::{Gravity, Meter, Value, Watch};
use goren_notation::words::plural;
use goren_protocol::Eval;

/// Solver of positions one after another, with totals of nodes and time.
pub(super) struct FourInARowSolver {
    /// Size of the table in bytes.
    bytes: usize,
    /// Time limit per position.
    time: Option<Duration>,
    /// Solver for the board of the last position.
    gravity: Option<(Contest, Gravity)>,
    number: usize,
    nodes: u64,
    seconds: f64,
}

impl FourInARowSolver {
    /// Creates a solver with a table of `memory` MiB, and `time` for each position.
    pub(super) fn new(memory: usize, time: Option<Duration>) -> FourInARowSolver {
        let bytes = memory.saturating_mul(1 << 20);
        FourInARowSolver { bytes, time, gravity: None, number: 0, nodes: 0, seconds: 0.0 }
    }

    /// Solves a position, and prints the result. Returns whether the time was sufficient.
    ///
    /// # Errors
    /// A game other than plain four-in-a-row, or no memory.
    pub(super) fn run(&mut self, position: &GivenPosition) -> Result<bool> {
        let Solved { value, best, nodes, seconds } = self.solve(position)?;
        let Contest { variant, width, height, .. } = position.contest;
        let mover = match position.to_move() {
            Color::Black => "first",
            Color::White => "second",
        };
        println!("{variant} on {width}x{height}");
        println!("Value: {}", words(mover, value));
        if let Some(best) = best {
            println!("Best: {}", best.label(height));
        }
        println!("Nodes: {nodes}");
        println!("Time: {seconds:.2} s");
        println!("Speed: {:.0} nodes/s", nodes as f64 / seconds.max(1e-9));
        Ok(value.is_some())
    }

    /// Solves a position, and prints the result as a line. Returns whether the time was sufficient.
    ///
    /// # Errors
    /// A game other than plain four-in-a-row, or no memory.
    pub(super) fn line(&mut self, text: &str, position: &GivenPosition) -> Result<bool> {
        let Solved { value, best, nodes, seconds } = self.solve(position)?;
        let best = best.map_or(String::new(), |best| format!(" {}", position.label(best)));
        println!("{text}: {}{best}", short(value));
        self.number += 1;
        self.nodes += nodes;
        self.seconds += seconds;
        Ok(value.is_some())
    }

    /// Prints the totals of nodes and time, if there were any lines.
    pub(super) fn report(&self) {
        if self.number > 0 {
            println!("Positions: {}", self.number);
            println!("Nodes: {}", self.nodes);
            println!("Time: {:.2} s", self.seconds);
        }
    }

    /// Returns the solver for a board.
    ///
    /// # Errors
    /// A game other than plain four-in-a-row, or no memory.
    fn gravity(&mut self, contest: &Contest) -> Result<&mut Gravity> {
        let plain = FourInARow { placement: Placement::Gravity, clear: false };
        let variant = contest.variant;
        ensure!(
            variant == Variant::FourInARow(plain),
            "{variant} cannot be solved: only four-in-a-row without options can"
        );
        let gravity = match self.gravity.take() {
            Some((known, gravity)) if known == *contest => gravity,
            _ => Gravity::new(contest.width, contest.height, self.bytes)?,
        };
        Ok(&mut self.gravity.insert((*contest, gravity)).1)
    }

    fn solve(&mut self, position: &GivenPosition) -> Result<Solved> {
        // The time includes the allocation of the table.
        let started = Instant::now();
        let until = self.time.and_then(|time| started.checked_add(time));
        let contest = position.contest;
        let gravity = self.gravity(&contest)?;
        let me = position.to_move();
        if let Some(ending) = position.ending {
            let value = match ending.winner {
                Some(color) if color == me => Value::Win(0),
                Some(_) => Value::Loss(0),
                None => Value::Draw,
            };
            return Ok(Solved { value: Some(value), best: None, nodes: 0, seconds: 0.0 });
        }
        let Contest { variant, width, height, .. } = contest;
        let pieces = |of: Color| -> Vec<(usize, usize)> {
            let own = position.stones.iter().filter(|stone| stone.color == of);
            own.map(|stone| (stone.cell.x(), height - 1 - stone.cell.y())).collect()
        };
        let watch = Deadline(until);
        let mut meter = Meter::watched(u64::MAX, Pace::default(), &watch);
        let what = format!("solving {variant} on {width}x{height}");
        let (own, others) = (pieces(me), pieces(!me));
        let solved = with_spinner(&what, || gravity.solve(&own, &others, &mut meter));
        let best = solved.and_then(|(_, column)| column).map(|x| {
            // The piece lands on top of its column.
            let below = position.stones.iter().filter(|stone| stone.cell.x() == x).count();
            Cell::new(x, height - 1 - below)
        });
        let seconds = started.elapsed().as_secs_f64();
        Ok(Solved { value: solved.map(|(value, _)| value), best, nodes: meter.spent(), seconds })
    }
}

/// Time at which to stop, if any.
struct Deadline(Option<Instant>);

impl Watch for Deadline {
    fn look(&self) -> (Instant, bool) {
        let now = Instant::now();
        (now, self.0.is_some_and(|until| now >= until))
    }
}

/// Solution of a position.
struct Solved {
    /// Exact value; `None` if the time was too short.
    value: Option<Value>,
    /// A move that keeps the value, unless the game is over.
    best: Option<Cell>,
    nodes: u64,
    seconds: f64,
}

/// Text for a missing value.
const OUT_OF_TIME: &str = "not found within the time allowed";

/// Formats the value of a position for the player to move.
fn words(mover: &str, value: Option<Value>) -> String {
    let Some(value) = value else { return OUT_OF_TIME.into() };
    let what = match value {
        Value::Win(0) => "has won".into(),
        Value::Loss(0) => "has lost".into(),
        Value::Win(plies) => format!("wins in {}", plural(plies, "ply", "plies")),
        Value::Loss(plies) => format!("loses in {}", plural(plies, "ply", "plies")),
        Value::Draw => "draws".into(),
    };
    format!("the {mover} player, to move, {what}")
}

/// Formats a value as a score: plies to the win or the loss, or 0.
fn short(value: Option<Value>) -> String {
    match value {
        None => OUT_OF_TIME.into(),
        Some(Value::Win(plies)) => Eval::Win(plies as u32).to_string(),
        Some(Value::Loss(plies)) => Eval::Loss(plies as u32).to_string(),
        Some(Value::Draw) => Eval::Score(0).to_string(),
    }
}
