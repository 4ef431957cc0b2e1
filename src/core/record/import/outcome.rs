//! Parses results given in points or in words.

use crate::rules::Outcome;
use crate::types::Color;

/// Words for a draw, alone or after a colour: `B+Draw`.
const DRAWS: [&str; 4] = ["draw", "drawn", "jigo", "tie"];

/// Parses a result in points, those of the player who begins first; `Some(None)` if the text
/// states that the result is unknown.
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

/// Writes a result in points, as [`points`] reads it.
pub(in crate::record) fn as_points(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::Black) => "1-0",
        Outcome::Win(Color::White) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// Parses a result and its reason, as far as they are known; `None` if the text is not understood.
/// `B+R` is a win by resignation, `Void` and `?` are no result.
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
            Some(reason) => reason.trim(),
            None => ["wins", "win", "won"]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest),
        };
        // Other words may also begin with the letter of a side.
        let has_plus = text[name.len()..].trim_start().starts_with('+');
        let first = rest.split([' ', ',', ';', '(']).next().unwrap_or_default();
        if has_plus && DRAWS.contains(&first) {
            return Some((Outcome::Draw, String::new()));
        }
        let is_win = has_plus || rest.is_empty() || rest.starts_with(" by ");
        is_win.then(|| (Outcome::Win(color), reason(rest)))
    });
    won.map(|(outcome, reason)| (Some(outcome), reason))
}

/// Returns the reason for a win in one word.
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
        for (text, outcome, reason) in [
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
            // RenLib takes this for half a point each.
            ("B+Draw", Some(Outcome::Draw), ""),
            ("W+draw", Some(Outcome::Draw), ""),
            ("1/2-1/2", Some(Outcome::Draw), ""),
            ("1-0", black, ""),
            ("0-1", white, ""),
            ("Void", None, "void"),
            ("?", None, ""),
        ] {
            assert_eq!(words(text), Some((outcome, reason.to_string())), "{text}");
        }
        for text in ["bob wins", "x", "2-0", "wow", "winner: b"] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
