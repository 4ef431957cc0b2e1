//! Exact value of a position of Four In A Row, where pieces fall to the bottom
//! and stay.

use std::time::Instant;

use anyhow::{Result, ensure};

use super::args::Args;
use super::file::lines;
use crate::moves::played;
use crate::plural::plural;
use crate::progress::while_waiting;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, FourInARow, Placement, Variant};
use goren_core::types::{Cell, Color};
use goren_engine::threat::{Gravity, Meter, Value};

/// Solves and prints.
///
/// # Errors
/// Pieces that do not just fall, impossible moves, a file that cannot be read,
/// or no memory.
pub(super) fn run(args: &Args, contest: &Contest) -> Result<bool> {
    let plain = FourInARow { placement: Placement::Gravity, clear: false };
    let variant = contest.variant;
    ensure!(variant == Variant::FourInARow(plain), "{variant} cannot be solved, four-in-a-row can");
    let bytes = args.memory.saturating_mul(1 << 20);
    let mut gravity = Gravity::new(contest.width, contest.height, bytes)?;
    let Some(path) = &args.file else {
        let game_state = played(contest, &args.moves.join(" "))?;
        let solved = solve(&mut gravity, &game_state);
        let mover = ["first", "second"][game_state.actions().len() % 2];
        println!("{} on {}x{}", contest.variant, contest.width, contest.height);
        println!("Value: the {mover} player, to move, {}", words(solved.value));
        if let Some(best) = solved.best {
            println!("Best: {}", best.label(contest.height));
        }
        println!("Nodes: {}", solved.nodes);
        println!("Time: {:.2} s", solved.seconds);
        println!("Speed: {:.0} nodes/s", solved.nodes as f64 / solved.seconds.max(1e-9));
        return Ok(true);
    };
    let (mut number, mut nodes, mut seconds) = (0, 0, 0.0);
    let all = lines(path, |line| {
        let game_state = played(contest, line)?;
        let solved = solve(&mut gravity, &game_state);
        let best = solved.best.map_or(String::new(), |best| best.label(contest.height));
        println!("{line}: {} {best}", short(solved.value));
        (number, nodes, seconds) = (number + 1, nodes + solved.nodes, seconds + solved.seconds);
        Ok(true)
    })?;
    println!("Positions: {number}");
    println!("Nodes: {nodes}");
    println!("Time: {seconds:.2} s");
    Ok(all)
}

/// What was found of a position.
struct Solved {
    value: Value,
    /// A move that keeps the value, unless the game is over.
    best: Option<Cell>,
    nodes: u64,
    seconds: f64,
}

fn solve(gravity: &mut Gravity, game_state: &GameState) -> Solved {
    let started = Instant::now();
    let me = game_state.to_move();
    if let Some(result) = game_state.result() {
        let value = match result.colors[..] {
            [color] if color == me => Value::Win(0),
            [_] => Value::Loss(0),
            _ => Value::Draw,
        };
        return Solved { value, best: None, nodes: 0, seconds: 0.0 };
    }
    let height = game_state.contest().height;
    let pieces = |of: Color| -> Vec<(usize, usize)> {
        let own = game_state.stones().into_iter().filter(|&(_, color)| color == of);
        own.map(|(cell, _)| (cell.x(), height - 1 - cell.y())).collect()
    };
    // Without a limit of nodes there is always an answer.
    let mut meter = Meter::nodes(u64::MAX);
    let what = format!(
        "solving {} on {}x{height}",
        game_state.contest().variant,
        game_state.contest().width
    );
    let (own, others) = (pieces(me), pieces(!me));
    let solved = while_waiting(&what, || gravity.solve(&own, &others, &mut meter));
    let (value, column) = solved.unwrap_or((Value::Draw, None));
    let best = game_state.placements().into_iter().find(|cell| Some(cell.x()) == column);
    let seconds = started.elapsed().as_secs_f64();
    Solved { value, best, nodes: meter.spent(), seconds }
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
