//! The database of RenjuNet (`renjunet_v10_YYYYMMDD.rif`): XML with tables of
//! rules, openings, players and tournaments, followed by all games:
//!
//! ```text
//! <rule id="1" name="RIF"><info>...</info></rule>
//! <opening id="5" name="Kagetsu" abbr="4D"/>
//! <player id="7" name="Ann" surname="A." country="1" city="2"/>
//! <tournament id="3" name="Cup" year="2005" start="2005-04-12" rule="1" rated="1"/>
//! <game id="9" publisher="7" tournament="3" round="2" rule="1" black="7" white="8"
//!       bresult="0.5" btime="3600" wtime="2800" opening="5" alt="f6" swap="0">
//! <move>h8 h9 ...</move>
//! <info>...</info>
//! </game>
//! ```
//!
//! Boards are 15x15, and rows count from the bottom. There are more than a hundred
//! thousand games, so they are read one by one.

mod xml;

use std::collections::HashMap;
use std::io::{self, BufRead, Seek};

use super::notes::Notes;
use super::points::point;
use super::{Columns, Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame};
use crate::record::quote::{excerpt, one_line};
use crate::rules::{Named, OpeningId, Outcome, RuleId, Variant, named};
use crate::types::Color;
use xml::{Bookmark, Piece, Tag, Xml};

/// Side of the board.
const SIDE: usize = 15;

/// Maximum number of moves in a game, passes included.
const MAX_EVENTS: usize = 2 * SIDE * SIDE;

/// Maximum number of entries of a table that are kept.
const MAX_ENTRIES: usize = 1 << 20;

/// Number of bytes examined to recognise a database.
const HEAD: usize = 1 << 14;

/// Attributes of a game that are used.
const USED: [&str; 10] =
    ["id", "tournament", "round", "rule", "black", "white", "bresult", "opening", "alt", "swap"];

/// Whether a file with these first bytes looks like the database.
pub fn looks(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let tables = ["<games", "<game ", "<tournament", "<player", "<countr", "<rules", "<openings"];
    head.starts_with('<') && tables.iter().any(|table| head.contains(table))
}

/// The tables, by id.
#[derive(Default)]
struct Tables {
    rules: HashMap<u32, String>,
    openings: HashMap<u32, String>,
    players: HashMap<u32, String>,
    tournaments: HashMap<u32, Tournament>,
}

struct Tournament {
    name: String,
    date: String,
    rule: Option<u32>,
}

impl Tables {
    /// Whether the tables that a game needs have entries.
    fn are_loaded(&self) -> bool {
        !self.rules.is_empty() && !self.players.is_empty() && !self.tournaments.is_empty()
    }

    /// Adds the entry of a tag to its table.
    fn take(&mut self, tag: &Tag) {
        let Some(id) = tag.number("id") else { return };
        let words = |names: &[&str]| {
            let words = names.iter().map(|name| one_line(tag.text(name)));
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        match tag.name.as_str() {
            "rule" => set(&mut self.rules, id, words(&["name"])),
            "opening" => set(&mut self.openings, id, words(&["abbr", "name"])),
            "player" => set(&mut self.players, id, words(&["name", "surname"])),
            "tournament" => {
                let date = if tag.text("start").is_empty() { "year" } else { "start" };
                let (name, date) = (words(&["name"]), words(&[date]));
                set(&mut self.tournaments, id, Tournament { name, date, rule: tag.number("rule") });
            }
            _ => {}
        }
    }
}

fn set<T>(table: &mut HashMap<u32, T>, id: u32, entry: T) {
    if table.len() < MAX_ENTRIES {
        table.insert(id, entry);
    }
}

/// Iterator over the games of a database. An error of the file itself is the last item.
pub struct Games<R> {
    xml: Xml<R>,
    tables: Tables,
    /// Whether tables after the games have been read.
    looked_ahead: bool,
    /// A game that begins where another should have ended; without its tag if the tag is broken.
    next: Option<(Bookmark, Option<Tag>)>,
    /// Broken tags that belong to no game.
    skipped: Vec<Bookmark>,
    hints: Hints,
    /// Whether an item has been returned.
    has_items: bool,
    is_over: bool,
}

impl<R: BufRead + Seek> Games<R> {
    /// Reads the games of a file in the code page that it names, UTF-8 if none.
    pub fn of_file(file: R, hints: Hints) -> Games<R> {
        Games::new(Xml::new(file, false), hints)
    }

    /// Reads the games of a text that is UTF-8, whatever its header declares.
    pub fn of_text(text: R, hints: Hints) -> Games<R> {
        Games::new(Xml::new(text, true), hints)
    }

    fn new(xml: Xml<R>, hints: Hints) -> Games<R> {
        Games {
            xml,
            tables: Tables::default(),
            looked_ahead: false,
            next: None,
            skipped: Vec::new(),
            hints,
            has_items: false,
            is_over: false,
        }
    }

    /// Reads the next game, or returns why it cannot be used; `None` at the end.
    fn game(&mut self) -> io::Result<Option<Result<ImportedGame, UnreadableGame>>> {
        let (mark, tag) = match self.next.take() {
            Some((mark, Some(tag))) => (mark, tag),
            Some((mark, None)) => return Ok(Some(Err(broken(mark)))),
            None => loop {
                match self.xml.next()? {
                    None => return Ok(None),
                    Some((mark, Piece::Open(tag))) if tag.name == "game" => break (mark, tag),
                    Some((_, Piece::Open(tag))) => self.tables.take(&tag),
                    Some((mark, Piece::Broken(name))) if name == "game" => {
                        return Ok(Some(Err(broken(mark))));
                    }
                    Some((mark, Piece::Broken(_))) => self.skipped.push(mark),
                    Some((_, Piece::Close(_) | Piece::Text(_))) => {}
                }
            },
        };
        if !self.looked_ahead && !self.tables.are_loaded() {
            self.look_ahead()?;
        }
        let mut content = Content::default();
        if !tag.is_self_closing {
            let mut element = String::new();
            loop {
                match self.xml.next()? {
                    Some((_, Piece::Close(name))) if name == "game" => break,
                    Some((_, Piece::Close(_))) => element.clear(),
                    Some((_, Piece::Text(text))) => content.take(&element, &text),
                    Some((next, Piece::Open(tag))) if tag.name == "game" => {
                        self.next = Some((next, Some(tag)));
                        return Ok(Some(Err(unreadable(mark, "the game has no end"))));
                    }
                    Some((_, Piece::Open(tag))) => {
                        element = if tag.is_self_closing { String::new() } else { tag.name };
                    }
                    Some((next, Piece::Broken(name))) if name == "game" => {
                        self.next = Some((next, None));
                        return Ok(Some(Err(unreadable(mark, "the game has no end"))));
                    }
                    Some((_, Piece::Broken(_))) => return Ok(Some(Err(broken(mark)))),
                    None => return Ok(Some(Err(unreadable(mark, "the game has no end")))),
                }
            }
        }
        let mut notes = Notes::default();
        for mark in self.skipped.drain(..) {
            notes.remark(Place::Line(mark.line), "a broken tag before the game is not used");
        }
        Ok(Some(imported(&tag, &content, &self.tables, &self.hints, mark, notes)))
    }

    /// Reads the tables after this place, as some files have them there, and returns to it.
    fn look_ahead(&mut self) -> io::Result<()> {
        let here = self.xml.mark();
        while let Some((_, piece)) = self.xml.next()? {
            if let Piece::Open(tag) = piece {
                self.tables.take(&tag);
            }
        }
        self.looked_ahead = true;
        self.xml.go_to(here)
    }
}

impl<R: BufRead + Seek> Iterator for Games<R> {
    type Item = Result<ImportedGame, UnreadableGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = match self.game() {
            Ok(Some(game)) => Some(game),
            Ok(None) => {
                self.is_over = true;
                let nothing = || UnreadableGame {
                    place: Place::File,
                    reason: "there is no game in it".into(),
                };
                (!self.has_items).then(|| Err(nothing()))
            }
            Err(error) => {
                self.is_over = true;
                Some(Err(unreadable(self.xml.mark(), format!("the file cannot be read: {error}"))))
            }
        };
        self.has_items = true;
        game
    }
}

fn unreadable(mark: Bookmark, reason: impl Into<String>) -> UnreadableGame {
    UnreadableGame { place: Place::Line(mark.line), reason: reason.into() }
}

fn broken(mark: Bookmark) -> UnreadableGame {
    unreadable(mark, "a broken tag")
}

/// Content of the element of a game.
#[derive(Default)]
struct Content {
    moves: String,
    info: String,
    /// Number of other texts.
    others: usize,
}

impl Content {
    fn take(&mut self, element: &str, text: &str) {
        match element {
            "move" | "moves" => {
                self.moves.push_str(text);
                self.moves.push(' ');
            }
            "info" => self.info.push_str(text),
            _ => self.others += 1,
        }
    }
}

/// Converts the element of a game.
fn imported(
    tag: &Tag,
    content: &Content,
    tables: &Tables,
    hints: &Hints,
    mark: Bookmark,
    mut notes: Notes,
) -> Result<ImportedGame, UnreadableGame> {
    let place = Place::Line(mark.line);
    let tournament = tag.number("tournament").and_then(|id| tables.tournaments.get(&id));
    let rule_id = tag.number("rule").or(tournament.and_then(|tournament| tournament.rule));
    let rule = rule_id.and_then(|id| tables.rules.get(&id)).map_or("", String::as_str);
    let (variant, opening) = variant(rule, hints, place, &mut notes);
    let events = events(&content.moves, hints, place, &mut notes)?;
    let player = |key: &str| match tag.number(key) {
        None => String::new(),
        Some(id) => tables.players.get(&id).cloned().unwrap_or_else(|| format!("player {id}")),
    };
    let result = match tag.text("bresult") {
        "1" | "1.0" => Some(Outcome::Win(Color::Black)),
        "0" | "0.0" => Some(Outcome::Win(Color::White)),
        "0.5" | ".5" | "0,5" => Some(Outcome::Draw),
        "" => None,
        other => {
            notes.remark(place, format!("the result {:?} is not known", excerpt(other)));
            None
        }
    };
    let remarks = [("swap", tag.text("swap")), ("fifth stones offered", tag.text("alt"))];
    for (what, text) in remarks.iter().filter(|(_, text)| !text.is_empty()) {
        notes.remark(place, format!("{what}: {}", excerpt(&one_line(text))));
    }
    let info = one_line(&content.info);
    if !info.is_empty() {
        notes.remark(place, format!("info: {}", excerpt(&info)));
    }
    let unused: Vec<&str> = tag
        .attributes
        .iter()
        .filter(|(key, text)| !USED.contains(&key.as_str()) && !text.is_empty())
        .map(|(key, _)| key.as_str())
        .take(USED.len())
        .collect();
    if !unused.is_empty() {
        notes.remark(place, format!("not used: {}", excerpt(&unused.join(", "))));
    }
    if content.others > 0 {
        notes.remark(place, format!("texts in the game that are not used: {}", content.others));
    }
    Ok(ImportedGame {
        variant,
        opening,
        size: Some((SIDE, SIDE)),
        players: [player("black"), player("white")],
        title: title(tag, tournament, rule, tables),
        events,
        result,
        reason: reason(&info).to_string(),
        notes: notes.finish(),
        ..ImportedGame::default()
    })
}

/// Returns the title of a game.
fn title(tag: &Tag, tournament: Option<&Tournament>, rule: &str, tables: &Tables) -> String {
    let (name, date) = tournament.map_or(("", ""), |found| (&found.name, &found.date));
    let numbered = |name: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{name} {text}") }
    };
    let opening = tag.number("opening").and_then(|id| tables.openings.get(&id));
    let parts = [
        name.to_string(),
        date.to_string(),
        numbered("round", &one_line(&excerpt(tag.text("round")))),
        rule.to_string(),
        opening.cloned().unwrap_or_default(),
        numbered("game", &one_line(&excerpt(tag.text("id")))),
    ];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Finds how a game ended from a word in its info.
fn reason(info: &str) -> &'static str {
    let lower = info.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if has(&["forbidden", "overline", "double-three", "double three", "double four", "foul"]) {
        "foul"
    } else if has(&["resign"]) {
        "resign"
    } else if has(&["overtime", "on time", "timeout"]) {
        "time"
    } else {
        ""
    }
}

/// Returns rule and opening of a game. A game without a rule is taken for renju, with a doubt.
fn variant(
    rule: &str,
    hints: &Hints,
    place: Place,
    notes: &mut Notes,
) -> (Option<Variant>, Option<OpeningId>) {
    let renju = Variant::Five(RuleId::Renju);
    // The files name this opening of China and Korea after its inventor.
    let found = match named(rule) {
        None if rule.to_lowercase().starts_with("linhuan") => named("renju"),
        found => found,
    };
    if let Some(Named { variant, opening, hint, .. }) = found {
        if let Some(hint) = hint {
            notes.remark(place, format!("{}: {hint}", excerpt(rule)));
        }
        return (hints.variant.or(Some(variant)), opening);
    }
    if hints.variant.is_some() {
        return (hints.variant, None);
    }
    let (variant, text) = match rule {
        "" => (Some(renju), "no rule is named, renju is assumed".to_string()),
        rule => (None, format!("the rule {:?} is not known", excerpt(rule))),
    };
    notes.push(Note::doubt(place, text).asking(Question::Game));
    (variant, None)
}

/// Parses the moves up to the first one that is not understood.
fn events(
    moves: &str,
    hints: &Hints,
    place: Place,
    notes: &mut Notes,
) -> Result<Vec<ImportedEvent>, UnreadableGame> {
    let size = (SIDE, SIDE);
    let columns = hints.columns.unwrap_or(Columns::WithI);
    let mut events = Vec::new();
    for (number, word) in (1..).zip(moves.split_whitespace()) {
        if matches!(word, "-" | "--" | "pass") {
            events.push(ImportedEvent::Pass(None));
        } else {
            let cell = point(word)
                .and_then(|point| point.cell(columns, size, hints.from_top.unwrap_or(false)));
            let Some(cell) = cell else {
                let word = excerpt(word);
                let text =
                    format!("{word:?} is no move: move {number} and all after it are left out");
                notes.doubt(place, text);
                break;
            };
            events.push(ImportedEvent::Stone(cell, None));
        }
        if events.len() > MAX_EVENTS {
            notes.doubt(place, "more moves than a game can have: the rest is left out");
            break;
        }
    }
    if events.is_empty() {
        notes.doubt(place, "the file has no moves of this game");
    }
    Ok(events)
}

#[cfg(test)]
mod tests;
