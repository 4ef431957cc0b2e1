//! The results as a table, and as a JSON line for each attempt.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::puzzle::{self, SuitePuzzle, Tier};
use super::verdict::{Attempt, AttemptVerdict};
use crate::engine::{FirstClaims, ResultClaim};
use crate::variant::shown;
use goren_core::rules::Contest;
use goren_review::puzzle::BoardSize;

/// A puzzle and the attempts of the engines.
#[derive(Copy, Clone)]
pub(super) struct PuzzleRow<'a> {
    /// Its file, by index and name.
    pub(super) file_index: usize,
    pub(super) file: &'a str,
    pub(super) puzzle: &'a SuitePuzzle,
    /// One for each engine, in the order of their names.
    pub(super) attempts: &'a [Attempt],
}

impl PuzzleRow<'_> {
    fn solved_by_all(&self) -> bool {
        let solved = |attempt: &Attempt| attempt.verdict(self.puzzle) == AttemptVerdict::Solved;
        self.attempts.iter().all(solved)
    }

    /// The false claim of each engine, in words.
    pub(super) fn wrong(&self, engines: &[String]) -> Vec<String> {
        let PuzzleRow { file, puzzle, .. } = self;
        let claims = engines.iter().zip(self.attempts).filter_map(|(engine, attempt)| {
            let (what, claim, truth) = if puzzle.is_win() {
                ("loss", attempt.claims.loss?, "win")
            } else {
                ("win", attempt.claims.win?, "loss")
            };
            let SuitePuzzle { line, pos, .. } = puzzle;
            let Contest { variant, width, height, .. } = puzzle.terms.contest();
            let (plies, ms) = (claim.plies, milliseconds(claim.after));
            Some(format!(
                "{file} line {line}: {engine} claims a {what} in {plies} plies after {ms:.1} ms \
                 where the file has a {truth}: {} {width}x{height} {pos}",
                shown(variant)
            ))
        });
        claims.collect()
    }

    /// The attempt of one engine as a line of JSON; `number` is that of the puzzle
    /// among all of the run, from 0.
    pub(super) fn json(
        &self,
        number: u64,
        engines: &[String],
        index: usize,
    ) -> serde_json::Result<String> {
        let PuzzleRow { file, puzzle, attempts, .. } = self;
        let attempt = &attempts[index];
        let claimed = |claim: Option<ResultClaim>| {
            claim.map(|claim| JsonClaim {
                ms: milliseconds(claim.after),
                plies: claim.plies,
                nodes: known(claim.nodes),
            })
        };
        let mut line = serde_json::to_string(&JsonLine {
            number,
            file: (*file).to_owned(),
            line: puzzle.line,
            engine: engines[index].clone(),
            game: puzzle.terms.contest().variant.to_string(),
            rule: puzzle.rule,
            size: puzzle.size(),
            pos: puzzle.pos.clone(),
            tier: puzzle.tier.name().to_owned(),
            verdict: attempt.verdict(puzzle).name().to_owned(),
            win: claimed(attempt.claims.win),
            loss: claimed(attempt.claims.loss),
            ms: milliseconds(attempt.elapsed),
            nodes: known(attempt.nodes),
            failure: attempt.failure.clone(),
        })?;
        line.push('\n');
        Ok(line)
    }
}

/// The attempt of an engine as a line of the file.
#[derive(Serialize, Deserialize)]
pub(super) struct JsonLine {
    /// Number of the puzzle in the run, from 0.
    pub(super) number: u64,
    pub(super) file: String,
    line: usize,
    pub(super) engine: String,
    game: String,
    /// Gomocup's number of the rule, if the puzzle gave the game so: rows of `pos` then count
    /// from the top.
    rule: Option<i64>,
    size: BoardSize,
    pos: String,
    tier: String,
    verdict: String,
    win: Option<JsonClaim>,
    loss: Option<JsonClaim>,
    /// Time of the whole attempt.
    ms: f64,
    nodes: Option<u64>,
    failure: Option<String>,
}

impl JsonLine {
    /// The puzzle that was tried.
    ///
    /// # Errors
    /// The line has no valid puzzle.
    pub(super) fn puzzle(&self) -> Result<SuitePuzzle> {
        let JsonLine { line, game, rule, size, pos, tier, .. } = self;
        let result = if tier == Tier::Trap.name() { "loss" } else { "win" };
        let mut record = json!({ "size": size, "pos": pos, "result": result, "tier": tier });
        match rule {
            Some(rule) => record["rule"] = json!(rule),
            None => record["game"] = json!(game),
        }
        puzzle::puzzle(&record.to_string(), *line)?.context("a puzzle that is open")
    }

    /// Whether the engine did not answer: another attempt may replace this one.
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// The attempt.
    pub(super) fn attempt(&self) -> Attempt {
        let time = |ms: f64| Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default();
        let claim = |claim: &Option<JsonClaim>| {
            let nodes = |claim: &JsonClaim| claim.nodes.unwrap_or(0);
            claim.as_ref().map(|claim| ResultClaim {
                after: time(claim.ms),
                plies: claim.plies,
                nodes: nodes(claim),
            })
        };
        Attempt {
            claims: FirstClaims { win: claim(&self.win), loss: claim(&self.loss) },
            elapsed: time(self.ms),
            nodes: self.nodes.unwrap_or(0),
            failure: self.failure.clone(),
            complaint: None,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct JsonClaim {
    ms: f64,
    plies: u32,
    nodes: Option<u64>,
}

fn known(nodes: u64) -> Option<u64> {
    Some(nodes).filter(|&nodes| nodes > 0)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Counts of one engine over some puzzles.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Counts {
    pub(super) solved: usize,
    pub(super) wrong: usize,
    pub(super) unsolved: usize,
    /// Traps claimed to be lost.
    pub(super) losses: usize,
    /// Puzzles without an answer.
    pub(super) failed: usize,
    /// Milliseconds to the first claim where a win was found.
    pub(super) times: Vec<f64>,
    /// Nodes to the first claim, where they are known.
    pub(super) nodes: Vec<f64>,
}

impl Counts {
    pub(super) fn add(&mut self, puzzle: &SuitePuzzle, attempt: &Attempt) {
        let verdict = attempt.verdict(puzzle);
        match verdict {
            AttemptVerdict::Solved => self.solved += 1,
            AttemptVerdict::Wrong => self.wrong += 1,
            AttemptVerdict::Unsolved => self.unsolved += 1,
        }
        self.losses += usize::from(!puzzle.is_win() && attempt.claims.loss.is_some());
        self.failed += usize::from(attempt.failure.is_some());
        if let (true, AttemptVerdict::Solved, Some(claim)) =
            (puzzle.is_win(), verdict, attempt.claims.win)
        {
            self.times.push(milliseconds(claim.after));
            self.nodes.extend(known(claim.nodes).map(|nodes| nodes as f64));
        }
    }

    fn of<'a>(rows: impl Iterator<Item = &'a PuzzleRow<'a>>, engine: usize) -> Counts {
        let mut counts = Counts::default();
        rows.for_each(|row| counts.add(row.puzzle, &row.attempts[engine]));
        counts
    }
}

/// The middle value, or the mean of the two in the middle; NaN without values.
fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        n if n.is_multiple_of(2) => (values[middle - 1] + values[middle]) / 2.0,
        _ => values[middle],
    }
}

/// The table of some puzzles.
pub(super) struct ResultTable<'a> {
    pub(super) title: String,
    pub(super) engines: &'a [String],
    pub(super) rows: &'a [PuzzleRow<'a>],
}

impl fmt::Display for ResultTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.engines.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let several = self.engines.len() > 1;
        writeln!(f, "{}", self.title)?;
        write!(
            f,
            "  {:<5}  {:<width$} {:>7} {:>6} {:>9}",
            "tier", "engine", "solved", "wrong", "unsolved"
        )?;
        write!(f, " {:>6} {:>10} {:>10}", "lost", "ms", "nodes")?;
        if several {
            write!(f, " {:>6} {:>10} {:>10}", "common", "ms", "nodes")?;
        }
        writeln!(f)?;
        let present = |tier: &Tier| self.rows.iter().any(|row| row.puzzle.tier == *tier);
        let tiers = Tier::ALL.into_iter().filter(present).map(Some);
        for tier in tiers.chain([None]) {
            self.tier(f, tier, width)?;
        }
        Ok(())
    }
}

impl ResultTable<'_> {
    /// The lines of a tier, or of all.
    fn tier(&self, f: &mut fmt::Formatter<'_>, tier: Option<Tier>, width: usize) -> fmt::Result {
        let of_tier = |row: &&PuzzleRow| tier.is_none_or(|tier| row.puzzle.tier == tier);
        for (engine, name) in self.engines.iter().enumerate() {
            let all = Counts::of(self.rows.iter().filter(of_tier), engine);
            let title = tier.map_or("all", Tier::name);
            write!(f, "  {title:<5}  {name:<width$}")?;
            write!(f, " {:>7} {:>6} {:>9}", all.solved, all.wrong, all.unsolved)?;
            match tier {
                Some(Tier::Plain | Tier::Hard) => write!(f, " {:>6}", "-")?,
                _ => write!(f, " {:>6}", all.losses)?,
            }
            medians(f, &all)?;
            if self.engines.len() > 1 {
                let rows = self.rows.iter().filter(of_tier).filter(|row| row.solved_by_all());
                let common = Counts::of(rows, engine);
                write!(f, " {:>6}", common.times.len())?;
                medians(f, &common)?;
            }
            match all.failed {
                0 => writeln!(f)?,
                n => writeln!(f, "  ({n} unsolved by a failure)")?,
            }
        }
        Ok(())
    }
}

fn medians(f: &mut fmt::Formatter<'_>, counts: &Counts) -> fmt::Result {
    match median(&counts.times) {
        ms if ms.is_nan() => write!(f, " {:>10}", "-")?,
        ms => write!(f, " {ms:>10.1}")?,
    }
    // A median over part of the nodes would be meaningless.
    match median(&counts.nodes) {
        nodes if nodes.is_nan() || counts.nodes.len() < counts.times.len() => {
            write!(f, " {:>10}", "-")
        }
        nodes => write!(f, " {nodes:>10.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_is_a_mean() {
        assert!(median(&[]).is_nan());
        assert_eq!(median(&[3.0, 1.0, 8.0]), 3.0);
        assert_eq!(median(&[4.0, 1.0, 8.0, 2.0]), 3.0);
    }

    #[test]
    fn a_line_reads_back_as_the_position_that_was_tried() {
        for game in [r#""game":"freestyle""#, r#""rule":0"#] {
            let text = format!(
                r#"{{{game},"size":[9,15],"pos":"a1 b2 a3 c5","result":"win","tier":"plain"}}"#
            );
            let tried = puzzle::puzzle(&text, 1).unwrap().unwrap();
            let attempts = [Attempt::default()];
            let (puzzle, attempts) = (&tried, &attempts[..]);
            let row = PuzzleRow { file_index: 0, file: "file", puzzle, attempts };
            let json = row.json(0, &["goren".into()], 0).unwrap();
            let line: JsonLine = serde_json::from_str(&json).unwrap();
            let read = line.puzzle().unwrap();
            assert_eq!(read.game_state.stones(), tried.game_state.stones(), "{json}");
            assert_eq!(line.game, "freestyle");
        }
    }
}
