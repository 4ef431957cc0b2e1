//! Plays a game of the engine against itself and prints the PVs it found for each turn:
//!
//!     goren-embed [GAME [NODES]]        such as pente 20000

use std::env;
use std::error::Error;

use goren_core::opening::{self, Action, GameState};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Move, Score, plies_to_end};
use goren_engine::{
    AnyPosition, Engine, Findings, TableHandle, Report, Request, RootPosition, WeightSet, new_position,
};

/// Plies after which the program stops.
const MAX_PLIES: usize = 400;
/// Number of PVs printed of a position.
const LINES: usize = 2;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "freestyle".to_owned());
    let nodes = words.next().map_or(Ok(5_000), |word| word.parse())?;

    let contest = Contest::new(Variant::from_name(&name)?).opened(OpeningId::Free)?;
    let mut game = GameState::new(contest);
    let mut position = new_position(&contest, &WeightSet::default());
    let mut engine = Engine::with_hash(TableHandle::up_to(16 << 20));
    while game.result().is_none() && game.actions().len() < MAX_PLIES {
        let cells = turn(&game, &mut *position, &mut engine, nodes)?;
        let action = Action::stones(&cells);
        let ply = opening::write(&game, &action);
        game.apply(&action)?;
        println!("{:>3}. {ply}", game.actions().len());
    }
    match game.result().map(|result| (&result.colors[..], result.reason.name())) {
        Some(([winner], reason)) => println!("{winner:?} wins: {reason}"),
        Some((_, reason)) => println!("a draw: {reason}"),
        None => println!("not over after {MAX_PLIES} plies"),
    }
    Ok(())
}

/// Searches the stones of a turn one after the other and prints the PVs of the first search.
fn turn(
    game: &GameState,
    position: &mut dyn AnyPosition,
    engine: &mut Engine,
    nodes: u64,
) -> Result<Vec<Cell>, Box<dyn Error>> {
    let due = game.stones_due();
    let mut cells: Vec<Cell> = Vec::new();
    while cells.len() < due {
        position.set(&RootPosition::of(game, &cells, game.to_move(), due - cells.len()));
        let mut findings = Findings::default();
        let request = Request { multi_pv: LINES, ..Request::nodes(nodes) };
        let answer = engine.go(position, &request, &mut |report| {
            if let Report::Pv(info) = report {
                findings.note(info);
            }
        })?;
        findings.settle(&answer);
        if cells.is_empty() {
            for line in &findings.lines {
                let pv: Vec<String> = line.pv.iter().map(|&m| label(game, m)).collect();
                println!("     {} depth {}: {}", points(line.score), line.depth, pv.join(" "));
            }
        }
        if !answer.best.is_some() {
            return Err("the engine has no move in a game that is not over".into());
        }
        cells.push(answer.best.cell());
    }
    Ok(cells)
}

fn label(game: &GameState, m: Move) -> String {
    m.cell().label(game.contest().height)
}

/// Formats a score: points, or the plies to a win (`+M5`) or to a loss (`-M4`).
fn points(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{plies}"),
        None => format!("{score:+}"),
    }
}
