//! Files that are no games, by how they begin: what they are, and what reads them.

/// How a kind of file begins, from which byte on, and what it is.
const KINDS: [(usize, &[u8], &str); 18] = [
    (0, b"\xffRenLib\xff", "a RenLib library: `goren db from-lib DATABASE LIBRARY` reads it"),
    (16, b"charset=\"UTF-8\"", "a database of positions: `goren db stat` looks into it"),
    (0, b"\x04\x22\x4d\x18", "a database of positions (LZ4): `goren db stat` looks into it"),
    (0, b"GORENPF", "a winning tree: `goren walk` and `goren check` read it"),
    (0, b"GORENPK", "a packed winning tree: `goren walk` and `goren check` read it"),
    (0, b"GorenWts", "weights of the evaluation, for --weights"),
    (0, b"GRN1", "training games: `goren data show` reads them"),
    (0, b"\x89PNG", "a picture"),
    (0, b"GIF8", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (0, b"<svg", "a picture"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"PK\x03\x04", "an archive: unpack it first"),
    (0, b"\x1f\x8b", "a compressed file: unpack it first"),
    (0, b"7z\xbc\xaf", "an archive: unpack it first"),
    (0, b"Rar!", "an archive: unpack it first"),
    (0, b"\x7fELF", "a program"),
    (0, b"MZ\x90", "a program"),
];

/// What a file is that is known to be no game.
pub(super) fn foreign(bytes: &[u8]) -> Option<&'static str> {
    let begins = |&&(at, magic, _): &&(usize, &[u8], &str)| {
        bytes.get(at..).is_some_and(|bytes| bytes.starts_with(magic))
    };
    let known = KINDS.iter().find(begins).map(|&(_, _, what)| what);
    known.or_else(|| is_puzzle(bytes).then_some(PUZZLES))
}

/// What a list of puzzles is called.
const PUZZLES: &str = "a list of puzzles: `goren suite` reads it";

/// Whether the first line is a puzzle: JSON with a position and what is known of it, and no
/// moves of a game.
fn is_puzzle(bytes: &[u8]) -> bool {
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let value = serde_json::from_slice::<serde_json::Value>(line);
    let has = |key: &str| value.as_ref().is_ok_and(|value| value.get(key).is_some());
    has("pos") && (has("result") || has("best")) && !has("moves")
}

/// Bytes that are looked at, and how many of them at most are zero in a text.
const HEAD: usize = 1 << 12;
const ZEROS: usize = 20;

/// Whether bytes are no text: more than one in [`ZEROS`] is zero.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    head.iter().filter(|&&byte| byte == 0).count() * ZEROS > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::Opened;
    use goren_core::record::import::Hints;

    #[test]
    fn what_is_no_game_is_called_by_its_name() {
        assert!(foreign(b"\xffRenLib\xff\x03\x00").unwrap().contains("from-lib"));
        assert_eq!(foreign(b"\x89PNG\r\n"), Some("a picture"));
        let database = b"B\0\0\0\x03\0\0\0\0\x14\0\0\0\0\0\0charset=\"UTF-8\"\x05";
        assert!(foreign(database).unwrap().contains("goren db"));
        let puzzle = br#"{"rule": 4, "pos": "h8i9", "result": "win", "plies": 3}"#;
        assert!(foreign(puzzle).unwrap().contains("goren suite"));
        for game in [
            "{\"pos\": \"h8\", \"moves\": []}",
            "h8i9",
            "(;GM[1]B[hh])",
            "",
            "M",
            "PK",
            "[Event \"x\"]",
        ] {
            assert_eq!(foreign(game.as_bytes()), None, "{game}");
        }
        let error = |bytes: &[u8]| {
            let read = Opened::of_bytes(bytes).games(None, &Hints::default(), |_| Ok(()));
            read.unwrap_err().to_string()
        };
        assert_eq!(error(b"\x89PNG\r\n\x1a\n\0\0"), "no game or position: it is a picture");
        assert_eq!(error(b"\x01\x02\0\0h8"), "no game or position: it is no text");
        // A file of nothing is no game without moves.
        let empty = std::env::temp_dir().join(format!("goren-empty-{}.sgf", std::process::id()));
        std::fs::write(&empty, " \r\n").unwrap();
        let told = Opened::of_path(&empty).err().map(|error| error.to_string());
        std::fs::remove_file(&empty).unwrap();
        assert!(told.is_some_and(|told| told.ends_with("is empty")));
    }
}
