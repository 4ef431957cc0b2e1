//! Live display of the PVs during a search.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use console::Term;

use super::table::TextStyle;

/// Time between two drawings.
const PAUSE: Duration = Duration::from_millis(80);

/// The end of the terminal's output; on anything else nothing is drawn before
/// [`Live::finish`].
pub(super) struct Live {
    term: Option<Term>,
    drawn: usize,
    last: Option<Instant>,
}

impl Live {
    /// Standard output, if it is a terminal and `wanted` so.
    pub(super) fn new(wanted: bool) -> Live {
        let term = Term::buffered_stdout();
        Live { term: Some(term).filter(|term| wanted && term.is_term()), drawn: 0, last: None }
    }

    /// How texts look there.
    pub(super) fn look(&self) -> TextStyle {
        match &self.term {
            Some(term) => TextStyle {
                colors: console::colors_enabled(),
                width: Some(usize::from(term.size().1)),
            },
            None => TextStyle { colors: false, width: None },
        }
    }

    /// Draws lines in the place of those before, as many as the terminal has rows for, unless
    /// those are very new.
    pub(super) fn draw(&mut self, lines: impl FnOnce() -> Vec<String>) -> io::Result<()> {
        let due = self.last.is_none_or(|last| last.elapsed() >= PAUSE);
        if self.term.is_some() && due {
            self.last = Some(Instant::now());
            let mut lines = lines();
            // What scrolls off the screen could not be drawn over.
            let rows = self.term.as_ref().map_or(0, |term| usize::from(term.size().0));
            lines.truncate(rows.saturating_sub(1).max(1));
            self.replace(&lines)?;
        }
        Ok(())
    }

    /// Draws the last lines, which stay.
    pub(super) fn finish(&mut self, lines: &[String]) -> io::Result<()> {
        self.replace(lines)?;
        self.drawn = 0;
        Ok(())
    }

    fn replace(&mut self, lines: &[String]) -> io::Result<()> {
        let Some(term) = &self.term else {
            let mut out = io::stdout().lock();
            return lines.iter().try_for_each(|line| writeln!(out, "{line}"));
        };
        term.move_cursor_up(self.drawn)?;
        for line in lines {
            term.clear_line()?;
            term.write_line(line)?;
        }
        term.clear_to_end_of_screen()?;
        self.drawn = lines.len();
        term.flush()
    }
}
