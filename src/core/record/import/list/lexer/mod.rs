//! Lexer of lists: points such as `h8`, pairs of numbers such as `(8,8)`, or pairs of letters such
//! as `hh`, with whatever people write between them.

mod letters;
mod pairs;
mod points;
#[cfg(test)]
mod tests;
mod word;

use super::item::{Item, Lexed, ListFault};
use letters::letters;
use pairs::pairs;
use points::Points;

/// Reads the moves of a text. If pieces fall, letters are columns.
pub(super) fn lex(text: &str, falls: bool) -> Result<Lexed<'_>, ListFault<'_>> {
    let of_points = match Points::of(text, falls).read() {
        Err(fault) if !falls => fault,
        result => return result,
    };
    match (pairs(text), letters(text)) {
        (Ok(lexed), _) | (Err(_), Some(lexed)) => Ok(lexed),
        // The error of the reading that got further is returned.
        (Err(fault), None) => {
            let is_numbers = !text.contains(char::is_alphabetic);
            Err(if fault.at > of_points.at || is_numbers { fault } else { of_points })
        }
    }
}

/// Reads the points at the beginning of a text, up to the first word that is no move.
pub(super) fn leading_moves(text: &str, falls: bool) -> Vec<Item<'_>> {
    Points::of(text, falls).leading_moves()
}
