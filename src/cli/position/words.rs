//! Words for colours and results.

use super::state::Ending;
use goren_core::rules::referee::Reason;
use goren_core::types::Color;
use goren_notation::words::name;

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

/// What a file gives as the reason of a result, where it is one that all files know.
pub(crate) fn said_reason(reason: &str) -> Option<&'static str> {
    match reason {
        "resign" | "resignation" => Some("by resignation"),
        "time" | "overtime" => Some("on time"),
        _ => None,
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
