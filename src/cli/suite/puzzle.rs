//! Puzzles and their files: JSON lines, one position each.
//!
//! ```json
//! {"game":"connect6","size":19,"pos":"j10 i9,k11","result":"win","plies":9,"tier":"hard"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `game` | the game with its options, as `goren games` names it; or `rule`, the number of a rule of Gomocup |
//! | `size` | the side of the board, or columns and rows: `[7,6]`; with `game` the usual board if absent |
//! | `pos` | the moves before it; rows count from the bottom with `game`, from the top with `rule` |
//! | `result` | of the side to move: win or loss; a puzzle that is open, a defence, is not tried |
//! | `plies` | another engine's distance to the end, or null |
//! | `tier` | plain or hard (a win), trap (a loss) |
//!
//! Puzzles that are won may have a `kind` too, as `goren puzzles` writes them.

use std::io::BufRead;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::engine::Terms;
use crate::forms::{Kind, NoteWriter, of_kind, text_of};
use crate::json_game::parse_error;
use crate::moves::typed;
use crate::variant::terms_of;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, OpeningId, RuleId, Setup};
use goren_notation::words::plural;
use goren_review::puzzle::BoardSize;

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
pub(super) struct SuitePuzzle {
    /// Number of its line, from 1.
    pub(super) line: usize,
    /// The game, and the terms in which it is sent to engines.
    pub(super) terms: Terms,
    /// Gomocup's number of the rule, if the puzzle gives the game so.
    pub(super) rule: Option<i64>,
    /// The moves as written: rows count from the top if a rule number is given, from
    /// the bottom otherwise.
    pub(super) pos: String,
    /// The game after these moves.
    pub(super) game_state: GameState,
    pub(super) tier: Tier,
}

impl SuitePuzzle {
    /// Whether the side to move wins; it loses otherwise.
    pub(super) fn is_win(&self) -> bool {
        self.tier != Tier::Trap
    }

    /// The board.
    pub(super) fn size(&self) -> BoardSize {
        BoardSize::of(&self.terms.contest())
    }

    /// The game, the position, the result and the tier in one text.
    pub(super) fn settings(&self) -> String {
        let SuitePuzzle { terms, rule, pos, tier, .. } = self;
        let Contest { variant, width, height, opening, .. } = terms.contest();
        let is_win = self.is_win();
        let name = tier.name();
        format!("{variant} {width}x{height} {opening} {rule:?} {pos:?} {is_win} {name}")
    }
}

/// A puzzle as written in the file.
#[derive(Deserialize)]
struct Record {
    rule: Option<i64>,
    game: Option<String>,
    size: Option<BoardSize>,
    pos: String,
    result: Expected,
    /// Another engine's distance; checked to be a number, otherwise unused.
    #[serde(rename = "plies")]
    _plies: Option<u32>,
    tier: Tier,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Expected {
    Win,
    Loss,
    /// Nobody has won yet.
    Open,
}

/// Reads the first puzzles of a file that are won or lost, at most `limit`. Skips blank
/// lines, and open puzzles with a note.
///
/// # Errors
/// The file cannot be read or holds no such puzzle, a line is no puzzle, or a position
/// cannot be played; names file and line.
pub(super) fn read_file(path: &Path, limit: usize) -> Result<Vec<SuitePuzzle>> {
    let name = path.display();
    let read = text_of(path)
        .and_then(|text| read(text.as_bytes(), limit).with_context(|| name.to_string()));
    let (puzzles, open) = of_kind(path, Kind::Puzzles, read)?;
    if open > 0 {
        let defences = plural(open as u64, "defence is skipped", "defences are skipped");
        let text = format!("{defences}: only wins and losses are tried");
        NoteWriter::new(Some(&name.to_string())).say(&text, None);
    }
    ensure!(!puzzles.is_empty(), "{name} has no puzzle that is won or lost");
    Ok(puzzles)
}

/// The puzzles, and the number of open ones that were skipped.
fn read(text: impl BufRead, limit: usize) -> Result<(Vec<SuitePuzzle>, usize)> {
    let (mut puzzles, mut open) = (Vec::new(), 0);
    for (line, text) in (1..).zip(text.lines()) {
        if puzzles.len() == limit {
            break;
        }
        let text = text.with_context(|| format!("line {line}"))?;
        if !text.trim().is_empty() {
            match puzzle(&text, line).with_context(|| format!("line {line}"))? {
                Some(puzzle) => puzzles.push(puzzle),
                None => open += 1,
            }
        }
    }
    Ok((puzzles, open))
}

/// Reads the puzzle of a line; `None` if it is open.
///
/// # Errors
/// The line is no puzzle, or its position cannot be played.
pub(super) fn puzzle(text: &str, line: usize) -> Result<Option<SuitePuzzle>> {
    let record: Record = serde_json::from_str(text).map_err(parse_error)?;
    let size = record.size.map(BoardSize::sides);
    let (terms, from_top) = match (record.rule, &record.game) {
        (Some(number), None) => {
            let rule = RuleId::from_gomocup(number);
            let rule = rule.with_context(|| format!("rule {number} is not known"))?;
            let (width, height) = size.context("a puzzle with a rule needs a size")?;
            (Terms::Gomocup(Setup::new(rule, width, height)?), true)
        }
        (None, Some(name)) => {
            let terms = match terms_of(name, size)? {
                Terms::Family(contest) => Terms::Family(contest.opened(OpeningId::Free)?),
                gomocup => gomocup,
            };
            (terms, false)
        }
        _ => bail!("a puzzle needs either a game or a rule"),
    };
    let typed = typed(&terms.contest(), &record.pos, from_top)?;
    ensure!(typed.placed.is_empty(), "it ends within a turn");
    let lost = record.result == Expected::Loss;
    ensure!(lost == (record.tier == Tier::Trap), "a loss must have the tier trap, and only a loss");
    let game_state = typed.game_state;
    ensure!(game_state.result().is_none(), "the game is over: {}", record.pos);
    let Record { rule, pos, tier, .. } = record;
    let puzzle = SuitePuzzle { line, terms, rule, pos, game_state, tier };
    Ok((record.result != Expected::Open).then_some(puzzle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{json_example, plies};
    use goren_core::types::Cell;

    fn read(text: &[u8], limit: usize) -> Result<Vec<SuitePuzzle>> {
        super::read(text, limit).map(|(puzzles, _)| puzzles)
    }

    fn error(text: &str) -> String {
        format!("{:#}", read(text.as_bytes(), usize::MAX).unwrap_err())
    }

    #[test]
    fn rows_count_from_the_top_with_a_rule_number() {
        let text = r#"{"rule": 4, "size": 15, "pos": "a1o15b10", "result": "win", "plies": 9, "tier": "hard"}"#;
        let two = format!("{text}\n\n{}\n", text.replace('9', "null"));
        let puzzles = read(two.as_bytes(), usize::MAX).unwrap();
        assert_eq!(puzzles.iter().map(|p| p.line).collect::<Vec<_>>(), [1, 3]);
        let cells = [Cell::new(0, 0), Cell::new(14, 14), Cell::new(1, 9)];
        assert_eq!(plies::stones(puzzles[0].game_state.actions()), cells);
        let renju = Setup::new(RuleId::Renju, 15, 15).unwrap();
        assert_eq!(puzzles[0].terms, Terms::Gomocup(renju));
        assert!(puzzles[0].is_win());
        assert_eq!(read(two.as_bytes(), 1).unwrap().len(), 1);
    }

    #[test]
    fn puzzles_of_any_game_are_read_in_its_notation() {
        let example = json_example::text(include_str!("puzzle.rs"));
        let named = example.replace("connect6", "renju").replace("j10 i9,k11", "h8i9j8");
        let four =
            r#"{"game":"four-in-a-row","size":[7,6],"pos":"d d e","result":"loss","tier":"trap"}"#;
        let text = format!("{example}\n{}\n{four}", named.replace("\"size\":19,", ""));
        let puzzles = read(text.as_bytes(), usize::MAX).unwrap();
        let stones = |puzzle: &SuitePuzzle| puzzle.game_state.events().len();
        assert_eq!(puzzles.iter().map(stones).collect::<Vec<_>>(), [3, 3, 3]);
        let Contest { width, height, opening, .. } = puzzles[2].terms.contest();
        assert_eq!((width, height, opening), (7, 6, OpeningId::Free));
        assert!(matches!(puzzles[1].terms, Terms::Gomocup(Setup { width: 15, .. })));
        assert!(puzzles[1].game_state.stone(Cell::new(8, 6)).is_some());
        assert!(error(&example.replace("i9,k11", "i9")).contains("ends within a turn"));
    }

    #[test]
    fn won_puzzles_of_reviews_are_read() {
        let made = json_example::text(include_str!("../../review/puzzle.rs"));
        let known = goren_review::puzzle::Puzzle::read(&made).unwrap();
        let puzzles = read(made.as_bytes(), usize::MAX).unwrap();
        assert_eq!(puzzles[0].game_state.stones(), known.game_state.stones());
        assert!(puzzles[0].is_win());
    }

    /// `goren puzzles` writes defences among the others.
    #[test]
    fn defences_are_skipped_and_counted() {
        let won = json_example::text(include_str!("../../review/puzzle.rs"));
        let open = won.replace("\"win\",\"plies\":9", "\"open\",\"plies\":null");
        let open = open.replace("fours", "defence");
        assert!(goren_review::puzzle::Puzzle::read(&open).is_ok(), "{open}");
        let text = format!("{open}\n{won}\n{open}\n");
        let (puzzles, defences) = super::read(text.as_bytes(), usize::MAX).unwrap();
        assert_eq!((puzzles.len(), puzzles[0].line, defences), (1, 2, 2));
    }

    #[test]
    fn invalid_puzzles_are_reported_by_line() {
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
            (good.replace("\"size\"", "\"side\""), "needs a size"),
            (good.replace("\"rule\"", "\"rules\""), "needs either a game or a rule"),
            (line(3, 15, "h8", "win", "hard"), "rule 3 is not known"),
            (line(0, 99, "h8", "win", "hard"), "99x99"),
            (line(0, 15, "h8", "draw", "hard"), "unknown variant `draw`"),
            (line(0, 15, "h8", "win", "soft"), "unknown variant `soft`"),
            (line(0, 15, "h8", "win", "trap"), "must have the tier trap"),
            (line(0, 15, "h8", "loss", "plain"), "must have the tier trap"),
            (line(0, 15, "h8p1", "win", "hard"), "move 2 (p1)"),
            (line(0, 15, "h16", "win", "hard"), "move 1 (h16)"),
            (line(0, 15, "h0", "win", "hard"), "byte"),
            (line(0, 15, "h8h8", "win", "hard"), "move 2 (h8)"),
            (line(0, 15, "8h", "win", "hard"), "byte"),
            (line(0, 15, "h8é9", "win", "hard"), "byte"),
            (line(0, 15, "h99999999999999999999", "win", "hard"), "byte"),
            (line(0, 15, five, "win", "hard"), "the game is over"),
            (line(0, 15, &format!("{five}h8"), "win", "hard"), "move 10 (h8)"),
        ] {
            let text = error(&format!("{good}\n{bad}"));
            assert!(text.starts_with("line 2: ") && text.contains(why), "{bad}: {text}");
            // The line number of serde_json is not that of the file.
            assert!(!text.contains(" at line "), "{bad}: {text}");
        }
    }

    #[test]
    fn an_empty_or_missing_file_is_named() {
        let error = read_file(Path::new("nowhere.jsonl"), 1).unwrap_err();
        assert!(format!("{error:#}").contains("nowhere.jsonl: "), "{error:#}");
    }
}
