//! The lines sent to and printed by an engine, and which of them a manager would
//! misread.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use goren_protocol::Reply;

use crate::engine::{EngineObserver, Transcript};
use crate::lock::lock;

/// Lines kept of a game: enough for the whole of most.
const KEPT: usize = 400;
/// Bytes kept of a game at most: malformed lines may be long.
const KEPT_BYTES: usize = 64 << 20;
/// Longest line that is kept.
const LONGEST: usize = 1 << 16;
/// Bytes of one read of the engine's reader. Longer chunks may end anywhere.
const READ: usize = 16 << 10;

/// The lines of a game, and what is odd about them.
struct Checked {
    transcript: Transcript,
    /// The beginning of a line whose end has not come yet.
    open: Vec<u8>,
    /// The first line that some manager would misread, and why.
    odd: Option<String>,
    /// Bytes printed since the process was started.
    printed: u64,
}

/// A transcript that the thread which reads from the engine writes too.
#[derive(Clone)]
pub(super) struct SharedTranscript(Arc<Mutex<Checked>>);

impl SharedTranscript {
    pub(super) fn new() -> SharedTranscript {
        SharedTranscript(Arc::new(Mutex::new(Checked {
            transcript: Transcript::new(KEPT, KEPT_BYTES),
            open: Vec::new(),
            odd: None,
            printed: 0,
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Checked> {
        lock(&self.0)
    }

    /// Clears the lines for a new game.
    pub(super) fn clear(&self) {
        self.lock().transcript.clear();
    }

    /// Records what was done to the engine.
    pub(super) fn note(&self, done: &str) {
        self.sent(done, Instant::now());
    }

    /// The first line so far that some manager would misread, and why.
    pub(super) fn take_odd(&self) -> Option<String> {
        self.lock().odd.take()
    }

    /// Bytes printed since the process was started.
    pub(super) fn bytes_printed(&self) -> u64 {
        self.lock().printed
    }

    /// The text, a line each: milliseconds, `<` to the engine or `>` from it.
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

impl Checked {
    fn receive(&mut self, chunk: &[u8], at: Instant) {
        self.printed += chunk.len() as u64;
        self.open.extend_from_slice(chunk);
        while let Some(end) = self.open.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.open.drain(..=end).collect();
            self.take_in(&line[..end], at);
        }
        if !self.open.is_empty() && chunk.len() < READ {
            let text = String::from_utf8_lossy(&self.open).into_owned();
            self.odd.get_or_insert(format!("a line in two writes: {text:?}"));
        }
        self.open.truncate(LONGEST);
    }

    fn take_in(&mut self, line: &[u8], at: Instant) {
        let text = String::from_utf8_lossy(line);
        self.transcript.add(">", &text, at);
        if let Some(why) = oddity(line) {
            self.odd.get_or_insert(format!("{why}: {text:?}"));
        }
    }
}

/// Why some manager would misread a line, if one would. Whether it was due is
/// another question.
fn oddity(line: &[u8]) -> Option<&'static str> {
    let Ok(text) = std::str::from_utf8(line) else { return Some("not text") };
    if text.contains('\r') {
        return Some("a CR, which JudgeLocal takes for a part of the answer");
    }
    if text.trim().is_empty() {
        return Some("a blank line");
    }
    // Piskvork knows talk by the word and the blank behind it.
    if text.starts_with("MESSAGE ") && text.trim() != "MESSAGE" {
        return None;
    }
    match Reply::parse(line) {
        Err(_) | Ok(Reply::Message(_) | Reply::Debug(_) | Reply::Suggest(_)) => {
            Some("no reply that all managers know")
        }
        Ok(reply) if reply.to_wire().trim_end_matches('\n') != text => {
            Some("not written as all managers read it")
        }
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_a_manager_may_misread_are_seen() {
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
