//! Lists of moves, as written by people and contained in links of web boards: `h8i9`, `H8-I9`,
//! `1. h8 i9`, `(8,8)(9,9)`, `8,8 9,9`, `hh ii`, `https://gomocalc.com/#/h8i9`.
//!
//! Rows of points with a letter count from the bottom. Pairs of numbers are column and row, as in
//! psq from 1 and from the upper left, unless a 0 occurs or 0 makes the first stone the centre;
//! with a negative number they are offsets from the middle. Pairs of letters are points of SGF.
//! Moves are put in the order of their numbers and colours, which precede them; moves in deeper
//! brackets than others are a variation. The lines are one game, or a game each if points repeat.
//! A `resign` after the moves refers to the side to move.

mod fold;
mod item;
mod lexer;
mod lines;
mod link;
mod numbers;
mod order;
mod reading;
#[cfg(test)]
mod tests;

use super::{Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame};
use crate::record::quote::{excerpt, one_line};
use crate::rules::{Named, Outcome, Variant, named};
use fold::Folded;
use item::{ListFault, ListMove};
use lexer::lex;
use lines::{GamePart, Layout, LineCounts, content_lines, falls, plain};
use numbers::Triples;
use order::ListContext;
use reading::{Evidence, PointReading};

/// Line of RenLib between a drawn board and its moves.
const TEXT_BOARD: &str = "----- Text Board -----";

/// Whether a text looks like the moves of a game: as a whole, or at least half of its lines.
pub fn looks(text: &str, variant: Option<Variant>) -> bool {
    if text.contains(TEXT_BOARD) {
        return true;
    }
    let plain = plain(text);
    !is_drawn(&plain) && (is_whole(&plain, variant) || LineCounts::of(text, variant).is_moves())
}

/// Whether a text is a link of a web board.
pub fn is_link(text: &str) -> bool {
    link::of_line(text).is_some()
}

/// Whether a text consists of moves only.
fn is_whole(plain: &str, variant: Option<Variant>) -> bool {
    lex(&Folded::of(plain).text, falls(variant)).is_ok_and(|lexed| !lexed.items.is_empty())
}

/// Whether the moves of a text are triples of numbers that contain the number of the move or the
/// colour of the stone, and no time.
pub fn has_marks(text: &str) -> bool {
    let marks = lex(text, false).ok().and_then(|lexed| numbers::triples(&lexed.items));
    matches!(marks, Some(Triples::Numbered { .. } | Triples::Colored))
}

/// Whether a text has empty points of a drawn board: full stops that follow neither a letter or
/// digit nor another full stop, unlike those in `1. h8` or `3... j10`.
fn is_drawn(text: &str) -> bool {
    let mut previous = ' ';
    text.chars().any(|c| {
        let is_empty_point = c == '.' && previous != '.' && !previous.is_ascii_alphanumeric();
        previous = c;
        is_empty_point
    })
}

/// Reads the games of a text.
pub fn read<'a>(
    text: &'a str,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    let below = below_board(text);
    let survey =
        if below.is_some() { LineCounts::default() } else { LineCounts::of(text, hints.variant) };
    let is_whole = is_whole(&plain(text), hints.variant);
    let layout = survey.layout(hints, is_whole);
    let lines = (layout == Layout::Lines).then(|| lines::lines(text));
    let parts = (layout == Layout::Parts).then(|| lines::parts(text));
    let (one, mut notes) = match below {
        Some((part, notes)) => (Some(part), notes),
        None => (
            (layout == Layout::One).then_some(GamePart { text, ..GamePart::default() }),
            Vec::new(),
        ),
    };
    notes.extend(layout_note(text, hints, layout, &survey));
    let board = hints.size.unwrap_or_else(|| hints.usual_size(hints.variant));
    // The points of all games of a text are read in the same way.
    let shared = (layout != Layout::One)
        .then(|| PointReading::of(&survey.evidence, board, hints.variant, None, hints));
    let all = lines.into_iter().flatten().chain(parts.into_iter().flatten()).chain(one);
    (1..).zip(all).map(move |(number, part)| {
        let number = (layout == Layout::Lines).then_some(number);
        let reader = GameReader { hints, number, shared: shared.as_ref() };
        reader.game(&part, notes.clone())
    })
}

/// Returns the note on how the lines of a text are divided into games.
fn layout_note(text: &str, hints: &Hints, layout: Layout, survey: &LineCounts) -> Option<Note> {
    if hints.per_line.is_some() {
        return None;
    }
    let remark = |text: &str| Note::remark(Place::File, text).asking(Question::Lines);
    match layout {
        Layout::Lines if survey.are_turns() => {
            let text = "each numbered line is read as a game, as points come again";
            Some(Note::doubt(Place::File, text).asking(Question::Lines))
        }
        Layout::Lines => Some(remark("each line is read as a game, as points come again")),
        Layout::Parts => Some(remark("a game is read from each heading, or each number 1, on")),
        Layout::One
            if survey.count > 1 && content_lines(text).all(|line| could_be_game(line, hints)) =>
        {
            Some(remark(&format!("{} lines are read as one game", survey.count)))
        }
        Layout::One => None,
    }
}

/// Whether a line could be a game of its own.
fn could_be_game(line: &str, hints: &Hints) -> bool {
    let plain = plain(line);
    let folded = Folded::of(&plain);
    let is_numbered = folded.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    !is_numbered && lex(&folded.text, falls(hints.variant)).is_ok_and(|lexed| lexed.items.len() > 1)
}

/// Finds the moves below a board drawn by RenLib.
fn below_board(text: &str) -> Option<(GamePart<'_>, Vec<Note>)> {
    let at = text.find(TEXT_BOARD)? + TEXT_BOARD.len();
    // The first line may name the players.
    let begins = |line: &str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let mut start = at;
    for line in text[at..].split_inclusive('\n').take_while(|line| !begins(line)) {
        start += line.len();
    }
    let above = text[at..start].trim();
    let mut notes =
        vec![Note::remark(Place::File, "the moves are read, and not the board above them")];
    if !above.is_empty() {
        notes.push(Note::remark(Place::Byte(at), format!("not used: {:?}", excerpt(above))));
    }
    Some((GamePart { text: &text[start..], at: start, heading: "" }, notes))
}

/// Reader of one game of a text.
struct GameReader<'a> {
    hints: &'a Hints,
    /// Number of the game, if each line is a game.
    number: Option<usize>,
    /// How to read the points of all games, if there are several.
    shared: Option<&'a PointReading>,
}

/// Known properties of one game.
struct Known {
    /// Byte at which the moves begin, if the file contains them literally.
    at: Option<usize>,
    size: Option<(usize, usize)>,
    /// The game that the file names.
    named: Option<Named>,
    title: String,
    /// Whether the part has content, so that moves are expected.
    has_content: bool,
}

impl GameReader<'_> {
    /// Reads the game of a part.
    fn game(
        &self,
        part: &GamePart<'_>,
        mut notes: Vec<Note>,
    ) -> Result<ImportedGame, UnreadableGame> {
        let hints = self.hints;
        let title = one_line(part.heading);
        let place = Place::Byte(part.at);
        let Some((link, others)) = link::of_line(part.text) else {
            let plain = plain(part.text);
            if plain != part.text {
                notes.push(Note::remark(Place::File, "comments and names of columns are not used"));
            }
            let (at, size) = (Some(part.at), hints.size);
            let has_content = !(part.heading.is_empty() && part.text.trim().is_empty());
            let known = Known { at, size, named: None, title, has_content };
            return self.moves(&plain, known, notes);
        };
        let Some(found) = link::parse(link, falls(hints.variant)) else {
            let reason = "the link has no moves".to_string();
            return Err(UnreadableGame { place, reason });
        };
        notes.push(Note::remark(place, format!("the moves are those {}", excerpt(&found.part))));
        if !found.others.is_empty() {
            let others = excerpt(&found.others.join(", "));
            notes.push(Note::remark(
                place,
                format!("parts of the link that are not used: {others}"),
            ));
        }
        if !others.is_empty() {
            notes.push(Note::remark(place, format!("not used: {:?}", excerpt(&others.join(" ")))));
        }
        let named = rule(&found.rules, place, &mut notes);
        let size = size(&found.sizes, place, &mut notes);
        let size = hints.size.or(size).or(named.and_then(|named| named.size));
        let reader = GameReader { shared: None, ..*self };
        let known = Known { at: None, size, named, title, has_content: true };
        reader.moves(&found.moves, known, notes)
    }

    /// Reads a game from its moves.
    fn moves(
        &self,
        original: &str,
        known: Known,
        mut notes: Vec<Note>,
    ) -> Result<ImportedGame, UnreadableGame> {
        let Known { at, size, named, title, has_content } = known;
        let folded = Folded::of(original);
        let place = |byte: usize| at.map_or(Place::File, |at| Place::Byte(at + folded.place(byte)));
        let fault = |byte: usize, number: usize, word: &str, what: &str| UnreadableGame {
            place: place(byte),
            reason: format!("move {number} ({}): {what}", excerpt(word)),
        };
        let variant = self.hints.variant.or(named.map(|named| named.variant));
        let lexed = lex(&folded.text, falls(variant))
            .map_err(|ListFault { at, number, word, what }| fault(at, number, word, what))?;
        let mut items = lexed.items;
        let count = items.len();
        let triples = numbers::settle(&mut items, &lexed.players, &mut notes);
        let order = ListContext { variant, number: self.number, place: &place };
        order.settle(&mut items, &mut notes);
        if items.is_empty() && has_content {
            notes.push(Note::doubt(place(0), "there are no moves"));
        }
        let own = || {
            let mut evidence = Evidence::default();
            evidence.add(&items);
            let board = size.unwrap_or_else(|| self.hints.usual_size(variant));
            PointReading::of(&evidence, board, variant, triples, self.hints)
        };
        let reading = self.shared.cloned().unwrap_or_else(own);
        notes.extend(reading.notes.iter().cloned());
        let opening = named.and_then(|named| named.opening);
        let mut game = ImportedGame { variant, opening, size, title, ..ImportedGame::default() };
        for (number, item) in (1..).zip(&items) {
            let outside = || {
                let what = reading.off_board(item.what, size.is_some());
                fault(item.at, number, item.word, &what)
            };
            game.events.push(match item.what {
                ListMove::Pass => ImportedEvent::Pass(item.color),
                ListMove::Swap => ImportedEvent::Swap,
                ListMove::Drop(x) => ImportedEvent::Drop(x),
                what => ImportedEvent::Stone(reading.cell(what).ok_or_else(outside)?, item.color),
            });
            if at.is_some() {
                game.places.push(place(item.at));
            }
        }
        if lexed.is_flat {
            let text = "the numbers are read as pairs, one after the other";
            notes.push(Note::remark(Place::File, text));
        }
        if let Some((at, word, count)) = lexed.unused {
            let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            notes.push(Note::remark(place(at), format!("not used: {:?}{more}", excerpt(word))));
        }
        (game.result, game.reason) = (lexed.result, lexed.reason);
        if let Some((at, before)) = lexed.resigns.filter(|_| game.result.is_none()) {
            // At the end of the moves, the side to move resigns.
            let is_end = [count, items.len()] == [before; 2];
            let loser = if is_end { order.to_move(&items) } else { None };
            game.result = loser.map(|loser| Outcome::Win(!loser));
            let text = match loser {
                Some(loser) => format!("{loser:?}, who is to move, is assumed to have resigned"),
                None => "the player who resigns is not named".to_owned(),
            };
            notes.push(Note::remark(place(at), text));
        }
        game.columns = Some(reading.columns);
        game.notes = notes;
        Ok(game)
    }
}

/// Returns the game that a link names, with a doubt if the name is unknown or names differ.
fn rule(rules: &[String], place: Place, notes: &mut Vec<Note>) -> Option<Named> {
    let mut found: Option<(&str, Named)> = None;
    for rule in rules {
        let Some(next) = named(rule) else {
            let text = format!("the rule {:?} is not known", excerpt(rule));
            notes.push(Note::doubt(place, text).asking(Question::Game));
            continue;
        };
        match found {
            Some((first, named)) if named.variant != next.variant => {
                let text = format!(
                    "the link names two games: {:?} and {:?}",
                    excerpt(first),
                    excerpt(rule)
                );
                notes.push(Note::doubt(place, text).asking(Question::Game));
            }
            Some(_) => {}
            None => found = Some((rule, next)),
        }
    }
    let (_, named) = found?;
    if let Some(hint) = named.hint {
        notes.push(Note::remark(place, hint).asking(Question::Game));
    }
    Some(named)
}

/// Returns the board size that a link gives, with a doubt if it is not supported or sizes differ.
fn size(
    sizes: &[(String, Option<(usize, usize)>)],
    place: Place,
    notes: &mut Vec<Note>,
) -> Option<(usize, usize)> {
    let first = sizes.iter().find_map(|(_, size)| *size);
    for (text, size) in sizes {
        if size.is_none() || *size != first {
            let text = format!("the size {:?} of the board is not used", excerpt(text));
            notes.push(Note::doubt(place, text).asking(Question::Size));
        }
    }
    first
}
