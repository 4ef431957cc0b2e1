//! Games saved by Yixin-Board (`.sav`), one or two numbers on a line:
//!
//! ```text
//! 15          rows
//! 15          columns; in versions up to 2014 the number of the rule
//! 3           number of moves
//! 7 7         row and column of each move, from 0, from the upper left
//! 7 8
//! 6 7
//! ```

use super::notes::Notes;
use super::{Hints, ImportedEvent, ImportedGame, Note, Place, Question, UnreadableGame};
use crate::record::quote::excerpt;
use crate::rules::{RuleId, Variant};
use crate::types::{Cell, MAX_SIDE, MIN_SIDE};

/// Rules by their numbers in old files.
const RULES: [RuleId; 3] = [RuleId::Freestyle, RuleId::Standard, RuleId::Renju];

/// Numbers below this one are rules, not sides of boards.
const MAX_RULES: usize = MIN_SIDE;

/// Iterates over the lines that are not blank, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty())
}

/// Parses a number of a line.
fn number(text: &str) -> Option<usize> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Parses the two numbers of a line.
fn pair(line: &str) -> Option<(usize, usize)> {
    let (first, second) = line.split_once(|c: char| c.is_whitespace())?;
    Some((number(first)?, number(second.trim_start())?))
}

/// Whether a text looks like a `.sav` game.
pub fn looks(text: &str) -> bool {
    let mut lines = lines(text).map(|(_, line)| line);
    let mut head = || lines.next().and_then(number);
    let (Some(height), Some(second), Some(count)) = (head(), head(), head()) else { return false };
    let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
    let first = lines.next();
    is_side(height)
        && (is_side(second) || second < MAX_RULES)
        && first.map_or(count == 0, |line| pair(line).is_some())
}

/// Reads the game of a text.
pub fn read(
    text: &str,
    hints: &Hints,
) -> impl Iterator<Item = Result<ImportedGame, UnreadableGame>> + use<> {
    std::iter::once(game(text, hints))
}

fn game(text: &str, hints: &Hints) -> Result<ImportedGame, UnreadableGame> {
    let mut lines = lines(text).peekable();
    let bad = |line, reason: String| UnreadableGame { place: Place::Line(line), reason };
    let mut last = 0;
    let mut head = |what: &str| {
        let found = lines.next();
        let (line, text) = found.unwrap_or((last + 1, ""));
        last = line;
        let reason = || bad(line, format!("{:?} is no number of {what}", excerpt(text)));
        number(text).map(|number| (line, number)).ok_or_else(reason)
    };
    let ((_, height), (second_line, second)) = (head("rows")?, head("columns or of a rule")?);
    let (_, count) = head("moves")?;
    let mut notes = Notes::default();
    let rule = (second < MAX_RULES).then_some(second);
    let size @ (width, height) = (if rule.is_some() { height } else { second }, height);
    let is_side = |side: usize| (MIN_SIDE..=MAX_SIDE).contains(&side);
    if !is_side(width) || !is_side(height) {
        let text = format!(
            "a board of {width}x{height} is not supported; sides must be {MIN_SIDE} to {MAX_SIDE}"
        );
        return Err(bad(1, text));
    }
    let variant = rule.and_then(|rule| Some(Variant::Five(*RULES.get(rule)?)));
    if let (Some(rule), None, None) = (rule, variant, hints.variant) {
        let text = format!("rule {rule} is not known");
        notes.push(Note::doubt(Place::Line(second_line), text).asking(Question::Game));
    }
    if rule.is_none() && hints.variant.is_none() {
        notes.push(Note::no_rule());
    }
    let (mut events, mut places) = (Vec::new(), Vec::new());
    while events.len() < count {
        let Some((line, text)) = lines.next() else {
            let text = format!("{count} moves are announced, but only {} are there", events.len());
            notes.doubt(Place::File, text);
            break;
        };
        let Some((y, x)) = pair(text).filter(|&(y, x)| y < height && x < width) else {
            let reason = format!("{:?} is no point of a board of {width}x{height}", excerpt(text));
            return Err(bad(line, reason));
        };
        events.push(ImportedEvent::Stone(Cell::new(x, y), None));
        places.push(Place::Line(line));
    }
    if let Some(&(line, text)) = lines.peek() {
        let text = format!("{:?} after the last move is not used", excerpt(text));
        notes.doubt(Place::Line(line), text);
    }
    let variant = hints.variant.or(variant);
    let notes = notes.finish();
    let size = Some(size);
    Ok(ImportedGame { variant, size, events, places, notes, ..ImportedGame::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::import::Weight;
    use crate::record::import::test_reading::events as stones;

    fn one(text: &str) -> Result<ImportedGame, UnreadableGame> {
        read(text, &Hints::default()).next().unwrap()
    }

    #[test]
    fn games_of_new_and_old_versions_are_read() {
        let new = "15\r\n20\r\n3\r\n7 7\r\n6 8\r\n0 19\r\n";
        assert!(looks(new));
        let game = one(new).unwrap();
        assert_eq!((game.size, game.variant), (Some((20, 15)), None));
        assert_eq!(stones(&game), ["h8", "i9", "t15"]);
        assert_eq!(game.notes, [Note::no_rule()]);
        let old = one("15\n2\n2\n7 7\n8 8\n").unwrap();
        assert_eq!(old.variant, Some(Variant::Five(RuleId::Renju)));
        assert_eq!((old.size, stones(&old)), (Some((15, 15)), vec!["h8".into(), "i7".into()]));
        assert!(looks("15\n15\n0\n") && one("15\n15\n0\n").unwrap().events.is_empty());
    }

    #[test]
    fn other_texts_are_refused() {
        for text in
            ["", "15", "15\n15\n2", "15 15\n2\n7 7", "8,8\n9,9", "7 7\n8 8\n", "30\n15\n1\n7 7"]
        {
            assert!(!looks(text), "{text:?}");
        }
    }

    #[test]
    fn damage_is_reported() {
        let doubt = |text: &str| {
            let game = one(text).unwrap();
            let doubt = game.notes.iter().find(|note| note.weight == Weight::Doubt).unwrap();
            (stones(&game).len(), doubt.to_string())
        };
        let cut = (1, "file: 3 moves are announced, but only 1 are there".to_string());
        assert_eq!(doubt("15\n15\n3\n7 7\n"), cut);
        let more = (1, "line 5: \"8 8\" after the last move is not used".to_string());
        assert_eq!(doubt("15\n15\n1\n7 7\n8 8\n"), more);
        assert_eq!(doubt("15\n4\n1\n7 7\n"), (1, "line 2: rule 4 is not known".into()));
        let error = |text: &str| one(text).unwrap_err().to_string();
        assert_eq!(
            error("15\n15\n2\n7 7\n15 3\n"),
            "line 5: \"15 3\" is no point of a board of 15x15"
        );
        assert_eq!(error("15\n15\nx\n"), "line 3: \"x\" is no number of moves");
        assert_eq!(error("15\n"), "line 2: \"\" is no number of columns or of a rule");
        let sides = "line 1: a board of 9x3 is not supported; sides must be 5 to 26";
        assert_eq!(error("3\n9\n1\n1 1\n"), sides);
        let huge = format!("15\n15\n{}\n7 7\n", "9".repeat(30));
        assert_eq!(error(&huge), format!("line 3: \"{}\" is no number of moves", "9".repeat(30)));
    }
}
