//! Progress reports of a running search, limited in rate: slow managers cannot read more,
//! and GUIs cannot usefully show more.

use std::time::{Duration, Instant};

use super::job::SearchEvent;
use crate::order::verbosity::{Mark, Verbosity};
use goren_core::types::{Cell, CellSet, Move};
use goren_engine::{Basis, Info, Report, RootEvent};

/// Minimum time between reports. The last report before a decision is always sent.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// Time before the first mark: the first iterations pass too quickly.
const FIRST_MARK: Duration = Duration::from_millis(100);
/// Minimum time between marks of cells under search.
const MARK_INTERVAL: Duration = Duration::from_millis(25);

/// Passes on the reports of one search.
pub struct ProgressReporter<'a> {
    observer: &'a mut (dyn FnMut(SearchEvent) + Send),
    verbosity: Verbosity,
    /// When PVs were last sent, counted from the start of the search.
    last_sent: Duration,
    /// The PVs of the current iteration.
    lines: Vec<Info>,
    /// Summary of the best PV last sent.
    last_best: Option<Summary>,
    started: Instant,
    /// When a cell was last marked as under search.
    last_mark: Option<Instant>,
    /// The cell marked as under search.
    marked: Option<Cell>,
    /// Whether a cell was marked since the last [`Mark::Refresh`].
    dirty: bool,
    best: Option<Cell>,
    /// The cell last marked as best.
    marked_best: Option<Cell>,
    seen: CellSet,
    lost: CellSet,
}

impl<'a> ProgressReporter<'a> {
    /// Creates the reporter of one search.
    pub fn new(
        observer: &'a mut (dyn FnMut(SearchEvent) + Send),
        verbosity: Verbosity,
    ) -> ProgressReporter<'a> {
        let mut reporter = ProgressReporter {
            observer,
            verbosity,
            last_sent: Duration::ZERO,
            lines: Vec::new(),
            last_best: None,
            started: Instant::now(),
            last_mark: None,
            marked: None,
            dirty: false,
            best: None,
            marked_best: None,
            seen: CellSet::EMPTY,
            lost: CellSet::EMPTY,
        };
        reporter.mark(Mark::Refresh);
        reporter
    }

    /// Handles a report.
    pub fn on_report(&mut self, report: &Report) {
        match report {
            Report::Pv(info) => self.line(info),
            Report::Root(event) => self.root(*event),
        }
    }

    /// Ends the reports. `info` belongs to the answer; it is sent if it differs from the
    /// last report, or counts the nodes of an incomplete iteration.
    pub fn end(&mut self, info: Option<&Info>) {
        if let Some(info) = info
            && (info.basis != Basis::Static || info.is_proven())
            && info.pv_count == 1
            && self
                .lines
                .first()
                .is_none_or(|last| summary(last) != summary(info) || last.nodes < info.nodes)
        {
            self.lines = vec![info.clone()];
            self.last_best = None;
        }
        if self.lines.first().is_some_and(|best| self.last_best != Some(summary(best))) {
            self.report_lines();
        }
        // The move played is the best one, whatever the last iteration reported.
        let first = info.and_then(|info| info.pv.first()).filter(|m| m.is_some());
        self.best = first.map(|m| m.cell()).or(self.best);
        self.report_best();
    }

    /// Root moves that were searched and are not known to lose, and the number of losing
    /// ones.
    pub fn moves_not_losing(&self) -> (CellSet, usize) {
        (self.seen.difference(&self.lost), self.lost.len())
    }

    fn line(&mut self, info: &Info) {
        if info.pv_index == 0 {
            self.lines.clear();
        }
        self.lines.push(info.clone());
        // The PVs of an iteration are sent together or not at all.
        let complete = self.lines.len() >= info.pv_count;
        if complete && info.elapsed >= self.last_sent + REPORT_INTERVAL {
            self.report_lines();
        }
        if complete && std::mem::take(&mut self.dirty) {
            self.marked = None;
            self.mark(Mark::Refresh);
        }
    }

    fn report_lines(&mut self) {
        let Some(best) = self.lines.first() else { return };
        self.last_sent = best.elapsed;
        self.last_best = Some(summary(best));
        if self.verbosity != Verbosity::Silent {
            for info in &self.lines {
                (self.observer)(SearchEvent::Report(info.clone()));
            }
        }
    }

    fn root(&mut self, event: RootEvent) {
        match event {
            RootEvent::Begun(cell) => {
                self.seen.insert(cell);
                if self.verbosity == Verbosity::Marks && self.is_due() {
                    self.report_best();
                    (self.marked, self.dirty) = (Some(cell), true);
                    self.mark(Mark::Begun(cell));
                }
            }
            RootEvent::Done(cell) => self.close(cell),
            RootEvent::Best(cell) => self.best = Some(cell),
            RootEvent::Lost(cell) => {
                self.close(cell);
                if !self.lost.contains(cell) {
                    self.lost.insert(cell);
                    self.mark(Mark::Lost(cell));
                }
            }
        }
    }

    /// Whether enough time has passed to mark another cell.
    fn is_due(&mut self) -> bool {
        let now = Instant::now();
        let due = match self.last_mark {
            None => now >= self.started + FIRST_MARK,
            Some(last) => now >= last + MARK_INTERVAL,
        };
        if due {
            self.last_mark = Some(now);
        }
        due
    }

    fn close(&mut self, cell: Cell) {
        if self.marked == Some(cell) {
            self.marked = None;
            self.mark(Mark::Done(cell));
        }
    }

    fn report_best(&mut self) {
        if let Some(best) = self.best.filter(|_| self.best != self.marked_best) {
            self.marked_best = self.best;
            self.mark(Mark::Best(best));
        }
    }

    fn mark(&mut self, mark: Mark) {
        if self.verbosity == Verbosity::Marks {
            (self.observer)(SearchEvent::Mark(mark));
        }
    }
}

/// Depth, score and moves of a PV: if they change, the report is worth sending.
type Summary = (u32, i32, Vec<Move>);

fn summary(info: &Info) -> Summary {
    (info.depth, info.score, info.pv.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(ms: u64, depth: u32, index: usize, count: usize) -> Info {
        Info {
            depth,
            seldepth: depth,
            score: index as i32,
            basis: Basis::Search,
            nodes: 1,
            elapsed: Duration::from_millis(ms),
            pv: Vec::new(),
            pv_index: index,
            pv_count: count,
        }
    }

    /// Depth and PV index of the reports sent.
    fn sent(infos: &[Info], end: Option<Info>, verbosity: Verbosity) -> Vec<(u32, usize)> {
        let mut reports = Vec::new();
        let mut observer = |event| {
            if let SearchEvent::Report(info) = event {
                reports.push((info.depth, info.pv_index));
            }
        };
        let mut reporter = ProgressReporter::new(&mut observer, verbosity);
        infos.iter().for_each(|info| reporter.on_report(&Report::Pv(info.clone())));
        reporter.end(end.as_ref());
        reports
    }

    #[test]
    fn reports_are_limited_in_rate_but_the_last_one_is_sent() {
        let infos =
            [info(120, 1, 0, 1), info(150, 2, 0, 1), info(230, 3, 0, 1), info(240, 4, 0, 1)];
        let last = info(260, 4, 0, 1);
        assert_eq!(sent(&infos, Some(last), Verbosity::Lines), [(1, 0), (3, 0), (4, 0)]);
        assert_eq!(sent(&infos[..3], Some(info(250, 9, 0, 1)), Verbosity::Marks)[2..], [(9, 0)]);
        assert!(sent(&infos, None, Verbosity::Silent).is_empty());
        // The nodes of an incomplete iteration are reported at the end.
        let end = info(250, 3, 0, 1);
        assert_eq!(sent(&infos[..3], Some(end.clone()), Verbosity::Lines), [(1, 0), (3, 0)]);
        let more = Info { nodes: 2, ..end };
        assert_eq!(sent(&infos[..3], Some(more), Verbosity::Lines), [(1, 0), (3, 0), (3, 0)]);
    }

    #[test]
    fn the_pvs_of_an_iteration_are_sent_together() {
        let lines = |ms, depth| [info(ms, depth, 0, 2), info(ms, depth, 1, 2)];
        let infos = [lines(110, 1), lines(130, 2), lines(140, 3)].concat();
        let end = info(150, 3, 0, 2);
        let all = [(1, 0), (1, 1), (3, 0), (3, 1)];
        assert_eq!(sent(&infos, Some(end), Verbosity::Lines), all);
    }

    #[test]
    fn a_losing_cell_is_marked_once_and_the_others_hold() {
        let mut marks = Vec::new();
        let mut observer = |event| {
            if let SearchEvent::Mark(mark) = event {
                marks.push(mark);
            }
        };
        let mut reporter = ProgressReporter::new(&mut observer, Verbosity::Marks);
        let cells = [1, 2, 3].map(|x| Cell::new(x, 1));
        for _ in 0..3 {
            for cell in cells {
                reporter.on_report(&Report::Root(RootEvent::Begun(cell)));
                reporter.on_report(&Report::Root(if cell == cells[1] {
                    RootEvent::Lost(cell)
                } else {
                    RootEvent::Done(cell)
                }));
            }
            reporter.on_report(&Report::Root(RootEvent::Best(cells[2])));
        }
        let (moves_not_losing, lost) = reporter.moves_not_losing();
        assert_eq!(
            (moves_not_losing.iter().collect::<Vec<_>>(), lost),
            (vec![cells[0], cells[2]], 1)
        );
        reporter.end(None);
        assert_eq!(marks, [Mark::Refresh, Mark::Lost(cells[1]), Mark::Best(cells[2])]);
    }
}
