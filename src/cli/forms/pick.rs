//! Choice of a game among those of a file.

use anyhow::{Context, Result, ensure};

use super::note_writer::NoteWriter;
use goren_core::record::import::{ImportedGame, UnreadableGame};
use goren_notation::forms::Games;

/// Returns the game with a number, from 1, or the first that can be read, and its number if
/// there are several. Notes report that there are others, and which of them cannot be used.
///
/// # Errors
/// There is no such game; the message gives the number of games.
pub(crate) fn pick(
    games: &mut Games<'_>,
    wanted: Option<usize>,
    note_writer: &mut NoteWriter,
) -> Result<(Result<ImportedGame, UnreadableGame>, Option<usize>)> {
    ensure!(wanted != Some(0), "games are numbered from 1");
    let mut picked: Option<(Result<ImportedGame, UnreadableGame>, usize)> = None;
    let (mut count, mut bad) = (0, Vec::new());
    while let Some(game) = games.next() {
        count += 1;
        match (game, &picked) {
            (game, _) if wanted == Some(count) => picked = Some((game, count)),
            (Ok(game), None) if wanted.is_none() => picked = Some((Ok(game), count)),
            (Err(error), _) => bad.push((count, error)),
            (Ok(_), _) => {}
        }
        // Reading all of a large file would take long.
        if games.endless && picked.as_ref().is_some_and(|&(_, number)| count > number) {
            break;
        }
    }
    // If no game can be used, the first error says why.
    if picked.is_none() && wanted.is_none() && !bad.is_empty() {
        let (number, error) = bad.remove(0);
        picked = Some((Err(error), number));
    }
    let many = if count == 1 { "is 1 game".into() } else { format!("are {count} games") };
    let none = || {
        if count == 0 { "there is no game in it".into() } else { format!("there {many} in it") }
    };
    let (game, number) = picked.with_context(none)?;
    for (number, error) in bad {
        let UnreadableGame { place, reason } = error;
        let text = format!("cannot be used: {}: {reason}", games.place(place));
        note_writer.say(&text, Some(number));
    }
    if count > 1 && wanted.is_none() {
        let many = if games.endless { "are more games".into() } else { many };
        let chooses = note_writer.number();
        let taken = match number {
            1 => "the first is taken".into(),
            _ => format!("game {number} is taken, the first that can be read"),
        };
        note_writer.say(&format!("there {many} in it, {taken}; {chooses}"), None);
    }
    Ok((game, (count > 1).then_some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::record::import::Hints;
    use goren_notation::forms::Opened;

    #[test]
    fn the_first_game_that_can_be_read_is_picked() {
        let picked = |text: &str, wanted: Option<usize>| {
            Opened::of_text(text).games(None, &Hints::default(), |games| {
                let (game, number) = pick(games, wanted, &mut NoteWriter::new(None))?;
                Ok((game.map(|game| game.events.len()).ok(), number))
            })
        };
        let text = "h8 foo\nh8 i9\nh8 j9 g7\n";
        assert_eq!(picked(text, None).unwrap(), (Some(2), Some(2)));
        assert_eq!(picked(text, Some(1)).unwrap(), (None, Some(1)));
        assert_eq!(picked(text, Some(3)).unwrap(), (Some(3), Some(3)));
        assert_eq!(picked("h8 foo", None).unwrap(), (None, None));
        assert!(picked(text, Some(4)).is_err() && picked(text, Some(0)).is_err());
    }
}
