//! Results as files tell them: in points, and in words.

use crate::rules::Outcome;
use crate::types::Color;

/// Words for a draw, alone or behind a colour: `B+Draw`.
const DRAWS: [&str; 4] = ["draw", "drawn", "jigo", "tie"];

/// The result that a text tells in points, those of the player who begins first;
/// `Some(None)` where it says that none is known.
pub(in crate::record) fn points(text: &str) -> Option<Option<Outcome>> {
    let plain = text.trim().replace([':', '\u{2013}', '\u{2212}'], "-");
    Some(match plain.as_str() {
        "1-0" => Some(Outcome::Win(Color::Black)),
        "0-1" => Some(Outcome::Win(Color::White)),
        "1/2-1/2" | "0.5-0.5" | "½-½" | "0-0" => Some(Outcome::Draw),
        "*" | "?" | "" => None,
        _ => return None,
    })
}

/// A result in points, as [`points`] reads it.
pub(in crate::record) fn as_points(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::Black) => "1-0",
        Outcome::Win(Color::White) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// How a game ended, and why, as far as it is known; `None` if that is not
/// understood. `B+R` is a win by resignation, `Void` and `?` are no result.
pub(in crate::record) fn words(text: &str) -> Option<(Option<Outcome>, String)> {
    let text = text.trim().to_lowercase();
    let is = |words: &[&str]| words.contains(&text.as_str());
    if let Some(outcome) = points(&text) {
        return Some((outcome, String::new()));
    }
    if is(&["unknown"]) {
        return Some((None, String::new()));
    }
    if is(&["void", "unfinished"]) {
        return Some((None, text));
    }
    if is(&["0", "="]) || is(&DRAWS) {
        return Some((Some(Outcome::Draw), String::new()));
    }
    let sides = [
        ("black", Color::Black),
        ("white", Color::White),
        ("b", Color::Black),
        ("w", Color::White),
    ];
    let won = sides.into_iter().find_map(|(name, color)| {
        let rest = text.strip_prefix(name)?.trim_start();
        let rest = match rest.strip_prefix('+') {
            Some(why) => why.trim(),
            None => ["wins", "win", "won"]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest),
        };
        // Words that only begin with the letter of a side are none.
        let plus = text[name.len()..].trim_start().starts_with('+');
        let first = rest.split([' ', ',', ';', '(']).next().unwrap_or_default();
        if plus && DRAWS.contains(&first) {
            return Some((Outcome::Draw, String::new()));
        }
        let is_said = plus || rest.is_empty() || rest.starts_with(" by ");
        is_said.then(|| (Outcome::Win(color), reason(rest)))
    });
    won.map(|(outcome, reason)| (Some(outcome), reason))
}

/// Why a side won, in a word.
fn reason(text: &str) -> String {
    let text = text.trim().trim_start_matches("by ").trim();
    let word = match text {
        "r" | "res" | "resign" | "resigns" | "resignation" => "resign",
        "t" | "time" | "timeout" => "time",
        "f" | "forfeit" => "forfeit",
        // A number of points, as in Go.
        points if points.parse::<f64>().is_ok() => "",
        other => other,
    };
    word.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_all_forms() {
        let (black, white) = (Some(Outcome::Win(Color::Black)), Some(Outcome::Win(Color::White)));
        for (text, outcome, why) in [
            ("B+", black, ""),
            ("W+R", white, "resign"),
            ("B+Resign", black, "resign"),
            ("W+Time", white, "time"),
            ("B+T", black, "time"),
            ("B+F", black, "forfeit"),
            ("W+3.5", white, ""),
            ("B", black, ""),
            ("White wins", white, ""),
            ("Black wins by resignation", black, "resign"),
            ("black", black, ""),
            ("Black won", black, ""),
            ("White won by time", white, "time"),
            ("1:0", black, ""),
            ("½\u{2013}½", Some(Outcome::Draw), ""),
            ("W+five", white, "five"),
            ("0", Some(Outcome::Draw), ""),
            ("Draw", Some(Outcome::Draw), ""),
            // RenLib takes it for half a point each.
            ("B+Draw", Some(Outcome::Draw), ""),
            ("W+draw", Some(Outcome::Draw), ""),
            ("1/2-1/2", Some(Outcome::Draw), ""),
            ("1-0", black, ""),
            ("0-1", white, ""),
            ("Void", None, "void"),
            ("?", None, ""),
        ] {
            assert_eq!(words(text), Some((outcome, why.to_string())), "{text}");
        }
        for text in ["bob wins", "x", "2-0", "wow", "winner: b"] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
