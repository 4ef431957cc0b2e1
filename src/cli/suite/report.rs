//! The tables of a run, and the false claims.

use super::puzzle::SuitePuzzle;
use super::table::{PuzzleRow, ResultTable};
use super::verdict::Attempt;
use goren_notation::words::count;

/// The row of a puzzle of a file, which is given by number and name.
pub(super) fn row<'a>(
    (of, file, puzzle): (usize, &'a str, &'a SuitePuzzle),
    attempts: &'a [Attempt],
) -> PuzzleRow<'a> {
    PuzzleRow { of, file, puzzle, attempts }
}

/// The tables of rows, which are in the order of the files.
pub(super) fn report(engines: &[String], budget: &str, rows: &[PuzzleRow]) -> String {
    let title = |what: &str, n: usize| format!("{what}: {}, {budget} each", count(n, "position"));
    let mut report = String::new();
    let files: Vec<&[PuzzleRow]> = rows.chunk_by(|a, b| a.of == b.of).collect();
    for rows in &files {
        let table = ResultTable { title: title(rows[0].file, rows.len()), engines, rows };
        report += &format!("{table}\n");
    }
    if files.len() > 1 {
        let table = ResultTable { title: title("all files", rows.len()), engines, rows };
        report += &format!("{table}\n");
    }
    report += LEGEND;
    if engines.len() > 1 {
        report += LEGEND_OF_TWO;
    }
    for wrong in rows.iter().flat_map(|row| row.wrong(engines)) {
        report += &format!("WRONG: {wrong}\n");
    }
    report
}

const LEGEND: &str = "solved: a proven win claimed (trap: none claimed); wrong: the opposite of \
    the truth claimed; lost: traps claimed to be lost; ms, nodes: median to the first claim of a \
    win that is one.\n";
const LEGEND_OF_TWO: &str = "common: wins found by both engines, with the medians over these.\n";
