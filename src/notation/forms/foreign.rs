//! Recognition of files by their first bytes, and the commands that read them.

use crate::json_game;
use goren_core::record::import::{pente_org, pgn, rif};
use goren_core::record::text::Input;
use goren_core::record::{psq, sgf};
use serde_json::Value;

/// The kind of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A library of RenLib.
    Library,
    /// A database of positions.
    Database,
    /// Records of a database, as text.
    Records,
    /// A winning tree.
    Tree,
    /// Weights of the evaluation.
    Weights,
    /// Training games.
    Training,
    /// Puzzles.
    Puzzles,
    /// Rule vectors.
    Vectors,
    /// Games.
    Games,
    /// A kind that Goren does not read.
    Other,
}

/// Signatures of kinds of files: offset, bytes, kind and description.
const KINDS: [(usize, &[u8], Kind, &str); 19] = [
    (
        0,
        b"\xffRenLib\xff",
        Kind::Library,
        "a RenLib library: `goren db from-lib DATABASE LIBRARY` reads it",
    ),
    (16, b"charset=\"UTF-8\"", Kind::Database, DATABASE),
    (0, b"\x04\x22\x4d\x18", Kind::Database, PACKED),
    (0, b"index,key,label,value,", Kind::Records, "records as text: `goren db import` reads them"),
    (0, b"GORENPF", Kind::Tree, "a winning tree: `goren walk` and `goren check` read it"),
    (0, b"GORENPK", Kind::Tree, "a packed winning tree: `goren walk` and `goren check` read it"),
    (0, b"GorenWts", Kind::Weights, "weights of the evaluation, for --weights"),
    (0, b"GRN1", Kind::Training, "training games: `goren data show` reads them"),
    (0, b"\x89PNG", Kind::Other, "a picture"),
    (0, b"GIF8", Kind::Other, "a picture"),
    (0, b"\xff\xd8\xff", Kind::Other, "a picture"),
    (0, b"<svg", Kind::Other, "a picture"),
    (0, b"%PDF-", Kind::Other, "a PDF document"),
    (0, b"PK\x03\x04", Kind::Other, "an archive: unpack it first"),
    (0, b"\x1f\x8b", Kind::Other, "a compressed file: unpack it first"),
    (0, b"7z\xbc\xaf", Kind::Other, "an archive: unpack it first"),
    (0, b"Rar!", Kind::Other, "an archive: unpack it first"),
    (0, b"\x7fELF", Kind::Other, "a program"),
    (0, b"MZ\x90", Kind::Other, "a program"),
];

/// Descriptions of databases.
const DATABASE: &str = "a database of positions: `goren db stat` looks into it";
const PACKED: &str = "a database of positions (LZ4): `goren db stat` looks into it";

/// Descriptions of files of JSON Lines.
const PUZZLES: &str = "a list of puzzles: `goren suite` reads it";
const VECTORS: &str = "a file of rule vectors: `goren verify` reads it";
const GAMES: &str = "games of `goren match`: `goren analyze` and `goren list` read them";

/// The description of a file that is recognised as something other than a game.
pub(super) fn foreign(bytes: &[u8]) -> Option<&'static str> {
    marked(bytes).filter(|&(kind, _)| kind != Kind::Games).map(|(_, what)| what)
}

/// The kind of a file by its first bytes, and a description with the command that reads it;
/// `None` if the bytes are not recognised.
pub fn known(bytes: &[u8]) -> Option<(Kind, &'static str)> {
    marked(bytes).or_else(|| games(bytes).map(|what| (Kind::Games, what)))
}

/// The kind and description of a file by its signature, or as JSON Lines.
fn marked(bytes: &[u8]) -> Option<(Kind, &'static str)> {
    let begins = |&&(at, magic, ..): &&(usize, &[u8], Kind, &str)| {
        bytes.get(at..).is_some_and(|bytes| bytes.starts_with(magic))
    };
    let by_magic = KINDS.iter().find(begins).map(|&(_, _, kind, what)| (kind, what));
    by_magic.or_else(|| lines(bytes))
}

/// The kind and description of JSON Lines, by the keys of the first line: a puzzle has a
/// position with a result or best move, and no moves of a game; a rule vector has a name, a
/// board and values to compare.
fn lines(bytes: &[u8]) -> Option<(Kind, &'static str)> {
    let line = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let value: Value = serde_json::from_slice(line).ok()?;
    let has = |key: &str| value.get(key).is_some();
    let is_compared = || ["states", "try", "fen", "colour", "rule_forbid"].into_iter().any(has);
    let is_match = || value["format"].as_str().is_some_and(|form| form.starts_with("goren match"));
    if has("pos") && (has("result") || has("best")) && !has("moves") {
        Some((Kind::Puzzles, PUZZLES))
    } else if has("id") && has("board") && is_compared() {
        Some((Kind::Vectors, VECTORS))
    } else if is_match() || str::from_utf8(line).is_ok_and(|line| json_game::read(line).is_ok()) {
        Some((Kind::Games, GAMES))
    } else {
        None
    }
}

/// The description of games in a form with a signature.
fn games(bytes: &[u8]) -> Option<&'static str> {
    let input = Input::new(bytes, None).ok()?;
    let text = input.decode(None);
    let text = text.as_str();
    if sgf::looks(input.bytes()) {
        Some("an SGF game: `goren analyze` and `goren list` read it")
    } else if rif::looks(input.bytes()) {
        Some("a database of RenjuNet: `goren list` reads it")
    } else if psq::has_head(text) {
        Some("games of Piskvork: `goren analyze` and `goren list` read them")
    } else if pente_org::looks(text) || pgn::looks(text) {
        Some("games in PGN: `goren analyze` and `goren list` read them")
    } else {
        None
    }
}

/// Number of first bytes checked for zeros.
const HEAD: usize = 1 << 12;
/// In a text at most one byte in this many is zero.
const ZEROS: usize = 20;

/// Whether bytes are binary: more than one in [`ZEROS`] is zero.
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
    fn other_files_are_recognised_and_named() {
        assert!(foreign(b"\xffRenLib\xff\x03\x00").unwrap().contains("from-lib"));
        assert_eq!(foreign(b"\x89PNG\r\n"), Some("a picture"));
        let database = b"B\0\0\0\x03\0\0\0\0\x14\0\0\0\0\0\0charset=\"UTF-8\"\x05";
        assert!(foreign(database).unwrap().contains("goren db"));
        let vector =
            br#"{"id":"a/0","game":"gomoku","board":{"w":7,"h":7},"moves":["b4"],"states":[]}"#;
        assert!(foreign(vector).unwrap().contains("goren verify"));
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
        // Games have descriptions for commands that read other files.
        for (game, name) in [
            ("(;GM[1]B[hh])", Some("an SGF game")),
            ("Piskvorky 20x20, 11:11, 0", Some("games of Piskvork")),
            ("{\"format\":\"goren match 3\"}\n", Some("games of `goren match`")),
            ("{\"format\":\"goren match 3\"}\r{}\r", Some("games of `goren match`")),
            ("[Event \"x\"]\r\r1. h8 i9\r", Some("games in PGN")),
            ("h8i9", None),
            ("{\"format\":\"goren suite 1\"}\n", None),
        ] {
            let known = known(game.as_bytes()).map(|(kind, what)| (kind, what.split(':').next()));
            assert_eq!(known, name.map(|name| (Kind::Games, Some(name))), "{game}");
        }
        let error = |bytes: &[u8]| {
            let read = Opened::of_bytes(bytes).games(None, &Hints::default(), |_| Ok(()));
            read.unwrap_err().to_string()
        };
        assert_eq!(error(b"\x89PNG\r\n\x1a\n\0\0"), "not a game or position but a picture");
        assert_eq!(
            error(b"\x01\x02\0\0h8"),
            "not a game or position, and not text; --form pos reads a binary position"
        );
        // An empty file is not a game without moves.
        let empty = std::env::temp_dir().join(format!("goren-empty-{}.sgf", std::process::id()));
        std::fs::write(&empty, " \r\n").unwrap();
        let message = Opened::of_path(&empty).err().map(|error| error.to_string());
        std::fs::remove_file(&empty).unwrap();
        assert!(message.is_some_and(|message| message.ends_with("is empty")));
        let opened = Opened::of_input("standard input", &mut &b"\n"[..]);
        assert_eq!(opened.err().unwrap().to_string(), "standard input is empty");
    }
}
