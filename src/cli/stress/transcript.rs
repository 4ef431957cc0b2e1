//! Transcript of the lines sent to and printed by an engine, with a check for lines that a
//! manager would misread.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use goren_protocol::Reply;

use crate::engine::{EngineObserver, Transcript};
use crate::lock::lock;

/// Maximum number of lines kept per game: most games have fewer.
const MAX_LINES: usize = 400;
/// Maximum number of bytes kept per game: malformed lines may be long.
const MAX_BYTES: usize = 64 << 20;
/// Maximum length of a line that is kept.
const MAX_LINE_BYTES: usize = 1 << 16;
/// Bytes that the engine's reader reads at once. Longer output is split anywhere.
const READ_BYTES: usize = 16 << 10;

/// The lines of a game and the first odd one.
struct CheckedTranscript {
    transcript: Transcript,
    /// Bytes of an incomplete line.
    unfinished: Vec<u8>,
    /// The first line that some manager would misread, and the reason.
    odd: Option<String>,
    /// Bytes printed since the process was started.
    printed: u64,
}

/// A transcript shared with the thread that reads from the engine.
#[derive(Clone)]
pub(super) struct SharedTranscript(Arc<Mutex<CheckedTranscript>>);

impl SharedTranscript {
    pub(super) fn new() -> SharedTranscript {
        SharedTranscript(Arc::new(Mutex::new(CheckedTranscript {
            transcript: Transcript::new(MAX_LINES, MAX_BYTES),
            unfinished: Vec::new(),
            odd: None,
            printed: 0,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, CheckedTranscript> {
        lock(&self.0)
    }

    /// Clears the lines for a new game.
    pub(super) fn clear(&self) {
        self.lock().transcript.clear();
    }

    /// Records an action on the engine.
    pub(super) fn note(&self, action: &str) {
        self.sent(action, Instant::now());
    }

    /// Takes the first line so far that some manager would misread, and the reason.
    pub(super) fn take_odd(&self) -> Option<String> {
        self.lock().odd.take()
    }

    /// Bytes printed since the process was started.
    pub(super) fn bytes_printed(&self) -> u64 {
        self.lock().printed
    }

    /// Formats the lines: milliseconds, `<` for sent or `>` for printed, text.
    pub(super) fn text(&self) -> String {
        self.lock().transcript.lines().map(|line| format!("    {line}\n")).collect()
    }
}

impl EngineObserver for SharedTranscript {
    fn sent(&self, lines: &str, at: Instant) {
        self.lock().transcript.add("<", lines.trim_end(), at);
    }

    fn printed(&self, bytes: &[u8], at: Instant) {
        self.lock().receive(bytes, at);
    }
}

impl CheckedTranscript {
    fn receive(&mut self, chunk: &[u8], at: Instant) {
        self.printed += chunk.len() as u64;
        self.unfinished.extend_from_slice(chunk);
        while let Some(end) = self.unfinished.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unfinished.drain(..=end).collect();
            self.check_line(&line[..end], at);
        }
        if !self.unfinished.is_empty() && chunk.len() < READ_BYTES {
            let text = String::from_utf8_lossy(&self.unfinished).into_owned();
            self.odd.get_or_insert(format!("a line in two writes: {text:?}"));
        }
        self.unfinished.truncate(MAX_LINE_BYTES);
    }

    fn check_line(&mut self, line: &[u8], at: Instant) {
        let text = String::from_utf8_lossy(line);
        self.transcript.add(">", &text, at);
        if let Some(why) = oddity(line) {
            self.odd.get_or_insert(format!("{why}: {text:?}"));
        }
    }
}

/// Returns the reason why some manager would misread a line, if any would. Does not check
/// whether the line was expected.
fn oddity(line: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(line) else { return Some("not UTF-8") };
    if text.contains('\r') {
        return Some("a CR, which JudgeLocal takes as part of the answer");
    }
    if text.trim().is_empty() {
        return Some("a blank line");
    }
    // Piskvork recognises a message by the word and the blank after it.
    if text.starts_with("MESSAGE ") && text.trim() != "MESSAGE" {
        return None;
    }
    match Reply::parse(line) {
        Err(_) | Ok(Reply::Message(_) | Reply::Debug(_) | Reply::Suggest(_)) => {
            Some("not a reply that all managers know")
        }
        Ok(reply) if reply.to_wire().trim_end_matches('\n') != text => {
            Some("not in the form that all managers read")
        }
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_a_manager_may_misread_are_detected() {
        for good in
            ["7,7", "OK", "ERROR no", "UNKNOWN command", "MESSAGE depth 3", "SWAP", "1,2 3,4"]
        {
            assert_eq!(oddity(good.as_bytes()), None, "{good}");
        }
        let about = Reply::About(goren_protocol::About::new("a", "1", "b", "c"));
        assert_eq!(oddity(about.to_wire().trim_end().as_bytes()), None);
        for bad in [
            "7, 7",
            " 7,7",
            "7,7\r",
            "",
            " ",
            "MESSAGE",
            "message x",
            "DEBUG x",
            "SUGGEST 7,7",
            "ok",
            "banana",
            "07,7",
            "swap",
        ] {
            assert!(oddity(bad.as_bytes()).is_some(), "{bad:?}");
        }
        assert!(oddity(b"\xff").is_some());
    }

    #[test]
    fn a_transcript_keeps_both_sides_and_the_first_odd_line() {
        let shared = SharedTranscript::new();
        shared.sent("START 15\n", Instant::now());
        shared.printed(b"OK\nMESSAGE hi\n", Instant::now());
        assert_eq!(shared.take_odd(), None);
        shared.printed(b"7,", Instant::now());
        shared.printed(b"7\nbanana\n", Instant::now());
        let text = shared.text();
        let lines: Vec<&str> = text.lines().map(|line| line.trim_start()).collect();
        let transcript: Vec<&str> =
            lines.iter().filter_map(|line| line.split_once(' ')).map(|l| l.1).collect();
        assert_eq!(transcript, ["< START 15", "> OK", "> MESSAGE hi", "> 7,7", "> banana"]);
        assert_eq!(shared.take_odd().unwrap(), "a line in two writes: \"7,\"");
        assert_eq!(shared.bytes_printed(), 25);
        shared.clear();
        assert_eq!(shared.text(), "");
    }
}
