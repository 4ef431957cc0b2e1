//! Progress display of a match.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::summary::brief;
use super::totals::MatchTotals;

/// How often a line is printed where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// A bar in a terminal, a line now and then elsewhere, or nothing.
pub(super) enum Progress {
    Bar(ProgressBar),
    Lines { last: Instant },
    Quiet,
}

impl Progress {
    /// `games` is their number if there is an end, `done` those played before.
    pub(super) fn new(quiet: bool, games: Option<u64>, done: u64) -> Progress {
        if quiet {
            return Progress::Quiet;
        }
        if !io::stderr().is_terminal() {
            return Progress::Lines { last: Instant::now() };
        }
        let (bar, style) = match games {
            Some(games) => {
                (ProgressBar::new(games), "{wide_bar} {pos}/{len} {elapsed}, {eta} to go\n{msg}")
            }
            None => (ProgressBar::new_spinner(), "{spinner} {pos} games {elapsed}\n{msg}"),
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_position(done);
        bar.reset_eta();
        Progress::Bar(bar)
    }

    /// Shows the state of the match.
    pub(super) fn show(&mut self, totals: &MatchTotals, names: &[String]) {
        match self {
            Progress::Quiet => {}
            Progress::Bar(bar) => {
                bar.set_message(brief(totals, names));
                bar.set_position(totals.games);
            }
            Progress::Lines { last } => {
                if last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    eprintln!("{} games: {}", totals.games, brief(totals, names));
                }
            }
        }
    }

    /// Says something beside the state.
    pub(super) fn note(&self, text: &str) {
        match self {
            Progress::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            Progress::Lines { .. } | Progress::Quiet => eprintln!("{text}"),
        }
    }

    pub(super) fn finish(&self) {
        if let Progress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
