//! Transcript of a game: the lines sent to engines and printed by them, with times.

use std::collections::VecDeque;
use std::time::Instant;

/// The lines of a game with the milliseconds since the game began. Memory is bounded:
/// only the newest lines are kept.
pub(crate) struct Transcript {
    begun: Instant,
    lines: VecDeque<String>,
    /// Bytes of these lines.
    bytes: usize,
    /// Maximum number of lines kept.
    max_lines: usize,
    /// Maximum number of bytes kept, unless a single line has more.
    max_bytes: usize,
    left_out: u64,
}

impl Transcript {
    /// Creates the transcript of a game that begins now.
    pub(crate) fn new(max_lines: usize, max_bytes: usize) -> Transcript {
        Transcript {
            begun: Instant::now(),
            lines: VecDeque::new(),
            bytes: 0,
            max_lines,
            max_bytes,
            left_out: 0,
        }
    }

    /// Clears the lines for a new game, which begins now.
    pub(crate) fn clear(&mut self) {
        *self = Transcript::new(self.max_lines, self.max_bytes);
    }

    /// Adds lines sent or printed at a time. `mark` precedes each: `<` for
    /// lines sent to an engine, `>` for lines printed by one.
    pub(crate) fn add(&mut self, mark: &str, lines: &str, at: Instant) {
        let ms = at.saturating_duration_since(self.begun).as_secs_f64() * 1e3;
        for line in lines.lines() {
            let line = format!("{ms:9.1} {mark} {line}");
            self.bytes += line.len();
            self.lines.push_back(line);
            let is_over = |this: &Transcript| {
                let too_long = this.bytes > this.max_bytes && this.lines.len() > 1;
                this.lines.len() > this.max_lines || too_long
            };
            while is_over(self)
                && let Some(first) = self.lines.pop_front()
            {
                self.bytes -= first.len();
                self.left_out += 1;
            }
        }
    }

    /// Returns the kept lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// Number of earlier lines that were left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn lines_have_their_times_and_marks() {
        let mut transcript = Transcript::new(9, 999);
        let at = |ms| Duration::from_millis(ms);
        let begun = transcript.begun;
        transcript.add("<", "START 15\nBEGIN\n", begun + at(2));
        transcript.add("> it:", "7,7", begun + at(12_345));
        // Sent before the game began.
        transcript.add("<", "END", begun - at(1));
        assert_eq!(
            transcript.lines().collect::<Vec<_>>(),
            ["      2.0 < START 15", "      2.0 < BEGIN", "  12345.0 > it: 7,7", "      0.0 < END"]
        );
        transcript.clear();
        assert_eq!((transcript.lines().count(), transcript.bytes), (0, 0));
        assert!(transcript.begun >= begun);
    }

    #[test]
    fn the_newest_lines_are_kept() {
        let last = |transcript: &Transcript| -> String {
            transcript.lines().filter_map(|line| line.chars().last()).collect()
        };
        let now = Instant::now();
        let mut few = Transcript::new(2, 999);
        few.add(">", "a\nb\nc\nd", now);
        assert_eq!((last(&few).as_str(), few.left_out()), ("cd", 2));
        // A line has 13 bytes.
        let mut short = Transcript::new(99, 30);
        short.add(">", "a\nb\nc", now);
        assert_eq!((last(&short).as_str(), short.left_out()), ("bc", 1));
        short.add(">", &"x".repeat(99), now);
        assert_eq!((short.lines().count(), short.left_out()), (1, 3));
    }
}
