//! Findings about a position: the PVs of a search, best first.

use std::time::Duration;

use goren_core::types::{Cell, Score, plies_to_end};
use goren_engine::{Answer, Info};

/// The lines of a search.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Findings {
    /// Those of one iteration, best first.
    pub(crate) lines: Vec<Info>,
    /// Those of the next that have come in.
    next: Vec<Info>,
    /// Stones of a turn, and how many turns are wanted; 0 for one line a stone.
    turns: (usize, usize),
}

impl Findings {
    /// Nothing yet. Where `stones` are a turn, each turn is kept once, whatever the
    /// order of its stones, and no more than `wanted` of them.
    pub(super) fn of_turns(stones: usize, wanted: usize) -> Findings {
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
            let mut turn: Vec<Cell> = cells(line).into_iter().take(stones).collect();
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
    pub(super) fn note(&mut self, info: &Info) -> bool {
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
    pub(super) fn settle(&mut self, answer: &Answer) {
        let info = &answer.info;
        match &mut self.lines[..] {
            [] | [_] if answer.best.is_some() => self.lines = vec![info.clone()],
            lines => lines.iter_mut().for_each(|line| {
                (line.nodes, line.elapsed) = (info.nodes, info.elapsed);
            }),
        }
    }

    /// Nodes of the whole search.
    pub(super) fn nodes(&self) -> u64 {
        self.lines.iter().map(|line| line.nodes).max().unwrap_or(0)
    }

    /// How long it took.
    pub(super) fn elapsed(&self) -> Duration {
        self.lines.iter().map(|line| line.elapsed).max().unwrap_or_default()
    }

    /// Plies of the best line's iteration, and of its longest variation.
    pub(super) fn depth(&self) -> (u32, u32) {
        self.lines.first().map_or((0, 0), |line| (line.depth, line.seldepth))
    }
}

/// The stones of a line.
pub(crate) fn cells(info: &Info) -> Vec<Cell> {
    info.pv.iter().map(|m| m.cell()).collect()
}

/// A score as the protocol writes it: points, or plies to a proven end.
pub(crate) fn score_text(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{plies}"),
        None => format!("{score:+}"),
    }
}

/// A win rate in percent. 100.0 and 0.0 are kept for what is proven.
pub(crate) fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    match rate {
        0.0 | 1.0 => format!("{percent:.1}"),
        _ => format!("{:.1}", percent.clamp(0.1, 99.9)),
    }
}

/// A count, in thousands or millions where it is large.
pub(super) fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}K", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};

    #[test]
    fn a_turn_of_two_stones_is_kept_once() {
        let at = |x| goren_core::types::Move::at(Cell::new(x, 0));
        let turns = [[1, 2], [2, 1], [1, 3], [4, 5]];
        let mut findings = Findings::of_turns(2, 2);
        for (pv_index, [a, b]) in turns.into_iter().enumerate() {
            let pv = vec![at(a), at(b), at(9)];
            findings.note(&Info { pv, pv_index, pv_count: 4, ..Info::NOTHING });
        }
        let kept: Vec<_> = findings.lines.iter().map(|line| cells(line)[..2].to_vec()).collect();
        let expected = [[1, 2], [1, 3]].map(|turn| turn.map(|x| Cell::new(x, 0)).to_vec());
        assert_eq!(kept, expected);
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(score_text(35), "+35");
        assert_eq!((score_text(win_in(13)), score_text(loss_in(4))), ("+M13".into(), "-M4".into()));
        assert_eq!((percent(1.0), percent(0.99999)), ("100.0".into(), "99.9".into()));
        assert_eq!((percent(0.0), percent(0.5432)), ("0.0".into(), "54.3".into()));
        assert_eq!(
            (short(9_999), short(12_345), short(45_000_000)),
            ("9999".into(), "12K".into(), "45M".into())
        );
    }
}
