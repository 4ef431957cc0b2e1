//! The games that the tool plays as other files have theirs.

use crate::json_game;
use goren_core::record::import::{ImportedGame, Place, UnreadableGame};

/// The games of JSON Lines, one a line; blank lines are none, nor is the head
/// of a match.
pub(super) fn read(text: &str) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + '_ {
    let is_game = |(number, line): &(usize, &str)| {
        !(line.trim().is_empty() || *number == 1 && json_game::is_head(line))
    };
    (1..).zip(text.lines()).filter(is_game).map(|(number, line)| {
        let place = Place::Line(number);
        let game = json_game::read(line);
        let (record, _) =
            game.map_err(|error| UnreadableGame { place, reason: format!("{error:#}") })?;
        let game = record.imported();
        Ok(ImportedGame { places: vec![place; game.events.len()], ..game })
    })
}
