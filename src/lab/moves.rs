//! A game in progress from the moves that were typed.

use anyhow::{Context, Result};

use super::forms::{Choice, Typed, column, play};
use crate::opening::{Course, read as read_ply};
use crate::record::import::{
    Hints, ImportedEvent, ImportedGame, Place, UnreadableGame, usual_size,
};
use crate::rules::{Contest, Variant};
use crate::types::{Cell, read_point};

/// A game after some plies in its own notation. Where pieces fall, a column
/// will do if there is one way into it.
///
/// # Errors
/// What is no ply, or illegal.
pub(super) fn played<'a>(
    contest: &Contest,
    plies: impl IntoIterator<Item = &'a str>,
) -> Result<Course> {
    let mut course = Course::new(*contest);
    for text in plies {
        let act = match text.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => {
                column(&course, usize::from(letter.to_ascii_lowercase() - b'a'))
            }
            _ => read_ply(&course, text).map_err(Into::into),
        };
        act.and_then(|act| Ok(course.act(&act)?)).with_context(|| format!("move {text}"))?;
    }
    Ok(course)
}

/// The game after points in a row such as `h8i9j8`, the form of Yixin-Board's
/// `getpos`: rows count from the bottom, or from the top as in opening files.
/// Blanks, commas and numbers such as `1.` may stand between them; `pass` and
/// `--` are passes; where pieces fall a column will do. Stones of one turn may
/// come in any order.
///
/// # Errors
/// What is no point, or illegal; names the place and the move.
pub(super) fn typed(contest: &Contest, text: &str, from_top: bool) -> Result<Typed> {
    let size = Some((contest.width, contest.height));
    let hints = Hints {
        variant: Some(contest.variant),
        size,
        from_top: Some(from_top),
        ..Hints::default()
    };
    let game = game(text, &hints)?;
    Ok(play(game, &Choice { hints, ..Choice::default() })?.typed)
}

/// The game of a text that has the form of moves.
pub(super) fn read<'a>(
    text: &'a str,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    std::iter::once_with(|| game(text, hints))
}

fn game(text: &str, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let (width, height) = hints.size.unwrap_or_else(|| usual_size(hints.variant));
    let mut game = ImportedGame { size: hints.size, ..ImportedGame::default() };
    for (number, (at, word)) in (1..).zip(words(text)) {
        let fault = |what: &str| UnreadableGame {
            place: Place::Byte(at),
            reason: format!("move {number} ({word}): {what}"),
        };
        let event = if is_pass(word) {
            ImportedEvent::Pass(None)
        } else if let [letter @ (b'a'..=b'z' | b'A'..=b'Z')] = word.as_bytes() {
            ImportedEvent::Drop(usize::from(letter.to_ascii_lowercase() - b'a'))
        } else {
            let point = read_point(word);
            let (x, row) =
                point.ok_or_else(|| fault("a point is a letter and a number, such as h8"))?;
            if x >= width || !(1..=height).contains(&row) {
                return Err(fault("the point is outside the board"));
            }
            let from_top = hints.from_top.unwrap_or(false);
            let y = if from_top { row - 1 } else { height - row };
            ImportedEvent::Stone(Cell::new(x, y), None)
        };
        game.events.push(event);
        game.places.push(Place::Byte(at));
    }
    Ok(game)
}

/// Whether a text has the form of moves, be they legal or not.
pub(super) fn are_words(text: &str, variant: Option<Variant>) -> bool {
    let falls = matches!(variant, Some(Variant::FourInARow(_)));
    let letter = |word: &str| falls && word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
    words(text).all(|(_, word)| is_pass(word) || letter(word) || read_point(word).is_some())
}

fn is_pass(word: &str) -> bool {
    word.eq_ignore_ascii_case("pass") || word == "--"
}

/// The words of moves, each with the byte at which it begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 || !rest[digits..].starts_with('.') {
                break;
            }
            // Numbers of moves, `1.` or `1...`.
            rest = rest[digits..].trim_start_matches('.');
        }
        let word = Some(word(rest)).filter(|word| !word.is_empty())?;
        let at = text.len() - rest.len();
        rest = &rest[word.len()..];
        Some((at, word))
    })
}

/// The next point, column or pass of a text, or what stands in its place.
fn word(text: &str) -> &str {
    let is = |word: &str| text.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
    let length = match text.as_bytes() {
        _ if is("pass") => 4,
        [b'-', b'-', ..] => 2,
        [letter, tail @ ..] if letter.is_ascii_alphabetic() => {
            1 + tail.iter().take_while(|byte| byte.is_ascii_digit()).count()
        }
        _ => text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len()),
    };
    &text[..length]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::OpeningId;
    use proptest::prelude::*;

    fn free(game: &str) -> Contest {
        Contest::new(Variant::from_name(game).unwrap()).opened(OpeningId::Free).unwrap()
    }

    /// The points on the board, those of a turn that is not over with a `+`.
    fn cells(game: &str, text: &str, from_top: bool) -> String {
        let Typed { course, placed } = typed(&free(game), text, from_top).unwrap();
        let label = |cell: Cell| cell.label(course.contest().height);
        let stones = course.stones().into_iter().map(|(cell, _)| label(cell));
        let placed = placed.iter().map(|&cell| label(cell) + "+");
        stones.chain(placed).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn points_may_stand_in_a_row_or_apart() {
        for text in ["h8i9j10", "H8 i9,J10", "1. h8 2.i9\n3... j10\n", " h8\ti9; j10,"] {
            assert_eq!(cells("renju", text, false), "J10 I9 H8", "{text}");
        }
        assert_eq!(cells("renju", "h1", true), "H15");
        assert_eq!(cells("renju", "", false), "");
        // Turns of two stones, in any order, the last one unfinished.
        assert_eq!(cells("connect6", "k10 l11k11 a1", false), "K11 L11 K10 A1+");
        assert_eq!(typed(&free("connect6"), "k10 l11", false).unwrap().left(), 1);
    }

    #[test]
    fn columns_and_passes_are_read() {
        assert_eq!(cells("four-in-a-row", "ddc1", false), "D2 C1 D1");
        assert_eq!(cells("connect6", "k10 b1a1 PASS -- ", false), "K10 A1 B1");
    }

    #[test]
    fn bad_moves_are_named_by_their_place() {
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
        assert!(error("connect6", "k10 a1 pass").unwrap().contains("cannot end by a pass"));
        assert!(error("four-in-a-row", "d5").unwrap().contains("come to rest"));
        let over = "a1a2b1b2c1c2d1d2e1 h8";
        assert!(renju(over).contains("byte 19: move 10 (h8): the game is already over"));
    }

    proptest! {
        #[test]
        fn no_text_is_a_disaster(
            text in "[a-p0-9,. -]{0,40}[ -~\u{e9}]{0,20}",
            game in prop::sample::select(vec!["renju", "connect6", "four-in-a-row", "pente"]),
        ) {
            let _ = typed(&free(game), &text, false);
        }
    }

    fn stones(game: &str, plies: &str) -> Result<String> {
        let contest = Contest::new(Variant::from_name(game)?).opened(OpeningId::Free)?;
        let course = played(&contest, plies.split_whitespace())?;
        let label = |(cell, _): &(crate::types::Cell, _)| cell.label(contest.height);
        Ok(course.stones().iter().map(label).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn plies_are_points_or_columns_where_pieces_fall() {
        assert_eq!(stones("renju", "h8 i9").unwrap(), "I9 H8");
        assert_eq!(stones("connect6", "k10 k11,l11").unwrap(), "K11 L11 K10");
        assert_eq!(stones("four-in-a-row", "d D d1 h").unwrap_err().to_string(), "move d1");
        assert_eq!(stones("four-in-a-row", "d D c1 h").unwrap(), "D2 C1 D1 H1");
        for (game, plies) in [
            ("renju", "h"),
            ("renju", "h8 h8"),
            ("connect6", "k10 k11"),
            ("four-in-a-row", "i"),
            ("four-in-a-row", "d d d d d d d d d"),
            ("four-in-a-row+edge-grow", "d"),
            ("four-in-a-row", "a b a b a b a b"),
        ] {
            assert!(stones(game, plies).unwrap_err().to_string().starts_with("move "), "{plies}");
        }
    }
}
