//! Helpers for the tests of readers.

use super::{ImportedEvent, ImportedGame, UnreadableGame, Weight};
use crate::types::Color;

/// Returns the only game of a text.
pub fn only(games: Vec<Result<ImportedGame, UnreadableGame>>, text: &str) -> ImportedGame {
    let [game] = <[_; 1]>::try_from(games).unwrap_or_else(|games| {
        panic!("{} games: {text}", games.len());
    });
    game.unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Writes the events of a game: stones as `h8`, or as `B:h8` if the file gives the colour,
/// `pass`, `swap`, and `drop 3` for the fourth column.
pub fn events(game: &ImportedGame) -> Vec<String> {
    let height = game.size.map_or(15, |size| size.1);
    let text = |event: &ImportedEvent| match event {
        ImportedEvent::Stone(cell, color) => {
            let color = color.map_or("", |color| if color == Color::Black { "B:" } else { "W:" });
            format!("{color}{}", cell.label(height))
        }
        ImportedEvent::Pass(_) => "pass".into(),
        ImportedEvent::Swap => "swap".into(),
        ImportedEvent::Drop(x) => format!("drop {x}"),
    };
    game.events.iter().map(text).collect()
}

/// Returns the notes of a weight, with their places.
pub fn notes(game: &ImportedGame, weight: Weight) -> Vec<String> {
    let notes = game.notes.iter().filter(|note| note.weight == weight);
    notes.map(ToString::to_string).collect()
}

/// Returns the doubts of a game, with their places.
pub fn doubts(game: &ImportedGame) -> Vec<String> {
    notes(game, Weight::Doubt)
}
