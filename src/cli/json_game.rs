//! Games as JSON Lines: one object a line, with all that a [`GameRecord`]
//! holds.
//!
//! ```json
//! {"version":2,"rule":"renju","width":15,"height":15,"black":"a","white":"b",
//!  "opening":["h8","i9"],
//!  "moves":[{"at":"j8","ms":120,"eval":"+M13","depth":12,"nodes":5000}],
//!  "result":"black","reason":"five"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 2; absent in games that were written before there were versions |
//! | `rule` | freestyle, standard, renju, caro, caro-exact or renju+overline |
//! | `width`, `height` | columns and rows of the board |
//! | `black`, `white` | names of the players |
//! | `opening` | stones set before the players took over, Black's first |
//! | `moves` | what was played then: where (`at`), milliseconds (`ms`), how the mover evaluated the position (`eval`, absent if unknown), the `depth` and `nodes` he reported (absent if unknown) |
//! | `result` | black, white or draw: who won; null if broken off |
//! | `reason` | why the game ended |
//!
//! A point is a letter for the column from the left and the row counted from 1 at
//! the bottom. In games without a version rows count from the top. Other fields
//! belong to the writer of the file, and are kept.

use std::io::{BufRead, ErrorKind};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use goren_core::record::{GameRecord, PlayedMove};
use goren_core::rules::{BadSize, Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, read_point};

/// A game with the fields that its writer added.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonGame {
    /// The game.
    pub record: GameRecord,
    /// Fields of the writer's own. Those named like a field of the game are
    /// not written.
    pub extra: Map<String, Value>,
}

/// Why a line is no game. Lines and columns count from 1.
#[derive(Debug, thiserror::Error)]
pub enum JsonGameError {
    /// The line is no JSON, or its fields are not those of a game.
    #[error("line {line}, column {column}: {message}")]
    Json {
        /// The line.
        line: usize,
        /// The column; 0 where it is not known.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A rule that is not known.
    #[error("line {line}: there is no rule {rule:?}")]
    Rule {
        /// The line.
        line: usize,
        /// The name.
        rule: String,
    },
    /// A board of a size that is not played.
    #[error("line {line}: {size}")]
    Size {
        /// The line.
        line: usize,
        /// The size.
        size: BadSize,
    },
    /// A version that is not known.
    #[error("line {line}: version {version} is not known; this Goren reads up to {VERSION}")]
    Version {
        /// The line.
        line: usize,
        /// The version.
        version: u32,
    },
    /// A stone that is no point of the board.
    #[error("line {line}: stone {number}, {point:?}, is no point of the board")]
    Point {
        /// The line.
        line: usize,
        /// Which stone of the game, from 1.
        number: usize,
        /// The text.
        point: String,
    },
    /// The file cannot be read.
    #[error("line {line}: {source}")]
    Io {
        /// The line.
        line: usize,
        /// Why.
        source: std::io::Error,
    },
}

/// The version of lines that are written: rows count from the bottom.
const VERSION: u32 = 2;
/// That of lines without a version: rows count from the top.
const FIRST: u32 = 1;

/// The object of a line.
#[derive(Serialize, Deserialize)]
struct GameLine {
    #[serde(default = "first")]
    version: u32,
    rule: String,
    width: usize,
    height: usize,
    black: String,
    white: String,
    #[serde(default)]
    opening: Vec<String>,
    moves: Vec<Move>,
    result: Option<Side>,
    #[serde(default)]
    reason: String,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

const fn first() -> u32 {
    FIRST
}

/// The names of the fields of [`GameLine`].
const FIELDS: [&str; 10] = [
    "version", "rule", "width", "height", "black", "white", "opening", "moves", "result", "reason",
];

#[derive(Serialize, Deserialize)]
struct Move {
    at: String,
    #[serde(flatten)]
    effort: Effort,
}

/// Time, evaluation, depth and nodes of a ply.
#[derive(Serialize, Deserialize)]
pub(super) struct Effort {
    #[serde(default)]
    pub(super) ms: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) eval: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) depth: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) nodes: u64,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

#[derive(Serialize, Deserialize, Copy, Clone)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
    Draw,
}

impl JsonGame {
    /// The game as a line, without its end.
    pub fn to_line(&self) -> String {
        let record = &self.record;
        let mut extra = self.extra.clone();
        extra.retain(|name, _| !FIELDS.contains(&name.as_str()));
        let played = |m: &PlayedMove| Move {
            at: m.cell.label(record.setup.height),
            effort: Effort { ms: m.ms, eval: m.eval.clone(), depth: m.depth, nodes: m.nodes },
        };
        let [black, white] = record.players.clone();
        let line = GameLine {
            version: VERSION,
            rule: record.setup.rule.name().into(),
            width: record.setup.width,
            height: record.setup.height,
            black,
            white,
            opening: record.opening.iter().map(|cell| cell.label(record.setup.height)).collect(),
            moves: record.moves.iter().map(played).collect(),
            result: record.result.map(|result| match result {
                Outcome::Win(Color::Black) => Side::Black,
                Outcome::Win(Color::White) => Side::White,
                Outcome::Draw => Side::Draw,
            }),
            reason: record.reason.clone(),
            extra,
        };
        // Only maps with keys that are no texts could fail.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// The game of a line, which is the `number`th of its file (for errors).
    /// Whether the moves are legal is not judged, but they lie on the board.
    ///
    /// # Errors
    /// The line is no game of a rule and a size that are played.
    pub fn from_line(text: &str, number: usize) -> Result<JsonGame, JsonGameError> {
        let line: GameLine = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            // Its own place always is in line 1.
            let message = message.split(" at line ").next().unwrap_or_default().to_string();
            JsonGameError::Json { line: number, column: error.column(), message }
        })?;
        let from_top = match line.version {
            FIRST => true,
            VERSION => false,
            version => return Err(JsonGameError::Version { line: number, version }),
        };
        let Some(rule) = RuleId::from_name(&line.rule) else {
            return Err(JsonGameError::Rule { line: number, rule: line.rule });
        };
        let setup = Setup::new(rule, line.width, line.height)
            .map_err(|size| JsonGameError::Size { line: number, size })?;
        let mut stones = 0;
        let mut cell = |text: &str| {
            stones += 1;
            let bad = JsonGameError::Point { line: number, number: stones, point: text.into() };
            match read_point(text) {
                Some((x, row)) if x < setup.width && (1..=setup.height).contains(&row) => {
                    Ok(Cell::new(x, if from_top { row - 1 } else { setup.height - row }))
                }
                _ => Err(bad),
            }
        };
        let opening = line.opening.iter().map(|text| cell(text)).collect::<Result<_, _>>()?;
        let mut moves = Vec::with_capacity(line.moves.len());
        for Move { at, effort } in line.moves {
            let Effort { ms, eval, depth, nodes } = effort;
            moves.push(PlayedMove { cell: cell(&at)?, ms, eval, depth, nodes });
        }
        let result = line.result.map(|result| match result {
            Side::Black => Outcome::Win(Color::Black),
            Side::White => Outcome::Win(Color::White),
            Side::Draw => Outcome::Draw,
        });
        let players = [line.black, line.white];
        let record = GameRecord { setup, players, opening, moves, result, reason: line.reason };
        Ok(JsonGame { record, extra: line.extra })
    }
}

/// The games of a file, one a line; blank lines are skipped, and the head of a
/// match. A broken line is no end, a file that cannot be read on is.
pub fn read(input: impl BufRead) -> impl Iterator<Item = Result<JsonGame, JsonGameError>> {
    // A byte order mark is no part of the first line.
    let unmarked = |line: String| line.trim_start_matches('\u{feff}').to_owned();
    let mut lines = (1..).zip(input.lines().map(move |line| line.map(unmarked)));
    let mut ended = false;
    std::iter::from_fn(move || {
        while !ended {
            match lines.next()? {
                (_, Ok(text)) if text.trim().is_empty() => {}
                (1, Ok(text)) if is_head(&text) => {}
                (line, Ok(text)) => return Some(JsonGame::from_line(&text, line)),
                (line, Err(source)) => {
                    // Bytes that are no UTF-8 are behind us; else the same
                    // error would come for ever.
                    ended = source.kind() != ErrorKind::InvalidData;
                    return Some(Err(JsonGameError::Io { line, source }));
                }
            }
        }
        None
    })
}

/// Whether a line says how a match is played.
pub(super) fn is_head(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|line| line.get("format").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_example;
    use goren_core::record::samples::games;
    use proptest::prelude::*;
    use serde_json::json;

    const LINE: &str = r#"{"version":2,"rule":"renju","width":15,"height":15,"black":"a","white":"b","opening":["h8","i7"],"moves":[{"at":"j8","ms":120,"eval":"+M13","depth":12,"nodes":5000},{"at":"o1","ms":0}],"result":"black","reason":"five","round":3}"#;

    #[test]
    fn a_line_is_read_and_written_as_documented() {
        let game = JsonGame::from_line(LINE, 1).unwrap();
        assert_eq!(game.record.opening, [Cell::new(7, 7), Cell::new(8, 8)]);
        assert_eq!(game.record.moves[0].cell, Cell::new(9, 7));
        assert_eq!(game.record.moves[0].eval, "+M13");
        assert_eq!(game.record.moves[1].cell, Cell::new(14, 14));
        assert_eq!(game.record.result, Some(Outcome::Win(Color::Black)));
        assert_eq!(game.extra["round"], 3);
        assert_eq!(game.to_line(), LINE);
        let example = json_example::text(include_str!("json_game.rs"));
        assert_eq!(JsonGame::from_line(&example, 1).unwrap().to_line(), example);
    }

    #[test]
    fn lines_without_a_version_count_rows_from_the_top() {
        let old = LINE.replace("\"version\":2,", "").replace("i7", "i9").replace("o1\"", "o15\"");
        let game = JsonGame::from_line(&old, 1).unwrap();
        assert_eq!(game, JsonGame::from_line(LINE, 1).unwrap());
        assert_eq!(game.to_line(), LINE);
        let newer = LINE.replace("\"version\":2", "\"version\":3");
        let error = JsonGame::from_line(&newer, 4).unwrap_err().to_string();
        assert_eq!(error, "line 4: version 3 is not known; this Goren reads up to 2");
    }

    #[test]
    fn fields_of_the_writer_do_not_hide_those_of_the_game() {
        let mut game = JsonGame::from_line(LINE, 1).unwrap();
        game.extra.insert("result".into(), json!("white"));
        assert_eq!(game.to_line(), LINE);
    }

    #[test]
    fn malformed_lines_are_named() {
        let error = |from: &str, to: &str| {
            assert!(LINE.contains(from));
            JsonGame::from_line(&LINE.replace(from, to), 7).unwrap_err().to_string()
        };
        assert_eq!(error("renju", "chess"), "line 7: there is no rule \"chess\"");
        assert!(error("\"width\":15", "\"width\":99").starts_with("line 7: board size 99x15"));
        assert_eq!(error("i7", "i16"), "line 7: stone 2, \"i16\", is no point of the board");
        assert_eq!(error("o1\"", "p1\""), "line 7: stone 4, \"p1\", is no point of the board");
        assert!(error("\"moves\"", "\"plies\"").contains("missing field `moves`"));
        assert!(error("\"black\",\"reason", "\"red\",\"reason").contains("unknown variant `red`"));
        assert!(error("{\"version\"", "\"version\"").starts_with("line 7, column "));
    }

    #[test]
    fn a_file_names_the_line_that_is_broken() {
        let file = format!("{LINE}\n\n{LINE}\n{}\n{LINE}\n", &LINE[..80]);
        let games: Vec<_> = read(file.as_bytes()).collect();
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 3);
        let broken = games[2].as_ref().unwrap_err();
        assert!(broken.to_string().starts_with("line 4, column "), "{broken}");
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        let file = format!("\u{feff}{LINE}\n{LINE}\n");
        assert_eq!(read(file.as_bytes()).filter(Result::is_ok).count(), 2);
    }

    #[test]
    fn the_head_of_a_match_is_no_game() {
        let file = format!("{{\"engines\":[],\"format\":\"goren match 1\"}}\n{LINE}\n");
        let games: Vec<_> = read(file.as_bytes()).collect();
        assert!(matches!(&games[..], [Ok(_)]), "{games:?}");
    }

    #[test]
    fn bytes_that_are_no_text_cost_one_line_and_a_broken_file_ends() {
        let file = [b"\xff\n", LINE.as_bytes()].concat();
        let games: Vec<_> = read(&file[..]).collect();
        assert!(matches!(games[0], Err(JsonGameError::Io { line: 1, .. })) && games[1].is_ok());
        struct Broken;
        impl std::io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        assert_eq!(read(std::io::BufReader::new(Broken)).take(9).count(), 1);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(record in games(), extra in "[ -~\n\u{e9}]{0,20}") {
            let extra = Map::from_iter([("note".to_string(), Value::String(extra))]);
            let game = JsonGame { record, extra };
            let line = game.to_line();
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(JsonGame::from_line(&line, 1).unwrap(), game);
        }

        #[test]
        fn no_bytes_are_a_disaster(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
            at in 0..LINE.len(),
            byte in any::<u8>(),
        ) {
            let _ = read(&bytes[..]).count();
            let mut line = LINE.as_bytes().to_vec();
            line[at] = byte;
            let _ = read(&line[..]).count();
        }
    }
}
