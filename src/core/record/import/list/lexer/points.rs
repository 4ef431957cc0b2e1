//! Points such as `h8`, adjacent or apart, with numbers, colours and words between them.

use super::word::{color, depth_after, digits_at, is_gap, label, letters_at, word};
use crate::record::import::list::item::{
    Item, Lexed, ListFault, ListMove, MAX_ITEMS, MoveLabel, TOO_MANY,
};
use crate::record::import::outcome;
use crate::record::import::points::point;
use crate::rules::Outcome;
use crate::types::Color;

const NO_POINT: &str = "a point is a letter and a number, such as h8";
const NO_MOVE: &str = "a move must follow a colour";

/// Maximum length of a result after the moves, in bytes.
const LONGEST_END: usize = 40;

/// Reason for the end of a game by resignation.
const RESIGN: &str = "resign";

/// Parses a result such as `White resigns`.
fn resignation(text: &str) -> Option<(Option<Outcome>, String)> {
    let (who, what) = text.split_once(' ')?;
    let what = what.trim().to_ascii_lowercase();
    let is_end = matches!(what.as_str(), "resign" | "resigns" | "resigned");
    let loser = color(who).filter(|_| is_end)?;
    Some((Some(Outcome::Win(!loser)), RESIGN.into()))
}

/// Reader of points.
pub(super) struct Points<'a> {
    text: &'a str,
    at: usize,
    falls: bool,
    /// Last colour named.
    color: Option<Color>,
    /// Position of a colour whose move must follow.
    mark: Option<usize>,
    /// Number of the next move.
    label: Option<MoveLabel>,
    /// Number of open brackets.
    depth: usize,
    /// Where the last move ends, including the marks after it.
    end: usize,
    lexed: Lexed<'a>,
}

impl<'a> Points<'a> {
    pub(super) fn of(text: &'a str, falls: bool) -> Points<'a> {
        let (text, lexed) = (text.trim_end(), Lexed::default());
        let (color, mark, label) = (None, None, None);
        Points { text, at: 0, falls, color, mark, label, depth: 0, end: 0, lexed }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault(&self, what: &'static str) -> ListFault<'a> {
        let number = self.lexed.items.len() + 1;
        ListFault { at: self.at, number, word: word(self.rest()), what }
    }

    /// Adds a move of `length` bytes.
    fn push(&mut self, length: usize, what: ListMove) -> Result<(), ListFault<'a>> {
        if self.lexed.items.len() == MAX_ITEMS {
            return Err(self.fault(TOO_MANY));
        }
        let word = &self.rest()[..length];
        let (at, color, depth) = (self.at, self.color, self.depth);
        let label = self.label.take();
        self.mark = None;
        self.lexed.items.push(Item { at, word, what, color, label, depth, third: None });
        self.at += length;
        self.end = self.at;
        Ok(())
    }

    pub(super) fn read(mut self) -> Result<Lexed<'a>, ListFault<'a>> {
        self.read_all()?;
        Ok(self.lexed)
    }

    /// Reads the moves up to the first word that is no move.
    pub(super) fn leading_moves(mut self) -> Vec<Item<'a>> {
        // Reading the whole text reports the fault.
        let _ = self.read_all();
        self.lexed.items
    }

    fn read_all(&mut self) -> Result<(), ListFault<'a>> {
        loop {
            if self.is_pass() {
                self.push(2, ListMove::Pass)?;
                continue;
            }
            let Some(c) = self.rest().chars().next() else { break };
            if self.skip_mark(c) || self.skip_time() {
                continue;
            }
            if let Some(depth) = depth_after(c, self.depth) {
                self.depth = depth;
                self.at += 1;
            } else if is_gap(c) {
                self.at += c.len_utf8();
            } else if c.is_ascii_digit() {
                if self.take_result() {
                    break;
                }
                self.take_number()?;
            } else if c.is_ascii_alphabetic() {
                if self.take_result() {
                    break;
                }
                self.take_word()?;
            } else if let Some(color) = color(&self.rest()[..c.len_utf8()]) {
                self.take_color(color, c.len_utf8())?;
            } else {
                return Err(self.fault(NO_POINT));
            }
        }
        if let Some(at) = self.mark {
            self.at = at;
            return Err(self.fault(NO_MOVE));
        }
        Ok(())
    }

    /// Whether two hyphens stand alone, which is a pass.
    fn is_pass(&self) -> bool {
        let Some(after) = self.rest().strip_prefix("--") else { return false };
        let before = self.text[..self.at].chars().next_back();
        let alone = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';'));
        alone(before) && alone(after.chars().next())
    }

    /// Skips a mark after a move, such as `!?`, or a `+` or `=` that separates nothing.
    fn skip_mark(&mut self, c: char) -> bool {
        let follows_move = self.at == self.end && !self.lexed.items.is_empty();
        let separates =
            self.rest()[c.len_utf8()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        match c {
            '!' | '?' if follows_move => self.end += 1,
            '+' | '=' if !separates => {
                self.lexed.skip(self.at, &self.rest()[..1]);
                self.end += usize::from(follows_move);
            }
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// Skips a time in brackets after a move: `h8 (0:05)`, `h8 (12)`.
    fn skip_time(&mut self) -> bool {
        let rest = self.rest();
        if self.lexed.items.is_empty() || !rest.starts_with(['(', '[', '{']) {
            return false;
        }
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b's');
        let length = rest.bytes().skip(1).take_while(is_part).count();
        let time = &rest[1..1 + length];
        let is_plain = time.bytes().all(|byte| byte.is_ascii_digit());
        let begins = time.starts_with(|c: char| c.is_ascii_digit());
        let ends = time.ends_with(|c: char| c.is_ascii_digit() || c == 's');
        let closes = rest[1 + length..].starts_with([')', ']', '}']);
        let is_label = is_plain && time.parse().is_ok_and(|number| self.is_due(number));
        if !(begins && ends && closes) || is_label {
            return false;
        }
        self.lexed.skip(self.at, &rest[..length + 2]);
        self.at += length + 2;
        true
    }

    /// Takes the rest of the text if it is the result of the game; returns whether it is.
    fn take_result(&mut self) -> bool {
        let rest = self.rest().trim_end_matches(['.', '!']);
        // A colour may precede a move.
        if rest.len() > LONGEST_END || self.mark.is_some() || color(rest).is_some() {
            return false;
        }
        // A digit alone is no result here, although `outcome::words` reads `0` as a draw.
        let found = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            outcome::points(rest).map(|outcome| (outcome, String::new()))
        } else {
            // If pieces fall, a letter alone is a column.
            let is_column = self.falls && rest.chars().nth(1) == Some(' ');
            let resigns = if is_column { None } else { resignation(rest) };
            resigns.or_else(|| outcome::words(rest))
        };
        let Some((Some(outcome), reason)) = found else { return false };
        self.lexed.result = Some(outcome);
        if !reason.is_empty() {
            self.lexed.reason = reason;
        }
        true
    }

    /// Whether a number is that of the next move, counted by stones or by pairs.
    fn is_due(&self, number: usize) -> bool {
        let moves = self.lexed.items.len();
        number == moves + 1 || number == moves / 2 + 1
    }

    /// Takes the number of a move.
    fn take_number(&mut self) -> Result<(), ListFault<'a>> {
        let (digits, after) = self.rest().split_at(digits_at(self.rest()));
        let label = label(digits, after);
        // Without a dot, it must be the number of the next move.
        let spaced =
            after.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        let is_apart =
            spaced.len() < after.len() && spaced.starts_with(|c: char| c.is_alphabetic());
        if !(after.starts_with(['.', ')', ':', '、']) || self.is_due(label.value) && is_apart) {
            return Err(self.fault(NO_POINT));
        }
        self.label = Some(label);
        self.at += digits.len();
        Ok(())
    }

    /// Takes a colour of `length` bytes.
    fn take_color(&mut self, color: Color, length: usize) -> Result<(), ListFault<'a>> {
        if self.mark.is_some() {
            return Err(self.fault(NO_MOVE));
        }
        (self.color, self.mark) = (Some(color), Some(self.at));
        self.at += length;
        Ok(())
    }

    /// Takes a word of letters: a point, a column, a colour.
    fn take_word(&mut self) -> Result<(), ListFault<'a>> {
        let rest = self.rest();
        let letters = letters_at(rest);
        let digits = digits_at(&rest[letters..]);
        let lower = rest[..letters].to_ascii_lowercase();
        match lower.as_str() {
            "pass" if digits == 0 => return self.push(letters, ListMove::Pass),
            "swap" | "swapped" if digits == 0 => return self.push(letters, ListMove::Swap),
            "resign" | "resigns" if digits == 0 => {
                self.lexed.reason = RESIGN.into();
                self.lexed.resigns = Some((self.at, self.lexed.items.len()));
                self.at += letters;
                return Ok(());
            }
            _ => {}
        }
        if letters == 1 && digits > 0 {
            let text = &rest[..letters + digits];
            let point = point(text).ok_or_else(|| self.fault(NO_POINT))?;
            return self.push(text.len(), ListMove::Point(point));
        }
        if self.falls {
            let x = usize::from(rest.as_bytes()[0].to_ascii_lowercase() - b'a');
            return self.push(1, ListMove::Drop(x));
        }
        // A colour may stand right before its point: `BH8`.
        let length = if letters == 2 && digits > 0 { 1 } else { letters };
        match color(&lower[..length]).filter(|_| digits == 0 || length == 1) {
            Some(color) => self.take_color(color, length),
            None => Err(self.fault(NO_POINT)),
        }
    }
}
