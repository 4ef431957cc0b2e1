//! Writes games as SGF.

use std::fmt::Write;

use super::comment;
use super::info::{TITLE, is_info};
use super::swallow::holds_moves;
use crate::record::diagram::Diagram;
use crate::record::import::{ImportedEvent, ImportedGame, MoveStats, usual_size};
use crate::record::quote::one_line;
use crate::rules::{OpeningId, Outcome, Variant};
use crate::types::{Cell, Color};

/// Writes a game as one line of text, including the line break. A position becomes set-up stones.
/// Line breaks in names and evaluations become blanks. Stones and passes of unknown colour
/// alternate, Black's first.
pub fn write(game: &ImportedGame) -> String {
    let mut text = head(game, &[]);
    let mut due = Color::Black;
    for (i, event) in game.events.iter().enumerate() {
        let opening = i < game.prelude;
        due = node(&mut text, event, due, opening, game.move_stats.get(i));
    }
    text.push_str(")\n");
    text
}

/// Writes the root of a game, without its moves. `info` is further information about the whole
/// game, by property.
pub(super) fn head(game: &ImportedGame, info: &[(String, String)]) -> String {
    let stated = |name: &str| info.iter().find(|(of, _)| of == name).map(|(_, value)| &value[..]);
    let (width, height) = game.size.unwrap_or_else(|| usual_size(game.variant));
    let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let mut text = format!("(;FF[4]GM[4]CA[UTF-8]AP[Goren:{}]", env!("CARGO_PKG_VERSION"));
    let mut put = |name: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{name}[{}]", escaped(value));
    };
    if let Some(variant) = game.variant {
        // The names of Gomocup's rules are the best known ones.
        match variant {
            Variant::Five(rule) => put("RU", rule.name()),
            other => put("RU", &other.to_string()),
        }
    }
    put("SZ", &size);
    let opening = game.opening.filter(|&opening| opening != OpeningId::Free);
    if let Some(opening) = opening {
        put("ON", opening.name());
    }
    if game.tie_break {
        put("TIEBREAK", "first pass");
    }
    if game.strict {
        put("STRICT", "one of mirrored openings");
    }
    put("PB", &game.players[0]);
    put("PW", &game.players[1]);
    // The title consists of these properties if any is present.
    if !game.title.is_empty() && TITLE.into_iter().all(|name| stated(name).is_none()) {
        put("GN", &game.title);
    }
    put(
        "RE",
        match game.result {
            Some(Outcome::Win(Color::Black)) => "B+",
            Some(Outcome::Win(Color::White)) => "W+",
            Some(Outcome::Draw) => "0",
            None => stated("RE").unwrap_or("?"),
        },
    );
    put("TE", &game.reason);
    for (name, value) in info {
        if is_info(name) && (name != "ON" || opening.is_none()) {
            let _ = write!(text, "{name}[{}]", prose(value));
        }
    }
    if let Some(board) = &game.board {
        set_up(&mut text, board);
    }
    if !game.plies.is_empty() {
        text.push_str("PLY");
        for ply in &game.plies {
            let _ = write!(text, "[{}]", escaped(ply));
        }
    }
    text
}

/// Appends the stones of a position and the side to move.
fn set_up(text: &mut String, board: &Diagram) {
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let mut stones = board.stones.iter().filter(|stone| stone.1 == color).peekable();
        if stones.peek().is_some() {
            text.push_str(name);
        }
        for &(cell, _) in stones {
            let _ = write!(text, "[{}]", point(cell));
        }
    }
    if let Some(color) = board.to_move {
        let _ = write!(text, "PL[{}]", letter(color));
    }
}

/// Writes a point in two letters.
pub(super) fn point(cell: Cell) -> String {
    [cell.x(), cell.y()].iter().map(|&n| char::from(b'a' + n as u8)).collect()
}

/// Returns the letter of a colour.
fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// Appends a node; returns the side to move after it.
fn node(
    text: &mut String,
    event: &ImportedEvent,
    due: Color,
    opening: bool,
    stats: Option<&MoveStats>,
) -> Color {
    let next = place(text, event, due);
    let known = stats.filter(|&stats| *stats != MoveStats::default());
    let comment = match event {
        ImportedEvent::Swap => {
            let _ = write!(text, ";C[{}]", comment::SWAP);
            None
        }
        ImportedEvent::Drop(_) => None,
        _ if opening => Some(comment::OPENING.to_string()),
        _ => known.map(comment::move_comment),
    };
    if let Some(comment) = comment {
        let _ = write!(text, "C[{}]", escaped(&comment));
    }
    next
}

/// Appends the node of a stone or a pass, without a comment; returns the side to move after it.
pub(super) fn place(text: &mut String, event: &ImportedEvent, due: Color) -> Color {
    let (color, point) = match *event {
        ImportedEvent::Stone(cell, color) => (color.unwrap_or(due), point(cell)),
        ImportedEvent::Pass(color) => (color.unwrap_or(due), String::new()),
        ImportedEvent::Swap => return due,
        // Only the column is known, not the row in which the piece came to rest.
        ImportedEvent::Drop(_) => return due,
    };
    let _ = write!(text, ";{}[{point}]", letter(color));
    !color
}

/// Escapes a text of several lines for a property. As in readers, line breaks become line feeds,
/// and other control characters become blanks.
pub(super) fn prose(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    closed(&text.replace(|c: char| c != '\n' && c.is_control(), " "))
}

/// Escapes a text of one line for a property.
fn escaped(text: &str) -> String {
    closed(&one_line(text))
}

/// Escapes the characters that would end a text. If the text would look as if it had swallowed
/// nodes because of a missing bracket, its opening brackets are escaped too.
fn closed(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace(']', "\\]");
    if holds_moves(&text) { text.replace('[', "\\[") } else { text }
}
