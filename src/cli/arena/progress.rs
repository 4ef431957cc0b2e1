//! Progress display of a match.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::summary::brief;
use super::totals::MatchTotals;
use goren_notation::words::plural;

/// Time between progress lines without a terminal.
const INTERVAL: Duration = Duration::from_secs(10);

/// A bar in a terminal, a line now and then elsewhere, or nothing.
pub(super) enum MatchProgress {
    Bar(ProgressBar),
    Lines { last_report: Instant },
    Quiet,
}

impl MatchProgress {
    /// `games` is the number of games, if there is an end; `done` of them are played.
    pub(super) fn new(quiet: bool, games: Option<u64>, done: u64) -> MatchProgress {
        if quiet {
            return MatchProgress::Quiet;
        }
        if !io::stderr().is_terminal() {
            return MatchProgress::Lines { last_report: Instant::now() };
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
        MatchProgress::Bar(bar)
    }

    /// Shows the state of the match.
    pub(super) fn show(&mut self, totals: &MatchTotals, names: &[String]) {
        match self {
            MatchProgress::Quiet => {}
            MatchProgress::Bar(bar) => {
                bar.set_message(brief(totals, names));
                bar.set_position(totals.games);
            }
            MatchProgress::Lines { last_report } => {
                if last_report.elapsed() >= INTERVAL {
                    *last_report = Instant::now();
                    let games = plural(totals.games, "game", "games");
                    eprintln!("{games}: {}", brief(totals, names));
                }
            }
        }
    }

    /// Prints a note without disturbing the progress display.
    pub(super) fn note(&self, text: &str) {
        match self {
            MatchProgress::Bar(bar) => bar.suspend(|| eprintln!("{text}")),
            MatchProgress::Lines { .. } | MatchProgress::Quiet => eprintln!("{text}"),
        }
    }

    pub(super) fn finish(&self) {
        if let MatchProgress::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
