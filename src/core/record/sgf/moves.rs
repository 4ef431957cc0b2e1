//! Values of moves: one or several points, in two letters or with a number, a pass, a swap, a
//! resignation.

use crate::record::import::points::{WrittenPoint, point};

/// A point as written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SgfPoint {
    /// Two letters from `a`, column and row from the upper left.
    Letters {
        /// The column, from 0.
        x: u8,
        /// The row from the top, from 0.
        y: u8,
        /// Whether both are capitals.
        capitals: bool,
    },
    /// A letter for the column and the number of the row.
    Numbered(WrittenPoint),
}

/// Parsed value of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MoveValue {
    /// One stone or more.
    Points(Vec<SgfPoint>),
    /// A pass.
    Pass,
    /// The players exchange colours.
    Swap,
    /// The player resigns.
    Resign,
    /// The player runs out of time or leaves, in the words of the result.
    Forfeit(&'static str),
}

/// Maximum number of points in a value: more than any turn has.
const MAX_POINTS: usize = 16;

/// Parses the value of `B` or `W`; `None` if it is not understood.
pub(super) fn move_value(text: &str) -> Option<MoveValue> {
    let word = text.to_ascii_lowercase();
    Some(match word.as_str() {
        "" | "pass" | "--" | "-" => MoveValue::Pass,
        "swap" | "swap-sides" | "swap sides" | "swap colors" | "swap colours" => MoveValue::Swap,
        "resign" | "resigns" | "resigned" | "resignation" => MoveValue::Resign,
        "time" | "timeout" | "time out" => MoveValue::Forfeit("time"),
        "forfeit" => MoveValue::Forfeit("forfeit"),
        _ => MoveValue::Points(points(text)?),
    })
}

/// Parses the points of a text such as `hh`, `j10`, `j9l11` or `iikk`.
fn points(text: &str) -> Option<Vec<SgfPoint>> {
    let mut points = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([' ', ',', ';', '-', '/']);
        if rest.is_empty() {
            return Some(points).filter(|points| !points.is_empty());
        }
        let digits = rest.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { 1 + digits } else { 2 };
        points.push(single(rest.get(..length)?)?);
        rest = &rest[length..];
        if points.len() > MAX_POINTS {
            return None;
        }
    }
}

/// Parses a single point.
pub(super) fn single(text: &str) -> Option<SgfPoint> {
    match *text.as_bytes() {
        [x, y] if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => {
            let capitals = x.is_ascii_uppercase() && y.is_ascii_uppercase();
            let place = |letter: u8| letter.to_ascii_lowercase() - b'a';
            Some(SgfPoint::Letters { x: place(x), y: place(y), capitals })
        }
        _ => point(text).map(SgfPoint::Numbered),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> String {
        let written = |point: &SgfPoint| match *point {
            SgfPoint::Letters { x, y, capitals } => {
                format!("({x},{y}){}", if capitals { "!" } else { "" })
            }
            SgfPoint::Numbered(point) => point.to_string(),
        };
        match move_value(value) {
            Some(MoveValue::Points(points)) => {
                points.iter().map(written).collect::<Vec<_>>().join(" ")
            }
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn all_forms_of_moves_are_read() {
        for (value, expected) in [
            ("hh", "(7,7)"),
            ("JM", "(9,12)!"),
            ("j10", "J10"),
            ("j9l11", "J9 L11"),
            ("J9-L11", "J9 L11"),
            ("j9, l11", "J9 L11"),
            ("iikk", "(8,8) (10,10)"),
            ("", "Some(Pass)"),
            ("PASS", "Some(Pass)"),
            ("tt", "(19,19)"),
            ("swap", "Some(Swap)"),
            ("resign", "Some(Resign)"),
            ("h", "None"),
            ("hh1", "None"),
            ("h8i", "None"),
            ("8h", "None"),
            ("\u{e9}8", "None"),
            ("h01", "None"),
        ] {
            assert_eq!(text(value), expected, "{value}");
        }
        assert_eq!(move_value(&"aa".repeat(99)), None);
    }
}
