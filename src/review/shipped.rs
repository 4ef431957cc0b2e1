//! Puzzles of the program. `goren puzzles` made them from games between its own players, and
//! the solvers and the search checked each:
//!
//! ```text
//! goren puzzles --game GAME --play 60 --level strong --seed 7 --last-positions 24 --nodes 12000 --max-plies 15
//! ```
//!
//! (in Pente `--play 30 --last-positions 16 --nodes 8000 --max-plies 13`). For each GAME and kind
//! up to 30 puzzles were kept, at most one from each game played, with wins of all lengths, if
//! they were confirmed by a search of 30,000 nodes, or of four times as many where that proves
//! nothing.

use crate::puzzle::Puzzle;

/// One file for each game, with a puzzle in each line.
const FILES: [&str; 4] = [
    include_str!("puzzles/freestyle.jsonl"),
    include_str!("puzzles/gomoku.jsonl"),
    include_str!("puzzles/renju.jsonl"),
    include_str!("puzzles/pente.jsonl"),
];

/// Returns all puzzles, by game and kind.
pub fn shipped() -> Vec<Puzzle> {
    let lines = FILES.iter().flat_map(|file| file.lines());
    // A test reads every line.
    lines.filter_map(|line| Puzzle::read(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_puzzle() {
        for line in FILES.iter().flat_map(|file| file.lines()) {
            let puzzle = Puzzle::read(line).unwrap();
            assert_eq!(puzzle.write(), line);
        }
        assert!(!shipped().is_empty());
    }
}
