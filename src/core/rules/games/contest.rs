//! A game on its board with its opening, as it is agreed on.

use super::connect6::TORUS;
use super::irensei::LEAST_SIDE;
use super::opening_id::OpeningId;
use super::options::{Connect6, FourInARow, Placement};
use super::registry::BadGame;
use super::variant::Variant;
use crate::types::{MAX_SIDE, MIN_SIDE};

/// A game as it is agreed on before the first stone.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Contest {
    /// The game and its options.
    pub variant: Variant,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// How it is opened.
    pub opening: OpeningId,
    /// Whether the first to pass wins what would be a draw.
    pub tie_break: bool,
    /// Whether of mirrored and turned renju openings only one is allowed.
    pub strict: bool,
}

impl Contest {
    /// A game on its usual board with its usual opening.
    pub fn new(variant: Variant) -> Contest {
        let sheet = variant.sheet();
        let (width, height) = match variant {
            Variant::Connect6(Connect6 { torus: true, .. }) => TORUS,
            _ => sheet.sizes[0],
        };
        let opening = sheet.openings[0];
        Contest { variant, width, height, opening, tie_break: false, strict: false }
    }

    /// The same on another board.
    ///
    /// # Errors
    /// The engine has no room for it, or the game needs another.
    pub fn on(self, width: usize, height: usize) -> Result<Contest, BadGame> {
        let game = self.variant;
        let inward =
            matches!(game, Variant::FourInARow(FourInARow { placement: Placement::Inward, .. }));
        let (least, square) = match game {
            Variant::Irensei => (LEAST_SIDE, false),
            // A line must not meet itself.
            Variant::Connect6(game) if game.torus => (game.goal(), true),
            _ => (MIN_SIDE, inward),
        };
        let sides = least..=MAX_SIDE;
        let fits = sides.contains(&width) && sides.contains(&height);
        if fits && (width == height || !square) && (!inward || width.is_multiple_of(2)) {
            return Contest { width, height, ..self }.with_room();
        }
        let even = if inward { ", even" } else { "" };
        let both = if square { ", both alike" } else { "" };
        let boards = format!("sides are {least} to {MAX_SIDE}{even}{both}");
        Err(BadGame::Size { game, width, height, boards })
    }

    /// Itself, if its opening leaves room for the third stone.
    fn with_room(self) -> Result<Contest, BadGame> {
        let least = match self.opening {
            OpeningId::Pro => 6,
            OpeningId::LongPro => 8,
            _ => MIN_SIDE,
        };
        let Contest { width, height, opening, .. } = self;
        if width.max(height) >= least {
            Ok(self)
        } else {
            Err(BadGame::Room { opening, width, height })
        }
    }

    /// The same with another opening.
    ///
    /// # Errors
    /// The game does not know it.
    pub fn opened(self, opening: OpeningId) -> Result<Contest, BadGame> {
        let sheet = self.variant.sheet();
        if sheet.openings.contains(&opening) || opening == OpeningId::Free {
            Contest { opening, ..self }.with_room()
        } else {
            Err(BadGame::Opening { game: sheet.name, opening })
        }
    }
}
