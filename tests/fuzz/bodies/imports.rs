//! Game files of other programs.

use std::io::Cursor;

use goren_core::record::import::{
    Columns, Hints, ImportedEvent, ImportedGame, UnreadableGame, list as lists, pente_org as site,
    pgn as tagged, pos as bytes, rif as database, sav as saved, usual_size,
};
use goren_core::rules::Variant;
use goren_core::types::MAX_SIDE;

use super::choice_and_text;

/// Upper bound of the number of notes on a game.
const MAX_NOTES: usize = 64;

/// Hints that a user may give, chosen by a byte.
fn hints(choice: usize) -> Hints {
    let games = ["renju", "pente", "connect6", "four-in-a-row"];
    let variant = games.get(choice % 8).and_then(|name| Variant::from_name(name).ok());
    let columns = [None, Some(Columns::WithI), Some(Columns::WithoutI)][choice / 8 % 3];
    let size = [None, Some((19, 19))][choice / 24 % 2];
    let from_top = [None, Some(true), Some(false)][choice / 48 % 3];
    let per_line = [None, Some(true)][choice / 144 % 2];
    Hints { variant, columns, size, from_top, per_line, ..Hints::default() }
}

/// Checks that each game is consistent. Returns whether any has moves.
fn check_games(
    games: impl Iterator<Item = Result<ImportedGame, UnreadableGame>>,
    hints: &Hints,
    length: usize,
) -> bool {
    let mut has_moves = false;
    for (count, game) in games.enumerate() {
        assert!(count <= length, "more games than bytes");
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert!(error.to_string().len() < 1000);
                continue;
            }
        };
        let variant = game.variant.or(hints.variant);
        let size = game.size.or(hints.size).unwrap_or_else(|| usual_size(variant));
        let (width, height) = size;
        assert!(width <= MAX_SIDE && height <= MAX_SIDE);
        for event in &game.events {
            match *event {
                ImportedEvent::Stone(cell, _) => assert!(cell.x() < width && cell.y() < height),
                ImportedEvent::Drop(x) => assert!(x < MAX_SIDE),
                ImportedEvent::Pass(_) | ImportedEvent::Swap => {}
            }
        }
        assert!(game.places.is_empty() || game.places.len() == game.events.len());
        assert!(game.notes.len() < MAX_NOTES);
        assert!(game.notes.iter().all(|note| note.to_string().len() < 2000));
        assert!(game.title.len() < 4000 && !game.title.contains('\n'));
        has_moves |= !game.events.is_empty();
    }
    has_moves
}

/// Defines the body for a reader of text; calls its `looks` first.
macro_rules! of_text {
    ($name:ident, $reader:ident, $doc:literal) => {
        #[doc = $doc]
        pub fn $name(input: &[u8]) -> bool {
            let (choice, text) = choice_and_text(input);
            let hints = hints(choice);
            let _ = $reader::looks(&text);
            check_games($reader::read(&text, &hints), &hints, text.len())
        }
    };
}

of_text!(pente_org, site, "Games of pente.org.");
of_text!(pgn, tagged, "Games of PlayOK, figrid and c-gomoku-cli.");
of_text!(sav, saved, "Games of Yixin-Board.");

/// Lists of moves and links.
pub fn list(input: &[u8]) -> bool {
    let (choice, text) = choice_and_text(input);
    let hints = hints(choice);
    let _ = lists::looks(&text, hints.variant);
    check_games(lists::read(&text, &hints), &hints, text.len())
}

/// Positions in bytes.
pub fn pos(input: &[u8]) -> bool {
    let _ = bytes::looks(input);
    check_games(bytes::read(input, &Hints::default()), &Hints::default(), input.len())
}

/// The RenjuNet database, whether or not it names its code page.
pub fn rif(input: &[u8]) -> bool {
    let Some((&choice, input)) = input.split_first() else { return false };
    let hints = hints(choice.into());
    let _ = database::looks(input);
    let file = database::Games::of_file(Cursor::new(input), hints);
    let text = database::Games::of_text(Cursor::new(input), hints);
    let file_has_moves = check_games(file, &hints, input.len());
    check_games(text, &hints, input.len()) || file_has_moves
}
