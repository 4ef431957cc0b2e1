//! Games as JSON Lines: one object a line, with all fields of a [`GameRecord`].
//! The tool writes every game that it plays in this form, except the training
//! games of five in a row.
//!
//! ```json
//! {"version":3,"variant":"connect6","width":19,"height":19,"opened":"swap-3rd",
//!  "first":"a","second":"b","opening":["j10","i9,k11"],
//!  "plies":[{"ply":"h8,i8","ms":120,"eval":"35","depth":6,"nodes":5000}],
//!  "black":"first","result":"second","reason":"line"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `version` | 3 |
//! | `variant`, `opened` | the game with its options, and its opening, as `goren games` names them |
//! | `tie_break` | true if the first to pass wins what would be a draw; else absent |
//! | `strict` | true if only one of mirrored and rotated renju openings is allowed; else absent |
//! | `width`, `height` | columns and rows of the board |
//! | `first`, `second` | names of the players: who acts first, and the other |
//! | `opening` | plies made before the players took over |
//! | `plies` | later plies in turn: the `ply`, milliseconds (`ms`), how the mover evaluated the position (`eval`), the `depth` and `nodes` it reported; each absent if unknown |
//! | `black` | who had Black at the end: first or second |
//! | `result` | first, second or draw: who won; null if broken off |
//! | `reason` | why the game ended |
//!
//! Plies are written in the game's own notation: a point is a letter for the
//! column from the left and the row counted from 1 at the bottom. Other fields
//! belong to the writer of the file, and are kept; a `title` distinguishes the game from
//! others of its file.
//!
//! Lines of former versions are read, but no longer written:
//!
//! | lines | difference |
//! |---|---|
//! | with `variant`, without `version` | none other |
//! | of version 2 | five in a row from the first stone on: `rule` for `variant`; `black` and `white` name the players; `moves` for `plies`, and in them `at` for `ply`; `result` is black, white, draw or null |
//! | with `rule`, without `version` | as version 2, but rows count from the top |

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::plies;
use goren_core::opening::{Action, Seat};
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Color, read_point};

/// The writer's own field that distinguishes a game from others of its file.
pub const TITLE: &str = "title";

/// The version of written lines.
const VERSION: u64 = 3;
/// The version of games of five in a row with rows from the bottom.
const FIVE: u64 = 2;

/// The object of a line.
#[derive(Serialize, Deserialize)]
struct GameLine {
    #[serde(default)]
    version: u64,
    variant: String,
    width: usize,
    height: usize,
    opened: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    tie_break: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
    first: String,
    second: String,
    #[serde(default)]
    opening: Vec<String>,
    plies: Vec<Ply>,
    black: Who,
    result: Option<Who>,
    reason: String,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// The names of the fields of [`GameLine`].
const FIELDS: [&str; 14] = [
    "version",
    "variant",
    "width",
    "height",
    "opened",
    "tie_break",
    "strict",
    "first",
    "second",
    "opening",
    "plies",
    "black",
    "result",
    "reason",
];

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with the ply, such as {\"ply\":\"h8\"}")]
struct Ply {
    ply: String,
    #[serde(flatten, with = "Stats")]
    stats: MoveStats,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "MoveStats")]
struct Stats {
    #[serde(default, skip_serializing_if = "is_zero")]
    ms: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    eval: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    depth: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    nodes: u64,
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// A seat, or neither of them.
#[derive(Serialize, Deserialize, Copy, Clone)]
#[serde(rename_all = "lowercase")]
enum Who {
    First,
    Second,
    Draw,
}

impl Who {
    fn of(seat: Seat) -> Who {
        match seat {
            Seat::First => Who::First,
            Seat::Second => Who::Second,
        }
    }

    fn seat(self) -> Option<Seat> {
        match self {
            Who::First => Some(Seat::First),
            Who::Second => Some(Seat::Second),
            Who::Draw => None,
        }
    }
}

/// Writes a game as a line, without line end, with the writer's own fields. Those
/// named like a field of the game are left out.
pub fn write(record: &GameRecord, mut extra: Map<String, Value>) -> String {
    extra.retain(|name, _| !FIELDS.contains(&name.as_str()));
    let contest = &record.contest;
    let actions: Vec<Action> = record.actions().cloned().collect();
    let mut texts = plies::texts(contest, &actions).into_iter();
    let opening = texts.by_ref().take(record.opening.len()).collect();
    let ply = |(played, ply): (&PlayedPly, String)| Ply { ply, stats: played.stats.clone() };
    let [first, second] = record.players.clone();
    let line = GameLine {
        version: VERSION,
        variant: contest.variant.to_string(),
        width: contest.width,
        height: contest.height,
        opened: contest.opening.to_string(),
        tie_break: contest.tie_break,
        strict: contest.strict,
        first,
        second,
        opening,
        plies: record.plies.iter().zip(texts).map(ply).collect(),
        black: Who::of(record.black),
        result: record.ending.map(|ending| match ending {
            Ending::Win(seat) => Who::of(seat),
            Ending::Draw => Who::Draw,
        }),
        reason: record.reason.clone(),
        extra,
    };
    // Only maps whose keys are not strings could fail.
    serde_json::to_string(&line).unwrap_or_default()
}

/// Reads the game of a line, and the fields that its writer added.
///
/// # Errors
/// The line is not a game, has an unknown version, or breaks the rules.
pub fn read(text: &str) -> Result<(GameRecord, Map<String, Value>)> {
    let fields: Map<String, Value> = serde_json::from_str(text).map_err(parse_error)?;
    let number = |version: &Value| version.as_u64().context("the version must be a number");
    let version = fields.get("version").map(number).transpose()?;
    match version {
        Some(VERSION) => fields_of::<GameLine>(fields)?.game(),
        None if fields.contains_key("variant") => fields_of::<GameLine>(fields)?.game(),
        None if !fields.contains_key("rule") => {
            bail!("not a game of Goren: the line names no game (\"variant\")")
        }
        None | Some(FIVE) => fields_of::<FiveLine>(fields)?.line(version.is_none())?.game(),
        Some(other) => bail!("version {other} is not known; this Goren reads up to {VERSION}"),
    }
}

fn fields_of<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(fields)).map_err(parse_error)
}

/// The error in a text of one line, without the line number.
pub fn parse_error(error: serde_json::Error) -> anyhow::Error {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    match error.column() {
        0 => anyhow!("{message}"),
        column => anyhow!("column {column}: {message}"),
    }
}

impl GameLine {
    fn game(self) -> Result<(GameRecord, Map<String, Value>)> {
        let opening = OpeningId::from_name(&self.opened);
        let opening = opening.with_context(|| format!("there is no opening {:?}", self.opened))?;
        let contest = Contest::new(Variant::from_name(&self.variant)?).opened(opening)?;
        let sheet = contest.variant.sheet();
        ensure!(sheet.passes || !self.tie_break, "the game has no passes that could break a tie");
        let GameLine { tie_break, strict, .. } = self;
        let contest = Contest { tie_break, strict, ..contest.on(self.width, self.height)? };
        let texts = self.opening.iter().chain(self.plies.iter().map(|ply| &ply.ply));
        let game_state = plies::game(&contest, texts.map(String::as_str))?;
        let black = game_state.owner(Color::Black);
        let same = self.black.seat() == Some(black);
        ensure!(same, "the other seat had Black");
        let (opening, actions) = game_state.actions().split_at(self.opening.len());
        let ply = |(Ply { stats, .. }, action): (Ply, &Action)| {
            let action = action.clone();
            PlayedPly { action, stats }
        };
        let record = GameRecord {
            contest,
            players: [self.first, self.second],
            opening: opening.to_vec(),
            plies: self.plies.into_iter().zip(actions).map(ply).collect(),
            black,
            ending: self.result.map(|who| who.seat().map_or(Ending::Draw, Ending::Win)),
            reason: self.reason,
        };
        Ok((record, self.extra))
    }
}

/// The object of a line of five in a row, before version 3.
#[derive(Deserialize)]
struct FiveLine {
    #[serde(default, rename = "version")]
    _version: u64,
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

#[derive(Deserialize)]
#[serde(expecting = "an object with the point, such as {\"at\":\"h8\"}")]
struct Move {
    at: String,
    #[serde(flatten, with = "Stats")]
    stats: MoveStats,
}

/// A colour, or neither of them.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Black,
    White,
    Draw,
}

impl FiveLine {
    /// Converts to the object of lines written now.
    ///
    /// # Errors
    /// A move is not a point.
    fn line(self, from_top: bool) -> Result<GameLine> {
        let ply = |(number, text): (usize, &String)| match read_point(text) {
            Some((_, row)) if from_top && (1..=self.height).contains(&row) => {
                Ok(format!("{}{}", &text[..1], self.height + 1 - row))
            }
            Some(_) => Ok(text.clone()),
            None => Err(anyhow!("stone {number}, {text:?}, is no point")),
        };
        let texts = self.opening.iter().chain(self.moves.iter().map(|stone| &stone.at));
        let mut texts = (1..).zip(texts).map(ply).collect::<Result<Vec<String>>>()?.into_iter();
        Ok(GameLine {
            version: VERSION,
            variant: self.rule,
            width: self.width,
            height: self.height,
            opened: OpeningId::Free.to_string(),
            tie_break: false,
            strict: false,
            first: self.black,
            second: self.white,
            opening: texts.by_ref().take(self.opening.len()).collect(),
            plies: texts
                .zip(self.moves)
                .map(|(ply, Move { stats, .. })| Ply { ply, stats })
                .collect(),
            black: Who::First,
            result: self.result.map(|side| match side {
                Side::Black => Who::First,
                Side::White => Who::Second,
                Side::Draw => Who::Draw,
            }),
            reason: self.reason,
            extra: self.extra,
        })
    }
}

/// Whether a line describes how the games after it are played.
pub fn is_head(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|line| line.get("format").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_example;
    use goren_core::record::samples::games;
    use goren_core::rules::{Outcome, RuleId};
    use goren_core::types::Cell;
    use proptest::prelude::*;
    use serde_json::json;

    const LINE: &str = r#"{"version":3,"variant":"gomoku","width":15,"height":15,"opened":"swap-2","tie_break":true,"first":"a","second":"b","opening":["h8,i9,j8"],"plies":[{"ply":"h7,h9","ms":120,"eval":"35","depth":12,"nodes":5000},{"ply":"pass","ms":3},{"ply":"a1"}],"black":"first","result":"second","reason":"crash","round":3}"#;
    const FIVE_LINE: &str = r#"{"version":2,"rule":"renju","width":15,"height":15,"black":"a","white":"b","opening":["h8","i7"],"moves":[{"at":"j8","ms":120,"eval":"+M13","depth":12,"nodes":5000},{"at":"o1","ms":0}],"result":"black","reason":"five","round":3}"#;

    #[test]
    fn a_line_is_read_and_written_as_documented() {
        let (record, extra) = read(LINE).unwrap();
        assert_eq!((record.opening.len(), record.plies.len()), (1, 3));
        assert_eq!((&record.plies[1].action, record.plies[0].stats.depth), (&Action::Swap, 12));
        let result = Some(Outcome::Win(Color::White));
        assert_eq!((record.black, record.result()), (Seat::First, result));
        assert_eq!(extra["round"], 3);
        assert_eq!(write(&record, extra), LINE);
        let example = json_example::text(include_str!("json_game.rs"));
        let (record, extra) = read(&example).unwrap();
        assert_eq!(write(&record, extra), example);
    }

    #[test]
    fn contest_settings_are_kept_or_refused_if_impossible() {
        let (mut record, extra) = read(LINE).unwrap();
        record.contest.strict = true;
        let line = write(&record, extra);
        assert!(line.contains("\"strict\":true") && read(&line).unwrap().0.contest.strict);
        let line = LINE.replace("gomoku", "pente");
        assert!(read(&line).unwrap_err().to_string().contains("no passes"));
    }

    #[test]
    fn lines_of_former_versions_are_read() {
        assert_eq!(read(&LINE.replace("\"version\":3,", "")).unwrap(), read(LINE).unwrap());
        let (record, extra) = read(FIVE_LINE).unwrap();
        let stones: Vec<Action> = [(7, 7), (8, 8), (9, 7), (14, 14)]
            .map(|(x, y)| Action::stone(Cell::new(x, y)))
            .to_vec();
        assert_eq!(record.actions().cloned().collect::<Vec<_>>(), stones);
        assert_eq!((record.opening.len(), &record.plies[0].stats.eval[..]), (2, "+M13"));
        assert_eq!(record.players, ["a", "b"]);
        assert_eq!(record.ending, Some(Ending::Win(Seat::First)));
        let Contest { variant, opening, .. } = record.contest;
        assert_eq!((variant, opening), (Variant::Five(RuleId::Renju), OpeningId::Free));
        assert_eq!((&record.reason[..], &extra["round"]), ("five", &json!(3)));
        assert_eq!(read(&write(&record, extra.clone())).unwrap(), (record.clone(), extra.clone()));
        let from_top = FIVE_LINE.replace("\"version\":2,", "").replace("i7", "i9");
        assert_eq!(read(&from_top.replace("o1\"", "o15\"")).unwrap(), (record, extra));
        let draw = FIVE_LINE.replace("\"result\":\"black\"", "\"result\":null");
        assert_eq!(read(&draw).unwrap().0.ending, None);
        let newer = LINE.replace("\"version\":3", "\"version\":4");
        let error = read(&newer).unwrap_err().to_string();
        assert_eq!(error, "version 4 is not known; this Goren reads up to 3");
    }

    #[test]
    fn fields_of_the_writer_do_not_override_those_of_the_game() {
        let (record, mut extra) = read(LINE).unwrap();
        extra.insert("result".into(), json!("draw"));
        assert_eq!(write(&record, extra), LINE);
    }

    #[test]
    fn invalid_games_are_refused() {
        for (line, old, new, message) in [
            (LINE, "gomoku", "go", "no game"),
            (LINE, "\"width\":15", "\"width\":99", "99x15"),
            (LINE, "swap-2", "swop", "there is no opening \"swop\""),
            (LINE, "\"version\":3", "\"version\":\"3\"", "the version must be a number"),
            (LINE, "\"version\":3", "\"version\":2", "unknown variant `second`"),
            (LINE, "\"a1\"", "\"h8\"", "ply 4 (h8): the point is occupied"),
            (LINE, "\"a1\"", "\"a1,b1\"", "ply 4 (a1,b1)"),
            (LINE, "\"black\":\"first\"", "\"black\":\"second\"", "had Black"),
            (LINE, "\"result\":\"second\"", "\"result\":\"red\"", "unknown variant `red`"),
            (LINE, "\"plies\"", "\"moves\"", "missing field `plies`"),
            (LINE, "{\"version\"", "\"version\"", "column "),
            (FIVE_LINE, "renju", "chess", "no game \"chess\""),
            (FIVE_LINE, "i7", "i16", "ply 2 (i16)"),
            (FIVE_LINE, "o1\"", "pass\"", "stone 4, \"pass\", is no point"),
            (FIVE_LINE, "\"moves\"", "\"plies\"", "missing field `moves`"),
            (FIVE_LINE, "\"version\":2", "\"version\":3", "unknown variant `a`"),
            (FIVE_LINE, FIVE_LINE, r#"{"moves":["h8","i9"]}"#, "names no game"),
            (FIVE_LINE, r#"{"at":"o1","ms":0}"#, "\"o1\"", "expected an object with the point"),
            (LINE, r#"{"ply":"a1"}"#, "\"a1\"", "expected an object with the ply"),
        ] {
            assert!(line.contains(old), "{old}");
            let error = format!("{:#}", read(&line.replace(old, new)).unwrap_err());
            assert!(error.contains(message), "{new}: {error}");
        }
    }

    proptest! {
        #[test]
        fn written_games_are_read_back(record in games(), extra in "[ -~\n\u{e9}]{0,20}") {
            let extra = Map::from_iter([("note".to_string(), Value::String(extra))]);
            let line = write(&record, extra.clone());
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(read(&line).unwrap(), (record, extra));
        }

        #[test]
        fn no_bytes_panic(text in ".{0,80}", at in 0..LINE.len(), byte in any::<u8>()) {
            let _ = read(&text);
            for line in [LINE, FIVE_LINE] {
                let mut line = line.as_bytes().to_vec();
                let at = at % line.len();
                line[at] = byte;
                let _ = read(&String::from_utf8_lossy(&line));
            }
        }
    }
}
