//! Whether a judged game contradicts itself: the slow, obvious reading of what
//! a review promises, on its numbers alone.

use super::report::Review;
use goren_core::types::{Color, PROVEN, plies_to_end, win_rate};
use goren_review::judge::{Judged, Verdict, earlier};

/// All contradictions, in words.
pub(super) fn faults(review: &Review) -> Vec<String> {
    let mut faults = Vec::new();
    for ply in review.plies {
        if let Some(verdict) = &ply.verdict {
            alone(ply, verdict, &mut faults);
        }
    }
    for pair in review.plies.windows(2) {
        neighbours(&pair[0], &pair[1], &mut faults);
    }
    proofs(review.plies, &mut faults);
    ends(review, &mut faults);
    faults
}

/// A move by itself.
fn alone(ply: &Judged, verdict: &Verdict, faults: &mut Vec<String>) {
    let mut fault = |what: &str| faults.push(format!("ply {}: {what}: {verdict:?}", ply.number));
    let Verdict { best, played, .. } = *verdict;
    if best < played || verdict.loss() < 0.0 {
        fault("better than the best");
    }
    let turn = &verdict.line[..ply.cells.len().min(verdict.line.len())];
    if !turn.is_empty() && turn.iter().all(|cell| ply.cells.contains(cell)) {
        let bad = verdict.grade().is_some() || verdict.turn().is_some();
        if best != played || verdict.loss() != 0.0 || bad {
            fault("the best move costs something");
        }
    }
    if verdict.loss() != win_rate(best) - win_rate(played) {
        fault("the loss is another");
    }
    if verdict.line.is_empty() && best < PROVEN {
        fault("no best move");
    }
}

/// The position between two moves has one value.
fn neighbours(ply: &Judged, next: &Judged, faults: &mut Vec<String>) {
    let (Some(first), Some(second)) = (&ply.verdict, &next.verdict) else { return };
    let value = earlier(second.best, ply.cells.len(), ply.color == next.color);
    if first.played != value {
        let (a, b) = (ply.number, next.number);
        faults.push(format!("after ply {a} {}, before ply {b} {value}", first.played));
    }
}

/// A side that is known to win goes on doing so until one of its own moves
/// throws the win away; whatever the other side does is no turn.
fn proofs(plies: &[Judged], faults: &mut Vec<String>) {
    let mut winner: Option<Color> = None;
    for ply in plies {
        let Some(verdict) = &ply.verdict else {
            winner = None;
            continue;
        };
        let mut fault =
            |what: &str| faults.push(format!("ply {}: {what}: {verdict:?}", ply.number));
        match winner {
            Some(color) if color == ply.color && verdict.best < PROVEN => fault("a proof is lost"),
            Some(color) if color != ply.color && verdict.best > -PROVEN => fault("a proof is lost"),
            Some(color) if color != ply.color && verdict.turn().is_some() => {
                fault("lost what was lost before");
            }
            _ => {}
        }
        winner = match verdict.played {
            PROVEN.. => Some(ply.color),
            played if played <= -PROVEN => Some(!ply.color),
            _ => None,
        };
    }
}

/// The end of the game, and where it turned.
fn ends(review: &Review, faults: &mut Vec<String>) {
    let winner = review.end.ending.and_then(|ending| ending.winner);
    if let (Some(winner), Some(last)) = (winner, review.plies.last())
        && let Some(verdict) = &last.verdict
    {
        let score = if winner == last.color { verdict.played } else { -verdict.played };
        if score < PROVEN || plies_to_end(score) != Some(last.cells.len()) {
            faults.push(format!("the last ply of a game that is won: {verdict:?}"));
        }
    }
    let Some(losing) = review.losing_move() else { return };
    let loss = |ply: &Judged| ply.verdict.as_ref().map_or(0.0, Verdict::loss);
    if loss(losing) < 0.05 || winner == Some(losing.color) {
        faults.push(format!("no turning point: {losing:?}"));
    }
    // No other fall of the loser lasted that was larger.
    let lasting = |ply: &Judged| {
        let later = review
            .plies
            .iter()
            .filter(|other| other.color == losing.color && other.number > ply.number);
        let stood = later.filter_map(|other| other.verdict.as_ref());
        let stood = stood.map(|verdict| win_rate(verdict.best.max(verdict.played)));
        let Some(verdict) = &ply.verdict else { return 0.0 };
        win_rate(verdict.best) - stood.fold(win_rate(verdict.played), f64::max)
    };
    for ply in review.plies.iter().filter(|ply| ply.color == losing.color) {
        if lasting(ply) >= 0.05 && lasting(ply) > lasting(losing) + 1e-9 {
            faults.push(format!("turned at ply {}, not at {}", ply.number, losing.number));
        }
    }
}
