//! Training games of variants beyond five in a row, as JSON Lines: a line with the settings, then
//! a line for each game, as [`json_game`](goren_notation::json_game) writes it, with these
//! additional fields:
//!
//! ```json
//! {"version":3,"variant":"connect6","width":19,"height":19,"opened":"free",
//!  "first":"Goren","second":"Goren","opening":["k10"],"plies":[{"ply":"k12,l9"}],
//!  "black":"first","result":"first","reason":"proven",
//!  "random":[1],"scores":[12,-30,29995],"seed":5,"stones":["l9","k12"]}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `seed` | random seed of the game |
//! | `stones` | stones that the search placed after the opening, in order, those of an unfinished turn too; absent where each is a ply |
//! | `scores` | for each of them the score of the position before it, for the side to move, proven scores included; one more where the game ended with a proven score |
//! | `random` | indices (from 0) of the stones that were random moves instead of the best; absent if none |
//!
//! Self-play does not pass. A settings line without `format` is from a former version, whose
//! lines are read too: `opening` and `stones` are lists of single stones, `random` is called
//! `astray`, and `result` is black, white, draw or null.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use goren_core::opening::Seat;
use goren_core::record::import::MoveStats;
use goren_core::record::{Ending, GameRecord, PlayedPly};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Score};
use goren_notation::forms::Typed;
use goren_notation::{json_game, plies, point};

/// Format of a file of training games, in its settings line.
pub const FORMAT: &str = "goren selfplay 2";

/// A training game beyond five in a row, as stored in a line.
#[derive(Clone, PartialEq, Debug)]
pub struct JsonGame {
    /// The game in whole turns.
    pub record: GameRecord,
    /// Random seed of the game.
    pub seed: u64,
    /// Stones that the search placed, in order, those of an unfinished turn too.
    pub stones: Vec<Cell>,
    /// For each of them the score of the position before it; one more if the game ended with a
    /// proven score.
    pub scores: Vec<Score>,
    /// Indices of the stones that were random moves instead of the best.
    pub random_moves: Vec<usize>,
}

/// Fields in addition to those of any game.
#[derive(Serialize, Deserialize)]
struct Extra {
    seed: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    stones: Vec<String>,
    scores: Vec<Score>,
    #[serde(rename = "random", default, skip_serializing_if = "Vec::is_empty")]
    random_moves: Vec<usize>,
}

impl JsonGame {
    /// Writes the game as a line with its line end.
    ///
    /// # Errors
    /// The fields are no JSON object, which cannot happen.
    pub fn line(&self) -> Result<String> {
        let height = self.record.contest.height;
        // The ply of a pair does not keep the order of its stones.
        let separate = self.stones.len() != self.record.plies.len();
        let stones = self.stones.iter().filter(|_| separate).map(|cell| cell.label(height));
        let extra = Extra {
            seed: self.seed,
            stones: stones.collect(),
            scores: self.scores.clone(),
            random_moves: self.random_moves.clone(),
        };
        let Value::Object(extra) = json!(extra) else { bail!("the fields must be an object") };
        Ok(json_game::write(&self.record, extra) + "\n")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// The line is no training game.
    pub fn read(line: &str) -> Result<JsonGame> {
        let (record, extra) = json_game::read(line)?;
        let Extra { seed, stones, scores, random_moves } =
            serde_json::from_value(Value::Object(extra))?;
        let Contest { width, height, .. } = record.contest;
        let stones = if stones.is_empty() {
            plies::stones(record.plies.iter().map(|ply| &ply.action))
        } else {
            let cells = stones.iter().map(|text| point::cell(text, (width, height)));
            cells.collect::<Result<_>>()?
        };
        JsonGame { record, seed, stones, scores, random_moves }.checked()
    }

    /// Returns the game if its lists are consistent.
    ///
    /// # Errors
    /// A stone without a score, a score too many, or a random move that is none of the stones.
    fn checked(self) -> Result<JsonGame> {
        let stones = self.stones.len();
        ensure!(self.scores.len() >= stones, "a stone without a score");
        ensure!(self.scores.len() <= stones + 1, "more scores than positions");
        ensure!(self.random_moves.iter().all(|&at| at < stones), "a random move that is no stone");
        Ok(self)
    }
}

/// Format of the lines in a file of training games.
pub enum LineFormat {
    /// The format [`FORMAT`].
    Current,
    /// The format of former versions, whose lines do not name the game; it is this one.
    Former(Contest),
}

impl LineFormat {
    /// Returns the format that the settings line of a file names.
    ///
    /// # Errors
    /// The file is no file of training games, or of an unknown version.
    pub fn of_header(header: &str) -> Result<LineFormat> {
        let header = header.trim_start_matches('\u{feff}');
        let header: Value = serde_json::from_str(header).context("not a file of training games")?;
        match header["format"].as_str() {
            Some(FORMAT) => Ok(LineFormat::Current),
            Some(other) => bail!("{other:?} is not a known format of training games"),
            None => {
                let name = header["game"].as_str().context("not a file of training games")?;
                let side = |key: &str| header[key].as_u64().with_context(|| format!("no {key}"));
                let contest = Contest::new(Variant::from_name(name)?)
                    .opened(OpeningId::Free)?
                    .on(side("width")? as usize, side("height")? as usize)?;
                Ok(LineFormat::Former(contest))
            }
        }
    }

    /// Reads the game of a line.
    ///
    /// # Errors
    /// The line is no training game of this format.
    pub fn read(&self, line: &str) -> Result<JsonGame> {
        match self {
            LineFormat::Current => JsonGame::read(line),
            LineFormat::Former(contest) => serde_json::from_str::<FormerLine>(line)?.game(contest),
        }
    }
}

/// A game as former versions wrote it.
#[derive(Deserialize)]
struct FormerLine {
    seed: u64,
    opening: Vec<String>,
    stones: Vec<String>,
    scores: Vec<Score>,
    #[serde(default)]
    astray: Vec<usize>,
    result: Option<Winner>,
}

/// Winner of a game.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Black,
    White,
    Draw,
}

impl FormerLine {
    fn game(self, contest: &Contest) -> Result<JsonGame> {
        let mut typed = Typed::new(contest);
        let mut place = |texts: &[String]| -> Result<Vec<Cell>> {
            let stone = |text: &String| {
                let cell = point::cell(text, (contest.width, contest.height))?;
                typed.stone(cell).with_context(|| format!("stone {text}"))?;
                Ok(cell)
            };
            texts.iter().map(stone).collect()
        };
        let opening = place(&self.opening)?.len();
        let stones = place(&self.stones)?;
        let mut actions = typed.game_state.actions().to_vec();
        let whole =
            (0..=actions.len()).find(|&plies| plies::stones(&actions[..plies]).len() == opening);
        let played = actions.split_off(whole.context("the opening ends within a turn")?);
        let ply = |action| PlayedPly { action, stats: MoveStats::default() };
        let record = GameRecord {
            contest: *contest,
            players: players(),
            opening: actions,
            plies: played.into_iter().map(ply).collect(),
            black: Seat::First,
            ending: self.result.map(|winner| match winner {
                Winner::Black => Ending::Win(Seat::First),
                Winner::White => Ending::Win(Seat::Second),
                Winner::Draw => Ending::Draw,
            }),
            reason: String::new(),
        };
        let (seed, scores, random_moves) = (self.seed, self.scores, self.astray);
        JsonGame { record, seed, stones, scores, random_moves }.checked()
    }
}

/// Returns the names of the players.
pub fn players() -> [String; 2] {
    ["Goren", "Goren"].map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_notation::json_example;

    #[test]
    fn a_game_is_read_and_written_as_documented() {
        let example = json_example::text(include_str!("lines.rs"));
        let game = JsonGame::read(&example).unwrap();
        assert_eq!((game.record.plies.len(), game.stones.len(), game.scores.len()), (1, 2, 3));
        assert_eq!(game.line().unwrap().trim_end(), example);
    }

    /// Rows and replays used to leave out stones without a score.
    #[test]
    fn inconsistent_lists_are_refused() {
        let example = json_example::text(include_str!("lines.rs"));
        let (scores, random) = ("[12,-30,29995]", "\"random\":[1]");
        assert!(JsonGame::read(&example.replace(scores, "[12,-30]")).is_ok());
        for (part, other, why) in [
            (scores, "[12]", "a stone without a score"),
            (scores, "[12,-30,29995,1]", "more scores than positions"),
            (random, "\"random\":[2]", "a random move that is no stone"),
        ] {
            let line = example.replace(part, other);
            assert_ne!(line, example);
            assert_eq!(JsonGame::read(&line).unwrap_err().to_string(), why);
        }
    }

    #[test]
    fn files_of_former_versions_are_read() {
        let header = r#"{"game":"connect6","width":19,"height":19,"nodes":1}"#;
        let lines = LineFormat::of_header(header).unwrap();
        let line = r#"{"seed":5,"opening":["k10"],"stones":["l9","k12"],"scores":[12,-30,29995],"astray":[1],"result":"black"}"#;
        let game = lines.read(line).unwrap();
        let example = json_example::text(include_str!("lines.rs"));
        let current = LineFormat::of_header(&format!("{{\"format\":{FORMAT:?}}}")).unwrap();
        let expected = current.read(&example).unwrap();
        assert_eq!(game.stones, expected.stones);
        assert_eq!((game.scores, game.random_moves), (expected.scores, expected.random_moves));
        assert_eq!(game.record.opening, expected.record.opening);
        assert_eq!(game.record.ending, expected.record.ending);
        assert!(lines.read(&line.replace("k12", "k10")).is_err());
        assert!(lines.read(&line.replace("[12,-30,", "[")).is_err());
        for header in ["[]", "{}", r#"{"format":"goren selfplay 3"}"#] {
            assert!(LineFormat::of_header(header).is_err(), "{header}");
        }
    }
}
