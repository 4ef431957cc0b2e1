//! Findings of a search as a picture.

use super::findings::cells;
use super::table::{captured, cost, title};
use super::threats::TurnThreat;
use crate::picture::{Picture, PointMark, StonePlacement, WeighedMove};
use crate::position::{ForbiddenPoint, GivenPosition};
use goren_core::rules::Fouls;
use goren_core::types::{Cell, Color, PROVEN, Score, win_rate};
use goren_engine::Findings;
use goren_notation::words::percent;
use goren_notation::words::score_text;

/// Draws the board with numbered stones, forbidden points and threats.
pub(crate) fn board(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    forbidden: &[ForbiddenPoint],
) -> Picture {
    let marked = position.marked_color();
    let forbidden = forbidden.iter().filter(|point| point.color == marked);
    let forbidden = forbidden.map(|point| (point.cell, PointMark::Forbidden(short(point.kinds))));
    let threats = threats.iter().map(|&(color, threat, cell)| match threat {
        TurnThreat::Win => (cell, PointMark::Wins(color)),
        _ => (cell, PointMark::Prepares(color)),
    });
    Picture {
        size: (position.contest.width, position.contest.height),
        shape: if position.contest.variant.falls() {
            StonePlacement::Squares
        } else {
            StonePlacement::Points
        },
        stones: position.stones.iter().map(|s| (s.cell, s.color, s.number)).collect(),
        last: position.last.clone(),
        candidates: Vec::new(),
        marks: forbidden.chain(threats).collect(),
        title: title(position),
        captions: captured(position).into_iter().collect(),
    }
}

/// Draws the board with the candidate moves of a search.
pub(super) fn picture(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    forbidden: &[ForbiddenPoint],
    findings: &Findings,
) -> Picture {
    let best = findings.lines.first().map_or(0.5, |line| win_rate(line.score));
    // Shows all stones of a turn; a stone of two turns gets the better value.
    let mut candidates: Vec<WeighedMove> = Vec::new();
    for (rank, line) in findings.lines.iter().enumerate() {
        let lost = line.score <= -PROVEN;
        let loss = if lost { 1.0 } else { best - win_rate(line.score) };
        for &cell in cells(line).iter().take(position.root.stones_to_place.max(1)) {
            if candidates.iter().any(|other| other.cell == cell) {
                continue;
            }
            let (label, detail) = (self::rate(line.score), score_text(line.score));
            candidates.push(WeighedMove { cell, label, detail, loss, best: rank == 0 && !lost });
        }
    }
    let mut picture = board(position, threats, forbidden);
    picture.candidates = candidates;
    if let Some(line) = findings.lines.first() {
        let turns = position.turns(&cells(line));
        let first = turns.first().cloned().unwrap_or_default();
        picture.captions.push(format!(
            "best {first}, {} ({} %), depth {}, {}",
            score_text(line.score),
            percent(win_rate(line.score)),
            line.depth,
            cost(findings)
        ));
    }
    picture
}

/// Formats a win rate in whole percent, as tenths would be too small to read. Only proven
/// results are 0 or 100.
pub(crate) fn rate(score: Score) -> String {
    let percent = (100.0 * win_rate(score)).round();
    let percent = if score.abs() >= PROVEN { percent } else { percent.clamp(1.0, 99.0) };
    format!("{percent}")
}

/// Abbreviates a foul: two of what, or a six.
fn short(fouls: Fouls) -> &'static str {
    match fouls {
        Fouls { overline: true, .. } => "6",
        Fouls { double_four: true, .. } => "4×4",
        Fouls { .. } => "3×3",
    }
}
