//! Games below tags in brackets, as in the PGN of chess:
//!
//! ```text
//! [Event "Cup"]
//! [Result "1-0"]
//!
//! 1. h8 i9 2. j10 {a comment} g7 (2... h9 3. h10) 1-0
//! ```
//!
//! The readers of the individual formats interpret the tags and the words of the moves.

mod words;

use super::notes::Notes;
use super::outcome::{as_points, points};
use super::{Note, Place, UnreadableGame};
use crate::record::quote::{excerpt, one_line};
use crate::rules::Outcome;

pub(super) use words::{GameInfo, MoveWord, Words};

/// Maximum number of tags of a game that are read.
const MAX_TAGS: usize = 200;

/// A tag.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Tag<'a> {
    pub(super) line: usize,
    pub(super) name: &'a str,
    pub(super) value: &'a str,
}

/// The tags of a game, and the text of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TaggedGame<'a> {
    pub(super) tags: Vec<Tag<'a>>,
    /// Number of tags that are not read.
    pub(super) more_tags: usize,
    /// Line on which the game begins.
    pub(super) line: usize,
    /// Line on which the moves begin.
    moves_line: usize,
    moves: &'a str,
}

/// Parses the tag at the beginning of a text, and returns the rest of the text.
fn tag(text: &str, line: usize) -> Option<(Tag<'_>, &str)> {
    let inner = text.strip_prefix('[')?;
    let (name, rest) = inner.split_once('"')?;
    let name = name.trim();
    if name.is_empty() || name.contains(['[', ']']) {
        return None;
    }
    // A quote may be part of the text.
    for (at, _) in rest.match_indices('"') {
        if let Some(after) = rest[at + 1..].trim_start().strip_prefix(']') {
            return Some((Tag { line, name, value: rest[..at].trim() }, after));
        }
    }
    None
}

/// Parses a line of tags; `None` if the line is anything else.
fn tags(content: &str, line: usize) -> Option<Vec<Tag<'_>>> {
    let mut tags = Vec::new();
    let mut rest = content.trim();
    while !rest.is_empty() {
        let (tag, after) = tag(rest, line)?;
        tags.push(tag);
        rest = after.trim_start();
    }
    Some(tags).filter(|tags| !tags.is_empty())
}

/// Returns the tags at the beginning of a text, which reveal its format.
pub(super) fn first_tags(text: &str) -> Vec<Tag<'_>> {
    let lines = (1..).zip(text.lines()).filter(|(_, content)| !is_blank(content));
    lines.map_while(|(line, content)| tags(content, line)).take(MAX_TAGS).flatten().collect()
}

/// Whether a line is empty, or a comment of figrid or PGN.
fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', ';', '%'])
}

/// Iterator over the games of a text.
pub(super) struct TaggedGames<'a> {
    text: &'a str,
    /// Where the next game begins.
    at: usize,
    line: usize,
}

impl<'a> TaggedGames<'a> {
    pub(super) fn of(text: &'a str) -> TaggedGames<'a> {
        TaggedGames { text, at: 0, line: 1 }
    }
}

impl<'a> Iterator for TaggedGames<'a> {
    type Item = TaggedGame<'a>;

    fn next(&mut self) -> Option<TaggedGame<'a>> {
        let mut section =
            TaggedGame { tags: Vec::new(), more_tags: 0, line: 0, moves_line: 0, moves: "" };
        let mut moves: Option<usize> = None;
        let mut is_empty = true;
        while let Some(content) = self.text[self.at..].split_inclusive('\n').next() {
            match tags(content, self.line) {
                Some(tags) => {
                    let again = section.tags.first().is_some_and(|one| one.name == tags[0].name);
                    // Blank lines between tags do not end them.
                    if again || moves.is_some() {
                        break;
                    }
                    let room = MAX_TAGS - section.tags.len();
                    section.more_tags += tags.len().saturating_sub(room);
                    section.tags.extend(tags.into_iter().take(room));
                }
                None if moves.is_none() && !is_blank(content) => {
                    (moves, section.moves_line) = (Some(self.at), self.line);
                }
                None => {}
            }
            if is_empty && !is_blank(content) {
                (is_empty, section.line) = (false, self.line);
            }
            self.at += content.len();
            self.line += 1;
        }
        section.moves = moves.map_or("", |start| &self.text[start..self.at]);
        (!is_empty).then_some(section)
    }
}

impl<'a> TaggedGame<'a> {
    /// Returns the text of a tag by the first spelling of its name that occurs; `None` for `-` and
    /// `?`, which mean unknown.
    pub(super) fn value(&self, names: &[&str]) -> Option<&'a str> {
        let of = |name: &&str| self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
        let tag = names.iter().find_map(of)?;
        Some(tag.value).filter(|value| !matches!(*value, "" | "-" | "?" | "????.??.??"))
    }

    /// Returns the text of a tag as one line; empty if there is no such tag.
    pub(super) fn text(&self, names: &[&str]) -> String {
        self.value(names).map_or(String::new(), |text| one_line(&shortened(text)))
    }

    /// Returns the title of the game: event, round, section and date.
    pub(super) fn title(&self) -> String {
        let round = |name: &str, value: String| {
            if value.is_empty() { value } else { format!("{name} {value}") }
        };
        let parts = [
            self.text(&["Event"]),
            round("round", self.text(&["Round"])),
            round("section", self.text(&["Section"])),
            self.text(&["Date"]),
        ];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Returns a doubt if the game begins from a position, which is not supported.
    pub(super) fn start(&self) -> Option<Note> {
        let is_no = |value: &str| matches!(value, "" | "-" | "?" | "0");
        let is_start = |tag: &&Tag| is_one_of(tag, &START) && !is_no(tag.value);
        let tag = self.tags.iter().find(is_start)?;
        let text = format!(
            "[{} {:?}]: the game begins from a position, which is not read",
            tag.name,
            excerpt(tag.value)
        );
        Some(Note::doubt(Place::Line(tag.line), text))
    }

    /// Returns the result in points: that of the tag, else the one after the moves.
    pub(super) fn points(
        &self,
        after_moves: Option<Option<Outcome>>,
        notes: &mut Notes,
    ) -> Option<Outcome> {
        let after_moves = after_moves.flatten();
        let Some(in_tag) = self.value(&["Result"]).and_then(points).flatten() else {
            return after_moves;
        };
        if let Some(after_moves) = after_moves.filter(|&result| result != in_tag) {
            let text = format!(
                "the moves end with {}, but the tag says {}",
                as_points(after_moves),
                as_points(in_tag)
            );
            notes.remark(Place::Line(self.line), text);
        }
        Some(in_tag)
    }

    /// Returns a remark on a result that is not understood.
    pub(super) fn unknown_result(&self) -> Option<Note> {
        let text = self.value(&["Result"]).filter(|text| points(text).is_none())?;
        let text = format!("[Result {:?}] is not a known result", excerpt(text));
        Some(Note::remark(Place::Line(self.line), text))
    }

    /// Returns a note that names the unused tags.
    pub(super) fn unused(&self, used: &[&str]) -> Option<Note> {
        let is_used = |tag: &&Tag| is_one_of(tag, used) || is_one_of(tag, &START);
        let rest = self.tags.iter().filter(|tag| !is_used(tag));
        let mut names: Vec<String> = rest.map(|tag| excerpt(tag.name)).take(MAX_NAMED).collect();
        let more = self.tags.iter().filter(|tag| !is_used(tag)).count() - names.len();
        if more + self.more_tags > 0 {
            names.push(format!("{} more", more + self.more_tags));
        }
        let text = format!("tags that are not used: {}", names.join(", "));
        (!names.is_empty()).then(|| Note::remark(Place::Line(self.line), text))
    }

    /// Iterates over the words of the moves.
    pub(super) fn words(&self) -> Words<'a> {
        Words::of(self.moves, self.moves_line)
    }

    /// Returns the error that the game cannot be read.
    pub(super) fn unreadable(&self, reason: impl Into<String>) -> UnreadableGame {
        UnreadableGame { place: Place::Line(self.line), reason: reason.into() }
    }
}

/// Tags of an initial position.
const START: [&str; 4] = ["FEN", "SetUp", "StartPosition", "InitialPosition"];

/// Whether a tag has one of the names.
pub(super) fn is_one_of(tag: &Tag<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| tag.name.eq_ignore_ascii_case(name))
}

/// Maximum number of unused tags that a note names.
const MAX_NAMED: usize = 24;

/// Returns the beginning of a text of any length, with escaped quotes resolved.
fn shortened(text: &str) -> String {
    text.chars().take(200).collect::<String>().replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::super::points::point;
    use super::words::Word;
    use super::*;
    use crate::record::linear::assert_linear;
    use crate::types::Color;

    fn words(moves: &str) -> Vec<(usize, Word)> {
        let section = TaggedGames::of(moves).next().unwrap();
        section.words().collect()
    }

    fn at(text: &str) -> Word {
        Word::Move(MoveWord::Points(text.split(' ').map(|text| point(text).unwrap()).collect()))
    }

    #[test]
    fn games_begin_where_tags_begin() {
        let text = "% a comment\n[Event \"a\"] [Site \"b\"]\n\n[Round \"1\"]\n\n1. h8 i9\n\n2. j10\n\
                    [Event \"c\"]\n[Event \"d \"e\" f\"]\n1-0\n";
        let sections: Vec<TaggedGame> = TaggedGames::of(text).collect();
        let tags = |section: &TaggedGame| -> Vec<(usize, String)> {
            section
                .tags
                .iter()
                .map(|tag| (tag.line, format!("{}={}", tag.name, tag.value)))
                .collect()
        };
        assert_eq!(sections.len(), 3);
        assert_eq!(
            tags(&sections[0]),
            [(2, "Event=a".into()), (2, "Site=b".into()), (4, "Round=1".into())]
        );
        assert_eq!((sections[0].line, sections[0].words().count()), (2, 5));
        assert_eq!(sections[0].words().last(), Some((8, at("j10"))));
        assert_eq!((tags(&sections[1]).len(), sections[1].words().count()), (1, 0));
        assert_eq!(tags(&sections[2]), [(10, "Event=d \"e\" f".into())]);
        assert_eq!(
            sections[2].words().next(),
            Some((11, Word::Result(Some(Outcome::Win(Color::Black)))))
        );
        assert_eq!(TaggedGames::of("\n  \n; no game\n").count(), 0);
        // Moves without tags are a game too.
        assert_eq!(
            TaggedGames::of("\n1. h8\n").map(|section| section.line).collect::<Vec<_>>(),
            [2]
        );
    }

    #[test]
    fn kinds_of_words_are_distinguished() {
        let of = |text: &str| words(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        let number = |number, continues| Word::Number { number, continues };
        assert_eq!(of("1.h8 1... i9!?"), [number(1, false), at("h8"), number(1, true), at("i9")]);
        let endless = format!("1{}.", "0".repeat(30));
        assert_eq!(of(&format!("1000001. {endless}")), vec![number(1_000_000, false); 2]);
        assert_eq!(of("K10-L11, j9"), [at("K10 L11"), at("j9")]);
        assert_eq!(
            of("-- black"),
            [MoveWord::Nothing, MoveWord::Takes(Color::Black)].map(Word::Move)
        );
        assert_eq!(of("swap Pass"), [MoveWord::Swap, MoveWord::Pass].map(Word::Move));
        assert_eq!(of("Resign ?"), [Word::Forfeit("resign"), Word::Result(None)]);
        assert_eq!(of("h8 {x ( } i9"), [at("h8"), Word::Aside, at("i9")]);
        assert_eq!(of("h8 (i9 (j9) {)} k9) $3 l9"), [at("h8"), Word::Aside, Word::Aside, at("l9")]);
        assert_eq!(of("h8 ; rest ) (\ni9"), [at("h8"), Word::Aside, at("i9")]);
        assert_eq!(of("h8\n# note\ni9"), [at("h8"), Word::Aside, at("i9")]);
        for open in ["h8 (i9", "h8 {i9 j9", "h8 (i9 {j9", "h8 {i9 {j9} k9", "h8 (i9 {j9 {) k9} )"] {
            assert_eq!(of(open)[0], at("h8"));
            assert!(matches!(of(open)[1], Word::Unclosed(_)), "{open}");
        }
        assert_eq!(
            of("h99x ) }"),
            ["h99x", ")", "}"].map(|word| Word::Move(MoveWord::Unknown(word.into())))
        );
        assert_eq!(of("1/2-1/2"), [Word::Result(Some(Outcome::Draw))]);
        let long = "h8-".repeat(30);
        assert!(matches!(&of(&long)[..], [Word::Move(MoveWord::Unknown(text))] if text.len() < 60));
    }

    #[test]
    fn words_have_their_line_numbers() {
        let lines: Vec<usize> =
            words("1. h8\n{a\nb}\ni9\n\n(j9\n) k9").iter().map(|w| w.0).collect();
        assert_eq!(lines, [1, 1, 2, 4, 6, 7]);
    }

    #[test]
    fn long_texts_are_read_in_linear_time() {
        for part in
            ["(", ")", "[", "{", "[A \"b\"]\n", "[A \"b\"]\n1\n", "1.", "\"", "h8-", "[x\"\""]
        {
            let text = part.repeat(200_000);
            assert_linear(|| {
                for section in TaggedGames::of(&text) {
                    let _ = (section.unused(&[]), section.title(), section.words().count());
                }
            });
        }
    }
}
