//! Positions in SGF that were set up: `AB`, `AW` and `AE`, points or
//! rectangles such as `aa:cc`, `PL`, and moves after them in any order of
//! colours.

use super::tree::{Value, main_lines};
use super::{SgfError, heads, not_understood, nothing, point};
use crate::record::GameRecord;
use crate::record::diagram::Diagram;
use crate::rules::{RuleId, Setup};
use crate::types::{Cell, Color, FRAME};

/// A position in the making.
struct Board {
    /// What the root says.
    game: GameRecord,
    /// The stones by the indices of their cells.
    stones: Vec<Option<Color>>,
    last: Option<Cell>,
    to_move: Option<Color>,
}

/// The positions at the ends of the main lines of a text, each with its rule.
/// Who is to move is what `PL` says, or the other than who moved last.
///
/// # Errors
/// The text is no SGF, or has a stone off the board or on another one; names
/// the byte.
pub fn boards(text: &str, default: RuleId) -> Result<Vec<(RuleId, Diagram)>, SgfError> {
    let empty =
        || Board { game: nothing(default), stones: vec![None; FRAME], last: None, to_move: None };
    let mut boards: Vec<(RuleId, Diagram)> = Vec::new();
    let mut board = empty();
    let mut at = 0;
    let count = main_lines(text, &mut |number, node, root| {
        while at < number {
            boards.push(std::mem::replace(&mut board, empty()).finish());
            at += 1;
        }
        if root {
            heads(&mut board.game, node)?;
        }
        node.iter().try_for_each(|value| board.take_in(value))
    })?;
    while at < count {
        boards.push(std::mem::replace(&mut board, empty()).finish());
        at += 1;
    }
    Ok(boards)
}

impl Board {
    fn take_in(&mut self, value: &Value) -> Result<(), SgfError> {
        let played = value.name.len() == 1;
        let color = match value.name {
            "AB" | "B" => Some(Color::Black),
            "AW" | "W" => Some(Color::White),
            "AE" => None,
            "PL" => {
                match value.text.chars().next() {
                    Some('B' | 'b') => self.to_move = Some(Color::Black),
                    Some('W' | 'w') => self.to_move = Some(Color::White),
                    _ => {}
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        let area = area(&value.text, self.game.setup).ok_or_else(|| not_understood(value))?;
        for cell in area {
            let before = std::mem::replace(&mut self.stones[cell.index()], color);
            if before.is_some() && color.is_some() {
                return Err(not_understood(value));
            }
            self.last = Some(cell).filter(|_| played);
        }
        if played {
            self.to_move = color.map(|color| !color);
        }
        Ok(())
    }

    fn finish(self) -> (RuleId, Diagram) {
        let Board { game, stones, last, to_move } = self;
        let Setup { rule, width, height } = game.setup;
        let stone =
            |(index, color): (usize, Option<Color>)| Some((Cell::from_index(index), color?));
        let stones = stones.into_iter().enumerate().filter_map(stone).collect();
        (rule, Diagram { width, height, stones, last, to_move })
    }
}

/// The cells of a point or of a rectangle from its upper left to its lower
/// right corner, one at least.
fn area(text: &str, setup: Setup) -> Option<impl Iterator<Item = Cell> + use<>> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (point(first, setup)?, point(last, setup)?);
    let row = move |y| (first.x()..=last.x()).map(move |x| Cell::new(x, y));
    let cells = (first.y()..=last.y()).flat_map(row);
    (first.x() <= last.x() && first.y() <= last.y()).then_some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> (RuleId, Diagram) {
        boards(text, RuleId::Freestyle).unwrap().remove(0)
    }

    #[test]
    fn stones_are_set_up_taken_off_and_played() {
        let (rule, board) = one("(;GM[4]SZ[9]RU[renju]AB[aa:ba][cc]AW[dd]PL[W];AE[ba])");
        assert_eq!(rule, RuleId::Renju);
        let stones = [
            (Cell::new(0, 0), Color::Black),
            (Cell::new(2, 2), Color::Black),
            (Cell::new(3, 3), Color::White),
        ];
        assert_eq!(board.stones, stones);
        assert_eq!((board.width, board.to_move, board.last), (9, Some(Color::White), None));
        let (_, played) = one("(;AB[hh];W[hi];W[hj])");
        assert_eq!((played.last, played.to_move), (Some(Cell::new(7, 9)), Some(Color::Black)));
    }

    #[test]
    fn bad_stones_are_named() {
        let error = |text: &str| boards(text, RuleId::Freestyle).unwrap_err().to_string();
        assert_eq!(error("(;SZ[9]AB[aa][jj])"), "byte 14: AB[jj] is not understood");
        assert_eq!(error("(;AB[aa]AW[aa])"), "byte 11: AW[aa] is not understood");
        assert_eq!(error("(;AB[bb:aa])"), "byte 5: AB[bb:aa] is not understood");
        assert!(error("(;SZ[99])").starts_with("byte 5: board size"));
    }

    proptest! {
        #[test]
        fn no_text_is_a_disaster(text in "\\(;[()\\[\\];ABEWPLa-c:]{0,60}") {
            let _ = boards(&text, RuleId::Renju);
        }
    }
}
