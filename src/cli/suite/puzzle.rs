//! Puzzles and their files: JSON lines, one position each.

use std::io::BufRead;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::forms::text_of;
use crate::opening_file::{self, Rows};
use goren_core::rules::{RuleId, Setup};
use goren_core::types::Cell;
use goren_engine::{Game, new_game};

/// How hard a puzzle is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tier {
    /// A win that a short search finds.
    Plain,
    /// A win that takes a longer search.
    Hard,
    /// The side to move has lost: there is no win to be found.
    Trap,
}

impl Tier {
    pub(super) const ALL: [Tier; 3] = [Tier::Plain, Tier::Hard, Tier::Trap];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Tier::Plain => "plain",
            Tier::Hard => "hard",
            Tier::Trap => "trap",
        }
    }
}

/// A position with a known result.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    /// Number of its line, from 1.
    pub(super) line: usize,
    pub(super) setup: Setup,
    /// The moves as written.
    pub(super) pos: String,
    /// The same as cells, Black's first.
    pub(super) stones: Vec<Cell>,
    pub(super) tier: Tier,
}

impl Puzzle {
    /// Whether the side to move wins; it loses otherwise.
    pub(super) fn is_win(&self) -> bool {
        self.tier != Tier::Trap
    }

    /// The position, ready for a search that knows nothing from before.
    pub(super) fn game(&self) -> Result<Box<dyn Game>> {
        let mut game = new_game(self.setup);
        for (i, &cell) in self.stones.iter().enumerate() {
            game.play(cell).with_context(|| format!("move {} of {}", i + 1, self.pos))?;
        }
        Ok(game)
    }
}

/// A puzzle as it is written.
#[derive(Deserialize)]
struct Record {
    rule: i64,
    size: usize,
    pos: String,
    result: Expected,
    /// Another engine's distance; checked to be a number, of no further use.
    #[serde(rename = "plies")]
    _plies: Option<u32>,
    tier: Tier,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Win,
    Loss,
}

/// The first puzzles of a file, `limit` at most; lines without text are
/// passed over.
///
/// # Errors
/// A file that cannot be read or holds no puzzle, a line that is no puzzle, a
/// position that cannot be played; file and line are named.
pub(super) fn read_file(path: &Path, limit: usize) -> Result<Vec<Puzzle>> {
    let name = path.display();
    let text = text_of(path)?;
    let puzzles = read(text.as_bytes(), limit).with_context(|| name.to_string())?;
    ensure!(!puzzles.is_empty(), "{name}: no puzzle");
    Ok(puzzles)
}

fn read(text: impl BufRead, limit: usize) -> Result<Vec<Puzzle>> {
    let mut puzzles = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if puzzles.len() == limit {
            break;
        }
        let text = text.with_context(|| format!("line {line}"))?;
        if !text.trim().is_empty() {
            puzzles.push(puzzle(&text, line).with_context(|| format!("line {line}"))?);
        }
    }
    Ok(puzzles)
}

fn puzzle(text: &str, line: usize) -> Result<Puzzle> {
    let record: Record = serde_json::from_str(text)?;
    let rule = RuleId::from_gomocup(record.rule)
        .with_context(|| format!("rule {} is not known", record.rule))?;
    let setup = Setup::new(rule, record.size, record.size)?;
    let stones = opening_file::points(&record.pos, setup, Rows::FromTop)?;
    let lost = record.result == Expected::Loss;
    ensure!(lost == (record.tier == Tier::Trap), "a loss is a trap, and nothing else is one");
    let puzzle = Puzzle { line, setup, pos: record.pos, stones, tier: record.tier };
    ensure!(puzzle.game()?.outcome().is_none(), "the game is over: {}", puzzle.pos);
    Ok(puzzle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        format!("{:#}", read(text.as_bytes(), usize::MAX).unwrap_err())
    }

    #[test]
    fn columns_count_from_the_left_and_rows_from_the_top() {
        let text = r#"{"rule": 4, "size": 15, "pos": "a1o15b10", "result": "win", "plies": 9, "tier": "hard"}"#;
        let two = format!("{text}\n\n{}\n", text.replace('9', "null"));
        let puzzles = read(two.as_bytes(), usize::MAX).unwrap();
        assert_eq!(puzzles.iter().map(|p| p.line).collect::<Vec<_>>(), [1, 3]);
        let cells = [Cell::new(0, 0), Cell::new(14, 14), Cell::new(1, 9)];
        assert_eq!(puzzles[0].stones, cells);
        assert_eq!(puzzles[0].setup, Setup::new(RuleId::Renju, 15, 15).unwrap());
        assert!(puzzles[0].is_win());
        assert_eq!(read(two.as_bytes(), 1).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_puzzle_is_refused_by_line() {
        let line = |rule: i64, size: usize, pos: &str, result: &str, tier: &str| {
            format!(
                r#"{{"rule":{rule},"size":{size},"pos":"{pos}","result":"{result}","plies":null,"tier":"{tier}"}}"#
            )
        };
        let good = line(0, 15, "h8", "loss", "trap");
        assert!(read(good.as_bytes(), usize::MAX).is_ok());
        let five = "a1a2b1b2c1c2d1d2e1";
        for (bad, why) in [
            ("{".into(), "EOF"),
            ("17".into(), "invalid type"),
            (good.replace("\"size\"", "\"side\""), "missing field `size`"),
            (line(3, 15, "h8", "win", "hard"), "rule 3 is not known"),
            (line(0, 99, "h8", "win", "hard"), "99x99"),
            (line(0, 15, "h8", "draw", "hard"), "unknown variant `draw`"),
            (line(0, 15, "h8", "win", "soft"), "unknown variant `soft`"),
            (line(0, 15, "h8", "win", "trap"), "a loss is a trap"),
            (line(0, 15, "h8", "loss", "plain"), "a loss is a trap"),
            (line(0, 15, "h8p1", "win", "hard"), "move 2 (p1) is off the board"),
            (line(0, 15, "h16", "win", "hard"), "move 1 (h16) is off the board"),
            (line(0, 15, "h0", "win", "hard"), "move 1 (h0) is off the board"),
            (line(0, 15, "h8h8", "win", "hard"), "move 2 of h8h8"),
            (line(0, 15, "8h", "win", "hard"), "a letter is needed"),
            (line(0, 15, "h8é9", "win", "hard"), "a letter is needed"),
            (line(0, 15, "h99999999999999999999", "win", "hard"), "is no point"),
            (line(0, 15, five, "win", "hard"), "the game is over"),
            (line(0, 15, &format!("{five}h8"), "win", "hard"), "move 10 of"),
        ] {
            let text = error(&format!("{good}\n{bad}"));
            assert!(text.starts_with("line 2: ") && text.contains(why), "{bad}: {text}");
        }
    }

    #[test]
    fn an_empty_or_missing_file_is_named() {
        let error = read_file(Path::new("nowhere.jsonl"), 1).unwrap_err();
        assert!(format!("{error:#}").contains("nowhere.jsonl: "), "{error:#}");
    }
}
