//! The lines below the moves of a game: the names of the players, Piskvork's code of the
//! end, and the winner with the rule. Any of them may be missing.

use super::line::{begins_as_move, is_number, is_other_move, is_point};
use crate::record::import::notes::Notes;
use crate::record::import::{Hints, ImportedGame, Note, Place, Question};
use crate::record::quote::excerpt;
use crate::rules::{Named, Outcome, named};
use crate::types::Color;

/// Lines that are not used among which names of rules are looked for, and the characters of
/// such a line.
const MOST_LINES: usize = 64;
const LONGEST: usize = 40;

/// A line and its number.
type Line<'a> = (usize, &'a str);

/// Takes in the lines below the moves.
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
    // The code of the end says less than the line after it.
    let code = lines.next_if(|(_, text)| is_number(text));
    let mut rest = lines.filter(|(_, text)| !text.is_empty());
    let mut is_doubted = false;
    if let Some((line, text)) = rest.next() {
        let place = Place::Line(line);
        // Behind names or a code two numbers are a result and a rule.
        let is_behind = code.is_some() || !names.is_empty();
        if is_other_move(text) && !(is_behind && winner(text).is_some()) {
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
        let what =
            format!("{:?} is taken for the name of a player, and names a rule", excerpt(text));
        notes.push(Note::doubt(Place::Line(line), what).asking(Question::Game));
    } else if hints.variant.is_none() {
        notes.push(Note::no_rule());
    }
}

/// Takes in the names of the players; the lines that hold them, and those that are left.
/// A player without a name has an empty line, and empty lines may stand before the names.
fn names<'a>(
    game: &mut ImportedGame,
    notes: &mut Notes,
    texts: &[Line<'a>],
) -> (Vec<Line<'a>>, Vec<Line<'a>>) {
    let said = |&(_, text): &Line<'_>| !text.is_empty();
    let mut names: Vec<Line<'_>> = texts.iter().copied().filter(said).collect();
    let others = names.split_off(names.len().min(2));
    let of_players = if texts.len() == 2 { texts } else { &names };
    for (player, (_, text)) in game.players.iter_mut().zip(of_players) {
        *player = (*text).to_string();
    }
    let is_short = game.events.is_empty() || !others.is_empty();
    let is_move = |text: &str| is_other_move(text) || is_short && is_point(text);
    if let Some((line, text)) = names.iter().find(|(_, text)| is_move(text)) {
        let text = excerpt(text);
        let what = format!("{text:?} is taken for the name of a player, and looks like a move");
        notes.doubt(Place::Line(*line), what);
    }
    (names, others)
}

/// Takes in the line of the result, which may name the rule alone; whether the rule is in
/// doubt.
fn result(game: &mut ImportedGame, notes: &mut Notes, place: Place, text: &str) -> bool {
    game.result = winner(text);
    let (first, rule) = text.split_once(',').unwrap_or((text, ""));
    let rule = match game.result {
        Some(_) => rule,
        None if is_number(first.trim()) => {
            notes.remark(place, format!("{:?} is no result that is known", excerpt(text)));
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
            let what = format!("{:?} is no rule that is known", excerpt(rule.trim()));
            notes.push(Note::doubt(place, what).asking(Question::Game));
            true
        }
    }
}

/// Who won by the line of the result.
fn winner(text: &str) -> Option<Outcome> {
    match text.split_once(',').map_or(text, |(winner, _)| winner).trim() {
        "0" => Some(Outcome::Draw),
        "1" => Some(Outcome::Win(Color::Black)),
        "2" => Some(Outcome::Win(Color::White)),
        _ => None,
    }
}

/// Whether a text is the name of a rule, and no number of one.
fn is_rule(text: &str) -> bool {
    let has_letter = || text.chars().any(char::is_alphabetic);
    text.chars().nth(LONGEST).is_none() && has_letter() && named(text).is_some()
}

/// Tells of lines that are not used; whether the rule is in doubt because of them.
fn unused<'a>(
    game: &ImportedGame,
    notes: &mut Notes,
    lines: impl Iterator<Item = Line<'a>>,
) -> bool {
    let mut first = None;
    let (mut count, mut rule) = (0, None);
    let mut moved = None;
    for (line, text) in lines {
        first = first.or(Some((line, text)));
        moved = moved.or_else(|| is_other_move(text).then_some((line, text)));
        if rule.is_none() && game.variant.is_none() && count < MOST_LINES && is_rule(text) {
            rule = Some((line, text));
        }
        count += 1;
    }
    if let Some((line, text)) = moved {
        notes.doubt(
            Place::Line(line),
            format!("{:?} looks like a move below the others", excerpt(text)),
        );
    }
    if let Some((line, text)) = rule {
        let what = format!("{:?} names a rule where none is due", excerpt(text));
        notes.push(Note::doubt(Place::Line(line), what).asking(Question::Game));
    }
    if let Some((line, text)) = first {
        let more = match count {
            1 => String::new(),
            2 => " and 1 line more".into(),
            _ => format!(" and {} lines more", count - 1),
        };
        let what = format!("not used: {:?}{more}", excerpt(text));
        notes.remark(Place::Line(line), what);
    }
    rule.is_some()
}
