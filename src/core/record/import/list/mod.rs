//! Lists of moves, as people write them and links of boards on the web hold
//! them: `h8i9`, `H8-I9`, `1. h8 i9`, `(8,8)(9,9)`, `8,8 9,9`, `hh ii`,
//! `https://gomocalc.com/#/h8i9`.
//!
//! Rows of points with a letter count from the bottom. Pairs of numbers are
//! column and row, as in psq from 1 and from the upper left, unless there is a
//! 0 among them or 0 makes the first stone the centre; pairs of letters are those
//! of SGF. Lines are one game, or a game each where points come again.

mod item;
mod lexer;
mod link;
#[cfg(test)]
mod tests;

use super::points::{Point, guess};
use super::{
    Columns, Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame, usual_size,
};
use crate::record::quote::excerpt;
use crate::rules::{Variant, named};
use crate::types::Cell;
use item::{Item, Lexed, What};
use lexer::lex;

/// What RenLib writes between a drawn board and its moves.
const TEXT_BOARD: &str = "----- Text Board -----";

/// Moves of a line that can be a game of its own.
const LEAST_OF_LINE: usize = 2;

fn falls(variant: Option<Variant>) -> bool {
    variant.is_some_and(Variant::falls)
}

/// Whether a text looks like moves of a game.
pub fn looks(text: &str, variant: Option<Variant>) -> bool {
    if text.contains(TEXT_BOARD) {
        return true;
    } else if is_drawn(text) {
        return false;
    }
    let falls = falls(variant);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    let links = lines.peek().is_some() && lines.all(link::is_link);
    links || lex(&plain(text), falls).is_ok()
}

/// Whether there are points of a drawn board: full stops that follow neither a
/// number nor each other's number, as in `1. h8` or `3... j10`.
fn is_drawn(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let is_empty_point = c == '.' && before != '.' && !before.is_ascii_alphanumeric();
        before = c;
        is_empty_point
    })
}

/// A text without lines of comments, which become blank; its bytes stay where
/// they are.
fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    let is_comment = |line: &str| {
        line.trim_start().starts_with(['#', '%']) || line.trim_start().starts_with("//")
    };
    if !text.lines().any(is_comment) {
        return text.into();
    }
    let blank =
        |line: &str| line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    let kept = |line: &str| if is_comment(line) { blank(line) } else { line.to_string() };
    text.split_inclusive('\n').map(kept).collect::<String>().into()
}

/// A game's part of a text.
struct Part<'a> {
    text: &'a str,
    /// Where it begins.
    at: usize,
    notes: Vec<Note>,
}

/// The games of a text.
pub fn read<'a>(
    text: &'a str,
    hints: &'a Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + 'a {
    let whole = Part { text, at: 0, notes: Vec::new() };
    let (lines, one) = if let Some(part) = below_board(text) {
        (None, Some(part))
    } else if is_per_line(text, hints) {
        (Some(lines(text, hints)), None)
    } else {
        (None, Some(Part { notes: lines_note(text, hints).into_iter().collect(), ..whole }))
    };
    let one = one.into_iter().map(|part| game(part, hints));
    lines.into_iter().flatten().map(|part| game(part, hints)).chain(one)
}

/// The moves below a board as RenLib writes it.
fn below_board(text: &str) -> Option<Part<'_>> {
    let at = text.find(TEXT_BOARD)? + TEXT_BOARD.len();
    // The first line may hold the players.
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
    Some(Part { text: &text[start..], at: start, notes })
}

/// The lines of a text that say something, each as a game.
fn lines<'a>(text: &'a str, hints: &Hints) -> impl Iterator<Item = Part<'a>> + use<'a> {
    let note = hints.per_line.is_none().then(|| {
        let text = "each line is read as a game, as points come again";
        Note::remark(Place::File, text).asking(Question::Lines)
    });
    let part = move |line: &'a str| {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        Part { text: line, at, notes: note.clone().into_iter().collect() }
    };
    said_lines(text).map(part)
}

/// The lines that are no comments and not empty.
fn said_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !plain(line).trim().is_empty())
}

/// Whether each line of a text is a game.
fn is_per_line(text: &str, hints: &Hints) -> bool {
    if said_lines(text).nth(1).is_none() {
        return false;
    }
    if let Some(per_line) = hints.per_line {
        return per_line;
    }
    if said_lines(text).all(link::is_link) {
        return true;
    }
    // A point that repeats begins a new game; where stones are captured, only the first
    // point of the game does.
    let captures = hints.variant.is_some_and(Variant::takes_stones);
    let mut seen: Vec<What> = Vec::new();
    let mut again = false;
    for (number, line) in said_lines(text).enumerate() {
        let Ok(lexed) = lex(line, falls(hints.variant)) else { return false };
        let stones = lexed.items.iter().filter(|item| is_stone(item.what));
        if lexed.items.len() < LEAST_OF_LINE {
            return false;
        }
        let first = lexed.items.first().map(|item| item.what);
        let whats: Vec<What> = stones.map(|item| item.what).collect();
        again |= if captures {
            number > 0 && first == seen.first().copied()
        } else {
            whats.iter().any(|what| seen.contains(what))
        };
        if seen.len() < MOST_SEEN {
            seen.extend(whats);
        }
    }
    again
}

/// Points of the first lines that are compared with those of later ones.
const MOST_SEEN: usize = 1000;

fn is_stone(what: What) -> bool {
    matches!(what, What::Point(_) | What::Pair(_) | What::Letters(_))
}

/// A note that several lines are one game, where they could be games.
fn lines_note(text: &str, hints: &Hints) -> Option<Note> {
    let count = said_lines(text).count();
    let could_be = |line: &str| {
        let numbered = line.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let long = |lexed: Lexed| lexed.items.len() >= LEAST_OF_LINE;
        !numbered && lex(line, falls(hints.variant)).is_ok_and(long)
    };
    let is_open = hints.per_line.is_none() && count > 1 && said_lines(text).all(could_be);
    let said = format!("{count} lines are read as one game");
    is_open.then(|| Note::remark(Place::File, said).asking(Question::Lines))
}

/// The game of a part.
fn game(part: Part<'_>, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let Part { text, at, mut notes } = part;
    let falls = falls(hints.variant);
    if !link::is_link(text) {
        let plain = plain(text);
        if plain != text {
            notes.push(Note::remark(Place::File, "lines of comments are not used"));
        }
        return of_moves(&plain, Some(at), hints.size, None, hints, notes);
    }
    let Some(found) = link::parse(text, falls) else {
        let reason = "no part of the link is moves".to_string();
        return Err(UnreadableGame { place: Place::Byte(at), reason });
    };
    let place = Place::Byte(at);
    notes.push(Note::remark(place, format!("the moves are those {}", excerpt(&found.part))));
    if !found.others.is_empty() {
        let others = excerpt(&found.others.join(", "));
        notes.push(Note::remark(place, format!("parts of the link that are not used: {others}")));
    }
    let game = found.rule.as_deref().and_then(named);
    if let (Some(rule), None, None) = (&found.rule, game, hints.variant) {
        let text = format!("the rule {:?} is not known", excerpt(rule));
        notes.push(Note::doubt(place, text).asking(Question::Game));
    }
    let variant = game.map(|game| game.variant);
    of_moves(&found.moves, None, hints.size.or(found.size), variant, hints, notes)
}

/// The game of moves; `at` is where they begin, if they stand in the file as
/// they are.
fn of_moves(
    text: &str,
    at: Option<usize>,
    size: Option<(usize, usize)>,
    variant: Option<Variant>,
    hints: &Hints,
    mut notes: Vec<Note>,
) -> Result<ImportedGame, UnreadableGame> {
    let place = |byte: usize| at.map_or(Place::File, |at| Place::Byte(at + byte));
    let fault = |byte: usize, number: usize, word: &str, what: &str| UnreadableGame {
        place: place(byte),
        reason: format!("move {number} ({}): {what}", excerpt(word)),
    };
    let variant = hints.variant.or(variant);
    let lexed = lex(text, falls(variant))
        .map_err(|item::ListFault { at, number, word, what }| fault(at, number, word, what))?;
    let board = size.unwrap_or_else(|| usual_size(variant));
    let reading = Reading::of(&lexed.items, board, variant, hints, &mut notes);
    let mut game = ImportedGame { variant, size, ..ImportedGame::default() };
    for (number, item) in (1..).zip(&lexed.items) {
        let outside = || {
            let lacks_column = |point: Point| point.lacks_column(reading.columns);
            let what = if point(item.what).is_some_and(lacks_column) {
                "there is no column I on this board"
            } else {
                "the point is outside the board"
            };
            fault(item.at, number, item.word, what)
        };
        game.events.push(match item.what {
            What::Pass => ImportedEvent::Pass(item.color),
            What::Swap => ImportedEvent::Swap,
            What::Drop(x) => ImportedEvent::Drop(x),
            what => ImportedEvent::Stone(reading.cell(what).ok_or_else(outside)?, item.color),
        });
        if at.is_some() {
            game.places.push(place(item.at));
        }
    }
    notes.extend(lexed.is_flat.then(|| {
        let text = "the numbers are read as pairs, one after the other";
        Note::remark(Place::File, text)
    }));
    notes.extend(thirds(&lexed.thirds));
    game.result = lexed.result;
    if lexed.resigned {
        game.reason = "resign".into();
    }
    game.notes = notes;
    Ok(game)
}

/// A note on third numbers beside pairs.
fn thirds(thirds: &[usize]) -> Option<Note> {
    // Whose stones they are, in the order in which they are placed.
    let in_turn = thirds.iter().zip([1, 2].iter().cycle()).all(|(third, turn)| third == turn);
    let is_color = thirds.iter().all(|third| matches!(third, 1 | 2));
    let text = "the third of three numbers is not used";
    let note = if is_color && !in_turn { Note::doubt } else { Note::remark };
    (!thirds.is_empty()).then(|| note(Place::File, text))
}

/// How points are read.
struct Reading {
    board: (usize, usize),
    columns: Columns,
    from_top: Option<bool>,
    origin: usize,
}

impl Reading {
    /// What the user says, else what the moves make likely.
    fn of(
        items: &[Item],
        board: (usize, usize),
        variant: Option<Variant>,
        hints: &Hints,
        notes: &mut Vec<Note>,
    ) -> Reading {
        let points: Vec<Point> = items.iter().filter_map(|item| point(item.what)).collect();
        // Many boards of Go are lettered without I, and these games are played on them.
        let of_go =
            matches!(variant, Some(Variant::Pente(_) | Variant::Connect6(_) | Variant::Irensei(_)));
        let columns = hints.columns.unwrap_or_else(|| {
            let (likely, note) = guess(&points, board, Columns::WithI, false);
            if !of_go || likely == Columns::WithI {
                return Columns::WithI;
            }
            if points.iter().any(|point| point.letter >= board.0) {
                notes.extend(note);
                return likely;
            }
            // It may be a list of our own, whose columns have an I.
            let text = "columns are read with an I, as Goren writes them; without one the first \
                        stone would be the centre: --columns without-i";
            notes.push(Note::remark(Place::File, text).asking(Question::Columns));
            Columns::WithI
        });
        let pairs: Vec<[usize; 2]> = items.iter().filter_map(|item| pair(item.what)).collect();
        let origin = hints.origin.unwrap_or_else(|| origin(&pairs, board, hints, notes));
        Reading { board, columns, from_top: hints.from_top, origin }
    }

    fn cell(&self, what: What) -> Option<Cell> {
        let (width, height) = self.board;
        match what {
            What::Point(point) => {
                point.cell(self.columns, self.board, self.from_top.unwrap_or(false))
            }
            What::Pair([x, y]) => {
                self.corner_cell(x.checked_sub(self.origin)?, y.checked_sub(self.origin)?)
            }
            What::Letters([x, y]) => self.corner_cell(x, y),
            What::Drop(_) | What::Pass | What::Swap => None,
        }
        .filter(|cell| cell.x() < width && cell.y() < height)
    }

    /// The cell of a column and a row, both from 0, which count from the top
    /// unless the user says otherwise.
    fn corner_cell(&self, x: usize, y: usize) -> Option<Cell> {
        let (width, height) = self.board;
        let y = if self.from_top.unwrap_or(true) { y } else { height.checked_sub(y + 1)? };
        (x < width && y < height).then(|| Cell::new(x, y))
    }
}

fn point(what: What) -> Option<Point> {
    match what {
        What::Point(point) => Some(point),
        _ => None,
    }
}

fn pair(what: What) -> Option<[usize; 2]> {
    match what {
        What::Pair(pair) => Some(pair),
        _ => None,
    }
}

/// Whether pairs begin with 0 or 1.
fn origin(
    pairs: &[[usize; 2]],
    (width, height): (usize, usize),
    hints: &Hints,
    notes: &mut Vec<Note>,
) -> usize {
    let zero = pairs.iter().any(|pair| pair.contains(&0));
    let last = pairs.iter().any(|&[x, y]| x == width || y == height);
    let centre = |origin: usize| pairs.first() == Some(&[width / 2 + origin, height / 2 + origin]);
    let (origin, why) = match (zero, last) {
        (true, _) => (0, "as there is a 0"),
        (false, true) => (1, "as the last one occurs"),
        (false, false) if centre(0) => (0, "as the first stone is the centre then"),
        (false, false) if centre(1) => (1, "as the first stone is the centre then"),
        (false, false) => (1, "as usual"),
    };
    if !pairs.is_empty() {
        let text = format!("numbers are column and row from {origin}, {why}");
        notes.push(Note::remark(Place::File, text).asking(Question::Origin));
        if hints.from_top.is_none() {
            let text = "rows in numbers count from the top";
            notes.push(Note::remark(Place::File, text).asking(Question::Rows));
        }
    }
    origin
}
