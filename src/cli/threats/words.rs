//! Threats and lines in words.

use super::fours::SequenceStone;
use super::linear::LinearThreat;
use crate::position::GivenPosition;
use goren_core::types::Cell;

/// Formats points, separated by blanks.
pub(super) fn points(position: &GivenPosition, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| position.label(cell)).collect::<Vec<_>>().join(" ")
}

/// Formats a threat in both notations.
pub(super) fn threat(threat: &LinearThreat) -> String {
    let name = if threat.next.is_empty() && !threat.spoilt.is_empty() {
        "false three"
    } else {
        threat.shape.name()
    };
    format!("{} {name}", threat.shape.notation())
}

/// Formats a line of play, the opponent's stones in brackets.
pub(super) fn line(
    position: &GivenPosition,
    line: &[SequenceStone],
    opponent_first: bool,
) -> String {
    let text = |(i, ply): (usize, &SequenceStone)| {
        let point = position.label(ply.cell);
        match (i % 2 == usize::from(!opponent_first), ply.forbidden) {
            (true, true) => format!("({point} forbidden)"),
            (true, false) => format!("({point})"),
            (false, _) => point,
        }
    };
    line.iter().enumerate().map(text).collect::<Vec<_>>().join(" ")
}
