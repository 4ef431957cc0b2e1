//! Four In A Row: pieces that fall, from one side or from four, and lines
//! that are cleared.

mod bench;
mod options;
mod referee;

use crate::rules::game::{Boards, GameRules};
use crate::rules::opening_id::OpeningId::{Free, Swap, Swap2, Swap5};
use crate::rules::referee::Referee;
use crate::rules::referee::grid::Grid;
use crate::rules::sheet::{Alias, GameOption, GameSheet, USUAL_WAIT};
use crate::types::MIN_SIDE;
use bench::BENCH;
use referee::FourInARowReferee;

pub use options::{FourInARow, Placement};

const SHEET: GameSheet = GameSheet {
    name: "four-in-a-row",
    text: "Four or more in a row; pieces fall to the bottom",
    rules: &[
        "Black and White drop a piece in turn into a column: it falls to the lowest empty point. \
         Black begins.",
        "Four or more in a row, a column or a diagonal win.",
        "A full board without a four is a draw.",
    ],
    options: &[
        GameOption {
            name: "edge-grow",
            alias: "edge-grow-4",
            text: "pieces rest on the first empty point from any of the four edges",
        },
        GameOption {
            name: "edge-drop",
            alias: "edge-drop-4",
            text: "pieces fall from any of the four edges, as far as the way is free",
        },
        GameOption {
            name: "interior-gravity",
            alias: "interior-gravity-4",
            text: "pieces slide from any empty point to the nearest edge",
        },
        GameOption {
            name: "clear",
            alias: "clear",
            text: "a full line at an edge is taken off, and the board moves there",
        },
    ],
    sizes: &[(8, 8), (10, 10), (7, 6)],
    openings: &[Free, Swap, Swap2, Swap5],
    passes: false,
    plies_before_passes: USUAL_WAIT,
    aliases: &[
        Alias::plain(&["fourinarow", "4inarow"]),
        Alias {
            size: Some((7, 6)),
            ..Alias::plain(&["connect4", "connectfour", "四子棋", "viergewinnt", "puissance4"])
        },
    ],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[],
};

impl GameRules for FourInARow {
    const PLAIN: &'static [FourInARow] =
        &[FourInARow { placement: Placement::Gravity, clear: false }];

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn with(self, option: &str) -> Option<FourInARow> {
        let placement = match option {
            "clear" => return Some(FourInARow { clear: true, ..self }),
            "edge-grow" => Placement::Edges,
            "edge-drop" => Placement::Drop,
            "interior-gravity" => Placement::Inward,
            _ => return None,
        };
        let free = self.placement == Placement::Gravity || self.placement == placement;
        free.then_some(FourInARow { placement, ..self })
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        Box::new(FourInARowReferee::new(self, Grid::new(width, height)))
    }

    fn boards(self) -> Boards {
        let inward = self.placement == Placement::Inward;
        Boards { least: MIN_SIDE, square: inward, even: inward }
    }

    fn takes_stones(self) -> bool {
        self.clear
    }

    fn falls(self) -> bool {
        true
    }
}
