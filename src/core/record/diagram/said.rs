//! Lines around a drawn board that name the game, the size and the side to move.
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
    /// Whether there are words that say something else.
    pub(super) has_others: bool,
    /// Whether it names two sides as the one to move.
    pub(super) are_two_sides: bool,
    /// Whether it names two games, or a rule that is not known.
    pub(super) is_unclear_game: bool,
}

/// The side to move, by the name of the colour or by a sign of the board.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mover {
    pub(super) color: Color,
    /// The sign, a letter as a small one.
    pub(super) sign: Option<char>,
}

/// Characters of a line that are looked at.
const LONGEST: usize = 200;

/// Words of the longest name of a game, and of the longest words for the side to move.
const MOST_WORDS: usize = 5;

/// Characters of the shortest name in ASCII that needs no word such as "rule" before it.
const LEAST_OF_NAME: usize = 4;

/// Words behind which a rule stands, by name or number.
const RULE: [&str; 4] = ["rule", "rules", "ruleset", "variant"];

/// Words that change nothing, and behind which a number changes nothing either.
const NUMBERED: [&str; 10] =
    ["game", "puzzle", "problem", "position", "diagram", "no", "after", "move", "moves", "stones"];

/// Other words that change nothing.
const FILLING: [&str; 4] = ["board", "on", "two", "and"];

impl LineInfo {
    /// What a line says; `None` if that is neither a game nor a size nor the side to move.
    /// `with_games` is whether names of games are looked for.
    pub(super) fn of(line: &str, with_games: bool) -> Option<LineInfo> {
        let text: String = line.chars().map(narrow).take(LONGEST).collect();
        let text = text.to_lowercase().replace('\u{2019}', "'");
        let words: Vec<&str> = text.split(is_between).filter(|word| !is_dash(word)).collect();
        let whole = LineInfo::of_words(&words, with_games, true);
        // Beside other words, "Black plays" does not say who is to move now.
        let said =
            if whole.has_others { LineInfo::of_words(&words, with_games, false) } else { whole };
        let is_said = said.game.is_some() || said.size.is_some() || said.to_move.is_some();
        (is_said || said.is_unclear_game).then_some(said)
    }

    fn of_words(words: &[&str], with_games: bool, by_verb: bool) -> LineInfo {
        let mut said = LineInfo::default();
        let mut at = 0;
        while at < words.len() {
            let before = at.checked_sub(1).map_or("", |before| words[before]);
            let rest = &words[at..];
            let is_rule = RULE.contains(&before);
            at += if let Some((to_move, taken)) = mover(rest, by_verb) {
                said.are_two_sides |= said.to_move.is_some_and(|other| other != to_move);
                said.to_move = Some(to_move);
                taken
            } else if let Some((size, taken)) = size(rest) {
                said.size = Some(size);
                taken
            } else if let Some((game, taken)) = with_games.then(|| game(rest, is_rule)).flatten() {
                said.is_unclear_game |=
                    said.game.is_some_and(|other| other.variant != game.variant);
                said.game = Some(game);
                taken
            } else {
                said.has_others |= !changes_nothing(rest[0], before);
                1
            };
        }
        let names_rule = words.first().is_some_and(|word| RULE.contains(word));
        said.is_unclear_game |= with_games && names_rule && said.game.is_none();
        said
    }
}

/// A doubt if the board has another size than is said.
pub(super) fn size_doubt(
    place: Place,
    said: (usize, usize),
    (columns, rows): (usize, usize),
) -> Option<Note> {
    let (width, height) = said;
    (said != (columns, rows)).then(|| {
        let what = format!(
            "the board has {columns} columns and {rows} rows, its heading says {width}x{height}"
        );
        Note::doubt(place, what)
    })
}

/// Whether a character separates words.
fn is_between(c: char) -> bool {
    c.is_whitespace()
        || c.is_ascii_punctuation() && !matches!(c, '+' | '-' | '\'' | '*')
        || matches!(c, '。' | '、' | '，' | '「' | '」' | '【' | '】')
}

/// Whether there is nothing but hyphens between blanks.
fn is_dash(word: &str) -> bool {
    word.chars().all(|c| matches!(c, '-' | '–' | '—'))
}

/// Whether a word changes nothing behind another.
fn changes_nothing(word: &str, before: &str) -> bool {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    RULE.contains(&word)
        || NUMBERED.contains(&word)
        || FILLING.contains(&word)
        // As in "after 5 stones" and "12. Renju".
        || is_number && (NUMBERED.contains(&before) || before.is_empty())
}

/// The first words as one, from the most to the fewest.
fn phrases<'a>(words: &'a [&'a str]) -> impl Iterator<Item = (String, usize)> + 'a {
    (1..=words.len().min(MOST_WORDS)).rev().map(|count| (words[..count].concat(), count))
}

/// The side to move, and how many of the first words say it. `by_verb` is whether `Black
/// plays` and `next Black` do.
fn mover(words: &[&str], by_verb: bool) -> Option<(Mover, usize)> {
    phrases(words).find_map(|(text, count)| Some((moves(&text, by_verb)?, count)))
}

/// The side to move of a text without blanks.
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

/// Columns and rows, and how many of the first words say them: `15x15` or `15 x 15`.
fn size(words: &[&str]) -> Option<((usize, usize), usize)> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=99).contains(side));
    let size = |text: &str| {
        let (width, height) = text.split_once(['x', '×', '*'])?;
        Some((side(width)?, side(height)?))
    };
    let parted = || Some((size(&words.get(..3)?.concat())?, 3));
    Some((size(words[0])?, 1)).or_else(parted)
}

/// The game that the first words name, and how many do. Behind a word such as "rule" it may
/// be a number.
fn game(words: &[&str], is_rule: bool) -> Option<(Named, usize)> {
    let is_name = |text: &str| {
        let begins = text.starts_with(|c: char| c.is_alphabetic());
        begins && (text.len() >= LEAST_OF_NAME || !text.is_ascii())
    };
    phrases(words)
        .filter(|(text, _)| is_rule || is_name(text))
        .find_map(|(text, count)| Some((named(&text)?, count)))
}
