//! A cursor over one line: words, numbers and coordinate pairs. Knows nothing of commands.

use crate::placed::{Owner, Placed};
use crate::point::Point;
use crate::reason::Reason;
use crate::text::{is_blank, shown};

/// A position within one line of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scan<'a> {
    rest: &'a str,
}

/// Fits a 64-bit wire number into a coordinate.
fn clamp(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

impl<'a> Scan<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The text that has not been read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(is_blank);
    }

    /// The next word without reading it; empty at the end of the line.
    pub(crate) fn peek_word(&self) -> &'a str {
        let text = self.rest.trim_start_matches(is_blank);
        &text[..text.find(is_blank).unwrap_or(text.len())]
    }

    /// Reads the next word; empty at the end of the line.
    pub(crate) fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let word = self.peek_word();
        self.rest = &self.rest[word.len()..];
        word
    }

    /// Reads the rest of the line, without blanks at its ends.
    pub(crate) fn remainder(&mut self) -> &'a str {
        std::mem::take(&mut self.rest).trim_matches(is_blank)
    }

    /// Whether a word ends here.
    fn at_boundary(&self) -> bool {
        self.rest.chars().next().is_none_or(is_blank)
    }

    /// The length in bytes of the sign and digits that come next, if there are digits.
    fn number_length(&self) -> Option<usize> {
        let sign = usize::from(self.rest.starts_with(['-', '+']));
        let digits = self.rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then_some(sign + digits)
    }

    /// Whether the next word begins like a number.
    pub(crate) fn number_follows(&mut self) -> bool {
        self.skip_blanks();
        self.number_length().is_some()
    }

    /// Takes the digits of the next number.
    fn digits(&mut self) -> Result<&'a str, Reason> {
        self.skip_blanks();
        let Some(length) = self.number_length() else {
            let word = self.peek_word();
            return Err(if word.is_empty() {
                Reason::Missing
            } else {
                Reason::Unreadable { text: shown(word) }
            });
        };
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(digits)
    }

    /// Reads a number that a blank or a comma may follow.
    fn number(&mut self) -> Result<i64, Reason> {
        let digits = self.digits()?;
        // Only the length of the number can be wrong here: `digits` has checked the characters.
        digits.parse().map_err(|_| Reason::TooLarge { text: shown(digits) })
    }

    fn ends_word<T>(&self, start: Self, value: T) -> Result<T, Reason> {
        if self.at_boundary() {
            Ok(value)
        } else {
            Err(Reason::Unreadable { text: shown(start.peek_word()) })
        }
    }

    /// Reads a whole word as a number of 64 bits.
    pub(crate) fn integer(&mut self) -> Result<i64, Reason> {
        let start = *self;
        let number = self.number()?;
        self.ends_word(start, number)
    }

    /// Reads a whole word as a number; a number beyond 64 bits becomes the nearest one that fits.
    /// A fraction is cut off: managers written in other languages may count in floats.
    pub(crate) fn saturating(&mut self) -> Result<i64, Reason> {
        let start = *self;
        let digits = self.digits()?;
        if let Some(fraction) = self.rest.strip_prefix('.') {
            self.rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        let nearest = if digits.starts_with('-') { i64::MIN } else { i64::MAX };
        self.ends_word(start, digits.parse().unwrap_or(nearest))
    }

    /// Reads a whole word as a number, clamped to 32 bits.
    pub(crate) fn small(&mut self) -> Result<i32, Reason> {
        self.integer().map(clamp)
    }

    /// Reads a whole word as a number that must not be negative, clamped to 32 bits.
    pub(crate) fn unsigned(&mut self) -> Result<u32, Reason> {
        let start = *self;
        let number = self.integer()?;
        if number < 0 {
            return Err(Reason::Unreadable { text: shown(start.peek_word()) });
        }
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// Reads a comma with any blanks around it, as in `TURN 7 , 7`.
    pub(crate) fn comma(&mut self) -> Result<(), Reason> {
        self.skip_blanks();
        match self.rest.strip_prefix(',') {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None if self.rest.is_empty() => Err(Reason::Missing),
            None => Err(Reason::Unreadable { text: shown(self.peek_word()) }),
        }
    }

    fn pair(&mut self) -> Result<Point, Reason> {
        let x = self.number()?;
        self.comma()?;
        let y = self.number()?;
        Ok(Point::new(clamp(x), clamp(y)))
    }

    /// Reads `x,y` up to the end of the word.
    pub(crate) fn point(&mut self) -> Result<Point, Reason> {
        let start = *self;
        let point = self.pair()?;
        self.ends_word(start, point)
    }

    /// Reads `a,b` as a width and a height that must not be negative.
    pub(crate) fn size(&mut self) -> Result<(u32, u32), Reason> {
        let start = *self;
        let unreadable = || Reason::Unreadable { text: shown(start.rest) };
        let width = self.number()?;
        self.comma()?;
        let height = self.number()?;
        let size = (
            u32::try_from(width.min(u32::MAX.into())).map_err(|_| unreadable())?,
            u32::try_from(height.min(u32::MAX.into())).map_err(|_| unreadable())?,
        );
        self.ends_word(start, size)
    }

    /// Reads `x,y,f` up to the end of the word.
    pub(crate) fn placed(&mut self) -> Result<Placed, Reason> {
        let start = *self;
        let at = self.pair()?;
        self.comma()?;
        let field = self.number()?;
        let owner = Owner::from_field(field)
            .ok_or_else(|| Reason::Unreadable { text: shown(start.peek_word()) })?;
        self.ends_word(start, Placed { at, owner })
    }
}
