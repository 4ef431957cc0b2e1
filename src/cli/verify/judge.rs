//! Interface of the judges that are verified.

use anyhow::{Result as Any, bail};

use goren_core::rules::referee::{FiveReferee, IllegalMove};
use goren_core::rules::{Fouls, Outcome, Setup};
use goren_core::types::{Cell, Color, Move, Stone, read_point};

/// The cell of a point: a column letter and the row from the bottom of a board
/// `height` rows high. Points off the board become cells off the board.
///
/// # Errors
/// The text is not a letter and a number.
pub(super) fn cell(text: &str, height: usize) -> Any<Cell> {
    match read_point(text) {
        Some((x, row)) if (1..=height).contains(&row) => Ok(Cell::new(x, height - row)),
        Some(_) => Ok(Move::NONE.cell()),
        None => bail!("not a point: {text:?}"),
    }
}

/// Judges a game stone by stone.
pub(super) trait Judge {
    /// Places a stone as a move; returns the result if it ends the game.
    fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove>;
    /// Puts a stone of a given position on the board, without judging it.
    fn set_up(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove>;
    /// Takes back the newest stone.
    fn take_back(&mut self);
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The stones on the board.
    fn stones(&self) -> Vec<(Cell, Stone)>;
    /// Whether a stone on this empty point would win by its line.
    fn is_five(&self, color: Color, cell: Cell) -> bool;
    /// The fouls of a stone on this empty point.
    fn fouls(&self, color: Color, cell: Cell) -> Fouls;
}

/// The judge on the slow referee.
pub(super) fn referee(setup: Setup) -> Box<dyn Judge> {
    Box::new(FiveReferee::new(setup))
}

impl Judge for FiveReferee {
    fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove> {
        FiveReferee::place(self, color, cell)
    }

    fn set_up(&mut self, color: Color, cell: Cell) -> Result<(), IllegalMove> {
        FiveReferee::set_up(self, cell, Stone::Of(color))
    }

    fn take_back(&mut self) {
        FiveReferee::take_back(self);
    }

    fn outcome(&self) -> Option<Outcome> {
        FiveReferee::outcome(self)
    }

    fn stones(&self) -> Vec<(Cell, Stone)> {
        FiveReferee::stones(self).to_vec()
    }

    fn is_five(&self, color: Color, cell: Cell) -> bool {
        self.wins(color, cell)
    }

    fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        FiveReferee::fouls(self, color, cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_rows_from_the_bottom() {
        assert_eq!(cell("a1", 15).unwrap(), Cell::new(0, 14));
        assert_eq!(cell("s19", 19).unwrap(), Cell::new(18, 0));
        assert_eq!(cell("a0", 15).unwrap(), Move::NONE.cell());
        assert_eq!(cell("a16", 15).unwrap(), Move::NONE.cell());
        assert!(cell("a01", 15).is_err() && cell("h8;", 15).is_err());
    }
}
