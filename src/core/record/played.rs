//! Games that were played here, move by move.

use super::import::{ImportedEvent, ImportedGame, MoveStats};
use crate::rules::{Outcome, Setup, Variant};
use crate::types::{Cell, Color};

/// A game that was played, or as much of it as was.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The variant and the board.
    pub setup: Setup,
    /// Names of Black and White.
    pub players: [String; 2],
    /// Stones set before the players took over, Black's first.
    pub opening: Vec<Cell>,
    /// What was played then, in turn.
    pub moves: Vec<PlayedMove>,
    /// The result; `None` if the game was broken off.
    pub result: Option<Outcome>,
    /// Why it ended: `five`, `foul`, `full board`, `overtime`, `crash`, ...
    pub reason: String,
}

/// A move of a [`GameRecord`].
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// Where.
    pub cell: Cell,
    /// Milliseconds it took.
    pub ms: u64,
    /// How the mover evaluated the position, as its engine wrote it
    /// (`35`, `+M13`); empty if nothing is known.
    pub eval: String,
    /// Depth it reported, 0 if unknown.
    pub depth: u32,
    /// Nodes it reported, 0 if unknown.
    pub nodes: u64,
}

impl GameRecord {
    /// The game as files of other programs tell it.
    pub fn imported(&self) -> ImportedGame {
        let Setup { rule, width, height } = self.setup;
        let color = |i: usize| Some(Color::ALL[i % 2]);
        let stone = |(i, cell)| ImportedEvent::Stone(cell, color(i));
        let stats = |played: &PlayedMove| {
            let PlayedMove { ms, depth, nodes, .. } = *played;
            MoveStats { ms, eval: played.eval.clone(), depth, nodes }
        };
        let mut move_stats = vec![MoveStats::default(); self.opening.len()];
        move_stats.extend(self.moves.iter().map(stats));
        while move_stats.last().is_some_and(|last| *last == MoveStats::default()) {
            move_stats.pop();
        }
        ImportedGame {
            variant: Some(Variant::Five(rule)),
            size: Some((width, height)),
            players: self.players.clone(),
            events: self.stones().enumerate().map(stone).collect(),
            move_stats,
            prelude: self.opening.len(),
            result: self.result,
            reason: self.reason.clone(),
            ..ImportedGame::default()
        }
    }

    /// All stones in the order they were placed, Black's first.
    pub fn stones(&self) -> impl Iterator<Item = Cell> {
        self.opening.iter().copied().chain(self.moves.iter().map(|played| played.cell))
    }
}
