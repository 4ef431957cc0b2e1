//! Boards printed by `goren analyze` and `goren threats`: a heading with game, size and side to
//! move, the board between two lines of column letters, and the results.
//!
//! ```text
//! renju 15x15 after 5 stones, White to move
//!    A B C D E F G H I J K L M N O
//! 15 . . . . . . . . . . . . . . . 15
//! ```

use super::line::{LineKind, kind};
use crate::record::lines::lines;
use crate::rules::Variant;
use crate::types::Color;

/// The heading of a printed board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct BoardHeading {
    pub(super) variant: Variant,
    pub(super) size: (usize, usize),
    /// `None` if the game is over.
    pub(super) to_move: Option<Color>,
}

/// A heading and the board below it.
pub(super) struct Printed<'a> {
    pub(super) heading: BoardHeading,
    /// The numbered lines of the board, and the line of captures below it if there are any.
    pub(super) lines: Vec<(usize, &'a str)>,
}

/// Maximum length of a heading, in bytes.
const LONGEST: usize = 200;

/// Parses a heading.
fn heading(line: &str) -> Option<BoardHeading> {
    if line.len() > LONGEST || !line.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (front, state) = line.split_once(", ")?;
    let mut words = front.split(' ');
    let (game, size) = (words.next()?, words.next()?);
    let (width, height) = size.split_once('x')?;
    let to_move = match state.trim_end().trim_end_matches(", two stones") {
        "Black to move" => Some(Color::Black),
        "White to move" => Some(Color::White),
        over if over.contains(" has won ") || over.starts_with("drawn ") => None,
        _ => return None,
    };
    let size = (width.parse().ok()?, height.parse().ok()?);
    Some(BoardHeading { variant: Variant::from_name(game).ok()?, size, to_move })
}

impl<'a> Printed<'a> {
    /// Finds the board of a text with a heading directly above it.
    pub(super) fn of(text: &'a str) -> Option<Printed<'a>> {
        let is_head = |line: &str| matches!(kind(line), LineKind::Head { .. });
        let mut lines = lines(text);
        let heading = lines.find_map(|(_, line)| heading(line))?;
        let first = lines.next().filter(|(_, line)| is_head(line))?;
        let mut board = vec![first];
        for (number, line) in lines.by_ref() {
            board.push((number, line));
            if is_head(line) {
                break;
            }
        }
        let captures = |line: &str| {
            line.starts_with("Captured: ") && line.contains(|c| ('1'..='9').contains(&c))
        };
        board.extend(lines.find(|(_, line)| captures(line)));
        Some(Printed { heading, lines: board })
    }
}
