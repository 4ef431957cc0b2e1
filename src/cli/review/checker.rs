//! Check whether a judged game contradicts itself: a slow, direct implementation of the
//! properties that a review guarantees, based only on its numbers.

use super::report::ReviewedGame;
use goren_core::types::{Color, PROVEN, plies_to_end, win_rate};
use goren_review::judge::{Judged, Judgement, earlier};

/// Describes all contradictions.
pub(super) fn faults(review: &ReviewedGame) -> Vec<String> {
    let mut faults = Vec::new();
    for ply in review.plies {
        if let Some(judgement) = &ply.judgement {
            check_ply(ply, judgement, &mut faults);
        }
    }
    for pair in review.plies.windows(2) {
        check_neighbours(&pair[0], &pair[1], &mut faults);
    }
    check_proofs(review.plies, &mut faults);
    check_end(review, &mut faults);
    faults
}

/// Checks a single move.
fn check_ply(ply: &Judged, judgement: &Judgement, faults: &mut Vec<String>) {
    let mut fault = |what: &str| faults.push(format!("ply {}: {what}: {judgement:?}", ply.number));
    let Judgement { best, played, .. } = *judgement;
    if best < played || judgement.loss() < 0.0 {
        fault("better than the best");
    }
    let turn = &judgement.line[..ply.cells.len().min(judgement.line.len())];
    if !turn.is_empty() && turn.iter().all(|cell| ply.cells.contains(cell)) {
        let bad = judgement.grade().is_some() || judgement.proof_change().is_some();
        if best != played || judgement.loss() != 0.0 || bad {
            fault("the best move costs something");
        }
    }
    if judgement.loss() != win_rate(best) - win_rate(played) {
        fault("the loss is another");
    }
    if judgement.line.is_empty() && best < PROVEN {
        fault("no best move");
    }
}

/// Checks that the position between two moves has a single value.
fn check_neighbours(ply: &Judged, next: &Judged, faults: &mut Vec<String>) {
    let (Some(first), Some(second)) = (&ply.judgement, &next.judgement) else { return };
    let value = earlier(second.best, ply.cells.len(), ply.color == next.color);
    if first.played != value {
        let (a, b) = (ply.number, next.number);
        faults.push(format!("after ply {a} {}, before ply {b} {value}", first.played));
    }
}

/// Checks that a side with a proven win keeps it until one of its own moves throws it away, and
/// that no move of the other side changes the proof.
fn check_proofs(plies: &[Judged], faults: &mut Vec<String>) {
    let mut winner: Option<Color> = None;
    for ply in plies {
        let Some(judgement) = &ply.judgement else {
            winner = None;
            continue;
        };
        let mut fault =
            |what: &str| faults.push(format!("ply {}: {what}: {judgement:?}", ply.number));
        match winner {
            Some(color) if color == ply.color && judgement.best < PROVEN => {
                fault("a proof is lost")
            }
            Some(color) if color != ply.color && judgement.best > -PROVEN => {
                fault("a proof is lost")
            }
            Some(color) if color != ply.color && judgement.proof_change().is_some() => {
                fault("lost what was lost before");
            }
            _ => {}
        }
        winner = match judgement.played {
            PROVEN.. => Some(ply.color),
            played if played <= -PROVEN => Some(!ply.color),
            _ => None,
        };
    }
}

/// Checks the end of the game, and the losing move.
fn check_end(review: &ReviewedGame, faults: &mut Vec<String>) {
    let winner = review.end.ending.and_then(|ending| ending.winner);
    if let (Some(winner), Some(last)) = (winner, review.plies.last())
        && let Some(judgement) = &last.judgement
    {
        let score = if winner == last.color { judgement.played } else { -judgement.played };
        if score < PROVEN || plies_to_end(score) != Some(last.cells.len()) {
            faults.push(format!("the last ply of a game that is won: {judgement:?}"));
        }
    }
    let Some(losing) = review.losing_move() else { return };
    let loss = |ply: &Judged| ply.judgement.as_ref().map_or(0.0, Judgement::loss);
    if loss(losing) < 0.05 || winner == Some(losing.color) {
        faults.push(format!("no turning point: {losing:?}"));
    }
    // No other move of the loser may have a larger lasting loss.
    let lasting = |ply: &Judged| {
        let later = review
            .plies
            .iter()
            .filter(|other| other.color == losing.color && other.number > ply.number);
        let judgements = later.filter_map(|other| other.judgement.as_ref());
        let rates = judgements.map(|later| win_rate(later.best.max(later.played)));
        let Some(judgement) = &ply.judgement else { return 0.0 };
        win_rate(judgement.best) - rates.fold(win_rate(judgement.played), f64::max)
    };
    for ply in review.plies.iter().filter(|ply| ply.color == losing.color) {
        if lasting(ply) >= 0.05 && lasting(ply) > lasting(losing) + 1e-9 {
            faults.push(format!("turned at ply {}, not at {}", ply.number, losing.number));
        }
    }
}
