//! Actions, one for each ply, and the reasons why they may be illegal.

use crate::rules::referee::IllegalMove;
use crate::types::Cell;

/// The action of a seat: one ply.
///
/// In serde formats it is its name, and a value where it has one, such as `"swap"` or
/// `{"stones": {"cells": [[x, y]], "count": null}}`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Action {
    /// Exchanges the colours.
    Swap,
    /// Passes.
    Pass,
    /// Places stones, in order, and declares a number if the opening asks for one.
    Stones {
        /// Their cells.
        cells: Vec<Cell>,
        /// The number of fifths to be offered.
        count: Option<usize>,
    },
    /// Offers fifths; none of them is placed.
    Offer(Vec<Cell>),
    /// Chooses a fifth, which is placed for Black, and places the sixth.
    Choose {
        /// One of the offers.
        fifth: Cell,
        /// Any other empty cell.
        sixth: Cell,
    },
}

impl Action {
    /// A single stone.
    pub fn stone(cell: Cell) -> Action {
        Action::stones(&[cell])
    }

    /// The stones that the action places, in order.
    pub fn placed(&self) -> Vec<Cell> {
        match self {
            Action::Stones { cells, .. } => cells.clone(),
            Action::Choose { fifth, sixth } => vec![*fifth, *sixth],
            Action::Swap | Action::Pass | Action::Offer(_) => Vec::new(),
        }
    }

    /// Stones without a number.
    pub fn stones(cells: &[Cell]) -> Action {
        Action::Stones { cells: cells.to_vec(), count: None }
    }
}

/// The reason why an action is illegal.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalAction {
    /// The board or the game does not allow it.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A swap that is not on offer.
    #[error("there is nothing to swap now")]
    NoSwap,
    /// A pass in a game without passes, or before they are allowed.
    #[error("passing is not allowed now")]
    NoPass,
    /// Fewer stones than required.
    #[error("stones are missing")]
    TooFew,
    /// More stones than allowed.
    #[error("too many stones")]
    TooMany,
    /// A point named twice.
    #[error("a point is named twice")]
    Twice,
    /// The opening requires a number with the stones.
    #[error("the opening requires a number after the stones")]
    NoCount,
    /// The opening takes no number now.
    #[error("the opening takes no number now")]
    NeedlessCount,
    /// A number out of bounds.
    #[error("the number must be {least} to {most}")]
    BadCount {
        /// The smallest number allowed.
        least: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// A stone outside its zone.
    #[error("the opening does not allow a stone there")]
    OutsideZone,
    /// Three stones that form none of the openings.
    #[error("the three stones are not one of the openings")]
    NoFigure,
    /// Two fifths that are the same by symmetry.
    #[error("two of the fifths are the same by symmetry")]
    Symmetric,
    /// A fifth that was not on offer.
    #[error("that fifth is not on offer")]
    NotOffered,
}
