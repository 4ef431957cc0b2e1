//! The printed report of a run: its tables and the false claims.

use super::puzzle::SuitePuzzle;
use super::table::{PuzzleRow, ResultTable};
use super::verdict::Attempt;
use goren_notation::words::count;

/// The row of a puzzle of a file, given by its index and name.
pub(super) fn row<'a>(
    (file_index, file, puzzle): (usize, &'a str, &'a SuitePuzzle),
    attempts: &'a [Attempt],
) -> PuzzleRow<'a> {
    PuzzleRow { file_index, file, puzzle, attempts }
}

/// The tables of rows in the order of the files.
pub(super) fn report(engines: &[String], budget: &str, rows: &[PuzzleRow]) -> String {
    let title = |what: &str, n: usize| format!("{what}: {}, {budget} each", count(n, "position"));
    let mut report = String::new();
    let files: Vec<&[PuzzleRow]> = rows.chunk_by(|a, b| a.file_index == b.file_index).collect();
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
    true win.\n";
const LEGEND_OF_TWO: &str = "common: wins found by both engines, with the medians over these.\n";
