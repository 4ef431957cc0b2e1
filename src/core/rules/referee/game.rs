//! The trait of a game's referee: which stones may be placed, and whether a finished ply ends the
//! game. It has colours only; `opening/` handles seats, swaps, passes and openings.

use std::fmt;

use super::grid::{Content, Grid, Point, PointBoard, Run};
use super::illegal_move::IllegalMove;
use super::unordered::{Impossible, Next};
use crate::rules::Fouls;
use crate::types::{Cell, Color, Stone};

/// The reason why a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A winning line.
    Line,
    /// A foul.
    Foul,
    /// Black's eight in a row (Irensei).
    Overline,
    /// Enough captured stones.
    Captures,
    /// A line and captures of the same or of both sides at once.
    LineAndCaptures,
    /// Both sides passed.
    TwoPasses,
    /// The board is full.
    Full,
    /// The side to move has no move that its rules allow.
    NoMoves,
    /// A position was repeated.
    Repetition,
}

impl Reason {
    /// The word for the reason in files.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Line => "line",
            Reason::Foul => "foul",
            Reason::Overline => "overline",
            Reason::Captures => "captures",
            Reason::LineAndCaptures => "line+captures",
            Reason::TwoPasses => "two_passes",
            Reason::Full => "full",
            Reason::NoMoves => "no_moves",
            Reason::Repetition => "repetition",
        }
    }

    /// The phrase after a result, as in "White has won by captures".
    pub const fn phrase(self) -> &'static str {
        match self {
            Reason::Line => "by a line",
            Reason::Foul => "by a foul",
            Reason::Overline => "by an overline",
            Reason::Captures => "by captures",
            Reason::LineAndCaptures => "by a line and captures",
            Reason::TwoPasses => "as both passed",
            Reason::Full => "as the board is full",
            Reason::NoMoves => "as there is no move left",
            Reason::Repetition => "as the position was repeated",
        }
    }
}

/// The end of a game: winners, reason and winning lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// The colours that won; none or both is a draw.
    pub winners: Vec<Color>,
    /// The reason of the end.
    pub reason: Reason,
    /// The winning lines, each from one end to the other.
    pub lines: Vec<Vec<Cell>>,
}

impl End {
    pub(in crate::rules) fn won(color: Color, reason: Reason) -> End {
        End { winners: vec![color], reason, lines: Vec::new() }
    }

    /// A win by lines.
    pub(in crate::rules) fn won_by_lines(color: Color, runs: &[Run]) -> End {
        End { lines: runs.iter().map(Run::cells).collect(), ..End::won(color, Reason::Line) }
    }

    /// A draw.
    pub fn draw(reason: Reason) -> End {
        End { winners: Vec::new(), reason, lines: Vec::new() }
    }
}

/// A finished ply: the side that acted, and who is next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PlyEnd {
    /// The colour of the side that acted.
    pub mover: Color,
    /// The colour to move next.
    pub to_move: Color,
    /// The seat to act next, 0 or 1.
    pub seat: usize,
}

/// The referee of a game, with its board.
pub trait Referee: fmt::Debug + Send + Sync {
    /// The stone or wall on a point; `None` if it is empty or not on the board.
    fn stone(&self, cell: Cell) -> Option<Stone>;

    /// Checks that a stone may be placed next.
    ///
    /// # Errors
    /// The reason why it may not.
    fn check(&self, color: Color, cell: Cell) -> Result<(), IllegalMove>;

    /// Checks that the stones of a turn, each legal alone, may be placed together. Their order
    /// does not matter.
    ///
    /// # Errors
    /// The reason why they may not.
    fn check_turn(&self, _cells: &[Cell]) -> Result<(), IllegalMove> {
        Ok(())
    }

    /// Whether the last turn allows a stone to be the first of its turn (Connect6 with pairs on
    /// a line).
    fn check_first(&self, _cell: Cell) -> bool {
        true
    }

    /// Places a stone of the ply and removes the stones that it captures or clears.
    ///
    /// # Errors
    /// As [`Referee::check`]; nothing changes.
    fn place(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove>;

    /// Where the last placed stone has moved the stone of a point, itself included, by clearing
    /// lines; the same point if it cleared none, and `None` if the stone was cleared.
    fn moved(&self, cell: Cell) -> Option<Cell> {
        Some(cell)
    }

    /// Puts a stone of a position of unknown move order on an empty point. Does not check
    /// whether it could be placed now, and captures nothing.
    ///
    /// # Errors
    /// The point is outside or occupied; nothing changes.
    fn set_up_stone(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove>;

    /// Puts a wall of such a position on an empty point.
    ///
    /// # Errors
    /// The game has no walls, or the point is outside or occupied; nothing changes.
    fn set_up_wall(&mut self, _cell: Cell) -> Result<(), Impossible> {
        Err(Impossible::Wall)
    }

    /// Judges such a position after all its stones are laid: returns the end of the game, if it
    /// is over.
    ///
    /// # Errors
    /// The reason why no game leads to the position.
    fn settle(&mut self, next: Next) -> Result<Option<End>, Impossible>;

    /// The stones laid and placed, in an order in which the game was not over before the last of
    /// them; `None` if the order does not matter to the game.
    fn in_order(&self) -> Option<&[(Cell, Stone)]> {
        None
    }

    /// Finishes a ply, also a swap or a pass: returns the end of the game, if it is over. Must
    /// not be called again after the end.
    fn end_ply(&mut self, ply: PlyEnd) -> Option<End>;

    /// Numbers of stones that Black and White have captured.
    fn captured(&self) -> [usize; 2] {
        [0, 0]
    }

    /// The fouls of a stone of a colour on an empty point.
    fn fouls(&self, _color: Color, _cell: Cell) -> Fouls {
        Fouls::default()
    }

    /// Copies the referee.
    fn copy(&self) -> Box<dyn Referee>;
}

impl Clone for Box<dyn Referee> {
    fn clone(&self) -> Box<dyn Referee> {
        self.copy()
    }
}

/// The stone on a point of a grid.
pub(in crate::rules) fn stone_at(grid: &Grid, cell: Cell) -> Option<Stone> {
    match grid.at(cell.into()) {
        Content::Filled(stone) => Some(stone),
        Content::Empty | Content::Outside => None,
    }
}

/// Puts a stone on a free point of a grid.
///
/// # Errors
/// The point is off the board or occupied.
pub(in crate::rules) fn set_up_stone(
    grid: &mut Grid,
    color: Color,
    cell: Cell,
) -> Result<(), IllegalMove> {
    free(grid, cell)?;
    grid.set(cell.into(), Some(Stone::Of(color)));
    Ok(())
}

/// The name of a point of a grid.
pub(in crate::rules) fn label(grid: &Grid, p: Point) -> String {
    Cell::from(p).label(grid.height as usize)
}

/// Checks that a point of a grid is free.
///
/// # Errors
/// The point is off the board or occupied.
pub(in crate::rules) fn free(grid: &Grid, cell: Cell) -> Result<(), IllegalMove> {
    match grid.at(cell.into()) {
        Content::Outside => Err(IllegalMove::Outside),
        Content::Filled(_) => Err(IllegalMove::Occupied),
        Content::Empty => Ok(()),
    }
}
