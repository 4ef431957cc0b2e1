//! What commands about the database see of the game and the client.

use crate::dialect::axes::Axes;
use crate::state::any_game::AnyGame;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Stone};
use goren_engine::Game;

/// What commands about the database see.
pub struct Context<'a> {
    /// The order of coordinates.
    pub axes: Axes,
    /// Whether the client shows a window while a file is read or written.
    /// Yixin-Board 2.1 does not, and takes those lines for cells, which ends it.
    pub shows_progress: bool,
    /// The variant and board that lists are about.
    pub setup: Option<Setup>,
    /// Whether the position that the client sent last was rejected.
    pub refused: bool,
    game: Option<&'a dyn Game>,
}

impl<'a> Context<'a> {
    /// Of the game at hand. While that is with the search thread, lists are about
    /// the board that the `search` is of.
    pub fn of(settings: &Settings, at_hand: &'a GameAtHand, search: Option<Setup>) -> Context<'a> {
        let setup = match &at_hand.game {
            Some(AnyGame::Five(game)) => {
                let variant = settings.variant().ok();
                variant.map(|variant| Setup { rule: variant.rule, ..game.setup() })
            }
            Some(AnyGame::Family(_)) => None,
            None => search,
        };
        Context {
            axes: settings.axes(),
            shows_progress: !settings.is_first_yixin_board(),
            setup,
            refused: at_hand.refused,
            game: at_hand.five(),
        }
    }

    /// The moves of the game, if its stones came by turns.
    pub fn moves(&self) -> Vec<Option<Cell>> {
        let stones = self.game.map_or(Vec::new(), |game| game.stones());
        let mut turns = stones.iter().zip(Color::ALL.into_iter().cycle());
        if turns.all(|((_, stone), color)| *stone == Stone::Of(color)) {
            stones.iter().map(|(cell, _)| Some(*cell)).collect()
        } else {
            Vec::new()
        }
    }
}
