//! Words for colours and results.

use super::state::PositionEnding;
use goren_core::rules::Outcome;
use goren_core::rules::referee::Reason;
use goren_core::types::Color;
use goren_notation::ending::phrase;
use goren_notation::words::name;

/// Parses a colour.
///
/// # Errors
/// The text is no colour; the message lists the names.
pub(crate) fn color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "black" | "b" | "x" => Ok(Color::Black),
        "white" | "w" | "o" => Ok(Color::White),
        _ => Err("it must be black or white".into()),
    }
}

/// Formats the end of a game.
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

/// Formats the result and the reason given in a file.
pub(crate) fn result_text(outcome: Outcome, reason: &str) -> String {
    let result = match outcome {
        Outcome::Win(color) => format!("{} won", name(color)),
        Outcome::Draw => "drawn".into(),
    };
    let reason: String = reason.trim().chars().filter(|c| !c.is_control()).collect();
    match (phrase(&reason), reason.as_str()) {
        (Some(words), _) => format!("{result} {words}"),
        (None, "") => result,
        (None, other) => format!("{result} ({other})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_files_have_their_reason() {
        let white = Outcome::Win(Color::White);
        assert_eq!(result_text(white, "resign"), "White won by resignation");
        assert_eq!(result_text(Outcome::Draw, ""), "drawn");
        assert_eq!(result_text(Outcome::Draw, "agreement"), "drawn by agreement");
        assert_eq!(result_text(white, " \u{1b}agreed"), "White won (agreed)");
    }

    #[test]
    fn endings_name_the_colour_of_the_foul() {
        let ending = |winner, reason| ending_words(PositionEnding { winner, reason });
        let foul = ending(Some(Color::White), Reason::Foul);
        assert_eq!(foul, "White has won by a foul of Black");
        assert_eq!(ending(Some(Color::Black), Reason::Line), "Black has won by a line");
        assert_eq!(ending(None, Reason::Full), "drawn as the board is full");
    }
}
