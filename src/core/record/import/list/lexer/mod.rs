//! The moves of a list: points such as `h8`, pairs of numbers such as `(8,8)`,
//! or pairs of letters such as `hh`, with whatever people put between them.

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

/// The moves of a text. Where pieces fall, letters are columns.
pub(super) fn lex(text: &str, falls: bool) -> Result<Lexed<'_>, ListFault<'_>> {
    let of_points = match Points::of(text, falls).read() {
        Err(fault) if !falls => fault,
        points => return points,
    };
    match (pairs(text), letters(text)) {
        (Ok(lexed), _) | (Err(_), Some(lexed)) => Ok(lexed),
        // The error is that of the reading that got further.
        (Err(fault), None) => {
            let is_numbers = !text.contains(char::is_alphabetic);
            Err(if fault.at > of_points.at || is_numbers { fault } else { of_points })
        }
    }
}

/// The points with which a text begins, up to what is none.
pub(super) fn begun(text: &str, falls: bool) -> Vec<Item<'_>> {
    Points::of(text, falls).begun()
}
