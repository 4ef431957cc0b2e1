//! Exact value of a position of Four In A Row, where pieces fall to the bottom
//! and stay.

use std::time::Instant;

use anyhow::{Result, ensure};

use crate::plural::plural;
use crate::position::Position;
use crate::progress::while_waiting;
use goren_core::rules::{Contest, FourInARow, Placement, Variant};
use goren_core::types::{Cell, Color};
use goren_engine::threat::{Gravity, Meter, Value};

/// Solves positions one after another, and counts what that took.
pub(super) struct Falling {
    /// Bytes of the table.
    bytes: usize,
    /// The solver of the board of the last position.
    gravity: Option<(Contest, Gravity)>,
    number: usize,
    nodes: u64,
    seconds: f64,
}

impl Falling {
    /// A solver with a table of so many MiB.
    pub(super) fn new(memory: usize) -> Falling {
        let bytes = memory.saturating_mul(1 << 20);
        Falling { bytes, gravity: None, number: 0, nodes: 0, seconds: 0.0 }
    }

    /// Solves a position, and prints.
    ///
    /// # Errors
    /// Pieces that do not just fall, or no memory.
    pub(super) fn run(&mut self, position: &Position) -> Result<bool> {
        let Solved { value, best, nodes, seconds } = self.solve(position)?;
        let Contest { variant, width, height, .. } = position.contest;
        let mover = match position.to_move() {
            Color::Black => "first",
            Color::White => "second",
        };
        println!("{variant} on {width}x{height}");
        println!("Value: the {mover} player, to move, {}", words(value));
        if let Some(best) = best {
            println!("Best: {}", best.label(height));
        }
        println!("Nodes: {nodes}");
        println!("Time: {seconds:.2} s");
        println!("Speed: {:.0} nodes/s", nodes as f64 / seconds.max(1e-9));
        Ok(true)
    }

    /// Solves a position, and prints a line.
    ///
    /// # Errors
    /// Pieces that do not just fall, or no memory.
    pub(super) fn line(&mut self, text: &str, position: &Position) -> Result<bool> {
        let Solved { value, best, nodes, seconds } = self.solve(position)?;
        let best = best.map_or(String::new(), |best| position.label(best));
        println!("{text}: {} {best}", short(value));
        self.number += 1;
        self.nodes += nodes;
        self.seconds += seconds;
        Ok(true)
    }

    /// Prints what the lines took, if there were any.
    pub(super) fn tell(&self) {
        if self.number > 0 {
            println!("Positions: {}", self.number);
            println!("Nodes: {}", self.nodes);
            println!("Time: {:.2} s", self.seconds);
        }
    }

    /// The solver of a board.
    ///
    /// # Errors
    /// Pieces that do not just fall, or no memory.
    fn gravity(&mut self, contest: &Contest) -> Result<&mut Gravity> {
        let plain = FourInARow { placement: Placement::Gravity, clear: false };
        let variant = contest.variant;
        ensure!(
            variant == Variant::FourInARow(plain),
            "{variant} cannot be solved, four-in-a-row can"
        );
        let gravity = match self.gravity.take() {
            Some((known, gravity)) if known == *contest => gravity,
            _ => Gravity::new(contest.width, contest.height, self.bytes)?,
        };
        Ok(&mut self.gravity.insert((*contest, gravity)).1)
    }

    fn solve(&mut self, position: &Position) -> Result<Solved> {
        let contest = position.contest;
        let gravity = self.gravity(&contest)?;
        let started = Instant::now();
        let me = position.to_move();
        if let Some(ending) = position.ending {
            let value = match ending.winner {
                Some(color) if color == me => Value::Win(0),
                Some(_) => Value::Loss(0),
                None => Value::Draw,
            };
            return Ok(Solved { value, best: None, nodes: 0, seconds: 0.0 });
        }
        let Contest { variant, width, height, .. } = contest;
        let pieces = |of: Color| -> Vec<(usize, usize)> {
            let own = position.stones.iter().filter(|stone| stone.color == of);
            own.map(|stone| (stone.cell.x(), height - 1 - stone.cell.y())).collect()
        };
        // Without a limit of nodes there is always an answer.
        let mut meter = Meter::nodes(u64::MAX);
        let what = format!("solving {variant} on {width}x{height}");
        let (own, others) = (pieces(me), pieces(!me));
        let solved = while_waiting(&what, || gravity.solve(&own, &others, &mut meter));
        let (value, column) = solved.unwrap_or((Value::Draw, None));
        let best = column.map(|x| {
            // The piece comes to rest upon those of its column.
            let below = position.stones.iter().filter(|stone| stone.cell.x() == x).count();
            Cell::new(x, height - 1 - below)
        });
        let seconds = started.elapsed().as_secs_f64();
        Ok(Solved { value, best, nodes: meter.spent(), seconds })
    }
}

/// What was found of a position.
struct Solved {
    value: Value,
    /// A move that keeps the value, unless the game is over.
    best: Option<Cell>,
    nodes: u64,
    seconds: f64,
}

fn words(value: Value) -> String {
    match value {
        Value::Win(0) => "has won".into(),
        Value::Loss(0) => "has lost".into(),
        Value::Win(plies) => format!("wins in {}", plural(plies, "ply", "plies")),
        Value::Loss(plies) => format!("loses in {}", plural(plies, "ply", "plies")),
        Value::Draw => "draws".into(),
    }
}

/// Plies to the win or the loss with its sign, or 0.
fn short(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("+{plies}"),
        Value::Loss(plies) => format!("-{plies}"),
        Value::Draw => "0".into(),
    }
}
