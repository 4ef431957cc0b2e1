//! Games that share tuple weights.

use std::fmt;

use goren_core::rules::{Pairs, Pente, Variant};

/// Games that share tuple weights.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TupleFamily {
    /// Pente without threes and without overtime.
    Pente,
    /// Keryo-Pente without overtime.
    Keryo,
    /// Six in a row with any two stones a turn.
    Connect6,
    /// Five in a row with pairs that share no line.
    Apart,
    /// All games of falling pieces.
    FourInARow,
    /// Irensei.
    Irensei,
    /// Pente with overtime, where fives score less.
    Boat,
    /// Keryo-Pente with overtime.
    KeryoBoat,
    /// Six in a row with pairs on one line.
    Collinear,
}

impl TupleFamily {
    /// Every family. New ones are appended: files store the index.
    pub const ALL: [TupleFamily; 9] = [
        TupleFamily::Pente,
        TupleFamily::Keryo,
        TupleFamily::Connect6,
        TupleFamily::Apart,
        TupleFamily::FourInARow,
        TupleFamily::Irensei,
        TupleFamily::Boat,
        TupleFamily::KeryoBoat,
        TupleFamily::Collinear,
    ];

    /// The family of a game; none for those of five in a row, which have
    /// other weights.
    pub fn of(variant: Variant) -> Option<TupleFamily> {
        match variant {
            Variant::Five(_) => None,
            Variant::Pente(Pente { keryo, boat, .. }) => Some(match (keryo, boat) {
                (false, false) => TupleFamily::Pente,
                (true, false) => TupleFamily::Keryo,
                (false, true) => TupleFamily::Boat,
                (true, true) => TupleFamily::KeryoBoat,
            }),
            Variant::Connect6(game) => Some(match game.pairs {
                Pairs::Any => TupleFamily::Connect6,
                Pairs::Apart => TupleFamily::Apart,
                Pairs::Collinear => TupleFamily::Collinear,
            }),
            Variant::FourInARow(_) => Some(TupleFamily::FourInARow),
            Variant::Irensei => Some(TupleFamily::Irensei),
        }
    }

    /// The name of its plainest game.
    pub fn name(self) -> &'static str {
        match self {
            TupleFamily::Pente => "pente",
            TupleFamily::Keryo => "pente+keryo",
            TupleFamily::Connect6 => "connect6",
            TupleFamily::Apart => "connect6+noncollinear",
            TupleFamily::FourInARow => "four-in-a-row",
            TupleFamily::Irensei => "irensei",
            TupleFamily::Boat => "pente+boat",
            TupleFamily::KeryoBoat => "pente+keryo+boat",
            TupleFamily::Collinear => "connect6+collinear",
        }
    }

    /// Cells of a tuple.
    pub const fn span(self) -> usize {
        match self {
            TupleFamily::Pente | TupleFamily::Keryo => 6,
            TupleFamily::Boat | TupleFamily::KeryoBoat => 6,
            TupleFamily::Connect6 | TupleFamily::Collinear | TupleFamily::Irensei => 7,
            TupleFamily::Apart => 6,
            TupleFamily::FourInARow => 5,
        }
    }

    /// Number of states that the evaluation tells apart; 0 for one.
    pub const fn states(self) -> usize {
        match self {
            // Captured stones of both sides, 0 to what wins.
            TupleFamily::Pente | TupleFamily::Boat => 11 * 11,
            TupleFamily::Keryo | TupleFamily::KeryoBoat => 16 * 16,
            // Stones left in the turn.
            TupleFamily::Connect6 | TupleFamily::Apart | TupleFamily::Collinear => 2,
            TupleFamily::FourInARow | TupleFamily::Irensei => 0,
        }
    }
}

impl fmt::Display for TupleFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
