//! Words for colours, results and fouls.

use super::state::Ending;
use goren_core::rules::Fouls;
use goren_core::rules::referee::Reason;
use goren_core::types::Color;

/// Black or White.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// The colour of a name.
///
/// # Errors
/// The names there are.
pub(crate) fn color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" => Ok(Color::Black),
        "white" | "w" | "o" => Ok(Color::White),
        _ => Err("black or white".into()),
    }
}

/// How a game ended, in words.
pub(crate) fn ending_words(ending: Ending) -> String {
    let loser = ending.winner.map_or("", |winner| name(!winner));
    let by = |what: &str| format!("by {what} of {loser}");
    let reason = match ending.reason {
        Reason::Foul => &by("a foul"),
        Reason::Overline => &by("an overline"),
        Reason::Line => "by a line",
        Reason::Captures => "by captures",
        Reason::LineAndCaptures => "by a line and captures",
        Reason::TwoPasses => "as both passed",
        Reason::Full => "as the board is full",
        Reason::NoMoves => "as no move is left",
        Reason::Repetition => "as the position came again",
    };
    match ending.winner {
        Some(color) => format!("{} has won {reason}", name(color)),
        None => format!("drawn {reason}"),
    }
}

/// The kinds of a foul, in the names of the field.
pub(crate) fn foul_names(fouls: Fouls) -> Vec<&'static str> {
    let Fouls { overline, double_four, double_three } = fouls;
    let kinds =
        [(overline, "overline"), (double_four, "double four"), (double_three, "double three")];
    kinds.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
}
