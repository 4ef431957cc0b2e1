//! Interface between the registry and a game: [`GameRules`], implemented by the options of
//! each game in its folder.

use std::fmt;

use super::referee::Referee;
use super::sheet::GameSheet;
use super::verdict::Fouls;
use crate::types::{Color, MIN_SIDE};

/// Which boards a game can be played on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Boards {
    /// The shortest side.
    pub least: usize,
    /// Whether both sides must be alike.
    pub square: bool,
    /// Whether sides must be even.
    pub even: bool,
}

impl Boards {
    /// All boards that the engine has room for.
    pub const ANY: Boards = Boards { least: MIN_SIDE, square: false, even: false };
}

/// The lines that win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WinningLines {
    /// Stones of the shortest.
    pub length: usize,
    /// Whether they run across the edges of the board.
    pub torus: bool,
}

/// A game with its options. The value says which options are on.
pub trait GameRules: Copy + PartialEq + fmt::Debug + 'static {
    /// Every game of this kind without options: one but for five in a row, whose
    /// rules are games of their own.
    const PLAIN: &'static [Self];
    /// Stones of a turn after the first, which has one.
    const TURN: usize = 1;

    /// Its sheet: what the rules and the interfaces need to know of it.
    fn sheet(self) -> &'static GameSheet;

    /// The game with one more option, or itself where it is on; `None` if there is
    /// no such option or another one excludes it.
    fn with(self, _option: &str) -> Option<Self> {
        None
    }

    /// The empty board of the referee.
    fn referee(self, width: usize, height: usize) -> Box<dyn Referee>;

    /// The boards it can be played on.
    fn boards(self) -> Boards {
        Boards::ANY
    }

    /// The board it is played on unless another is asked for: columns, rows.
    fn usual_board(self) -> (usize, usize) {
        self.sheet().sizes[0]
    }

    /// The winning lines, if stones never move or leave the board; `None` in games with
    /// captures or moving stones, and where a full board can be a win.
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

    /// Rings of points at the edge of the board that count for nothing in a line.
    fn idle_rings(self) -> usize {
        0
    }
}
