//! Pente: five in a row or captures; Keryo, Poof and Boat.

mod bench;
mod options;
mod referee;

use crate::rules::game::GameRules;
use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::opening_id::UNKNOWN_OPENING;
use crate::rules::referee::Referee;
use crate::rules::referee::grid::Grid;
use crate::rules::sheet::{Alias, GameOption, GameSheet};
use bench::BENCH;
use referee::PenteReferee;

pub use options::Pente;

const SHEET: GameSheet = GameSheet {
    name: "pente",
    text: "Five or more in a row, or ten captured stones; two enemy stones between one's own are \
           captured",
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
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap, Swap2, Swap5],
    passes: false,
    aliases: &[
        Alias::plain(&["pente"]),
        Alias::with(&["keryo", "keryopente"], &["keryo"]),
        Alias::with(&["poof", "poofpente"], &["poof"]),
        Alias::with(&["boat", "boatpente"], &["boat"]),
        Alias::with(&["opente"], &["keryo", "poof", "boat"]),
        // pente.org's ways to open it.
        Alias::plain(&["gpente", "dpente"]).hinted(UNKNOWN_OPENING),
        Alias::with(&["dkpente", "dkeryopente"], &["keryo"]).hinted(UNKNOWN_OPENING),
    ],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[],
};

impl GameRules for Pente {
    const PLAIN: &'static [Pente] = &[Pente { keryo: false, poof: false, boat: false }];

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn with(self, option: &str) -> Option<Pente> {
        match option {
            "keryo" => Some(Pente { keryo: true, ..self }),
            "poof" => Some(Pente { poof: true, ..self }),
            "boat" => Some(Pente { boat: true, ..self }),
            _ => None,
        }
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(PenteReferee::new(self, Grid::new(width, height)))
    }

    fn takes_stones(self) -> bool {
        true
    }
}
