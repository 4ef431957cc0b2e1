//! Context of database commands: game and client.

use crate::state::five_position::FivePosition;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
use crate::wire::Axes;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Stone};

/// Context of database commands: what they need to know about game and client.
pub struct Context {
    /// The order of coordinates.
    pub axes: Axes,
    /// Whether the client understands progress lines while a file is read or written.
    /// Yixin-Board 2.1 does not: it parses these lines as cells and crashes.
    pub shows_progress: bool,
    /// Rule and board of the positions in lists; `None` if the database does not apply.
    pub setup: Option<Setup>,
    /// Whether the last position that the client sent was refused.
    pub refused: bool,
    /// Number of games begun.
    pub games: u64,
    game: Option<FivePosition>,
}

impl Context {
    /// The context of the game at hand. While the game is lent to the search thread, lists
    /// refer to the rule and board of the search.
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
            games: at_hand.games,
            game,
        }
    }

    /// The moves of the game; empty unless its stones alternate, Black first.
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
