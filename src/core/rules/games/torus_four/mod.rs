//! Four on a torus: four in a row on a board whose opposite edges are joined, one
//! stone per turn.

mod bench;
mod options;
mod referee;

use crate::rules::game::{Boards, GameRules, WinningLines};
use crate::rules::opening_id::OpeningId::{Free, Swap, Swap2, Swap5};
use crate::rules::referee::Referee;
use crate::rules::sheet::{Alias, GameSheet, USUAL_WAIT};
use crate::types::MIN_SIDE;
use bench::BENCH;
use referee::TorusFourReferee;

pub use options::TorusFour;

const SHEET: GameSheet = GameSheet {
    name: "torus-four",
    text: "Four or more in a row; opposite edges are joined",
    rules: &[
        "Black and White place a stone in turn, on any empty point. Black begins.",
        "Four or more in a row, a column or a diagonal win. The board has no edge: the last column \
         is left of the first, the last row is below the first, and lines run on there.",
        "Stones stay where they are. A full board without a four is a draw.",
    ],
    options: &[],
    sizes: &[(8, 8), (6, 6)],
    // The first stone is a large advantage, so the other side chooses its colour.
    openings: &[Swap2, Swap5, Swap, Free],
    passes: false,
    plies_before_passes: USUAL_WAIT,
    aliases: &[Alias::plain(&["torusfour", "fouronatorus", "toroidalfour"])],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[],
};

impl GameRules for TorusFour {
    const PLAIN: &'static [TorusFour] = &[TorusFour];

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(TorusFourReferee::new(width, height))
    }

    fn boards(self) -> Boards {
        // Diagonals of a square return to their start.
        Boards { least: MIN_SIDE, square: true, even: false }
    }

    fn lasting_lines(self) -> Option<WinningLines> {
        Some(WinningLines { length: TorusFour::GOAL, torus: true })
    }
}
