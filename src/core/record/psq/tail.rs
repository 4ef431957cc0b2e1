//! The lines below the moves of a game: the names of the players, Piskvork's ending code, and
//! the winner with the rule. Any of them may be missing.

use super::line::{begins_as_move, is_number, is_other_move, is_point};
use crate::record::import::notes::Notes;
use crate::record::import::{Hints, ImportedGame, Note, Place, Question};
use crate::record::quote::excerpt;
use crate::rules::{Named, Outcome, named};
use crate::types::Color;

/// Maximum number of unused lines that are searched for the name of a rule.
const MAX_LINES: usize = 64;
/// Maximum number of characters in the name of a rule.
const LONGEST: usize = 40;

/// Number and text of a line.
type Line<'a> = (usize, &'a str);

/// Reads the lines below the moves into `game`.
pub(super) fn read<'a>(
    game: &mut ImportedGame,
    notes: &mut Notes,
    lines: impl Iterator<Item = Line<'a>>,
    hints: &Hints,
) {
    let mut lines = lines.map(|(line, text)| (line, text.trim())).peekable();
    let is_text = |&(_, text): &Line<'_>| !is_number(text) && !begins_as_move(text);
    let texts: Vec<Line<'_>> = std::iter::from_fn(|| lines.next_if(is_text)).collect();
    let (names, others) = names(game, notes, &texts);
    // The ending code says less than the line after it.
    let code = lines.next_if(|(_, text)| is_number(text));
    let mut rest = lines.filter(|(_, text)| !text.is_empty());
    let mut is_doubted = false;
    if let Some((line, text)) = rest.next() {
        let place = Place::Line(line);
        // After names or an ending code, two numbers are result and rule.
        let may_be_result = code.is_some() || !names.is_empty();
        if is_other_move(text) && !(may_be_result && winner(text).is_some()) {
            notes.doubt(place, format!("{:?} looks like a move below the others", excerpt(text)));
        } else {
            is_doubted = result(game, notes, place, text);
        }
    }
    is_doubted |= unused(game, notes, others.into_iter().chain(rest));
    if game.variant.is_some() || is_doubted {
        return;
    }
    if let Some((line, text)) = names.into_iter().find(|(_, text)| is_rule(text)) {
        let what = format!("{:?} is read as the name of a player, but names a rule", excerpt(text));
        notes.push(Note::doubt(Place::Line(line), what).asking(Question::Game));
    } else if hints.variant.is_none() {
        notes.push(Note::no_rule());
    }
}

/// Reads the names of the players. Returns the lines that hold them, and the remaining lines.
/// A player without a name has an empty line; empty lines may also precede the names.
fn names<'a>(
    game: &mut ImportedGame,
    notes: &mut Notes,
    texts: &[Line<'a>],
) -> (Vec<Line<'a>>, Vec<Line<'a>>) {
    let is_filled = |&(_, text): &Line<'_>| !text.is_empty();
    let mut names: Vec<Line<'_>> = texts.iter().copied().filter(is_filled).collect();
    let others = names.split_off(names.len().min(2));
    let of_players = if texts.len() == 2 { texts } else { &names };
    for (player, (_, text)) in game.players.iter_mut().zip(of_players) {
        *player = (*text).to_string();
    }
    let is_short = game.events.is_empty() || !others.is_empty();
    let is_move = |text: &str| is_other_move(text) || is_short && is_point(text);
    if let Some((line, text)) = names.iter().find(|(_, text)| is_move(text)) {
        let text = excerpt(text);
        let what = format!("{text:?} is read as the name of a player, but looks like a move");
        notes.doubt(Place::Line(*line), what);
    }
    (names, others)
}

/// Reads the result line, which may name the rule alone. Returns whether the rule is in doubt.
fn result(game: &mut ImportedGame, notes: &mut Notes, place: Place, text: &str) -> bool {
    game.result = winner(text);
    let (first, rule) = text.split_once(',').unwrap_or((text, ""));
    let rule = match game.result {
        Some(_) => rule,
        None if is_number(first.trim()) => {
            notes.remark(place, format!("{:?} is not a known result", excerpt(text)));
            rule
        }
        None => text,
    };
    match named(rule) {
        Some(Named { variant, hint, .. }) => {
            game.variant = Some(variant);
            let hint = hint.map(|hint| Note::remark(place, hint).asking(Question::Game));
            hint.into_iter().for_each(|note| notes.push(note));
            false
        }
        None if rule.trim().is_empty() => false,
        None => {
            let what = format!("{:?} is not a known rule", excerpt(rule.trim()));
            notes.push(Note::doubt(place, what).asking(Question::Game));
            true
        }
    }
}

/// Returns the winner that the result line names.
fn winner(text: &str) -> Option<Outcome> {
    match text.split_once(',').map_or(text, |(winner, _)| winner).trim() {
        "0" => Some(Outcome::Draw),
        "1" => Some(Outcome::Win(Color::Black)),
        "2" => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}

/// Whether a text is the name of a rule, not its number.
fn is_rule(text: &str) -> bool {
    let has_letter = || text.chars().any(char::is_alphabetic);
    text.chars().nth(LONGEST).is_none() && has_letter() && named(text).is_some()
}

/// Reports lines that are not used. Returns whether they put the rule in doubt.
fn unused<'a>(
    game: &ImportedGame,
    notes: &mut Notes,
    lines: impl Iterator<Item = Line<'a>>,
) -> bool {
    let mut first = None;
    let (mut count, mut rule) = (0, None);
    let mut move_like = None;
    for (line, text) in lines {
        first = first.or(Some((line, text)));
        move_like = move_like.or_else(|| is_other_move(text).then_some((line, text)));
        if rule.is_none() && game.variant.is_none() && count < MAX_LINES && is_rule(text) {
            rule = Some((line, text));
        }
        count += 1;
    }
    if let Some((line, text)) = move_like {
        notes.doubt(
            Place::Line(line),
            format!("{:?} looks like a move below the others", excerpt(text)),
        );
    }
    if let Some((line, text)) = rule {
        let what = format!("{:?} names a rule where none is expected", excerpt(text));
        notes.push(Note::doubt(Place::Line(line), what).asking(Question::Game));
    }
    if let Some((line, text)) = first {
        let more = match count {
            1 => String::new(),
            2 => " and 1 more line".into(),
            _ => format!(" and {} more lines", count - 1),
        };
        let what = format!("not used: {:?}{more}", excerpt(text));
        notes.remark(Place::Line(line), what);
    }
    rule.is_some()
}
