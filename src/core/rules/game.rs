//! Interface between the registry and a game: [`GameRules`], implemented by the options of
//! each game in its folder.

use std::fmt;

use super::referee::Referee;
use super::sheet::GameSheet;
use super::verdict::Fouls;
use crate::types::{Color, MIN_SIDE};

/// The boards that a game can be played on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Boards {
    /// The minimum length of a side.
    pub least: usize,
    /// Whether both sides must be equal.
    pub square: bool,
    /// Whether sides must be even.
    pub even: bool,
}

impl Boards {
    /// All boards that the engine supports.
    pub const ANY: Boards = Boards { least: MIN_SIDE, square: false, even: false };
}

/// The lines that win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WinningLines {
    /// Number of stones in the shortest line.
    pub length: usize,
    /// Whether the lines run across the edges of the board.
    pub torus: bool,
}

/// A game with its options. The value says which options are on.
pub trait GameRules: Copy + PartialEq + fmt::Debug + 'static {
    /// Every game of this type without options: one, except for five in a row, where each rule
    /// is a game of its own.
    const PLAIN: &'static [Self];
    /// Number of stones in a turn after the first, which has one.
    const TURN: usize = 1;

    /// The sheet of the game: its data for the rules and the interfaces.
    fn sheet(self) -> &'static GameSheet;

    /// The game with one more option, or unchanged if the option is on; `None` if there is no
    /// such option or another one excludes it.
    fn with(self, _option: &str) -> Option<Self> {
        None
    }

    /// The referee with an empty board.
    fn referee(self, width: usize, height: usize) -> Box<dyn Referee>;

    /// The boards that the game can be played on.
    fn boards(self) -> Boards {
        Boards::ANY
    }

    /// The default board: columns, rows.
    fn usual_board(self) -> (usize, usize) {
        self.sheet().sizes[0]
    }

    /// The winning lines, if stones never move or leave the board; `None` in games with
    /// captures or moving stones, and if a full board can be a win.
    fn lasting_lines(self) -> Option<WinningLines> {
        None
    }

    /// The kinds of foul of a colour.
    fn fouls(self, _color: Color) -> Fouls {
        Fouls::NONE
    }

    /// Whether stones may leave the board.
    fn takes_stones(self) -> bool {
        false
    }

    /// Whether pieces move on when they are placed, so that a column alone can be
    /// a move.
    fn falls(self) -> bool {
        false
    }

    /// Number of rings of points at the edge of the board that do not count in a line.
    fn idle_rings(self) -> usize {
        0
    }
}
