//! Positions of RenLib, ZJRenju and Yixin-Board in bytes (`.pos`): how many
//! moves there are, and a byte for each, `15 * row + column`, both from 0, rows
//! from the top. The board is 15x15.
//!
//! Yixin-Board takes columns for rows and so shows the mirror image.

use super::notes::Notes;
use super::{Hints, ImportedEvent, ImportedGame, Place, UnreadableGame};
use crate::types::Cell;

/// Side of the board.
const SIDE: usize = 15;

/// Whether bytes are such a position and cannot be a text.
pub fn looks(bytes: &[u8]) -> bool {
    let Some((&count, places)) = bytes.split_first() else { return false };
    let control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    let on_board = |byte: &u8| usize::from(*byte) < SIDE * SIDE;
    let text = !bytes.iter().any(control);
    usize::from(count) == places.len() && count > 0 && !text && places.iter().all(on_board)
}

/// The moves of a position.
pub fn read(
    bytes: &[u8],
    hints: &Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + use<> {
    std::iter::once(game(bytes, hints))
}

fn game(bytes: &[u8], hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let bad = |byte, reason: String| Err(UnreadableGame { place: Place::Byte(byte), reason });
    let Some((&count, rest)) = bytes.split_first() else {
        return bad(0, "nothing is in it".into());
    };
    let count = usize::from(count);
    if count > SIDE * SIDE {
        return bad(0, format!("{count} moves, and the board has {} points", SIDE * SIDE));
    }
    let mut notes = Notes::default();
    if rest.len() < count {
        let text = format!("{count} moves are announced, but only {} are there", rest.len());
        notes.doubt(Place::Byte(bytes.len()), text);
    } else if rest.len() > count {
        let text = format!("bytes after the last move that are not used: {}", rest.len() - count);
        notes.doubt(Place::Byte(count + 1), text);
    }
    let mut events = Vec::new();
    for (at, &byte) in (1..).zip(&rest[..count.min(rest.len())]) {
        let (x, y) = (usize::from(byte) % SIDE, usize::from(byte) / SIDE);
        if y >= SIDE {
            return bad(at, format!("{byte} is no point of the board"));
        }
        events.push(ImportedEvent::Stone(Cell::new(x, y), None));
    }
    notes.remark(Place::File, "read as RenLib does; Yixin-Board shows the mirror image");
    Ok(ImportedGame {
        variant: hints.variant,
        size: Some((SIDE, SIDE)),
        events,
        notes: notes.finish(),
        ..ImportedGame::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::import::Weight;
    use crate::record::import::test_reading::events as stones;

    fn one(bytes: &[u8]) -> Result<ImportedGame, UnreadableGame> {
        read(bytes, &Hints::default()).next().unwrap()
    }

    #[test]
    fn moves_stand_row_by_row_from_the_top() {
        // H8, I9, A15, O1.
        let bytes = [4, 112, 98, 0, 224];
        assert!(looks(&bytes));
        let game = one(&bytes).unwrap();
        assert_eq!(stones(&game), ["h8", "i9", "a15", "o1"]);
        assert_eq!(game.size, Some((15, 15)));
        assert!(game.notes.iter().all(|note| note.weight == Weight::Remark));
    }

    #[test]
    fn texts_are_no_positions() {
        for text in ["", "h8i9j8", "\nabcdefghij", "\t12345678\n", "7,7\n8,8\n"] {
            assert!(!looks(text.as_bytes()), "{text:?}");
        }
        // A text whose length happens to match its first byte.
        let long = format!("{}{}", char::from(100), "h8".repeat(50));
        assert!(!looks(long.as_bytes()));
        assert!(!looks(&[2, 112, 225]) && !looks(&[3, 112, 98]) && !looks(&[0]));
    }

    #[test]
    fn damage_is_told() {
        let doubt = |bytes: &[u8]| {
            let game = one(bytes).unwrap();
            let doubt = game.notes.iter().find(|note| note.weight == Weight::Doubt).unwrap();
            (stones(&game).len(), doubt.to_string())
        };
        let cut = (2, "byte 3: 4 moves are announced, but only 2 are there".to_string());
        assert_eq!(doubt(&[4, 112, 98]), cut);
        let more = (2, "byte 3: bytes after the last move that are not used: 1".to_string());
        assert_eq!(doubt(&[2, 112, 98, 7]), more);
        let error = |bytes: &[u8]| one(bytes).unwrap_err().to_string();
        assert_eq!(error(&[1, 225]), "byte 1: 225 is no point of the board");
        assert_eq!(error(&[230]), "byte 0: 230 moves, and the board has 225 points");
        assert_eq!(error(&[]), "byte 0: nothing is in it");
    }
}
