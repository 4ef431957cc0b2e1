//! Games below tags in brackets, as in the PGN of chess:
//!
//! ```text
//! [Event "Cup"]
//! [Result "1-0"]
//!
//! 1. h8 i9 2. j10 {a comment} g7 (2... h9 3. h10) 1-0
//! ```
//!
//! What the tags and the words of the moves mean is for the readers of the
//! forms.

mod words;

use super::notes::Notes;
use super::outcome::{as_points, points};
use super::{Note, Place, UnreadableGame};
use crate::record::quote::{excerpt, one_line};
use crate::rules::Outcome;

pub(super) use words::{GameInfo, MoveWord, Words};

/// Tags of one game that are looked at.
const MOST_TAGS: usize = 200;

/// A tag: a name and a text.
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
    /// Tags beyond those that are looked at.
    pub(super) more_tags: usize,
    /// The line on which it begins.
    pub(super) line: usize,
    /// The line on which the moves begin.
    moves_line: usize,
    moves: &'a str,
}

/// The tag at the beginning of a text, and what follows it.
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

/// The tags of a line, if it is one of tags.
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

/// The tags at the beginning of a text: of what form it is.
pub(super) fn first_tags(text: &str) -> Vec<Tag<'_>> {
    let lines = (1..).zip(text.lines()).filter(|(_, content)| !is_blank(content));
    lines.map_while(|(line, content)| tags(content, line)).take(MOST_TAGS).flatten().collect()
}

/// Whether a line says nothing: it is empty, or a comment as figrid and PGN
/// have them.
fn is_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with(['#', ';', '%'])
}

/// The games of a text, in order.
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
                    // Blank lines between tags are no moves.
                    if again || moves.is_some() {
                        break;
                    }
                    let room = MOST_TAGS - section.tags.len();
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
    /// The text of a tag, in the first of some spellings that is there; `None`
    /// for `-` and `?`, which say that nothing is known.
    pub(super) fn value(&self, names: &[&str]) -> Option<&'a str> {
        let of = |name: &&str| self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
        let tag = names.iter().find_map(of)?;
        Some(tag.value).filter(|value| !matches!(*value, "" | "-" | "?" | "????.??.??"))
    }

    /// The text of a tag on one line; empty if it is not there.
    pub(super) fn text(&self, names: &[&str]) -> String {
        self.value(names).map_or(String::new(), |text| one_line(&shortened(text)))
    }

    /// What tells the game from others: event, date and round.
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

    /// A doubt if the game begins from a position, which is not read.
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

    /// The result in points: that of the tag, or else the one behind the moves.
    pub(super) fn points(
        &self,
        behind: Option<Option<Outcome>>,
        notes: &mut Notes,
    ) -> Option<Outcome> {
        let behind = behind.flatten();
        let Some(said) = self.value(&["Result"]).and_then(points).flatten() else { return behind };
        if let Some(behind) = behind.filter(|&behind| behind != said) {
            let text = format!(
                "behind the moves stands {}, in the tag {}",
                as_points(behind),
                as_points(said)
            );
            notes.remark(Place::Line(self.line), text);
        }
        Some(said)
    }

    /// A remark on a result that is not understood.
    pub(super) fn unknown_result(&self) -> Option<Note> {
        let text = self.value(&["Result"]).filter(|text| points(text).is_none())?;
        let text = format!("[Result {:?}] is no result that is known", excerpt(text));
        Some(Note::remark(Place::Line(self.line), text))
    }

    /// A note that names the tags which are not used.
    pub(super) fn unused(&self, used: &[&str]) -> Option<Note> {
        let is_used = |tag: &&Tag| is_one_of(tag, used) || is_one_of(tag, &START);
        let rest = self.tags.iter().filter(|tag| !is_used(tag));
        let mut names: Vec<String> = rest.map(|tag| excerpt(tag.name)).take(MOST_NAMED).collect();
        let more = self.tags.iter().filter(|tag| !is_used(tag)).count() - names.len();
        if more + self.more_tags > 0 {
            names.push(format!("{} more", more + self.more_tags));
        }
        let text = format!("tags that are not used: {}", names.join(", "));
        (!names.is_empty()).then(|| Note::remark(Place::Line(self.line), text))
    }

    /// The words of the moves.
    pub(super) fn words(&self) -> Words<'a> {
        Words::of(self.moves, self.moves_line)
    }

    /// Why the game is no use.
    pub(super) fn unreadable(&self, reason: impl Into<String>) -> UnreadableGame {
        UnreadableGame { place: Place::Line(self.line), reason: reason.into() }
    }
}

/// Tags of the position from which a game begins, and of whether it does.
const START: [&str; 4] = ["FEN", "SetUp", "StartPosition", "InitialPosition"];

/// Whether a tag has one of some names.
pub(super) fn is_one_of(tag: &Tag<'_>, names: &[&str]) -> bool {
    names.iter().any(|name| tag.name.eq_ignore_ascii_case(name))
}

/// Unused tags that a note names.
const MOST_NAMED: usize = 24;

/// The beginning of a text that may be of any length.
fn shortened(text: &str) -> String {
    text.chars().take(200).collect::<String>().replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::super::points::point;
    use super::words::Word;
    use super::*;
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
    fn words_are_told_apart() {
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
        assert_eq!(of("Resign ?"), [Word::Gives("resign"), Word::Result(None)]);
        assert_eq!(of("h8 {x ( } i9"), [at("h8"), Word::Aside, at("i9")]);
        assert_eq!(of("h8 (i9 (j9) {)} k9) $3 l9"), [at("h8"), Word::Aside, Word::Aside, at("l9")]);
        assert_eq!(of("h8 ; rest ) (\ni9"), [at("h8"), Word::Aside, at("i9")]);
        assert_eq!(of("h8\n# note\ni9"), [at("h8"), Word::Aside, at("i9")]);
        for open in ["h8 (i9", "h8 {i9 j9", "h8 (i9 {j9", "h8 {i9 {j9} k9", "h8 (i9 {j9 {) k9} )"] {
            assert_eq!(of(open)[0], at("h8"));
            assert!(matches!(of(open)[1], Word::Open(_)), "{open}");
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
    fn lines_of_words_are_counted() {
        let lines: Vec<usize> =
            words("1. h8\n{a\nb}\ni9\n\n(j9\n) k9").iter().map(|w| w.0).collect();
        assert_eq!(lines, [1, 1, 2, 4, 6, 7]);
    }

    #[test]
    fn millions_of_signs_take_no_time() {
        for part in
            ["(", ")", "[", "{", "[A \"b\"]\n", "[A \"b\"]\n1\n", "1.", "\"", "h8-", "[x\"\""]
        {
            let text = part.repeat(200_000);
            for section in TaggedGames::of(&text) {
                let _ = (section.unused(&[]), section.title(), section.words().count());
            }
        }
    }
}
