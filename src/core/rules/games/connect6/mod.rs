//! Connect6: six in a row, two stones per turn; on a torus, and with pairs that
//! must or must not share a line.

mod bench;
mod options;
mod referee;

use crate::rules::game::{Boards, GameRules, WinningLines};
use crate::rules::opening_id::OpeningId::{Centre, Free, Swap3rd};
use crate::rules::referee::Referee;
use crate::rules::referee::grid::Grid;
use crate::rules::sheet::{Alias, BalancedOpenings, GameOption, GameSheet, USUAL_WAIT};
use bench::BENCH;
use referee::Connect6Referee;

pub use options::{Connect6, Pairs};

/// The board with joined edges.
const TORUS: (usize, usize) = (15, 15);

const SHEET: GameSheet = GameSheet {
    name: "connect6",
    text: "Six or more in a row; one stone, then two a turn",
    rules: &[
        "Black begins with one stone. Then White and Black place two stones each turn, on any empty \
         points.",
        "Six or more in a row, a column or a diagonal win.",
        "Stones stay where they are. A full board without a six is a draw.",
    ],
    options: &[
        GameOption {
            name: "torus",
            alias: "toroidal-15",
            text: "opposite edges are joined; 15x15 by default",
        },
        GameOption {
            name: "collinear",
            alias: "collinear6",
            text: "the stones of a turn share a line with each other and with the turn before",
        },
        GameOption {
            name: "noncollinear",
            alias: "noncollinear5",
            text: "the stones of a turn share no line; five in a row wins",
        },
    ],
    sizes: &[(19, 19), (15, 15)],
    openings: &[Centre, Free, Swap3rd],
    passes: true,
    plies_before_passes: USUAL_WAIT,
    aliases: &[
        Alias::plain(&["connect6", "connectsix", "c6", "六子棋"]),
        Alias::with(&["collinearconnect6", "connect6collinear", "collinear6"], &["collinear"]),
        Alias::with(
            &["noncollinearconnect5", "noncollinearconnect6", "noncollinear5"],
            &["noncollinear"],
        ),
        Alias::with(&["toroidalconnect6", "connect6toroidal", "connect6torus"], &["torus"]),
    ],
    unknown_openings: &[],
    bench: BENCH,
    balanced: &[BalancedOpenings::of(Swap3rd, 19, include_str!("balanced-swap-3rd.txt"))],
};

impl GameRules for Connect6 {
    const PLAIN: &'static [Connect6] = &[Connect6 { torus: false, pairs: Pairs::Any }];
    const TURN: usize = 2;

    fn sheet(self) -> &'static GameSheet {
        &SHEET
    }

    fn with(self, option: &str) -> Option<Connect6> {
        let pairs = match option {
            "torus" => return Some(Connect6 { torus: true, ..self }),
            "collinear" => Pairs::Collinear,
            "noncollinear" => Pairs::Apart,
            _ => return None,
        };
        let free = self.pairs == Pairs::Any || self.pairs == pairs;
        free.then_some(Connect6 { pairs, ..self })
    }

    fn referee(self, width: usize, height: usize) -> Box<dyn Referee> {
        let grid = if self.torus { Grid::torus(width, height) } else { Grid::new(width, height) };
        Box::new(Connect6Referee::new(self, grid))
    }

    fn boards(self) -> Boards {
        if self.torus {
            // A line must not meet itself.
            Boards { least: self.goal(), square: true, even: false }
        } else {
            Boards::ANY
        }
    }

    fn usual_board(self) -> (usize, usize) {
        if self.torus { TORUS } else { SHEET.sizes[0] }
    }

    fn lasting_lines(self) -> Option<WinningLines> {
        Some(WinningLines { length: self.goal(), torus: self.torus })
    }
}
