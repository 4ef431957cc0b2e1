//! What `RE` says, in the forms of the standard and those of sites.

use crate::rules::Outcome;
use crate::types::Color;

/// How a game ended, and why, as far as it is known; `None` if that is not
/// understood. `B+R` is a win by resignation, `Void` and `?` are no result.
pub(super) fn result(text: &str) -> Option<(Option<Outcome>, String)> {
    let text = text.trim().to_lowercase();
    let is = |words: &[&str]| words.contains(&text.as_str());
    if is(&["", "?", "unknown"]) {
        return Some((None, String::new()));
    }
    if is(&["void", "unfinished"]) {
        return Some((None, text));
    }
    if is(&["0", "draw", "drawn", "jigo", "tie", "=", "1/2-1/2", "0.5-0.5", "½-½"]) {
        return Some((Some(Outcome::Draw), String::new()));
    }
    let sides = [("1-0", Color::Black), ("0-1", Color::White)];
    if let Some((_, color)) = sides.into_iter().find(|(score, _)| is(&[score])) {
        return Some((Some(Outcome::Win(color)), String::new()));
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
            None => rest.strip_prefix("win").map_or(rest, |rest| rest.trim_start_matches('s')),
        };
        // Words that only begin with the letter of a side are none.
        let plus = text[name.len()..].trim_start().starts_with('+');
        (plus || rest.is_empty() || rest.starts_with(" by ")).then(|| (color, reason(rest)))
    });
    won.map(|(color, reason)| (Some(Outcome::Win(color)), reason))
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
            ("W+five", white, "five"),
            ("0", Some(Outcome::Draw), ""),
            ("Draw", Some(Outcome::Draw), ""),
            ("1/2-1/2", Some(Outcome::Draw), ""),
            ("1-0", black, ""),
            ("0-1", white, ""),
            ("Void", None, "void"),
            ("?", None, ""),
        ] {
            assert_eq!(result(text), Some((outcome, why.to_string())), "{text}");
        }
        for text in ["bob wins", "x", "2-0", "wow"] {
            assert_eq!(result(text), None, "{text}");
        }
    }
}
