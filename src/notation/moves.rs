//! Games in progress, read from typed moves.

use anyhow::{Result, ensure};

use crate::forms::{PlayOptions, Typed, play};
use goren_core::opening::GameState;
use goren_core::record::import::{Hints, ImportedGame, list};
use goren_core::rules::Contest;

/// Reads the game after a row of points such as `h8i9j8`, the form of Yixin-Board's
/// `getpos`: rows count from the bottom, or from the top as in opening files.
/// Blanks, commas and numbers such as `1.` may separate the points; `pass` and
/// `--` are passes; where pieces fall a column suffices. Stones of one turn may
/// come in any order.
///
/// # Errors
/// Not a point, or an illegal move; the error names the place and the move.
pub fn typed(contest: &Contest, text: &str, from_top: bool) -> Result<Typed> {
    let size = Some((contest.width, contest.height));
    let hints = Hints {
        variant: Some(contest.variant),
        size,
        from_top: Some(from_top),
        per_line: Some(false),
        ..Hints::default()
    };
    let game = list::read(text, &hints).next().unwrap_or_else(|| Ok(ImportedGame::default()))?;
    Ok(play(game, &PlayOptions { hints, ..PlayOptions::default() })?.typed)
}

/// As [`typed`], for a game whose last turn is complete.
///
/// # Errors
/// As [`typed`]; the last turn is incomplete.
pub fn played(contest: &Contest, text: &str) -> Result<GameState> {
    let Typed { game_state, placed } = typed(contest, text, false)?;
    ensure!(placed.is_empty(), "the last turn is not over");
    Ok(game_state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{OpeningId, Variant};
    use goren_core::types::Cell;
    use proptest::prelude::*;

    fn free(game: &str) -> Contest {
        Contest::new(Variant::from_name(game).unwrap()).opened(OpeningId::Free).unwrap()
    }

    /// The points on the board, those of an incomplete turn with a `+`.
    fn cells(game: &str, text: &str, from_top: bool) -> String {
        let Typed { game_state, placed } = typed(&free(game), text, from_top).unwrap();
        let label = |cell: Cell| cell.label(game_state.contest().height);
        let stones = game_state.stones().into_iter().map(|(cell, _)| label(cell));
        let placed = placed.iter().map(|&cell| label(cell) + "+");
        stones.chain(placed).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn points_are_read_with_or_without_separators() {
        for text in ["h8i9j10", "H8 i9,J10", "1. h8 2.i9\n3... j10\n", " h8\ti9; j10,"] {
            assert_eq!(cells("renju", text, false), "j10 i9 h8", "{text}");
        }
        assert_eq!(cells("renju", "h1", true), "h15");
        assert_eq!(cells("renju", "", false), "");
        // Turns of two stones, in any order, the last one incomplete.
        assert_eq!(cells("connect6", "k10 l11k11 a1", false), "k11 l11 k10 a1+");
        assert_eq!(typed(&free("connect6"), "k10 l11", false).unwrap().left(), 1);
    }

    #[test]
    fn columns_and_passes_are_read() {
        assert_eq!(cells("four-in-a-row", "ddc1", false), "d2 c1 d1");
        assert_eq!(cells("connect6", "k10 b1a1 PASS -- ", false), "k10 a1 b1");
        assert!(played(&free("connect6"), "k10 b1,a1").is_ok());
        assert!(played(&free("connect6"), "k10 b1").is_err());
    }

    #[test]
    fn errors_name_the_place_of_the_move() {
        let error = |game: &str, text: &str| {
            typed(&free(game), text, false).err().map(|error| error.to_string())
        };
        let renju = |text: &str| error("renju", text).unwrap();
        assert_eq!(renju("h8 i9h8"), "byte 5: move 3 (h8): the point is occupied");
        assert_eq!(renju("h8p1"), "byte 2: move 2 (p1): the point is outside the board");
        assert_eq!(renju("h8 pass"), "byte 3: move 2 (pass): passing is not allowed now");
        for text in ["h8 \u{e9}1", "h8 !", "h8 i", "h8 12", "h8 i01"] {
            assert!(renju(text).starts_with("byte 3: move 2 ("), "{text}");
        }
        let pair = error("connect6", "k10 a1a1").unwrap();
        assert_eq!(pair, "byte 6: move 3 (a1): the point is occupied");
        assert!(error("connect6", "k10 a1 pass").unwrap().contains("cannot end with a pass"));
        assert!(error("four-in-a-row", "d5").unwrap().contains("come to rest"));
        let over = "a1a2b1b2c1c2d1d2e1 h8";
        assert!(renju(over).contains("byte 19: move 10 (h8): the game is already over"));
    }

    proptest! {
        #[test]
        fn no_text_panics(
            text in "[a-p0-9,. -]{0,40}[ -~\u{e9}]{0,20}",
            game in prop::sample::select(vec!["renju", "connect6", "four-in-a-row", "pente"]),
        ) {
            let _ = typed(&free(game), &text, false);
        }
    }
}
