//! Words for colours, fouls, scores and ends of games.

use goren_core::rules::Fouls;
use goren_core::rules::referee::Reason;
use goren_core::types::{Color, Score, plies_to_end};

/// Black or White.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The kinds of a foul, in the names of the field.
pub fn foul_names(fouls: Fouls) -> Vec<&'static str> {
    let Fouls { overline, double_four, double_three } = fouls;
    let kinds =
        [(overline, "overline"), (double_four, "double four"), (double_three, "double three")];
    kinds.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}

/// Why a game ended, as the beginning of a sentence.
pub fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::Line => "",
        Reason::Foul => "That was a foul: ",
        Reason::Overline => "That was an overline: ",
        Reason::Captures => "By captures: ",
        Reason::LineAndCaptures => "By a line and captures: ",
        Reason::TwoPasses => "Both passed: ",
        Reason::Full => "The board is full: ",
        Reason::NoMoves => "There is no move left: ",
        Reason::Repetition => "The position came again: ",
    }
}

/// A score as the protocol writes it: points, or plies to a proven end.
pub fn score_text(score: Score) -> String {
    match plies_to_end(score) {
        Some(plies) if score > 0 => format!("+M{plies}"),
        Some(plies) => format!("-M{plies}"),
        None => format!("{score:+}"),
    }
}

/// A win rate in percent. 100.0 and 0.0 are kept for what is proven.
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
    fn what_is_proven_alone_is_certain() {
        assert_eq!((percent(1.0), percent(0.99999)), ("100.0".into(), "99.9".into()));
        assert_eq!((percent(0.0), percent(0.5432)), ("0.0".into(), "54.3".into()));
    }
}
