//! Points such as `h8` in a row or apart, with numbers, colours and words
//! between them.

use super::word::{color, depth_behind, digits_at, is_gap, label, letters_at, word};
use crate::record::import::list::item::{
    Item, Lexed, ListFault, MOST_ITEMS, MoveLabel, TOO_MANY, What,
};
use crate::record::import::outcome;
use crate::record::import::points::point;
use crate::rules::Outcome;
use crate::types::Color;

const NO_POINT: &str = "a point is a letter and a number, such as h8";
const NO_MOVE: &str = "a move must follow a colour";

/// Longest result behind the moves, in bytes.
const LONGEST_END: usize = 40;

/// Why a game ended, where somebody gives up.
const RESIGN: &str = "resign";

/// The result of a text such as `White resigns`.
fn resignation(text: &str) -> Option<(Option<Outcome>, String)> {
    let (who, what) = text.split_once(' ')?;
    let what = what.trim().to_ascii_lowercase();
    let is_end = matches!(what.as_str(), "resign" | "resigns" | "resigned");
    let loser = color(who).filter(|_| is_end)?;
    Some((Some(Outcome::Win(!loser)), RESIGN.into()))
}

/// Reads points.
pub(super) struct Points<'a> {
    text: &'a str,
    at: usize,
    falls: bool,
    /// The colour that was named last.
    color: Option<Color>,
    /// Where a colour stands whose move must follow.
    mark: Option<usize>,
    /// The number of the next move.
    label: Option<MoveLabel>,
    /// Open brackets.
    depth: usize,
    /// Where the last move ends, with the marks behind it.
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

    /// Takes a move of `length` bytes.
    fn put(&mut self, length: usize, what: What) -> Result<(), ListFault<'a>> {
        if self.lexed.items.len() == MOST_ITEMS {
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
        self.all()?;
        Ok(self.lexed)
    }

    /// The moves up to what is none.
    pub(super) fn begun(mut self) -> Vec<Item<'a>> {
        // What comes then is told by whoever reads the whole text.
        let _ = self.all();
        self.lexed.items
    }

    fn all(&mut self) -> Result<(), ListFault<'a>> {
        loop {
            if self.passes() {
                self.put(2, What::Pass)?;
                continue;
            }
            let Some(c) = self.rest().chars().next() else { break };
            if self.skip_mark(c) || self.skip_time() {
                continue;
            }
            if let Some(depth) = depth_behind(c, self.depth) {
                self.depth = depth;
                self.at += 1;
            } else if is_gap(c) {
                self.at += c.len_utf8();
            } else if c.is_ascii_digit() {
                if self.ends() {
                    break;
                }
                self.number()?;
            } else if c.is_ascii_alphabetic() {
                if self.ends() {
                    break;
                }
                self.word()?;
            } else if let Some(color) = color(&self.rest()[..c.len_utf8()]) {
                self.name(color, c.len_utf8())?;
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

    /// Whether two hyphens stand alone.
    fn passes(&self) -> bool {
        let Some(after) = self.rest().strip_prefix("--") else { return false };
        let before = self.text[..self.at].chars().next_back();
        let alone = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';'));
        alone(before) && alone(after.chars().next())
    }

    /// Leaves out a mark behind a move, such as `!?`, or one that parts nothing.
    fn skip_mark(&mut self, c: char) -> bool {
        let is_behind = self.at == self.end && !self.lexed.items.is_empty();
        let parts = self.rest()[c.len_utf8()..].starts_with(|c: char| c.is_ascii_alphanumeric());
        match c {
            '!' | '?' if is_behind => self.end += 1,
            '+' | '=' if !parts => {
                self.lexed.skip(self.at, &self.rest()[..1]);
                self.end += usize::from(is_behind);
            }
            _ => return false,
        }
        self.at += 1;
        true
    }

    /// Leaves out a time in brackets behind a move: `h8 (0:05)`, `h8 (12)`.
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

    /// Whether the result of the game is all that is left.
    fn ends(&mut self) -> bool {
        let rest = self.rest().trim_end_matches(['.', '!']);
        // A colour may come before a move.
        if rest.len() > LONGEST_END || self.mark.is_some() || color(rest).is_some() {
            return false;
        }
        // One digit alone says a result in no form.
        let found = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            outcome::points(rest).map(|outcome| (outcome, String::new()))
        } else {
            // Where pieces fall, a letter alone is a column.
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

    /// Whether a number is that of the next move, by stones or by pairs.
    fn is_due(&self, number: usize) -> bool {
        let moves = self.lexed.items.len();
        number == moves + 1 || number == moves / 2 + 1
    }

    /// Takes the number of a move.
    fn number(&mut self) -> Result<(), ListFault<'a>> {
        let (digits, after) = self.rest().split_at(digits_at(self.rest()));
        let label = label(digits, after);
        // Without a dot it must be that of the next one.
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
    fn name(&mut self, color: Color, length: usize) -> Result<(), ListFault<'a>> {
        if self.mark.is_some() {
            return Err(self.fault(NO_MOVE));
        }
        (self.color, self.mark) = (Some(color), Some(self.at));
        self.at += length;
        Ok(())
    }

    /// Takes a word of letters: a point, a column, a colour.
    fn word(&mut self) -> Result<(), ListFault<'a>> {
        let rest = self.rest();
        let letters = letters_at(rest);
        let digits = digits_at(&rest[letters..]);
        let lower = rest[..letters].to_ascii_lowercase();
        match lower.as_str() {
            "pass" if digits == 0 => return self.put(letters, What::Pass),
            "swap" | "swapped" if digits == 0 => return self.put(letters, What::Swap),
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
            return self.put(text.len(), What::Point(point));
        }
        if self.falls {
            let x = usize::from(rest.as_bytes()[0].to_ascii_lowercase() - b'a');
            return self.put(1, What::Drop(x));
        }
        // A colour may stand right before its point: `BH8`.
        let length = if letters == 2 && digits > 0 { 1 } else { letters };
        match color(&lower[..length]).filter(|_| digits == 0 || length == 1) {
            Some(color) => self.name(color, length),
            None => Err(self.fault(NO_POINT)),
        }
    }
}
