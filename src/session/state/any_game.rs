//! A game in progress, of whatever rules.

use super::family_game::FamilyGame;
use goren_core::types::{Cell, Color, Stone};
use goren_engine::Game;

/// A game in progress.
pub enum AnyGame {
    /// Five in a row, in the words of the Gomocup protocol.
    Five(Box<dyn Game>),
    /// One named by `INFO variant`.
    Family(Box<FamilyGame>),
}

impl AnyGame {
    /// Columns and rows of the board.
    pub fn size(&self) -> (usize, usize) {
        match self {
            AnyGame::Five(game) => (game.setup().width, game.setup().height),
            AnyGame::Family(family_game) => family_game.size(),
        }
    }

    /// Stones placed so far, and the area of the board.
    pub fn measures(&self) -> (usize, usize) {
        match self {
            AnyGame::Five(game) => game.measures(),
            AnyGame::Family(family_game) => family_game.measures(),
        }
    }

    /// Whether anything has been played.
    pub fn is_begun(&self) -> bool {
        match self {
            AnyGame::Five(game) => !game.stones().is_empty(),
            AnyGame::Family(family_game) => !family_game.game_state.actions().is_empty(),
        }
    }

    /// The points forbidden to Black, if it is to move.
    pub fn forbidden(&mut self) -> Vec<Cell> {
        match self {
            AnyGame::Five(game) if game.to_move() == Color::Black => game.forbidden(),
            AnyGame::Five(_) => Vec::new(),
            AnyGame::Family(family_game) => family_game.forbidden(),
        }
    }
}

/// The stones of Black and White; `None` if there are others.
pub fn colored(game: &dyn Game) -> Option<Vec<(Cell, Color)>> {
    let colored = |(cell, stone)| match stone {
        Stone::Of(color) => Some((cell, color)),
        Stone::Wall => None,
    };
    game.stones().into_iter().map(colored).collect()
}
