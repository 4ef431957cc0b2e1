//! Live display of the PVs during a search.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use console::Term;

use super::table::TextStyle;

/// Minimum time between two updates.
const REDRAW_INTERVAL: Duration = Duration::from_millis(80);

/// Live display at the end of the terminal's output. Without a terminal nothing is written
/// before [`Live::finish`].
pub(super) struct Live {
    term: Option<Term>,
    drawn: usize,
    last_update: Option<Instant>,
}

impl Live {
    /// Creates a display on standard output; live if `wanted` and if it is a terminal.
    pub(super) fn new(wanted: bool) -> Live {
        let term = Term::buffered_stdout();
        let term = Some(term).filter(|term| wanted && term.is_term());
        Live { term, drawn: 0, last_update: None }
    }

    /// Style of texts on the display.
    pub(super) fn style(&self) -> TextStyle {
        match &self.term {
            Some(term) => TextStyle {
                colors: console::colors_enabled(),
                width: Some(usize::from(term.size().1)),
            },
            None => TextStyle { colors: false, width: None },
        }
    }

    /// Replaces the drawn lines, as many as the terminal has rows, unless the last update was
    /// just before.
    pub(super) fn draw(&mut self, lines: impl FnOnce() -> Vec<String>) -> io::Result<()> {
        let due = self.last_update.is_none_or(|time| time.elapsed() >= REDRAW_INTERVAL);
        if self.term.is_some() && due {
            self.last_update = Some(Instant::now());
            let mut lines = lines();
            // Lines that scroll off the screen could not be overwritten.
            let rows = self.term.as_ref().map_or(0, |term| usize::from(term.size().0));
            lines.truncate(rows.saturating_sub(1).max(1));
            self.replace(&lines)?;
        }
        Ok(())
    }

    /// Draws the final lines.
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
