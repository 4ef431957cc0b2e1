//! Lines around a drawn board that state the game, the size and the side to move.
//!
//! ```text
//! Renju: White to move
//! Game: gomoku 15x15, after 5 stones
//! Next: X
//! ```

use super::signs::narrow;
use crate::record::import::{Note, Place};
use crate::rules::{Named, named};
use crate::types::Color;

/// The information in a line.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct LineInfo {
    pub(super) game: Option<Named>,
    /// Columns and rows.
    pub(super) size: Option<(usize, usize)>,
    pub(super) to_move: Option<Mover>,
    /// Whether the line has other meaningful words.
    pub(super) has_others: bool,
    /// Whether the line names both sides as the side to move.
    pub(super) are_two_sides: bool,
    /// Whether the line names two games, or an unknown rule.
    pub(super) is_unclear_game: bool,
}

/// The side to move, given by the name of the colour or by a sign of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mover {
    pub(super) color: Color,
    /// The sign; letters in lower case.
    pub(super) sign: Option<char>,
}

/// Maximum number of characters of a line that are read.
const LONGEST: usize = 200;

/// Maximum number of words in the name of a game or a phrase for the side to move.
const MAX_WORDS: usize = 5;

/// Minimum length in bytes of an ASCII name of a game without a word such as "rule" before it.
const LEAST_OF_NAME: usize = 4;

/// Words after which a rule is given by name or number.
const RULE: [&str; 4] = ["rule", "rules", "ruleset", "variant"];

/// Ignored words; a number after one is ignored too.
const NUMBERED: [&str; 10] =
    ["game", "puzzle", "problem", "position", "diagram", "no", "after", "move", "moves", "stones"];

/// Other ignored words.
const FILLING: [&str; 4] = ["board", "on", "two", "and"];

impl LineInfo {
    /// Reads a line; `None` if it states neither a game nor a size nor the side to move.
    /// `with_games`: whether to look for names of games.
    pub(super) fn of(line: &str, with_games: bool) -> Option<LineInfo> {
        let text: String = line.chars().map(narrow).take(LONGEST).collect();
        let text = text.to_lowercase().replace('\u{2019}', "'");
        let words: Vec<&str> = text.split(is_between).filter(|word| !is_dash(word)).collect();
        let whole = LineInfo::of_words(&words, with_games, true);
        // Next to other words, "Black plays" does not state who is to move now.
        let info =
            if whole.has_others { LineInfo::of_words(&words, with_games, false) } else { whole };
        let is_found = info.game.is_some() || info.size.is_some() || info.to_move.is_some();
        (is_found || info.is_unclear_game).then_some(info)
    }

    fn of_words(words: &[&str], with_games: bool, by_verb: bool) -> LineInfo {
        let mut info = LineInfo::default();
        let mut at = 0;
        while at < words.len() {
            let before = at.checked_sub(1).map_or("", |before| words[before]);
            let rest = &words[at..];
            let is_rule = RULE.contains(&before);
            at += if let Some((to_move, taken)) = mover(rest, by_verb) {
                info.are_two_sides |= info.to_move.is_some_and(|other| other != to_move);
                info.to_move = Some(to_move);
                taken
            } else if let Some((size, taken)) = size(rest) {
                info.size = Some(size);
                taken
            } else if let Some((game, taken)) = with_games.then(|| game(rest, is_rule)).flatten() {
                info.is_unclear_game |=
                    info.game.is_some_and(|other| other.variant != game.variant);
                info.game = Some(game);
                taken
            } else {
                info.has_others |= !changes_nothing(rest[0], before);
                1
            };
        }
        let names_rule = words.first().is_some_and(|word| RULE.contains(word));
        info.is_unclear_game |= with_games && names_rule && info.game.is_none();
        info
    }
}

/// Returns a doubt if the board does not have the stated size.
pub(super) fn size_doubt(
    place: Place,
    stated: (usize, usize),
    (columns, rows): (usize, usize),
) -> Option<Note> {
    let (width, height) = stated;
    (stated != (columns, rows)).then(|| {
        let what = format!("the board is {columns}x{rows}, but its heading says {width}x{height}");
        Note::doubt(place, what)
    })
}

/// Whether a character separates words.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || c.is_ascii_punctuation() && !matches!(c, '+' | '-' | '\'' | '*')
        || matches!(c, '。' | '、' | '，' | '「' | '」' | '【' | '】')
}

/// Whether a word consists of hyphens only, or is empty.
fn is_dash(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '-' | '–' | '—'))
}

/// Whether a word is ignored after the word `before`.
fn changes_nothing(word: &str, before: &str) -> bool {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    RULE.contains(&word)
        || NUMBERED.contains(&word)
        || FILLING.contains(&word)
        // As in "after 5 stones" and "12. Renju".
        || is_number && (NUMBERED.contains(&before) || before.is_empty())
}

/// Joins the first words, from the maximum number of words down to one. Yields the joined text and
/// the number of words.
fn phrases<'a>(words: &'a [&'a str]) -> impl Iterator<Item = (String, usize)> + 'a {
    (1..=words.len().min(MAX_WORDS)).rev().map(|count| (words[..count].concat(), count))
}

/// Reads the side to move from the first words, and counts the words used. `by_verb`: whether
/// `Black plays` and `next Black` count.
fn mover(words: &[&str], by_verb: bool) -> Option<(Mover, usize)> {
    phrases(words).find_map(|(text, count)| Some((moves(&text, by_verb)?, count)))
}

/// Reads the side to move from a phrase without blanks.
fn moves(text: &str, by_verb: bool) -> Option<Mover> {
    let black = ["black", "黑", "x", "b", "●"].map(|name| (name, Color::Black));
    let white = ["white", "白", "o", "w", "○"].map(|name| (name, Color::White));
    let ends = ["tomove", "toplay", "tomoveandwin", "toplayandwin", "'sturn"];
    let starts = ["sidetomove", "nexttomove"];
    let verbs = ["moves", "plays"];
    let words = ["next", "turn", "tomove", "toplay"];
    let is = |name: &str| {
        let end = text.strip_prefix(name);
        let start = text.strip_suffix(name);
        end.is_some_and(|end| ends.contains(&end) || by_verb && verbs.contains(&end))
            || start
                .is_some_and(|start| starts.contains(&start) || by_verb && words.contains(&start))
    };
    let found = black.into_iter().chain(white).find(|(name, _)| is(name));
    let sign = |name: &str| {
        let mut chars = name.chars();
        chars.next().filter(|&c| chars.next().is_none() && !matches!(c, '黑' | '白'))
    };
    let by_name = found.map(|(name, color)| Mover { color, sign: sign(name) });
    by_name.or_else(|| {
        let color = match text {
            "黑先" | "黑先手" | "轮到黑" | "黑番" => Color::Black,
            "白先" | "白先手" | "轮到白" | "白番" => Color::White,
            _ => return None,
        };
        Some(Mover { color, sign: None })
    })
}

/// Reads columns and rows from the first words, `15x15` or `15 x 15`, and counts the words used.
fn size(words: &[&str]) -> Option<((usize, usize), usize)> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=99).contains(side));
    let size = |text: &str| {
        let (width, height) = text.split_once(['x', '×', '*'])?;
        Some((side(width)?, side(height)?))
    };
    let spaced = || Some((size(&words.get(..3)?.concat())?, 3));
    Some((size(words[0])?, 1)).or_else(spaced)
}

/// Reads the game from the first words, and counts the words used. After a word such as "rule"
/// (`is_rule`) the game may be a number.
fn game(words: &[&str], is_rule: bool) -> Option<(Named, usize)> {
    let is_name = |text: &str| {
        let begins = text.starts_with(|c: char| c.is_alphabetic());
        begins && (text.len() >= LEAST_OF_NAME || !text.is_ascii())
    };
    phrases(words)
        .filter(|(text, _)| is_rule || is_name(text))
        .find_map(|(text, count)| Some((named(&text)?, count)))
}
