//! A game with its board and opening, as agreed before the first stone.

use super::bad_game::BadGame;
use super::game::Boards;
use super::opening_id::OpeningId;
use super::setup::Setup;
use super::variant::Variant;
use crate::types::{MAX_SIDE, MIN_SIDE};

/// Number of points of the smallest board for openings in which fifths are offered. Four stones
/// may have two axes of symmetry: on smaller boards fewer than the twelve fifths of Yamaguchi may
/// be distinct.
const ROOM_FOR_FIFTHS: usize = 49;

/// A game as agreed before the first stone.
///
/// In serde formats it has its fields by name. Deserialising fails if the game does not have
/// the board or the opening.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked"))]
pub struct Contest {
    /// The game and its options.
    pub variant: Variant,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The opening.
    pub opening: OpeningId,
    /// Whether the first side to pass wins a game that would be drawn.
    pub tie_break: bool,
    /// Whether only one of several mirrored or rotated renju openings is allowed.
    pub strict: bool,
}

impl Contest {
    /// A game on its usual board with its usual opening.
    pub fn new(variant: Variant) -> Contest {
        let (width, height) = variant.usual_board();
        let opening = variant.sheet().openings[0];
        Contest { variant, width, height, opening, tie_break: false, strict: false }
    }

    /// Five in a row with a free opening, as the Gomocup protocol plays it.
    pub fn five(setup: Setup) -> Contest {
        let Setup { rule, width, height } = setup;
        let opening = OpeningId::Free;
        Contest { width, height, opening, ..Contest::new(Variant::Five(rule)) }
    }

    /// The rule and the board, if it is a game of five in a row.
    pub fn setup(&self) -> Option<Setup> {
        let &Contest { variant, width, height, .. } = self;
        match variant {
            Variant::Five(rule) => Some(Setup { rule, width, height }),
            _ => None,
        }
    }

    /// The contest on another board.
    ///
    /// # Errors
    /// A side is outside [`MIN_SIDE`]..=[`MAX_SIDE`], or the game or its opening does not
    /// allow this board.
    pub fn on(self, width: usize, height: usize) -> Result<Contest, BadGame> {
        let game = self.variant;
        let Boards { least, square, even } = game.boards();
        let sides = least..=MAX_SIDE;
        let fits = sides.contains(&width) && sides.contains(&height);
        if fits && (width == height || !square) && (!even || width.is_multiple_of(2)) {
            return Contest { width, height, ..self }.with_room();
        }
        let even = if even { ", even" } else { "" };
        let both = if square { ", both alike" } else { "" };
        let boards = format!("sides are {least} to {MAX_SIDE}{even}{both}");
        Err(BadGame::Size { game, width, height, boards })
    }

    /// Returns the contest if the board has room for the third stone of its opening, and for as
    /// many fifths as may be declared, no two of them equivalent by a symmetry of the stones.
    fn with_room(self) -> Result<Contest, BadGame> {
        let least = match self.opening {
            OpeningId::Pro => 6,
            OpeningId::LongPro => 8,
            _ => MIN_SIDE,
        };
        let Contest { width, height, opening, .. } = self;
        let offers_fifths = matches!(
            opening.plain(),
            OpeningId::Rif | OpeningId::Yamaguchi | OpeningId::Soosorv8 | OpeningId::Taraguchi10
        );
        let fits_fifths = !offers_fifths || width * height >= ROOM_FOR_FIFTHS;
        if width.max(height) >= least && fits_fifths {
            Ok(self)
        } else {
            Err(BadGame::Room { opening, width, height })
        }
    }

    /// The contest with another opening.
    ///
    /// # Errors
    /// The game does not have this opening, or the board is too small for it.
    pub fn opened(self, opening: OpeningId) -> Result<Contest, BadGame> {
        let sheet = self.variant.sheet();
        if sheet.openings.contains(&opening) || opening == OpeningId::Free {
            Contest { opening, ..self }.with_room()
        } else {
            Err(BadGame::Opening { game: sheet.name, opening })
        }
    }
}

/// A [`Contest`] as it is deserialised, before board and opening are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Contest", deny_unknown_fields)]
struct Unchecked {
    variant: Variant,
    width: usize,
    height: usize,
    opening: OpeningId,
    tie_break: bool,
    strict: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Contest {
    type Error = BadGame;

    fn try_from(read: Unchecked) -> Result<Contest, BadGame> {
        let Unchecked { variant, width, height, opening, tie_break, strict } = read;
        let contest = Contest::new(variant).opened(OpeningId::Free)?;
        let contest = contest.on(width, height)?.opened(opening)?;
        Ok(Contest { tie_break, strict, ..contest })
    }
}
