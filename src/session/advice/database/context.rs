//! What commands about the database see of the game and the client.

use crate::dialect::axes::Axes;
use crate::state::five_position::FivePosition;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Stone};

/// What commands about the database see.
pub struct Context {
    /// The order of coordinates.
    pub axes: Axes,
    /// Whether the client shows a window while a file is read or written.
    /// Yixin-Board 2.1 does not, and takes those lines for cells, which ends it.
    pub shows_progress: bool,
    /// The variant and board that lists are about.
    pub setup: Option<Setup>,
    /// Whether the position that the client sent last was rejected.
    pub refused: bool,
    game: Option<FivePosition>,
}

impl Context {
    /// Of the game at hand. While that is with the search thread, lists are about
    /// the board that the `search` is of.
    pub fn of(settings: &Settings, at_hand: &GameAtHand, search: Option<Setup>) -> Context {
        let game = at_hand.five();
        let setup = match &game {
            Some(game) => {
                let variant = settings.variant().ok();
                variant.map(|variant| Setup { rule: variant.rule, ..game.setup })
            }
            None if at_hand.is_named() => None,
            None => search,
        };
        Context {
            axes: settings.axes(),
            shows_progress: !settings.is_first_yixin_board(),
            setup,
            refused: at_hand.refused,
            game,
        }
    }

    /// The moves of the game, if its stones came by turns.
    pub fn moves(&self) -> Vec<Option<Cell>> {
        let stones = self.game.as_ref().map_or(&[][..], |game| &game.stones);
        let mut turns = stones.iter().zip(Color::ALL.into_iter().cycle());
        if turns.all(|((_, stone), color)| *stone == Stone::Of(color)) {
            stones.iter().map(|(cell, _)| Some(*cell)).collect()
        } else {
            Vec::new()
        }
    }
}
