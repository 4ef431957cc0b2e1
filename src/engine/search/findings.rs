//! The PVs that a search has reported so far, best first.

use std::time::Duration;

use super::report::{Answer, Info};
use goren_core::types::Cell;

/// The PVs of a search, gathered from its reports.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Findings {
    /// The PVs of the last iteration that was reported in full, best first.
    pub lines: Vec<Info>,
    /// The PVs of the next iteration received so far.
    next: Vec<Info>,
    /// Stones in a turn, and the number of turns wanted. Below two stones in a turn all
    /// PVs are kept.
    turns: (usize, usize),
}

impl Findings {
    /// Creates empty findings for a game with `stones` stones in a turn, at least two. Of the PVs
    /// that begin with the same turn, in any order of its stones, only the best is kept, and at
    /// most `wanted` PVs in all.
    pub fn with_turns(stones: usize, wanted: usize) -> Findings {
        Findings { turns: (stones, wanted), ..Findings::default() }
    }

    /// Drops PVs that begin with the same turn as a better one, and those beyond the
    /// number wanted.
    fn keep_distinct_turns(&mut self) {
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

    /// Adds a reported PV. The PVs of an iteration arrive together, best first; returns
    /// whether they are complete.
    pub fn note(&mut self, info: &Info) -> bool {
        if info.pv_index == 0 {
            self.next.clear();
        }
        self.next.push(info.clone());
        let complete = info.pv_index + 1 >= info.pv_count;
        if complete {
            self.lines = std::mem::take(&mut self.next);
            self.keep_distinct_turns();
        }
        complete
    }

    /// Call this with the answer at the end of the search. A single PV is replaced by
    /// that of the answer, which may come from an incomplete iteration; several PVs
    /// only get the final nodes and time.
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

    /// Time of the whole search.
    pub fn elapsed(&self) -> Duration {
        self.lines.iter().map(|line| line.elapsed).max().unwrap_or_default()
    }

    /// Depth and selective depth of the best PV, in plies.
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
        let mut findings = Findings::with_turns(2, 2);
        for (pv_index, [a, b]) in turns.into_iter().enumerate() {
            let pv = vec![at(a), at(b), at(9)];
            findings.note(&Info { pv, pv_index, pv_count: 4, ..Info::NOTHING });
        }
        let kept: Vec<_> = findings.lines.iter().map(|line| line.pv[..2].to_vec()).collect();
        let expected = [[1, 2], [1, 3]].map(|turn| turn.map(at).to_vec());
        assert_eq!(kept, expected);
    }
}
