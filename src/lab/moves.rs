//! A game in progress from the moves that were typed.

use anyhow::{Context, Result, bail};

use crate::opening::{Act, Course, read};
use crate::rules::{Contest, Variant};

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
            [letter] if letter.is_ascii_alphabetic() => column(&course, *letter),
            _ => read(&course, text).map_err(Into::into),
        };
        act.and_then(|act| Ok(course.act(&act)?)).with_context(|| format!("move {text}"))?;
    }
    Ok(course)
}

/// A piece dropped into a column.
fn column(course: &Course, letter: u8) -> Result<Act> {
    let x = usize::from(letter.to_ascii_lowercase() - b'a');
    let falls = matches!(course.contest().variant, Variant::FourInARow(_));
    let cells = course.placements();
    let mut rests = cells.iter().filter(|cell| falls && cell.x() == x);
    match (rests.next(), rests.next()) {
        (Some(&cell), None) => Ok(Act::stone(cell)),
        _ => bail!("a column alone does not say where a piece goes here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::OpeningId;

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
