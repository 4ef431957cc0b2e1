//! Words of the moves below tags.

use crate::record::import::Place;
use crate::record::import::notes::Notes;
use crate::record::import::outcome::points;
use crate::record::import::points::{WrittenPoint, point};
use crate::record::quote::excerpt;
use crate::rules::Outcome;
use crate::types::Color;

/// Larger move numbers are reduced to this one: no game has so many moves.
const LAST_NUMBER: usize = 1_000_000;

/// Length in bytes beyond which a word has no meaning.
const LONGEST_WORD: usize = 64;

/// Meaning of a word among the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::record::import) enum Word {
    /// The number of the moves that follow.
    Number {
        /// The number.
        number: usize,
        /// Whether dots state that the first of these moves comes before.
        continues: bool,
    },
    /// A move, or a word in place of one.
    Move(MoveWord),
    /// A player resigns or runs out of time; the reason.
    Forfeit(&'static str),
    /// The result; `None` if it is open.
    Result(Option<Outcome>),
    /// A comment or a variation.
    Aside,
    /// A comment or a variation that is not closed; the message about it.
    Unclosed(&'static str),
}

/// Meaning of a word that is a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::record::import) enum MoveWord {
    /// Points of one word, such as `K10` or `K10-L11`.
    Points(Vec<WrittenPoint>),
    /// `--`: the side makes no move.
    Nothing,
    /// The colour that a player takes.
    Takes(Color),
    /// The players exchange colours.
    Swap,
    /// A pass.
    Pass,
    /// Something that is not understood.
    Unknown(String),
}

/// Iterator over the words of a game, each with its line.
pub(in crate::record::import) struct Words<'a> {
    rest: &'a str,
    line: usize,
    /// Number of open parentheses; moves in parentheses were not played.
    depth: usize,
    line_begins: bool,
}

impl<'a> Words<'a> {
    /// Iterates over the words of a text that begins on `line`.
    pub(super) fn of(text: &'a str, line: usize) -> Words<'a> {
        Words { rest: text, line, depth: 0, line_begins: true }
    }

    /// Takes `length` bytes and counts their lines.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        taken
    }

    fn take_line(&mut self) {
        let length = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.take(length);
        self.line_begins = true;
    }

    /// Takes a comment in braces; returns a message if it may not be closed.
    fn take_comment(&mut self) -> Option<&'static str> {
        let Some(end) = self.rest.find('}') else {
            self.take(self.rest.len());
            return Some("the comment that begins here is not closed: all after it is left out");
        };
        let comment = self.take(end + 1);
        let nested = comment[1..].contains('{');
        nested.then_some("another comment begins within this one: a closing brace may be missing")
    }

    /// Skips a variation or a comment, and returns it if there is one.
    fn skip_aside(&mut self) -> Option<Word> {
        let mut fault = None;
        loop {
            let start = self.rest;
            match start.chars().next() {
                None if std::mem::take(&mut self.depth) > 0 => {
                    let unclosed =
                        "a parenthesis that begins here is not closed: all after it is left out";
                    return Some(Word::Unclosed(fault.unwrap_or(unclosed)));
                }
                None => return None,
                Some('{') => fault = fault.or(self.take_comment()),
                Some(';') => self.take_line(),
                Some('#' | '%' | '/') if self.line_begins => self.take_line(),
                Some('(') => {
                    self.depth += 1;
                    self.take(1);
                }
                Some(')') if self.depth > 0 => {
                    self.depth -= 1;
                    self.take(1);
                }
                Some(_) if self.depth > 0 => {
                    let next = start.find(['(', ')', '{', ';']).unwrap_or(start.len());
                    self.take(next);
                }
                Some(_) => return None,
            }
            if self.depth == 0 {
                return Some(fault.map_or(Word::Aside, Word::Unclosed));
            }
        }
    }
}

impl Iterator for Words<'_> {
    type Item = (usize, Word);

    fn next(&mut self) -> Option<(usize, Word)> {
        let blank = self.rest.len() - self.rest.trim_start_matches(is_gap).len();
        let gap = self.take(blank);
        self.line_begins |= gap.contains('\n');
        let line = self.line;
        if let Some(aside) = self.skip_aside() {
            return Some((line, aside));
        }
        if self.rest.is_empty() {
            return None;
        }
        self.line_begins = false;
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && self.rest[digits..].starts_with(['.', ')']) {
            let number: usize = self.rest[..digits].parse().unwrap_or(usize::MAX);
            let number = number.min(LAST_NUMBER);
            self.take(digits);
            let dots = self.rest.len() - self.rest.trim_start_matches(['.', ')']).len();
            let continues = self.take(dots).contains("...");
            return Some((line, Word::Number { number, continues }));
        }
        let ends = |c: char| is_gap(c) || matches!(c, '{' | '}' | ';' | '(' | ')');
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let length = self.rest[first..].find(ends).map_or(self.rest.len(), |at| first + at);
        Some((line, meaning(self.take(length))))
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Returns the meaning of a word.
fn meaning(word: &str) -> Word {
    if word.len() > LONGEST_WORD {
        return Word::Move(MoveWord::Unknown(excerpt(word)));
    }
    // Marks such as `!?` judge the quality of a move.
    let plain = word.trim_end_matches(['!', '?']);
    if plain.starts_with('$') {
        return Word::Aside;
    }
    let stones: Option<Vec<WrittenPoint>> = plain.split(['-', '/']).map(point).collect();
    if let Some(stones) = stones {
        return Word::Move(MoveWord::Points(stones));
    }
    match word.to_ascii_lowercase().as_str() {
        "-" | "--" => Word::Move(MoveWord::Nothing),
        "black" => Word::Move(MoveWord::Takes(Color::Black)),
        "white" => Word::Move(MoveWord::Takes(Color::White)),
        "swap" | "swapped" | "swaps" => Word::Move(MoveWord::Swap),
        "pass" | "passes" => Word::Move(MoveWord::Pass),
        "resign" | "resigns" | "resigned" => Word::Forfeit("resign"),
        "forfeit" | "forfeits" => Word::Forfeit("forfeit"),
        "time" | "timeout" => Word::Forfeit("time"),
        _ => {
            points(word).map_or_else(|| Word::Move(MoveWord::Unknown(excerpt(word))), Word::Result)
        }
    }
}

/// Checks the order of the moves of a game: reports gaps in their numbers, and moves after the
/// end of the game.
#[derive(Default)]
pub(in crate::record::import) struct MoveOrder {
    /// The last number.
    pub(in crate::record::import) row: usize,
    /// Number of moves after the last number.
    pub(in crate::record::import) column: usize,
    /// Whether the game has ended.
    is_over: bool,
    /// Whether a move after the end has been reported.
    is_late: bool,
}

impl MoveOrder {
    /// Takes a move number; returns a message if it is out of order.
    pub(in crate::record::import) fn number(
        &mut self,
        number: usize,
        continues: bool,
    ) -> Option<String> {
        let last = std::mem::replace(&mut self.row, number);
        if continues && number == last && self.column == 1 {
            return None;
        }
        self.column = usize::from(continues);
        if continues {
            return Some(format!("before {number}... the first move of {number}. is missing"));
        }
        let text = || format!("the moves of {number}. come right after those of {last}.");
        (number != last + 1).then(text)
    }

    /// Takes a move; returns a message if it is the first one after the end of the game.
    pub(in crate::record::import) fn played(&mut self) -> Option<&'static str> {
        self.column += 1;
        let is_first = self.is_over && !std::mem::replace(&mut self.is_late, self.is_over);
        is_first.then_some("there are moves after the end of the game")
    }

    /// Marks the end of the game.
    pub(in crate::record::import) fn end(&mut self) {
        self.is_over = true;
    }
}

/// Information in the words of a game besides its moves.
#[derive(Default)]
pub(in crate::record::import) struct GameInfo {
    pub(in crate::record::import) order: MoveOrder,
    /// How a player forfeited the game.
    pub(in crate::record::import) forfeit: Option<&'static str>,
    /// The player, by the first colour, in whose column the forfeit is.
    forfeiter: Option<Color>,
    /// Result after the moves.
    pub(in crate::record::import) result: Option<Option<Outcome>>,
    /// Number of comments and variations.
    asides: usize,
}

impl GameInfo {
    /// Takes a word; returns it if it is a move.
    pub(in crate::record::import) fn take(
        &mut self,
        word: Word,
        place: Place,
        notes: &mut Notes,
    ) -> Option<MoveWord> {
        match word {
            Word::Number { number, continues } => {
                let doubt = self.order.number(number, continues);
                doubt.into_iter().for_each(|text| notes.doubt(place, text));
            }
            Word::Aside => self.asides += 1,
            Word::Unclosed(text) => notes.doubt(place, text),
            Word::Forfeit(reason) => {
                self.forfeit = Some(reason);
                self.forfeiter = Some(Color::ALL[self.order.column % 2]);
                self.order.end();
            }
            Word::Result(result) => {
                self.result = Some(result);
                if result.is_some() {
                    self.order.end();
                }
            }
            Word::Move(word) => return Some(word),
        }
        None
    }

    /// The player, by the first colour, who was to move when the game was forfeited; `None` if
    /// there are moves after that.
    pub(in crate::record::import) fn forfeiter(&self) -> Option<Color> {
        self.forfeiter.filter(|_| !self.order.is_late)
    }

    /// Adds a note on how many comments and variations were left out.
    pub(in crate::record::import) fn note_asides(&self, place: Place, notes: &mut Notes) {
        if self.asides > 0 {
            let text = format!("comments and variations that are not used: {}", self.asides);
            notes.remark(place, text);
        }
    }
}
