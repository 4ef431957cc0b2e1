//! Our own JSON Lines as imported games.

use serde_json::Value;

use crate::json_game::{self, TITLE};
use goren_core::record::import::{ImportedGame, Place, UnreadableGame};

/// Reads the games of JSON Lines, one a line; skips blank lines and the head of a
/// match.
pub(super) fn read(text: &str) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + '_ {
    let is_game = |(number, line): &(usize, &str)| {
        !(line.trim().is_empty() || *number == 1 && json_game::is_head(line))
    };
    (1..).zip(text.lines()).filter(is_game).map(|(number, line)| {
        let place = Place::Line(number);
        let game = json_game::read(line);
        let (record, extra) =
            game.map_err(|error| UnreadableGame { place, reason: format!("{error:#}") })?;
        let game = record.imported();
        let title = extra.get(TITLE).and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(ImportedGame { places: vec![place; game.events.len()], title, ..game })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_of_a_game_is_read() {
        let line = r#"{"version":3,"variant":"freestyle","width":15,"height":15,"opened":"free",
            "first":"a","second":"b","plies":[{"ply":"h8"}],"black":"first","result":null,
            "reason":"","title":"Cup, 3"}"#;
        let line = line.replace('\n', "");
        assert_eq!(read(&line).next().unwrap().unwrap().title, "Cup, 3");
        let untitled = line.replace("title", "other");
        assert_eq!(read(&untitled).next().unwrap().unwrap().title, "");
    }
}
