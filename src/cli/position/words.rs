//! Words for colours and results.

use super::state::PositionEnding;
use goren_core::rules::Outcome;
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
pub(crate) fn ending_words(ending: PositionEnding) -> String {
    let (reason, phrase) = (ending.reason, ending.reason.phrase());
    match ending.winner {
        Some(color) if matches!(reason, Reason::Foul | Reason::Overline) => {
            format!("{} has won {phrase} of {}", name(color), name(!color))
        }
        Some(color) => format!("{} has won {phrase}", name(color)),
        None => format!("drawn {phrase}"),
    }
}

/// A result that a file gives beyond its moves, with its reason, in words.
pub(crate) fn said_words(outcome: Outcome, reason: &str) -> String {
    let result = match outcome {
        Outcome::Win(color) => format!("{} won", name(color)),
        Outcome::Draw => "drawn".into(),
    };
    let reason: String = reason.trim().chars().filter(|c| !c.is_control()).collect();
    match (said_reason(&reason), reason.as_str()) {
        (Some(words), _) => format!("{result} {words}"),
        (None, "") => result,
        (None, other) => format!("{result} ({other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_files_are_told_with_their_reason() {
        let white = Outcome::Win(Color::White);
        assert_eq!(said_words(white, "resign"), "White won by resignation");
        assert_eq!(said_words(Outcome::Draw, ""), "drawn");
        assert_eq!(said_words(white, " \u{1b}agreed"), "White won (agreed)");
    }

    #[test]
    fn endings_name_who_made_the_foul() {
        let ending = |winner, reason| ending_words(PositionEnding { winner, reason });
        let foul = ending(Some(Color::White), Reason::Foul);
        assert_eq!(foul, "White has won by a foul of Black");
        assert_eq!(ending(Some(Color::Black), Reason::Line), "Black has won by a line");
        assert_eq!(ending(None, Reason::Full), "drawn as the board is full");
    }
}
