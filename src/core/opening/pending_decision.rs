//! The pending decision: what the seat to act has to decide.

use super::figures::Figures;
use super::seat::Seat;
use crate::types::Color;

/// The region that an opening restricts stones to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Zone {
    /// Anywhere.
    Anywhere,
    /// At most this many steps from the centre.
    Within(usize),
    /// More than this many steps from the centre.
    Beyond(usize),
    /// The second stone of one of these figures.
    Second(Figures),
    /// The third stone of one of these figures, after the second.
    Third(Figures),
}

/// A choice of stones to go on with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Stones of these colours, each within the zone, and a number within the bounds if there
    /// are any.
    Stones {
        /// Their colours, in the order of placement.
        colors: Vec<Color>,
        /// Where they may be placed.
        zone: Zone,
        /// Smallest and largest number to declare.
        declare: Option<(usize, usize)>,
    },
    /// The first three stones of a renju opening at once, and a number within
    /// the bounds if there are any.
    Figure {
        /// The allowed openings.
        figures: Figures,
        /// Smallest and largest number to declare.
        declare: Option<(usize, usize)>,
    },
    /// Several fifths, no two of them the same by symmetry.
    Offer {
        /// Number of fifths.
        count: usize,
    },
    /// One of the fifths on offer, and the sixth stone.
    Choose,
}

impl Choice {
    /// The colours of its stones, in the order of placement; fifths on offer are Black's.
    pub fn colors(&self) -> Vec<Color> {
        match self {
            Choice::Stones { colors, .. } => colors.clone(),
            Choice::Figure { .. } => vec![Color::Black, Color::White, Color::Black],
            Choice::Offer { count } => vec![Color::Black; *count],
            Choice::Choose => vec![Color::Black, Color::White],
        }
    }

    /// Smallest and largest number to declare, if one is due.
    pub fn declares(&self) -> Option<(usize, usize)> {
        match self {
            Choice::Stones { declare, .. } | Choice::Figure { declare, .. } => *declare,
            Choice::Offer { .. } | Choice::Choose => None,
        }
    }
}

/// The decision that a seat has to make now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingDecision {
    /// The seat to act.
    pub seat: Seat,
    /// The colour whose stone or answer is due.
    pub color: Color,
    /// Whether the seat may swap.
    pub swap: bool,
    /// Whether the seat may pass.
    pub pass: bool,
    /// What the seat may place.
    pub choices: Vec<Choice>,
}
