//! Points such as `h8` in a row or apart, with numbers, colours and words
//! between them.

use super::word::{color, digits_at, is_gap, letters_at, word};
use crate::record::import::list::item::{Item, Lexed, ListFault, MOST_ITEMS, TOO_MANY, What};
use crate::record::import::points::point;
use crate::record::import::tagged::result;
use crate::types::Color;

const NO_POINT: &str = "a point is a letter and a number, such as h8";
const NO_MOVE: &str = "a move must follow a colour";

/// Reads points.
pub(super) struct Points<'a> {
    text: &'a str,
    at: usize,
    falls: bool,
    /// The colour that the next move has, and where it stands.
    color: Option<(usize, Color)>,
    lexed: Lexed<'a>,
}

impl<'a> Points<'a> {
    pub(super) fn of(text: &'a str, falls: bool) -> Points<'a> {
        Points { text, at: 0, falls, color: None, lexed: Lexed::default() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn fault(&self, what: &'static str) -> ListFault<'a> {
        let number = self.lexed.items.len() + 1;
        ListFault { at: self.at, number, word: word(self.rest()), what }
    }

    /// Takes a move of so many bytes.
    fn put(&mut self, length: usize, what: What) -> Result<(), ListFault<'a>> {
        if self.lexed.items.len() == MOST_ITEMS {
            return Err(self.fault(TOO_MANY));
        }
        let word = &self.rest()[..length];
        let color = self.color.take().map(|(_, color)| color);
        self.lexed.items.push(Item { at: self.at, word, what, color });
        self.at += length;
        Ok(())
    }

    pub(super) fn read(mut self) -> Result<Lexed<'a>, ListFault<'a>> {
        loop {
            if self.passes() {
                self.put(2, What::Pass)?;
                continue;
            }
            let Some(c) = self.rest().chars().next() else { break };
            if is_gap(c) {
                self.at += c.len_utf8();
            } else if c.is_ascii_digit() {
                if self.ends() {
                    break;
                }
                self.number()?;
            } else if c.is_ascii_alphabetic() {
                self.word()?;
            } else if let Some(color) = color(&self.rest()[..c.len_utf8()]) {
                self.color = Some((self.at, color));
                self.at += c.len_utf8();
            } else {
                return Err(self.fault(NO_POINT));
            }
        }
        if let Some((at, _)) = self.color {
            self.at = at;
            return Err(self.fault(NO_MOVE));
        }
        Ok(self.lexed)
    }

    /// Whether two hyphens stand alone.
    fn passes(&self) -> bool {
        let Some(after) = self.rest().strip_prefix("--") else { return false };
        let before = self.text[..self.at].chars().next_back();
        let alone = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ';'));
        alone(before) && alone(after.chars().next())
    }

    /// Whether the result of the game is all that is left.
    fn ends(&mut self) -> bool {
        let found = result(self.rest().trim_end()).flatten();
        self.lexed.result = found;
        found.is_some()
    }

    /// Takes the number of a move.
    fn number(&mut self) -> Result<(), ListFault<'a>> {
        let digits = digits_at(self.rest());
        let after = &self.rest()[digits..];
        let moves = self.lexed.items.len();
        let number: usize = self.rest()[..digits].parse().unwrap_or(0);
        // A move number without a dot must be the next one, by stones or by pairs.
        let is_due = number == moves + 1 || number == moves / 2 + 1;
        let spaced = after.trim_start();
        let is_apart =
            spaced.len() < after.len() && spaced.starts_with(|c: char| c.is_alphabetic());
        if !(after.starts_with(['.', ')', ':', '、', '．']) || is_due && is_apart) {
            return Err(self.fault(NO_POINT));
        }
        self.at += digits;
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
                self.lexed.resigned = true;
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
        match color(&lower).filter(|_| digits == 0) {
            Some(_) if self.color.is_some() => return Err(self.fault(NO_MOVE)),
            Some(color) => self.color = Some((self.at, color)),
            None => return Err(self.fault(NO_POINT)),
        }
        self.at += letters;
        Ok(())
    }
}
