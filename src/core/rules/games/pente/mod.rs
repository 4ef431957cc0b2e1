//! Pente: five in a row or captures; Keryo, Poof and Boat, and variants with renju's
//! restrictions.

mod bench;
mod options;
mod referee;
#[cfg(test)]
mod tests;

use crate::rules::game::GameRules;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::opening_id::UNKNOWN_OPENING;
use crate::rules::referee::Referee;
use crate::rules::referee::grid::Grid;
use crate::rules::sheet::{Alias, BalancedOpenings, GameOption, GameSheet, USUAL_WAIT};
use crate::rules::verdict::Fouls;
use crate::types::Color;
use bench::BENCH;
use referee::PenteReferee;

pub use options::{Overlines, Pente, Restrictions};

const SHEET: GameSheet = GameSheet {
    name: "pente",
    text: "Five or more in a row, or ten captured stones; two enemy stones between one's own are \
           captured",
    rules: &[
        "Black and White place a stone in turn, on any empty point. Black begins.",
        "Five or more in a row, a column or a diagonal win.",
        "A stone that shuts in exactly two enemy stones, with one of its own colour at the other \
         end, captures the two: they are taken off the board, and their points are empty again. \
         One stone may capture in several directions. Moving between two enemy stones is safe.",
        "Whoever has captured ten stones wins, if the other has captured fewer.",
    ],
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
        GameOption {
            name: "self-capture-forbidden",
            alias: "no-self-capture",
            text: "a stone must not make a pair between two enemy stones (with keryo: or a three)",
        },
        GameOption {
            name: "overline-ignored",
            alias: "exact-five",
            text: "six or more in a row are worth nothing",
        },
        GameOption {
            name: "overline-forbidden",
            alias: "no-overline",
            text: "six or more in a row must not be made",
        },
        GameOption {
            name: "overline-forbidden-black",
            alias: "no-overline-black",
            text: "Black must not make six or more in a row",
        },
        GameOption {
            name: "double-three",
            alias: "three-three",
            text: "Black loses by a double three",
        },
        GameOption {
            name: "renju",
            alias: "renju-restrictions",
            text: "Black loses by a double three, a double four or six, as in renju",
        },
    ],
    sizes: &[(19, 19), (15, 15)],
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap, Swap2, Swap5],
    passes: false,
    plies_before_passes: USUAL_WAIT,
    aliases: &[
        Alias::plain(&["pente"]),
        Alias::with(&["keryo", "keryopente"], &["keryo"]),
        Alias::with(&["poof", "poofpente"], &["poof"]),
        Alias::with(&["boat", "boatpente"], &["boat"]),
        Alias::with(&["opente"], &["keryo", "poof", "boat"]),
        Alias {
            size: Some((15, 15)),
            ..Alias::with(&["ninukirenju", "ninuki"], &["overline-ignored", "double-three"])
        },
        Alias::with(&["renjupente"], &["renju"]),
        // Openings of pente.org.
        Alias::plain(&["gpente", "dpente"]).hinted(UNKNOWN_OPENING),
        Alias::with(&["dkpente", "dkeryopente"], &["keryo"]).hinted(UNKNOWN_OPENING),
    ],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[
        BalancedOpenings::swap_2(19, include_str!("balanced-19.txt")),
        BalancedOpenings::swap_2(15, include_str!("balanced-15.txt")),
    ],
};

impl Pente {
    fn with_overlines(self, overlines: Overlines) -> Option<Pente> {
        let free = self.overlines == Overlines::Win || self.overlines == overlines;
        free.then_some(Pente { overlines, ..self })
    }

    fn with_restrictions(self, restrictions: Restrictions) -> Option<Pente> {
        let free = self.restrictions == Restrictions::None || self.restrictions == restrictions;
        free.then_some(Pente { restrictions, ..self })
    }

    /// Whether the options can be combined. Those about overlines and double threes are
    /// described together with the usual captures, with or without threes; no rule says how
    /// they combine with poofs, with overtime or with each other, except in Ninuki-Renju.
    fn is_described(self) -> bool {
        let judges_rows = self.overlines != Overlines::Win;
        let restricts = self.restrictions != Restrictions::None;
        let ninuki =
            self.overlines == Overlines::Ignored && self.restrictions == Restrictions::DoubleThree;
        !(self.poof && self.safe)
            && !((judges_rows || restricts) && (self.poof || self.boat || self.safe))
            && !(restricts && self.keryo)
            && (!(judges_rows && restricts) || ninuki)
    }
}

impl GameRules for Pente {
    const PLAIN: &'static [Pente] = &[Pente::NO_OPTIONS];

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn with(self, option: &str) -> Option<Pente> {
        let next = match option {
            "keryo" => Pente { keryo: true, ..self },
            "poof" => Pente { poof: true, ..self },
            "boat" => Pente { boat: true, ..self },
            "self-capture-forbidden" => Pente { safe: true, ..self },
            "overline-ignored" => self.with_overlines(Overlines::Ignored)?,
            "overline-forbidden" => self.with_overlines(Overlines::Forbidden)?,
            "overline-forbidden-black" => self.with_overlines(Overlines::ForbiddenToBlack)?,
            "double-three" => self.with_restrictions(Restrictions::DoubleThree)?,
            "renju" => self.with_restrictions(Restrictions::Renju)?,
            _ => return None,
        };
        next.is_described().then_some(next)
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(PenteReferee::new(self, Grid::new(width, height)))
    }

    fn fouls(self, color: Color) -> Fouls {
        Pente::fouls(self, color)
    }

    fn takes_stones(self) -> bool {
        true
    }
}
