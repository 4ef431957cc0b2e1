//! The move texts of the vectors: points, counts and the word "pass", read
//! with as much of the openings as it takes to know which stones a text
//! places. Never says whether an opening allows them.

use anyhow::{Context, Result, bail};

use crate::lab::point;
use crate::rules::Setup;
use crate::types::{Cell, Color, Move};

/// The opening protocols that shape the texts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Opening {
    /// One stone a ply from the start, no swaps.
    Free,
    Swap1st,
    Swap2,
    Swap5,
    Rif,
    Yamaguchi,
    Soosorv,
    Taraguchi,
}

impl Opening {
    pub(super) fn from_name(name: &str) -> Option<Opening> {
        Some(match name {
            "long-pro" => Opening::Free,
            "swap-1st" => Opening::Swap1st,
            "swap-2" => Opening::Swap2,
            "swap-5" => Opening::Swap5,
            "rif" => Opening::Rif,
            "yamaguchi" => Opening::Yamaguchi,
            "soosyrv-8" => Opening::Soosorv,
            "taraguchi-10" => Opening::Taraguchi,
            _ => return None,
        })
    }
}

/// What a text does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ply {
    /// The seats exchange colours.
    Swap,
    /// A real pass.
    Pass,
    /// Stones in the order they are placed.
    Stones(Vec<(Color, Cell)>),
    /// Tentative fifths; they are not placed.
    Offer(Vec<Cell>),
}

/// The course of a game as far as the texts tell it.
#[derive(Clone, Debug)]
pub(super) struct Course {
    opening: Opening,
    height: usize,
    /// Plies so far.
    pub(super) plies: usize,
    stones: usize,
    /// Whose stone or answer is due.
    pub(super) to_move: Color,
    /// The seat (1 or 2) that has Black.
    black: u8,
    offered: bool,
    last: Option<Ply>,
    /// The seat that made the first real pass.
    pub(super) first_passer: Option<u8>,
    /// Whether two real passes in a row ended the game.
    pub(super) two_passes: bool,
}

impl Course {
    pub(super) fn new(setup: Setup, opening: Opening) -> Course {
        Course {
            opening,
            height: setup.height,
            plies: 0,
            stones: 0,
            to_move: Color::Black,
            black: 1,
            offered: false,
            last: None,
            first_passer: None,
            two_passes: false,
        }
    }

    /// The seat whose ply it is.
    pub(super) fn seat(&self) -> u8 {
        (self.plies % 2 + 1) as u8
    }

    /// The seat that has a colour.
    pub(super) fn owner(&self, color: Color) -> u8 {
        match color {
            Color::Black => self.black,
            Color::White => 3 - self.black,
        }
    }

    /// Whether the word "pass" means a swap here.
    fn swap_on_offer(&self) -> bool {
        let fresh = self.last != Some(Ply::Swap) && !self.offered;
        fresh
            && match self.opening {
                Opening::Free => false,
                Opening::Swap1st => self.stones == 1,
                Opening::Swap2 => self.plies == 1 || self.plies == 2 && self.stones == 5,
                Opening::Swap5 | Opening::Taraguchi => (1..=5).contains(&self.stones),
                Opening::Rif | Opening::Yamaguchi => self.stones == 3,
                Opening::Soosorv => matches!(self.stones, 3 | 4),
            }
    }

    /// What a text means here.
    ///
    /// # Errors
    /// The text is no "pass" and no list of points.
    pub(super) fn read(&self, text: &str) -> Result<Ply> {
        if text == "pass" {
            return Ok(if self.swap_on_offer() { Ply::Swap } else { Ply::Pass });
        }
        let mut parts: Vec<&str> = text.split(',').collect();
        if parts.len() > 1 && parts.last().is_some_and(|part| part.parse::<u32>().is_ok()) {
            parts.pop();
        }
        let cells = parts
            .iter()
            .map(|part| cell(part, self.height))
            .collect::<Result<Vec<_>>>()
            .with_context(|| format!("move {text:?}"))?;
        let offers = match self.opening {
            Opening::Rif | Opening::Yamaguchi | Opening::Soosorv => true,
            Opening::Taraguchi => cells.len() > 1,
            _ => false,
        };
        if offers && self.stones == 4 && !self.offered {
            return Ok(Ply::Offer(cells));
        }
        // The owner of White chooses among the fifths, but Black's stone is
        // the first of the text.
        let first = if self.offered && self.stones == 4 { Color::Black } else { self.to_move };
        let colors = [first, !first].into_iter().cycle();
        Ok(Ply::Stones(colors.zip(cells).collect()))
    }

    /// Goes on by a ply.
    pub(super) fn go(&mut self, ply: Ply) {
        let seat = self.seat();
        match &ply {
            Ply::Swap => self.black = 3 - self.black,
            Ply::Pass => {
                self.two_passes = self.last == Some(Ply::Pass);
                self.first_passer.get_or_insert(seat);
                self.to_move = !self.to_move;
            }
            Ply::Stones(stones) => {
                // The two-stone answer of swap-2 leaves its maker with Black
                // and the other seat to choose.
                if self.opening == Opening::Swap2 && self.plies == 1 && stones.len() == 2 {
                    self.black = 3 - self.black;
                }
                self.stones += stones.len();
                if let Some(&(color, _)) = stones.last() {
                    self.to_move = !color;
                }
            }
            Ply::Offer(_) => {
                self.offered = true;
                self.to_move = Color::White;
            }
        }
        self.plies += 1;
        self.last = Some(ply);
    }
}

/// The cell of a point: a column letter and the row from the bottom of a board
/// `height` rows high. Points off the board become cells off the board.
///
/// # Errors
/// The text is no letter and number.
pub(super) fn cell(text: &str, height: usize) -> Result<Cell> {
    match point::read(text) {
        Some((x, row)) if (1..=height).contains(&row) => Ok(Cell::new(x, height - row)),
        Some(_) => Ok(Move::NONE.cell()),
        None => bail!("no point: {text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;

    fn course(opening: Opening, texts: &[&str]) -> Course {
        let mut course = Course::new(Setup::new(RuleId::Renju, 15, 15).unwrap(), opening);
        for text in texts {
            let ply = course.read(text).unwrap();
            course.go(ply);
        }
        course
    }

    #[test]
    fn points_count_rows_from_the_bottom() {
        assert_eq!(cell("a1", 15).unwrap(), Cell::new(0, 14));
        assert_eq!(cell("s19", 19).unwrap(), Cell::new(18, 0));
        assert_eq!(cell("a0", 15).unwrap(), Move::NONE.cell());
        assert_eq!(cell("a16", 15).unwrap(), Move::NONE.cell());
        assert!(cell("a01", 15).is_err() && cell("h8;", 15).is_err());
    }

    #[test]
    fn swaps_and_passes_are_told_apart() {
        assert_eq!(course(Opening::Free, &["h8"]).read("pass").unwrap(), Ply::Pass);
        assert_eq!(course(Opening::Swap1st, &["h8"]).read("pass").unwrap(), Ply::Swap);
        assert_eq!(course(Opening::Swap1st, &["h8", "a1"]).read("pass").unwrap(), Ply::Pass);
        let swap2 = course(Opening::Swap2, &["h8,i8,j8", "a1", "b1"]);
        assert_eq!(swap2.read("pass").unwrap(), Ply::Pass);
        let swap2 = course(Opening::Swap2, &["h8,i8,j8", "a1,b1"]);
        assert_eq!(swap2.read("pass").unwrap(), Ply::Swap);
        assert_eq!((swap2.owner(Color::Black), swap2.seat(), swap2.to_move), (2, 1, Color::White));
    }

    #[test]
    fn fifths_are_offered_then_chosen() {
        let rif = course(Opening::Rif, &["h8,h9,h10", "pass", "a1"]);
        let offer = rif.read("b1,c1").unwrap();
        assert!(matches!(offer, Ply::Offer(ref cells) if cells.len() == 2));
        let mut chosen = rif.clone();
        chosen.go(offer);
        assert_eq!(chosen.to_move, Color::White);
        let stones = [(Color::Black, Cell::new(2, 14)), (Color::White, Cell::new(1, 14))];
        assert_eq!(chosen.read("c1,b1").unwrap(), Ply::Stones(stones.to_vec()));
    }
}
