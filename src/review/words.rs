//! Descriptions of a game in words.

use crate::judge::{Judged, ProofChange, lost_for_good};
use goren_core::rules::Contest;
use goren_core::types::win_rate;
use goren_notation::plies::turns;
use goren_notation::words::{name, percent, score_text};

pub use goren_notation::words::count;

/// Least win rate with which the side to move does not stand worse.
const LEVEL: f64 = 0.3;

/// Returns the best line instead of a ply, in turns of the game's notation.
pub fn better(contest: &Contest, ply: &Judged) -> Vec<String> {
    let Some(judgement) = &ply.judgement else { return Vec::new() };
    turns(contest, ply.cells.len(), &judgement.line)
}

/// Describes the deciding move `losing` of a game.
pub fn decision(contest: &Contest, plies: &[Judged], losing: &Judged) -> Option<String> {
    let judgement = losing.judgement.as_ref()?;
    let better = better(contest, losing);
    let first = better.first()?;
    let (who, before) = (name(losing.color), win_rate(judgement.best));
    let head = if before >= LEVEL {
        format!("The game turned at ply {}", losing.number)
    } else {
        format!("{who} was worse already; the largest fall was at ply {}", losing.number)
    };
    let mut words = format!(
        "{head}: {who}'s {} ({} %); {first} was worth {} ({} %)",
        losing.text,
        percent(win_rate(judgement.played)),
        score_text(judgement.best),
        percent(before),
    );
    let lost = lost_for_good(plies, !losing.color).map(|at| &plies[at]);
    if let Some(lost) = lost.filter(|lost| lost.number > losing.number) {
        words += &format!(". Proven lost from ply {} ({}) on", lost.number, lost.text);
    }
    Some(words)
}

/// Describes how a turn of `stones` stones changed the proven result. If a turn has several
/// stones, lengths are counted in stones, as in scores: plies would be mistaken for turns.
pub fn proof_change_words(change: ProofChange, stones: usize) -> String {
    let plies = |number| count(number, if stones > 1 { "stone" } else { "ply" });
    match change {
        ProofChange::WinMissed(number) => format!("throws away a win in {}", plies(number)),
        ProofChange::LossFound(number) if number <= stones => "loses at once".into(),
        ProofChange::LossFound(number) => format!("hands over a win in {}", plies(number - stones)),
        ProofChange::WinToLoss(win, loss) if loss <= stones => {
            format!("loses at once instead of winning in {}", plies(win))
        }
        ProofChange::WinToLoss(win, loss) => {
            format!("turns a win in {} into a loss in {loss}", plies(win))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_proven_result_are_described() {
        assert_eq!(proof_change_words(ProofChange::LossFound(8), 1), "hands over a win in 7 plies");
        assert_eq!(proof_change_words(ProofChange::LossFound(2), 1), "hands over a win in 1 ply");
        assert_eq!(proof_change_words(ProofChange::LossFound(1), 1), "loses at once");
        assert_eq!(
            proof_change_words(ProofChange::LossFound(40), 2),
            "hands over a win in 38 stones"
        );
        assert_eq!(proof_change_words(ProofChange::LossFound(2), 2), "loses at once");
    }
}
