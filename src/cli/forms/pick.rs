//! The game that is meant among those of a file.

use anyhow::{Context, Result, ensure};

use super::note_writer::NoteWriter;
use goren_core::record::import::{ImportedGame, UnreadableGame};
use goren_notation::forms::Games;

/// The game with a number from 1, or the first; and the number, where there are several.
/// That there are others, and which of them cannot be used, is told.
///
/// # Errors
/// There is no such game; how many there are.
pub(crate) fn pick(
    games: &mut Games<'_>,
    wanted: Option<usize>,
    note_writer: &mut NoteWriter,
) -> Result<(Result<ImportedGame, UnreadableGame>, Option<usize>)> {
    let number = wanted.unwrap_or(1);
    ensure!(number > 0, "games are numbered from 1");
    let (mut count, mut picked, mut bad) = (0, None, Vec::new());
    while let Some(game) = games.next() {
        count += 1;
        match game {
            game if count == number => picked = Some(game),
            Err(error) => bad.push((count, error)),
            Ok(_) => {}
        }
        // To go through a large file takes long.
        if games.endless && count > number {
            break;
        }
    }
    let many = if count == 1 { "is 1 game".into() } else { format!("are {count} games") };
    let none = || {
        if count == 0 { "there is no game in it".into() } else { format!("there {many} in it") }
    };
    let game = picked.with_context(none)?;
    for (number, error) in bad {
        let UnreadableGame { place, reason } = error;
        let text = format!("cannot be used: {}: {reason}", games.place(place));
        note_writer.say(&text, Some(number));
    }
    if count > 1 && wanted.is_none() {
        let many = if games.endless { "are more games".into() } else { many };
        let chooses = note_writer.number();
        note_writer.say(&format!("there {many} in it, the first is taken; {chooses}"), None);
    }
    Ok((game, (count > 1).then_some(number)))
}
