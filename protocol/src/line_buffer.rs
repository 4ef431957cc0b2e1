//! Splits a stream of bytes into lines, whatever the chunks. Does no input itself.

use crate::text::MAX_LINE;

/// Number of bytes kept of the end of an over-long line: enough for its closing `DONE`.
const TAIL: usize = 32;

/// Collects bytes and hands out whole lines, without their line ends.
///
/// LF, CR LF and CR alone each end a line: managers use the first two, the protocol allows the
/// third. Memory is bounded: a line longer than [`MAX_LINE`] keeps only its beginning and its very
/// end, but stays longer than `MAX_LINE`, so that the [`Parser`](crate::Parser) sees that it was
/// cut.
#[derive(Debug, Default, Clone)]
pub struct LineBuffer {
    line: Vec<u8>,
    after_cr: bool,
}

impl LineBuffer {
    /// Creates an empty buffer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and returns the lines they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => lines.push(std::mem::take(&mut self.line)),
                _ => self.keep(byte),
            }
        }
        lines
    }

    /// Ends the stream and returns the last line if it has no line end.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        self.after_cr = false;
        let line = std::mem::take(&mut self.line);
        (!line.is_empty()).then_some(line)
    }

    fn keep(&mut self, byte: u8) {
        // Lets the tail grow to twice its length before it is cut, so that the move is rare.
        if self.line.len() == MAX_LINE + 2 * TAIL {
            self.line.drain(MAX_LINE..MAX_LINE + TAIL);
        }
        self.line.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_counts_once() {
        let mut buffer = LineBuffer::new();
        let lines = buffer.push(b"a\r\nb\nc\rd\n\r\ne");
        let expected: [&[u8]; 5] = [b"a", b"b", b"c", b"d", b""];
        assert_eq!(lines, expected);
        assert_eq!(buffer.finish().as_deref(), Some(b"e".as_slice()));
        assert_eq!(buffer.finish(), None);
    }

    #[test]
    fn a_cr_lf_split_between_chunks_is_one_line_end() {
        let mut buffer = LineBuffer::new();
        assert_eq!(buffer.push(b"a\r").len(), 1);
        assert!(buffer.push(b"\n").is_empty());
        assert_eq!(buffer.push(b"\n").len(), 1);
    }

    #[test]
    fn an_over_long_line_keeps_its_end_in_bounded_memory() {
        let mut buffer = LineBuffer::new();
        for _ in 0..64 {
            assert!(buffer.push(&[b'7'; MAX_LINE]).is_empty());
            assert!(buffer.line.len() <= MAX_LINE + 2 * TAIL);
        }
        let lines = buffer.push(b" DONE\n");
        assert!(lines[0].len() > MAX_LINE);
        assert!(lines[0].ends_with(b"7 DONE"));
    }
}
