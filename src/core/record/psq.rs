//! Games in Piskvork's format (`.psq`), as Piskvork, its tournaments and
//! Gomocup write them.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0    size, levels of the players, who begins
//! 8,8,120                      column, row (both from 1, from the upper left), ms
//! 9,7,350
//! engine-a                     the players
//! engine-b
//! -1                           Piskvork's ending code
//! 1,Freestyle                  winner (0: nobody) and rule, as in Gomocup's files;
//!                              the rule alone if the game is not over
//! ```
//!
//! All stones are moves, those of the opening too. The format cannot hold evaluations, depths,
//! nodes or the reason for the end of the game.

use std::fmt::Write;

mod head;
mod line;
mod tail;
#[cfg(test)]
mod tests;

use super::import::notes::Notes;
use super::import::{
    Hints, ImportedEvent, ImportedGame, MoveStats, Note, Place, Question, UnreadableGame,
    usual_size,
};
use super::lines::lines;
use super::quote::{excerpt, one_line};
use crate::rules::{Outcome, RuleId, Setup, Variant};
use crate::types::{Cell, Color};
use head::Head;
use line::{begins_as_move, is_number, is_other_move, is_timed, read_move};

/// Why a psq file cannot hold a game.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum PsqError {
    /// The game is not five in a row without captures and with one stone a turn.
    #[error("psq files hold only five in a row")]
    Game,
    /// A player passed.
    #[error("psq files hold no passes")]
    Pass,
}

/// Writes a game as text. Line breaks in names become blanks, and a name that would read as a
/// number, a move or a header gets the prefix `_`. Swaps are not written; the names are those of
/// the colours at the end.
///
/// # Errors
/// The format cannot hold the game.
pub fn write(game: &ImportedGame) -> Result<String, PsqError> {
    let Some(Variant::Five(rule)) = game.variant else { return Err(PsqError::Game) };
    let (width, height) = game.size.unwrap_or_else(|| usual_size(game.variant));
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    for (i, event) in game.events.iter().enumerate() {
        let cell = match *event {
            ImportedEvent::Stone(cell, _) => cell,
            ImportedEvent::Swap => continue,
            ImportedEvent::Pass(_) => return Err(PsqError::Pass),
            ImportedEvent::Drop(_) => return Err(PsqError::Game),
        };
        let ms = game.move_stats.get(i).map_or(0, |stats| stats.ms);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{},{},{ms}", cell.x() + 1, cell.y() + 1);
    }
    for name in &game.players {
        let name = one_line(name);
        let prefix = if is_no_name(&name) { "_" } else { "" };
        let _ = writeln!(text, "{prefix}{name}");
    }
    text.push_str("-1\n");
    if let Some(result) = game.result {
        let winner = match result {
            Outcome::Draw => 0,
            Outcome::Win(Color::Black) => 1,
            Outcome::Win(Color::White) => 2,
        };
        let _ = write!(text, "{winner},");
    }
    // The rule is written even without a result: readers take a file without one for freestyle.
    let _ = writeln!(text, "{}", rule_name(rule));
    Ok(text)
}

/// Whether a line would not be read as the name of a player.
fn is_no_name(line: &str) -> bool {
    is_number(line) || begins_as_move(line) || is_other_move(line) || head::is_head(line)
}

/// Whether a text begins with a psq header.
pub fn has_head(text: &str) -> bool {
    first_line(text).is_some_and(|(_, line)| head::begins(line))
}

/// Whether a text looks like a psq file: it begins with a header, or with a move and its time.
pub fn looks(text: &str) -> bool {
    first_line(text).is_some_and(|(_, line)| head::begins(line) || is_timed(line))
}

/// Returns the first line of a text that is not blank.
fn first_line(text: &str) -> Option<(usize, &str)> {
    lines(text).find(|(_, line)| !line.trim().is_empty())
}

/// Reads the games of a text; each but the first begins with its header. The files of Gomocup's
/// judge are bare moves without a header; names and result may be missing too. The moves are
/// checked to be on the board, but not to be legal.
///
/// # Errors
/// There is no game, the board size is not supported, a move is off the board, there are more
/// moves than cells, or something else stands among the moves; the error names the line.
pub fn read<'a>(
    text: &'a str,
    hints: &Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + use<'a> {
    let hints = *hints;
    parts(text).into_iter().map(move |part| game(part, &hints))
}

/// The lines of a game.
#[derive(Default)]
struct Part<'a> {
    lines: Vec<(usize, &'a str)>,
    /// Whether the last line lacks its line end.
    is_open: bool,
}

/// Splits a text into the parts of its games, at least one.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = vec![Part::default()];
    let mut last = 0;
    for (number, line) in lines(text).skip_while(|(_, line)| line.trim().is_empty()) {
        if head::is_head(line) && !parts[last].lines.is_empty() {
            parts.push(Part::default());
            last += 1;
        }
        parts[last].lines.push((number, line));
    }
    parts[last].is_open = !text.ends_with(['\n', '\r']);
    parts
}

/// Reads a game from its lines.
fn game(part: Part<'_>, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let Part { lines, is_open } = part;
    let mut game = ImportedGame::default();
    let mut notes = Notes::default();
    let mut lines = lines.into_iter().peekable();
    let first = lines.peek().copied();
    let mut second_begins = false;
    match first {
        Some((line, head)) if head::begins(head) => {
            let Head { size, second_begins: second, rest } =
                head::read(head).map_err(|reason| fault_at(line, reason))?;
            let setup = Setup::new(RuleId::Freestyle, size.0, size.1);
            setup.map_err(|error| fault_at(line, error.to_string()))?;
            if !rest.is_empty() {
                notes.remark(Place::Line(line), format!("not used: {:?}", excerpt(rest)));
            }
            game.size = Some(size);
            second_begins = second;
            lines.next();
        }
        Some((_, text)) if read_move(text).is_some() => {}
        other => {
            let (line, text) = other.unwrap_or((1, ""));
            let reason = format!("{:?} is neither a head nor a move", excerpt(text));
            return Err(fault_at(line, reason));
        }
    }
    let mut moves = Vec::new();
    while let Some((line, text, played)) =
        lines.peek().and_then(|&(line, text)| Some((line, text, read_move(text)?)))
    {
        moves.push((line, text, played));
        lines.next();
    }
    if let Some(line) = remove_cut_move(is_open, &mut moves, lines.clone()) {
        let what = "the file is cut off within this move, which is left out";
        notes.push(Note::doubt(Place::Line(line), what));
        lines.by_ref().for_each(drop);
    }
    place(&mut game, &mut notes, &moves, hints)?;
    check_rest(lines.clone())?;
    if moves.is_empty() {
        let line = first.map_or(1, |(line, _)| line);
        // With the ending code below, the file is complete.
        let is_complete = lines.clone().any(|(_, text)| is_number(text.trim()));
        let note = if is_complete { Note::remark } else { Note::doubt };
        notes.push(note(Place::Line(line), "the game has no move"));
    }
    tail::read(&mut game, &mut notes, lines, hints);
    if second_begins {
        game.players.swap(0, 1);
        game.result = game.result.map(|result| match result {
            Outcome::Win(color) => Outcome::Win(!color),
            Outcome::Draw => Outcome::Draw,
        });
    }
    game.notes = notes.finish();
    Ok(game)
}

/// Checks that there is no move among the lines below the moves.
fn check_rest<'a>(
    mut rest: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> Result<(), UnreadableGame> {
    if let Some((line, text)) = rest.clone().next().filter(|(_, text)| begins_as_move(text)) {
        let reason = format!("{:?} is neither a move nor the name of a player", excerpt(text));
        return Err(fault_at(line, reason));
    }
    // Only moves with a time count: two numbers alone could be the result.
    match rest.find(|(_, text)| is_timed(text)) {
        Some((line, text)) => {
            let reason = format!("{:?} is a move, but the moves ended before it", excerpt(text));
            Err(fault_at(line, reason))
        }
        None => Ok(()),
    }
}

/// A move: line number, text, and (column, row, milliseconds).
type Move<'a> = (usize, &'a str, (usize, usize, u64));

/// Returns the line of the move within which a text ends, and removes that move from `moves`.
/// A line that begins like a move is not taken for a name; a last move without a time is
/// incomplete if the move before it has one.
fn remove_cut_move<'a>(
    is_open: bool,
    moves: &mut Vec<Move<'a>>,
    mut rest: impl Iterator<Item = (usize, &'a str)>,
) -> Option<usize> {
    let Some((line, last_text)) = rest.next() else {
        let timed = |at: usize| moves.get(at).is_some_and(|(_, text, _)| is_timed(text));
        let last = moves.len().checked_sub(1)?;
        let is_cut = is_open && !timed(last) && last.checked_sub(1).is_some_and(timed);
        return if is_cut { moves.pop().map(|(line, ..)| line) } else { None };
    };
    let last_text = last_text.trim();
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '-' | ' ');
    let is_move_start =
        last_text.starts_with(|sign: char| sign.is_ascii_digit()) && last_text.chars().all(is_part);
    let is_last = rest.all(|(_, text)| text.trim().is_empty());
    let is_cut = match last_text.matches(',').count() {
        0 => is_open,
        1 => last_text.ends_with(','),
        2 => last_text.ends_with([',', '-']),
        _ => false,
    };
    (is_move_start && is_last && is_cut).then_some(line)
}

/// Places the moves on the board. Its size is that of the header, else the user's, else the
/// usual one, else one that is large enough.
fn place(
    game: &mut ImportedGame,
    notes: &mut Notes,
    moves: &[Move<'_>],
    hints: &Hints,
) -> Result<(), UnreadableGame> {
    let fits = |(width, height): (usize, usize)| {
        let on =
            |&(_, _, (x, y, _)): &Move<'_>| (1..=width).contains(&x) && (1..=height).contains(&y);
        moves.iter().all(on)
    };
    let known = game.size.or(hints.size);
    let usual = hints.usual_size(hints.variant);
    let size = known.unwrap_or_else(|| {
        let larger = [usual, (19, 19), (20, 20)].into_iter().find(|&size| fits(size));
        larger.unwrap_or(usual)
    });
    let (width, height) = size;
    if known.is_none() {
        game.size = Some(size);
        let what = format!("there is no head: a board of {width}x{height} is assumed");
        let note = if size == usual { Note::remark } else { Note::doubt }(Place::File, what);
        notes.push(note.asking(Question::Size));
    }
    for &(line, text, (x, y, ms)) in moves {
        let text = || excerpt(text);
        if !((1..=width).contains(&x) && (1..=height).contains(&y)) {
            let reason = format!("move {:?} is off the board of {width}x{height}", text());
            return Err(fault_at(line, reason));
        }
        if game.events.len() == width * height {
            let cells = width * height;
            let reason = format!("more than {cells} moves, but the board has only {cells} points");
            return Err(fault_at(line, reason));
        }
        game.events.push(ImportedEvent::Stone(Cell::new(x - 1, y - 1), None));
        game.places.push(Place::Line(line));
        game.move_stats.push(MoveStats { ms, ..MoveStats::default() });
    }
    while game.move_stats.last().is_some_and(|stats| stats.ms == 0) {
        game.move_stats.pop();
    }
    Ok(())
}

/// Returns the error for a fault in a line.
fn fault_at(line: usize, reason: String) -> UnreadableGame {
    UnreadableGame { place: Place::Line(line), reason }
}

/// Returns the rule's name in Gomocup's files, such as `CaroExact`.
fn rule_name(rule: RuleId) -> String {
    let capitalised = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let name = rule.name();
    let (game, options) = name.split_at(name.find('+').unwrap_or(name.len()));
    game.split('-').map(capitalised).collect::<String>() + options
}
