//! Pente: five in a row or captures; Keryo, Poof and Boat.

use super::OpeningId::{Centre, Free, LongPro, Pro, Swap1st, Swap2, Swap5};
use super::{GameOption, GameSheet, Variant};

/// The options of Pente.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Pente {
    /// Threes are captured as well as pairs; fifteen stones win.
    pub keryo: bool,
    /// A pair moved between enemy stones is captured (Keryo: a three too).
    pub poof: bool,
    /// A five wins only if it still stands after the answer.
    pub boat: bool,
}

impl Pente {
    /// Captured stones that win, if there are more than the enemy's.
    pub const fn goal(self) -> usize {
        if self.keryo { 15 } else { 10 }
    }

    /// Longest run that is captured.
    pub const fn most(self) -> usize {
        if self.keryo { 3 } else { 2 }
    }
}

fn with(variant: Variant, option: &str) -> Option<Variant> {
    let Variant::Pente(mut game) = variant else { return None };
    match option {
        "keryo" => game.keryo = true,
        "poof" => game.poof = true,
        "boat" => game.boat = true,
        _ => return None,
    }
    Some(Variant::Pente(game))
}

/// The sheet.
pub(super) const PENTE: GameSheet = GameSheet {
    name: "pente",
    text: "Five or more in a row, or ten captured stones; two enemy stones between one's own are \
           captured",
    plain: Variant::Pente(Pente { keryo: false, poof: false, boat: false }),
    with,
    options: &[
        GameOption {
            name: "keryo",
            alias: "capture-2-3",
            text: "threes are captured as well, and fifteen stones win",
        },
        GameOption {
            name: "poof",
            alias: "self-capture",
            text: "a pair moved between two enemy stones is captured",
        },
        GameOption {
            name: "boat",
            alias: "overtime-capture",
            text: "a five wins only if it still stands after the answer",
        },
    ],
    sizes: &[(19, 19), (15, 15)],
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap2, Swap5],
    passes: false,
};
