//! [`Parser`], a streaming reader: takes lines, returns complete commands or errors. It does not
//! block, recovers after every error, and keeps an unfinished list out of the next command.

use smallvec::SmallVec;

use crate::command::Command;
use crate::database::DatabaseCommand;
use crate::error::ParseError;
use crate::head::{self, Head};
use crate::info::Setting;
use crate::list::List;
use crate::reason::Reason;
use crate::scan::Scan;
use crate::text::{MAX_LINE, cut, is_blank, shown};
use crate::yixin::YixinCommand;

/// Maximum number of entries of a list.
pub const MAX_LIST: usize = 4096;

/// Maximum length in bytes of the quoted text of a database command.
pub const MAX_QUOTED: usize = 64 * 1024;

/// A complete command, or why it cannot be read.
pub type Event = Result<Command, ParseError>;

/// The events that one line completes; hardly ever more than one.
pub type Events = SmallVec<[Event; 1]>;

/// Reads commands line by line and remembers what is still open: a list, a path, a quoted text.
///
/// Lists are read to their `DONE` even when an entry is bad; the first error is then reported in
/// place of the command. `INFO` within a list is returned at once and the list goes on. Any other
/// command within a list abandons it: an error is reported for the list, and the new command is
/// read.
#[derive(Debug, Default, Clone)]
pub struct Parser {
    state: State,
}

#[derive(Debug, Default, Clone)]
enum State {
    #[default]
    Idle,
    List(Pending),
    /// The path of this command is on the next line.
    Path(Command),
    /// Within the quoted text of this command.
    Quoted(Command),
}

/// A command whose list is being read.
#[derive(Debug, Clone)]
struct Pending {
    command: Command,
    entries: usize,
    error: Option<Reason>,
}

impl Pending {
    fn new(command: Command, error: Option<Reason>) -> Self {
        Self { command, entries: 0, error }
    }

    /// Reads one entry; skips a word that is not an entry and records the error.
    fn entry(&mut self, scan: &mut Scan<'_>) {
        self.entries += 1;
        let start = *scan;
        let read = match self.command.list_mut() {
            _ if self.entries > MAX_LIST => {
                scan.word();
                self.fail(Reason::ListTooLong);
                return;
            }
            Some(List::Placed(list)) => scan.placed().map(|placed| list.push(placed)),
            Some(List::Points(list)) => scan.point().map(|point| list.push(point)),
            None => Ok(()),
        };
        if let Err(reason) = read {
            *scan = start;
            let text = shown(scan.word());
            self.fail(match reason {
                Reason::TooLarge { .. } => reason,
                _ => Reason::Entry { index: self.entries, text },
            });
        }
    }

    /// Records only the first error: later ones tend to follow from it.
    fn fail(&mut self, reason: Reason) {
        self.error.get_or_insert(reason);
    }

    fn close(self) -> Event {
        match self.error {
            None => Ok(self.command),
            Some(reason) => Err(invalid(&self.command, reason)),
        }
    }
}

fn invalid(command: &Command, reason: Reason) -> ParseError {
    ParseError::Invalid { command: command.keyword(), reason }
}

fn is_done(word: &str) -> bool {
    word.eq_ignore_ascii_case("DONE")
}

/// The error for a line outside any list that begins with no known keyword.
fn unknown(line: &str, first: &str) -> ParseError {
    let text = shown(line);
    let coordinate = first.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
    if coordinate || is_done(first) {
        ParseError::Stray { text }
    } else {
        ParseError::Unknown { text }
    }
}

impl Parser {
    /// Creates a parser that waits for a command.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one line, with or without its line end, and returns what it completes: usually
    /// nothing (a blank line, an entry of a list) or one event, more when several commands share
    /// a line. Bytes that contain several lines are read line by line.
    pub fn feed(&mut self, line: &[u8]) -> Events {
        let mut events = Events::new();
        let mut rest = line;
        loop {
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (line, after) = match end {
                None => (rest, &rest[rest.len()..]),
                Some(end) if rest[end..].starts_with(b"\r\n") => (&rest[..end], &rest[end + 2..]),
                Some(end) => (&rest[..end], &rest[end + 1..]),
            };
            self.line(line, &mut events);
            if after.is_empty() {
                return events;
            }
            rest = after;
        }
    }

    /// Ends the input. A list, path or text that is still open is an error, as it is when another
    /// command interrupts it: a truncated list is not a position, and the sender should know.
    #[must_use]
    pub fn finish(&mut self) -> Option<Event> {
        let (command, reason) = match std::mem::take(&mut self.state) {
            State::Idle => return None,
            State::List(pending) => (pending.command, Reason::WithoutDone),
            State::Quoted(command) => (command, Reason::WithoutDone),
            State::Path(command) => (command, Reason::WithoutPath),
        };
        Some(Err(invalid(&command, reason)))
    }

    /// Whether the next line belongs to a command that has already begun.
    #[must_use]
    pub fn is_inside_command(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    fn line(&mut self, line: &[u8], events: &mut Events) {
        if line.len() > MAX_LINE {
            self.over_long_line(line, events);
            return;
        }
        // Paths in an encoding other than UTF-8 lose characters here; nothing else can.
        let text = String::from_utf8_lossy(line);
        // Text piped from a file may begin with a byte order mark.
        let mut rest = Some(text.trim_start_matches('\u{feff}'));
        while let Some(text) = rest {
            rest = match std::mem::take(&mut self.state) {
                State::Idle => self.idle(text, events),
                State::List(pending) => self.list(pending, text, events),
                State::Path(command) => self.path(command, text, events),
                State::Quoted(command) => self.quoted(command, text),
            };
        }
    }

    /// Reads the beginning of a command. Like the functions for the other states, returns the text
    /// still to be read.
    fn idle<'a>(&mut self, text: &'a str, events: &mut Events) -> Option<&'a str> {
        // Some shells put a byte order mark first when they pipe a file.
        let text = text.trim_start_matches(|c| is_blank(c) || c == '\u{feff}');
        let mut scan = Scan::new(text);
        let first = scan.word();
        if first.is_empty() {
            return None;
        }
        let head = head::keyword(first)
            .and_then(|keyword| Some((keyword, head::read(keyword, &mut scan)?)));
        match head {
            None => events.push(Err(unknown(text, first))),
            Some((command, Head::Whole(read))) => {
                events.push(read.map_err(|reason| ParseError::Invalid { command, reason }));
            }
            Some((_, Head::List(command, error))) => {
                self.state = State::List(Pending::new(command, error));
                return Some(scan.rest());
            }
            Some((_, Head::Path(command))) => {
                self.state = State::Path(command);
                return Some(scan.rest());
            }
            Some((_, Head::Quoted(command))) => return self.open_quote(command, scan),
        }
        None
    }

    fn list<'a>(
        &mut self,
        mut pending: Pending,
        text: &'a str,
        events: &mut Events,
    ) -> Option<&'a str> {
        let mut scan = Scan::new(text);
        loop {
            scan.skip_blanks();
            let word = scan.peek_word();
            if word.is_empty() {
                self.state = State::List(pending);
                return None;
            }
            if is_done(word) {
                scan.word();
                events.push(pending.close());
                // Rapfi reads words rather than lines, so its clients may send the next command on
                // this line. Anything but a command is tolerated as trailing text.
                return head::keyword(scan.peek_word()).map(|_| scan.rest());
            }
            match head::keyword(word) {
                None => pending.entry(&mut scan),
                Some("INFO") => {
                    // The fork of Yixin-Board sends INFO at any time, also within a list.
                    scan.word();
                    events.push(Ok(Command::Info(Setting::read(&mut scan))));
                    self.state = State::List(pending);
                    return None;
                }
                Some(keyword) => {
                    // END needs no answer, so the open list is no error.
                    if keyword != "END" {
                        events.push(Err(invalid(&pending.command, Reason::WithoutDone)));
                    }
                    return Some(scan.rest());
                }
            }
        }
    }

    fn path<'a>(
        &mut self,
        mut command: Command,
        text: &'a str,
        events: &mut Events,
    ) -> Option<&'a str> {
        let path = text.trim_matches(is_blank);
        if path.is_empty() {
            self.state = State::Path(command);
            return None;
        }
        if let Some(keyword) = head::keyword(Scan::new(path).peek_word()) {
            if keyword != "END" {
                events.push(Err(invalid(&command, Reason::WithoutPath)));
            }
            return Some(text);
        }
        if let Some(slot) = command.path_mut() {
            path.clone_into(slot);
        }
        events.push(Ok(command));
        None
    }

    fn open_quote<'a>(&mut self, command: Command, mut scan: Scan<'a>) -> Option<&'a str> {
        scan.skip_blanks();
        if let Some(text) = scan.rest().strip_prefix('"') {
            self.state = State::Quoted(command);
            return Some(text);
        }
        let reason = match scan.peek_word() {
            "" => Reason::Missing,
            word => Reason::Unreadable { text: shown(word) },
        };
        self.state = State::List(Pending::new(command, Some(reason)));
        Some(scan.rest())
    }

    /// Reads a quoted text up to its closing quote. The list follows directly, without a line end
    /// in the fork of Yixin-Board; the text itself may go on over several lines.
    fn quoted<'a>(&mut self, mut command: Command, text: &'a str) -> Option<&'a str> {
        let Command::Yixin(YixinCommand::Database(DatabaseCommand::EditText {
            text: quoted, ..
        })) = &mut command
        else {
            return None;
        };
        let mut chars = text.char_indices();
        let mut closed = None;
        while let Some((index, c)) = chars.next() {
            match c {
                '"' => {
                    closed = Some(&text[index + 1..]);
                    break;
                }
                '\\' if text[index + 1..].starts_with(['"', '\\']) => {
                    quoted.extend(chars.next().map(|(_, escaped)| escaped));
                }
                _ => quoted.push(c),
            }
        }
        if closed.is_none() {
            quoted.push('\n');
        }
        let error = (quoted.len() > MAX_QUOTED).then_some(Reason::TooLong);
        if closed.is_some() || error.is_some() {
            // An over-long text counts as closed, so that a lost quote cannot swallow END for ever.
            self.state = State::List(Pending::new(command, error));
        } else {
            self.state = State::Quoted(command);
        }
        closed
    }

    /// Handles a line too long to be read: only its first word and its last count.
    fn over_long_line(&mut self, line: &[u8], events: &mut Events) {
        const EDGE: usize = 256;
        let start = String::from_utf8_lossy(&line[..EDGE.min(line.len())]);
        let end = String::from_utf8_lossy(&line[line.len().saturating_sub(EDGE)..]);
        let closes = is_done(end.split(is_blank).rfind(|word| !word.is_empty()).unwrap_or(""));
        let mut pending = match std::mem::take(&mut self.state) {
            State::List(pending) => pending,
            State::Quoted(command) => Pending::new(command, None),
            State::Path(command) => {
                events.push(Err(invalid(&command, Reason::TooLong)));
                return;
            }
            State::Idle => {
                let mut scan = Scan::new(&start);
                let first = scan.word();
                let Some(command) = head::keyword(first) else {
                    events.push(Err(unknown(&start, first)));
                    return;
                };
                match head::read(command, &mut Scan::new("")) {
                    Some(Head::List(command, _) | Head::Quoted(command)) => {
                        Pending::new(command, None)
                    }
                    _ if command == "INFO" => {
                        let key = scan.word().to_ascii_lowercase();
                        let info = Setting::malformed(&key, cut(scan.remainder(), 64));
                        events.push(Ok(Command::Info(info)));
                        return;
                    }
                    _ => {
                        let reason = Reason::TooLong;
                        events.push(Err(ParseError::Invalid { command, reason }));
                        return;
                    }
                }
            }
        };
        pending.fail(Reason::TooLong);
        if closes {
            events.push(pending.close());
        } else {
            self.state = State::List(pending);
        }
    }
}
