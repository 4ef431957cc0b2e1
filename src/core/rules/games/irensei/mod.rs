//! Irensei: seven in a row on a Go board, with Go's captures.

mod bench;
mod referee;

use crate::rules::game::{Boards, GameRules};
use crate::rules::opening_id::OpeningId::{Free, Swap, Swap2, Swap5};
use crate::rules::referee::Referee;
use crate::rules::referee::grid::Grid;
use crate::rules::sheet::{Alias, GameSheet, USUAL_WAIT};
use bench::BENCH;
use referee::{IrenseiReferee, RINGS};

/// Smallest side: seven points between two rings on each side that do not count.
const LEAST_SIDE: usize = 11;

const SHEET: GameSheet = GameSheet {
    name: "irensei",
    text: "Seven in a row inside the two outer rings of a Go board, with Go's captures; eight \
           loses for Black",
    rules: &[
        "Black and White place a stone in turn, on any empty point. Black begins.",
        "As in Go, stones of a colour that are joined by lines are a group, and enemy groups \
         without an empty point beside them are captured: they are taken off the board. Nobody may \
         take the last such point from their own group, unless that captures or makes a winning \
         seven.",
        "A single stone that was just captured may not be recaptured at once where that would \
         repeat the position (ko). Whoever repeats an earlier position later on loses.",
        "Seven in a row, a column or a diagonal win: exactly seven for Black, seven or more for \
         White. The two outer rings of the board do not count.",
        "Black loses by eight or more in a row, wherever they are on the board.",
    ],
    options: &[],
    sizes: &[(19, 19)],
    openings: &[Free, Swap, Swap2, Swap5],
    passes: true,
    plies_before_passes: USUAL_WAIT,
    aliases: &[Alias::plain(&["irensei"])],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[],
};

/// Irensei, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Irensei;

impl GameRules for Irensei {
    const PLAIN: &'static [Irensei] = &[Irensei];

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(IrenseiReferee::new(Grid::new(width, height)))
    }

    fn boards(self) -> Boards {
        Boards { least: LEAST_SIDE, ..Boards::ANY }
    }

    fn takes_stones(self) -> bool {
        true
    }

    fn idle_rings(self) -> usize {
        RINGS as usize
    }
}
