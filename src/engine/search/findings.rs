//! What a search has found so far: its PVs, the best first.

use std::time::Duration;

use super::report::{Answer, Info};
use goren_core::types::Cell;

/// The PVs of a search, gathered from its reports.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Findings {
    /// Those of one iteration, best first.
    pub lines: Vec<Info>,
    /// Those of the next that have come in.
    next: Vec<Info>,
    /// Stones of a turn, and how many turns are wanted; 0 for one line a stone.
    turns: (usize, usize),
}

impl Findings {
    /// Nothing yet. Where `stones` are a turn, each turn is kept once, whatever the
    /// order of its stones, and no more than `wanted` of them.
    pub fn of_turns(stones: usize, wanted: usize) -> Findings {
        Findings { turns: (stones, wanted), ..Findings::default() }
    }

    /// Leaves out lines whose first turn stands in a better one.
    fn by_turns(&mut self) {
        let (stones, wanted) = self.turns;
        if stones < 2 {
            return;
        }
        let mut seen: Vec<Vec<Cell>> = Vec::new();
        self.lines.retain(|line| {
            let mut turn: Vec<Cell> = line.pv.iter().take(stones).map(|m| m.cell()).collect();
            turn.sort_unstable();
            let new = !seen.contains(&turn) && seen.len() < wanted;
            if new {
                seen.push(turn);
            }
            new
        });
    }

    /// Takes in a line that was reported; the lines of an iteration come
    /// together, the best first. Whether they are complete now.
    pub fn note(&mut self, info: &Info) -> bool {
        if info.pv_index == 0 {
            self.next.clear();
        }
        self.next.push(info.clone());
        let complete = info.pv_index + 1 >= info.pv_count;
        if complete {
            self.lines = std::mem::take(&mut self.next);
            self.by_turns();
        }
        complete
    }

    /// The search has ended with an answer: where there is one line, it is that
    /// of the answer, which may come from an iteration that was cut short.
    pub fn settle(&mut self, answer: &Answer) {
        let info = &answer.info;
        match &mut self.lines[..] {
            [] | [_] if answer.best.is_some() => self.lines = vec![info.clone()],
            lines => lines.iter_mut().for_each(|line| {
                (line.nodes, line.elapsed) = (info.nodes, info.elapsed);
            }),
        }
    }

    /// Nodes of the whole search.
    pub fn nodes(&self) -> u64 {
        self.lines.iter().map(|line| line.nodes).max().unwrap_or(0)
    }

    /// How long it took.
    pub fn elapsed(&self) -> Duration {
        self.lines.iter().map(|line| line.elapsed).max().unwrap_or_default()
    }

    /// Plies of the best line's iteration, and of its longest variation.
    pub fn depth(&self) -> (u32, u32) {
        self.lines.first().map_or((0, 0), |line| (line.depth, line.seldepth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::Move;

    #[test]
    fn a_turn_of_two_stones_is_kept_once() {
        let at = |x| Move::at(Cell::new(x, 0));
        let turns = [[1, 2], [2, 1], [1, 3], [4, 5]];
        let mut findings = Findings::of_turns(2, 2);
        for (pv_index, [a, b]) in turns.into_iter().enumerate() {
            let pv = vec![at(a), at(b), at(9)];
            findings.note(&Info { pv, pv_index, pv_count: 4, ..Info::NOTHING });
        }
        let kept: Vec<_> = findings.lines.iter().map(|line| line.pv[..2].to_vec()).collect();
        let expected = [[1, 2], [1, 3]].map(|turn| turn.map(at).to_vec());
        assert_eq!(kept, expected);
    }
}
