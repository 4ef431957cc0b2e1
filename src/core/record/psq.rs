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
//! 1,Freestyle                  who won (0 nobody) and the rule, as in Gomocup's files
//! ```
//!
//! All stones are moves here, those of the opening too. Evaluations, depths,
//! nodes and the reason of the end have no place in it.

use std::fmt::Write;

#[cfg(test)]
mod tests;

use super::import::notes::Notes;
use super::import::{
    Hints, ImportedEvent, ImportedGame, MoveStats, Note, Place, Question, UnreadableGame,
    usual_size,
};
use super::quote::{excerpt, one_line};
use crate::rules::{Outcome, RuleId, Setup, Variant, named};
use crate::types::{Cell, Color};

/// Why a game has no place in such a file.
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
/// would read as a number or like a move gets a `_` before it. Of swaps only
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
        let mark = if is_number(&name) || begins_as_move(&name) { "_" } else { "" };
        let _ = writeln!(text, "{mark}{name}");
    }
    text.push_str("-1\n");
    if let Some(result) = game.result {
        let winner = match result {
            Outcome::Draw => 0,
            Outcome::Win(Color::Black) => 1,
            Outcome::Win(Color::White) => 2,
        };
        let _ = writeln!(text, "{winner},{}", rule_name(rule));
    }
    Ok(text)
}

/// Whether a text looks like such a file: its head, or moves with their times.
pub fn looks(text: &str) -> bool {
    let first = text.trim_start().lines().next().unwrap_or_default();
    first.starts_with("Piskvorky") || is_timed(first)
}

/// The game of a text. The files of Gomocup's judge are bare moves without a
/// head; names and result may be missing too. Whether the moves are legal is
/// not judged, but they lie on the board.
///
/// # Errors
/// No game, a size that is not played, a move off the board, more of them than
/// it has cells, or something else among them; names the line.
pub fn read(text: &str, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let mut game = ImportedGame::default();
    let mut notes = Notes::default();
    let lines = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim().is_empty());
    let mut lines = lines.peekable();
    let mut second_begins = false;
    match lines.peek() {
        Some(&(line, head)) if head.starts_with("Piskvorky") => {
            let size = read_head(head).ok_or_else(|| {
                let head = excerpt(head);
                at(line, format!("the head is {head:?}, not like \"Piskvorky 15x15, 11:11, 0\""))
            });
            let (width, height, first) = size?;
            let setup = Setup::new(RuleId::Freestyle, width, height);
            setup.map_err(|size| at(line, size.to_string()))?;
            game.size = Some((width, height));
            second_begins = first == 1;
            lines.next();
        }
        Some((_, text)) if read_move(text).is_some() => {}
        other => {
            let (line, text) = other.copied().unwrap_or((1, ""));
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
    if let Some(line) = cut(text, &mut moves, lines.clone()) {
        let what = "the file is cut off, its last whole move stands before";
        notes.push(Note::doubt(Place::Line(line), what));
        lines.by_ref().for_each(drop);
    }
    place(&mut game, &mut notes, &moves, hints)?;
    if let Some(&(line, text)) = lines.peek().filter(|(_, text)| begins_as_move(text)) {
        let what = format!("{:?} is no move, nor the name of a player", excerpt(text));
        return Err(at(line, what));
    }
    // Only a move with its time: two numbers alone could be the result.
    if let Some((line, text)) = lines.clone().find(|(_, text)| is_timed(text)) {
        let what = format!("{:?} is a move, but the moves ended before", excerpt(text));
        return Err(at(line, what));
    }
    let mut rest = lines.map(|(line, text)| (line, text.trim())).peekable();
    if rest.peek().is_some_and(|(_, line)| !is_number(line)) {
        let mut name = || rest.next().map_or(String::new(), |(_, name)| name.to_string());
        game.players = [name(), name()];
    }
    // The code of the end says less than the line after it.
    rest.next();
    ending(&mut game, &mut notes, rest, hints);
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

/// A move: its line, and column, row and milliseconds.
type Move<'a> = (usize, &'a str, (usize, usize, u64));

/// The line in which a text ends within a move: what begins as one is no name, and a move
/// without its time is none where the one before has it. Such a one is taken off.
fn cut<'a>(
    text: &str,
    moves: &mut Vec<Move<'a>>,
    mut rest: impl Iterator<Item = (usize, &'a str)>,
) -> Option<usize> {
    let is_open = !text.ends_with(['\n', '\r']);
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
    let usual = usual_size(hints.variant);
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

/// What stands behind the code of the end: who won, and the rule.
fn ending<'a>(
    game: &mut ImportedGame,
    notes: &mut Notes,
    mut rest: impl Iterator<Item = (usize, &'a str)>,
    hints: &Hints,
) {
    if let Some((line, text)) = rest.next() {
        let place = Place::Line(line);
        let (winner, rule) = text.split_once(',').unwrap_or((text, ""));
        game.result = match winner.trim() {
            "0" => Some(Outcome::Draw),
            "1" => Some(Outcome::Win(Color::Black)),
            "2" => Some(Outcome::Win(Color::White)),
            _ => {
                notes.remark(place, format!("{:?} is no result that is known", excerpt(text)));
                None
            }
        };
        match named(rule) {
            Some(found) => {
                game.variant = Some(found.variant);
                if let Some(hint) = found.hint {
                    notes.push(Note::remark(place, hint).asking(Question::Game));
                }
            }
            None if rule.trim().is_empty() => {}
            None => {
                let what = format!("{:?} is no rule that is known", excerpt(rule.trim()));
                notes.push(Note::doubt(place, what).asking(Question::Game));
                return;
            }
        }
    }
    if game.variant.is_none() && hints.variant.is_none() {
        let what = "no rule is named, freestyle is assumed";
        notes.push(Note::remark(Place::File, what).asking(Question::Game));
    }
    let mut others = rest.filter(|(_, text)| !text.is_empty());
    if let Some((line, text)) = others.next() {
        let what = format!("not used: {:?} and {} lines more", excerpt(text), others.count());
        notes.remark(Place::Line(line), what);
    }
}

/// A fault of a line.
fn at(line: usize, reason: String) -> UnreadableGame {
    UnreadableGame { place: Place::Line(line), reason }
}

/// Whether a line is a move with its time.
fn is_timed(line: &str) -> bool {
    read_move(line).is_some() && line.matches(',').count() == 2
}

/// The rule as Gomocup's files name it, such as CaroExact.
fn rule_name(rule: RuleId) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let name = rule.name();
    let (game, options) = name.split_at(name.find('+').unwrap_or(name.len()));
    game.split('-').map(capital).collect::<String>() + options
}

/// Columns, rows, and which player begins.
fn read_head(line: &str) -> Option<(usize, usize, u8)> {
    let mut parts = line.strip_prefix("Piskvorky")?.split(',');
    let (width, height) = parts.next()?.trim().split_once('x')?;
    let levels = parts.next()?;
    levels.split_once(':')?;
    let first = parts.next()?.trim().parse().ok().filter(|&first| first <= 1)?;
    Some((width.parse().ok()?, height.parse().ok()?, first))
}

/// Whether a text is a number, however long.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line begins with a number and a comma.
fn begins_as_move(line: &str) -> bool {
    line.split_once(',').is_some_and(|(x, _)| is_number(x.trim()))
}

/// Column, row and milliseconds of a line like `8,8,120`; the time may be
/// missing.
fn read_move(line: &str) -> Option<(usize, usize, u64)> {
    let mut numbers = line.split(',').map(str::trim);
    let x = numbers.next()?.parse().ok()?;
    let y = numbers.next()?.parse().ok()?;
    let ms = match numbers.next() {
        // Piskvork's clock has been seen to run backwards.
        Some(ms) => u64::try_from(ms.parse::<i128>().ok()?.max(0)).ok()?,
        None => 0,
    };
    numbers.next().is_none().then_some((x, y, ms))
}
