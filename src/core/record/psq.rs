//! Games in Piskvork's form (`.psq`), as Piskvork, its tournaments and
//! Gomocup write them.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0    size, levels of the players, who begins
//! 8,8,120                      column, row (both from 1, from the upper left), ms
//! 9,7,350
//! engine-a                     the players
//! engine-b
//! -1                           Piskvork's code of the end
//! 1,Freestyle                  who won (0 nobody) and the rule, as in Gomocup's files;
//!                              of a game that is not over the rule alone
//! ```
//!
//! All stones are moves here, those of the opening too. Evaluations, depths,
//! nodes and the reason of the end have no place in it.

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

/// The reason why a psq file cannot hold a game.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum NoPsq {
    /// It is not five in a row without captures, one stone a turn.
    #[error("psq files hold only five in a row")]
    Game,
    /// Somebody passed.
    #[error("psq files hold no passes")]
    Pass,
}

/// The game as a text. Line breaks in names become blanks, and a name that
/// would read as a number, a move or a head gets a `_` before it. Of swaps only
/// the names tell, which are those of the colours at the end.
///
/// # Errors
/// The form cannot hold it.
pub fn write(game: &ImportedGame) -> Result<String, NoPsq> {
    let Some(Variant::Five(rule)) = game.variant else { return Err(NoPsq::Game) };
    let (width, height) = game.size.unwrap_or_else(|| usual_size(game.variant));
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    for (i, event) in game.events.iter().enumerate() {
        let cell = match *event {
            ImportedEvent::Stone(cell, _) => cell,
            ImportedEvent::Swap => continue,
            ImportedEvent::Pass(_) => return Err(NoPsq::Pass),
            ImportedEvent::Drop(_) => return Err(NoPsq::Game),
        };
        let ms = game.move_stats.get(i).map_or(0, |stats| stats.ms);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{},{},{ms}", cell.x() + 1, cell.y() + 1);
    }
    for name in &game.players {
        let name = one_line(name);
        let mark = if is_no_name(&name) { "_" } else { "" };
        let _ = writeln!(text, "{mark}{name}");
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
    // Without a result it stands alone: what is not named would be read as freestyle.
    let _ = writeln!(text, "{}", rule_name(rule));
    Ok(text)
}

/// Whether a line would be read as something else than the name of a player.
fn is_no_name(line: &str) -> bool {
    is_number(line) || begins_as_move(line) || is_other_move(line) || head::is_head(line)
}

/// Whether a text begins with the head of such a file.
pub fn has_head(text: &str) -> bool {
    first_line(text).is_some_and(|(_, line)| head::begins(line))
}

/// Whether a text looks like such a file: its head, or moves with their times.
pub fn looks(text: &str) -> bool {
    first_line(text).is_some_and(|(_, line)| head::begins(line) || is_timed(line))
}

/// The first line of a text that is not blank.
fn first_line(text: &str) -> Option<(usize, &str)> {
    lines(text).find(|(_, line)| !line.trim().is_empty())
}

/// The games of a text; each but the first begins with its head. The files of Gomocup's
/// judge are bare moves without a head; names and result may be missing too. Whether the
/// moves are legal is not judged, but they lie on the board.
///
/// # Errors
/// No game, a size that is not played, a move off the board, more of them than
/// it has cells, or something else among them; names the line.
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
    /// Whether the last line does not end.
    is_open: bool,
}

/// The games' parts of a text, one at least.
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

/// The game of its lines.
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
                head::read(head).map_err(|what| at(line, what))?;
            let setup = Setup::new(RuleId::Freestyle, size.0, size.1);
            setup.map_err(|size| at(line, size.to_string()))?;
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
            return Err(at(line, format!("{:?} is neither a head nor a move", excerpt(text))));
        }
    }
    let mut moves = Vec::new();
    while let Some((line, text, played)) =
        lines.peek().and_then(|&(line, text)| Some((line, text, read_move(text)?)))
    {
        moves.push((line, text, played));
        lines.next();
    }
    if let Some(line) = cut(is_open, &mut moves, lines.clone()) {
        let what = "the file is cut off, its last whole move stands before";
        notes.push(Note::doubt(Place::Line(line), what));
        lines.by_ref().for_each(drop);
    }
    place(&mut game, &mut notes, &moves, hints)?;
    check_rest(lines.clone())?;
    if moves.is_empty() {
        let line = first.map_or(1, |(line, _)| line);
        // With the code of the end below it, it is whole.
        let is_whole = lines.clone().any(|(_, text)| is_number(text.trim()));
        let note = if is_whole { Note::remark } else { Note::doubt };
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

/// Checks the lines below the moves; a move among them is refused.
fn check_rest<'a>(
    mut rest: impl Iterator<Item = (usize, &'a str)> + Clone,
) -> Result<(), UnreadableGame> {
    if let Some((line, text)) = rest.clone().next().filter(|(_, text)| begins_as_move(text)) {
        let what = format!("{:?} is no move, nor the name of a player", excerpt(text));
        return Err(at(line, what));
    }
    // Only a move with its time: two numbers alone could be the result.
    match rest.find(|(_, text)| is_timed(text)) {
        Some((line, text)) => {
            let what = format!("{:?} is a move, but the moves ended before", excerpt(text));
            Err(at(line, what))
        }
        None => Ok(()),
    }
}

/// A move: its line, and column, row and milliseconds.
type Move<'a> = (usize, &'a str, (usize, usize, u64));

/// The line in which a text ends within a move: what begins as one is no name, and a move
/// without its time is none where the one before has it. Such a one is taken off.
fn cut<'a>(
    is_open: bool,
    moves: &mut Vec<Move<'a>>,
    mut rest: impl Iterator<Item = (usize, &'a str)>,
) -> Option<usize> {
    let Some((line, begun)) = rest.next() else {
        let timed = |at: usize| moves.get(at).is_some_and(|(_, text, _)| is_timed(text));
        let last = moves.len().checked_sub(1)?;
        let short = is_open && !timed(last) && last.checked_sub(1).is_some_and(timed);
        return if short { moves.pop().map(|(line, ..)| line) } else { None };
    };
    let begun = begun.trim();
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, ',' | '-' | ' ');
    let begins =
        begun.starts_with(|sign: char| sign.is_ascii_digit()) && begun.chars().all(is_part);
    let ends = rest.all(|(_, text)| text.trim().is_empty());
    let is_short = match begun.matches(',').count() {
        0 => is_open,
        1 => begun.ends_with(','),
        2 => begun.ends_with([',', '-']),
        _ => false,
    };
    (begins && ends && is_short).then_some(line)
}

/// Puts the moves on the board, whose size is that of the head, the one that
/// the user knows, the usual one, or one that is large enough.
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
        let what = format!("there is no head: a board of {width}x{height} is taken");
        let note = if size == usual { Note::remark } else { Note::doubt }(Place::File, what);
        notes.push(note.asking(Question::Size));
    }
    for &(line, text, (x, y, ms)) in moves {
        let text = || excerpt(text);
        if !((1..=width).contains(&x) && (1..=height).contains(&y)) {
            let what = format!("move {:?} is off the board of {width}x{height}", text());
            return Err(at(line, what));
        }
        if game.events.len() == width * height {
            let cells = width * height;
            let what = format!("more than {cells} moves, and the board has no more cells");
            return Err(at(line, what));
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

/// A fault of a line.
fn at(line: usize, reason: String) -> UnreadableGame {
    UnreadableGame { place: Place::Line(line), reason }
}

/// The rule as Gomocup's files name it, such as CaroExact.
fn rule_name(rule: RuleId) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let name = rule.name();
    let (game, options) = name.split_at(name.find('+').unwrap_or(name.len()));
    game.split('-').map(capital).collect::<String>() + options
}
