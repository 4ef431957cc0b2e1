//! Binary positions of RenLib, ZJRenju and Yixin-Board (`.pos`): the number of moves, and a byte
//! for each move, `15 * row + column`, both from 0, rows from the top. The board is 15x15.
//!
//! Yixin-Board exchanges columns and rows, and so shows the mirror image.

use super::notes::Notes;
use super::{Hints, ImportedEvent, ImportedGame, Note, Place, UnreadableGame};
use crate::types::Cell;

/// Side of the board.
const SIDE: usize = 15;

/// Length beyond which distinct bytes cannot be a text: points in letters and digits repeat bytes.
const LONG: usize = 32;

/// Whether bytes are a position: as many points as the first byte states, all on the board and
/// distinct.
fn fits(bytes: &[u8]) -> bool {
    let Some((&count, places)) = bytes.split_first() else { return false };
    let mut seen = [false; SIDE * SIDE];
    let mut is_new = |&place: &u8| {
        seen.get_mut(usize::from(place)).is_some_and(|seen| !std::mem::replace(seen, true))
    };
    usize::from(count) == places.len() && count > 0 && places.iter().all(&mut is_new)
}

/// Whether bytes are a position and cannot be a text.
pub fn looks(bytes: &[u8]) -> bool {
    fits(bytes) && (bytes.len() > LONG || !is_text(bytes))
}

/// Whether bytes may be a position if the file name says so.
pub fn may_be(bytes: &[u8]) -> bool {
    fits(bytes) || !is_text(bytes)
}

/// Whether bytes may be a text with moves: all characters can occur in such a text.
fn is_text(bytes: &[u8]) -> bool {
    let is_allowed = |c: char| match c {
        '\t' | '\n' | '\r' | '\x0c' => true,
        '$' | '%' | '&' | '@' | '\\' | '^' | '_' | '`' | '|' | '~' => false,
        c => !c.is_control(),
    };
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_allowed))
}

/// Reads the moves of a position.
pub fn read(
    bytes: &[u8],
    hints: &Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + use<> {
    std::iter::once(game(bytes, hints))
}

fn game(bytes: &[u8], hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let bad = |byte, reason: String| Err(UnreadableGame { place: Place::Byte(byte), reason });
    let Some((&count, rest)) = bytes.split_first() else {
        return bad(0, "the file is empty".into());
    };
    let count = usize::from(count);
    if count > SIDE * SIDE {
        return bad(0, format!("{count} moves, but the board has only {} points", SIDE * SIDE));
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
    let text = "read as by RenLib; Yixin-Board exchanges columns and rows and shows the mirror \
                image, which has the same value: its .sav files have the points as it shows them";
    notes.remark(Place::File, text);
    if hints.variant.is_none() {
        notes.push(Note::no_rule());
    }
    Ok(ImportedGame {
        variant: hints.variant,
        size: Some((SIDE, SIDE)),
        places: (1..=events.len()).map(Place::Byte).collect(),
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
    fn points_count_row_by_row_from_the_top() {
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
        // Old programs appended an end-of-file character.
        let sgf = b"(;GM[4]FF[4]SZ[15]RU[renju];B[hh];W[ii])\x1a";
        assert!(usize::from(sgf[0]) + 1 == sgf.len() && !looks(sgf));
        assert!(!looks(b"\nh8i9g7j6k5"));
        // A text whose length happens to match its first byte.
        let long = format!("{}{}", char::from(100), "h8".repeat(50));
        assert!(!looks(long.as_bytes()));
        assert!(!looks(&[2, 112, 225]) && !looks(&[3, 112, 98]) && !looks(&[0]));
    }

    #[test]
    fn positions_of_any_length_are_recognised() {
        let file = b"\x0apbaq\x80\x7fRo~\x60";
        assert!(looks(file));
        assert_eq!(stones(&one(file).unwrap())[..3], ["h8", "i9", "h9"]);
        // Points all over the board, starting at the centre.
        for count in 1..=225u8 {
            let place = |n: u8| ((112 + 16 * usize::from(n)) % 225) as u8;
            let bytes: Vec<u8> = [count].into_iter().chain((0..count).map(place)).collect();
            assert!(looks(&bytes), "{count}");
        }
        // Bytes that may also be a text are a position only if the file name says so.
        assert!(!looks(b"\x09pbaqRoTWX") && may_be(b"\x09pbaqRoTWX"));
        assert!(may_be(&[4, 112, 98]) && !may_be(b"h8i9g7"));
        let notes: Vec<String> = one(file).unwrap().notes.iter().map(ToString::to_string).collect();
        assert_eq!(notes[1], "file: no rule is named, freestyle is assumed");
    }

    #[test]
    fn damage_is_reported() {
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
        assert_eq!(error(&[230]), "byte 0: 230 moves, but the board has only 225 points");
        assert_eq!(error(&[]), "byte 0: the file is empty");
    }
}
