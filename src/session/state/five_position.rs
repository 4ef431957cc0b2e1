//! A position of five in a row, for databases, winning trees and exclusions.

use goren_core::rules::Setup;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, Stone};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FivePosition {
    /// The rule and the board.
    pub setup: Setup,
    /// Stones and walls, in the order they were placed if that is known.
    pub stones: Vec<(Cell, Stone)>,
    /// The side to move.
    pub to_move: Color,
}

impl FivePosition {
    /// The stones of Black and White; `None` if there are walls.
    pub fn colored(&self) -> Option<Vec<(Cell, Color)>> {
        let colored = |&(cell, stone): &(Cell, Stone)| match stone {
            Stone::Of(color) => Some((cell, color)),
            Stone::Wall => None,
        };
        self.stones.iter().map(colored).collect()
    }

    /// Removes the cells where the side to move would commit a foul.
    pub fn retain_legal<T>(&self, list: &mut Vec<(Cell, T)>) {
        if !self.setup.rule.card().fouls[self.to_move.index()].any() {
            return;
        }
        let mut referee = FiveReferee::new(self.setup);
        for &(cell, stone) in &self.stones {
            // An error means that the game is over; then fouls do not matter.
            let _ = referee.set_up(cell, stone);
        }
        list.retain(|(cell, _)| !referee.fouls(self.to_move, *cell).any());
    }
}
