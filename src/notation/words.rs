//! Words for colours, fouls, scores, endings and counts.

use std::fmt::Display;

use goren_core::rules::Fouls;
use goren_core::rules::referee::Reason;
use goren_core::types::{Color, Score, plies_to_end};

/// The name of a colour.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The names of the kinds of a foul.
pub fn foul_names(fouls: Fouls) -> Vec<&'static str> {
    let Fouls { overline, double_four, double_three } = fouls;
    let kinds =
        [(overline, "overline"), (double_four, "double four"), (double_three, "double three")];
    kinds.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}

/// Why a game ended, as the beginning of a sentence; empty for a line, which is visible.
pub fn because(reason: Reason) -> String {
    let phrase = reason.phrase();
    match reason {
        Reason::Line => String::new(),
        Reason::Foul | Reason::Overline => {
            format!("That was {}: ", phrase.strip_prefix("by ").unwrap_or(phrase))
        }
        _ => {
            let clause = phrase.strip_prefix("as ").unwrap_or(phrase);
            let (first, rest) = clause.split_at(1);
            format!("{}{rest}: ", first.to_ascii_uppercase())
        }
    }
}

/// Capitalises a sentence, unless its first word is a name: of a point, a file.
pub fn capital(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A number with its noun: `1 move`, `2 moves`.
pub fn plural<N: Display + PartialEq + From<u8>>(number: N, one: &str, many: &str) -> String {
    let noun = if number == N::from(1) { one } else { many };
    format!("{number} {noun}")
}

/// A number with a noun whose plural is regular: `1 reply`, `2 replies`.
pub fn count(number: usize, noun: &str) -> String {
    let many = match noun.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    };
    plural(number, noun, &many)
}

/// A score as the protocol writes it: points, or plies to a proven end.
pub fn score_text(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{plies}"),
        None => format!("{score:+}"),
    }
}

/// A win rate in percent. Only proven results are 100.0 and 0.0.
pub fn percent(rate: f64) -> String {
    let percent = 100.0 * rate;
    match rate {
        0.0 | 1.0 => format!("{percent:.1}"),
        _ => format!("{:.1}", percent.clamp(0.1, 99.9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};

    #[test]
    fn scores_are_points_or_plies_to_the_end() {
        assert_eq!(score_text(35), "+35");
        assert_eq!((score_text(win_in(13)), score_text(loss_in(4))), ("+M13".into(), "-M4".into()));
    }

    #[test]
    fn reasons_begin_a_sentence() {
        assert_eq!(because(Reason::Line), "");
        assert_eq!(because(Reason::Overline), "That was an overline: ");
        assert_eq!(because(Reason::LineAndCaptures), "By a line and captures: ");
        assert_eq!(because(Reason::NoMoves), "There is no move left: ");
    }

    #[test]
    fn sentences_begin_with_a_capital_unless_with_a_name() {
        assert_eq!(capital("a draw."), "A draw.");
        for text in ["h8 is occupied.", "game.sgf: no game.", "White wins.", ""] {
            assert_eq!(capital(text), text);
        }
    }

    #[test]
    fn counts_take_singular_or_plural() {
        assert_eq!(
            (count(1, "inaccuracy"), count(2, "inaccuracy")),
            ("1 inaccuracy".into(), "2 inaccuracies".into())
        );
        assert_eq!(count(0, "blunder"), "0 blunders");
        assert_eq!(
            (plural(1_u8, "line is", "lines are"), plural(2_u64, "line is", "lines are")),
            ("1 line is".into(), "2 lines are".into())
        );
    }

    #[test]
    fn only_proven_results_are_certain() {
        assert_eq!((percent(1.0), percent(0.99999)), ("100.0".into(), "99.9".into()));
        assert_eq!((percent(0.0), percent(0.5432)), ("0.0".into(), "54.3".into()));
    }
}
