//! Check of one reply to the position of a tree.

use std::mem;
use std::time::Instant;

use fxhash::FxHashMap;

use goren_core::types::Cell;
use goren_proof::{
    Answers, Checker, Claim, Flaw, FlawKind, LinePly, Measure, Proof, ProofBoard, Recorder,
};
use goren_trees::TreeFile as Tree;
use goren_trees::packed;
use goren_trees::replies;

/// Result of the check of one reply to the position, or of the position itself.
pub(super) struct CheckedReply {
    pub(super) reply: Option<Cell>,
    pub(super) needed: FxHashMap<(u64, Cell), u16>,
    pub(super) visits: u64,
    pub(super) seconds: f64,
    pub(super) outcome: Result<(), Flaw>,
    /// The longest line with the best defence, if requested.
    pub(super) longest: Option<Vec<LinePly>>,
    /// Size in a packed file.
    pub(super) bytes: Option<usize>,
    /// The recorded answers, if requested.
    script: Option<Vec<u8>>,
}

impl CheckedReply {
    /// Returns the average depth of the needed moves in moves of the attacker; the position
    /// has `root_stones` stones of the attacker.
    pub(super) fn depth(&self, root_stones: usize) -> f64 {
        let depth: f64 = self.needed.values().map(|&own| f64::from(own) - root_stones as f64).sum();
        // An empty sum is -0.0.
        depth.abs() / (self.needed.len() as f64).max(1.0)
    }

    /// Counts the needed moves at each depth, from 1.
    pub(super) fn depths(&self, root_stones: usize) -> Vec<u64> {
        let mut depths = Vec::new();
        for &own in self.needed.values() {
            let at = usize::from(own).saturating_sub(root_stones + 1);
            depths.resize(depths.len().max(at + 1), 0);
            depths[at] += 1;
        }
        depths
    }
}

/// Checks a reply; returns the result and the source of answers.
fn check<A: Answers, M: Measure>(
    mut checker: Checker<A, M>,
    board: &ProofBoard,
    reply: Option<Cell>,
    longest: impl FnOnce(&mut Checker<A, M>) -> Option<Vec<LinePly>>,
) -> (CheckedReply, A) {
    let started = Instant::now();
    checker.board = board.clone();
    let outcome = replies::check_reply(&mut checker, reply);
    // Taken before the search for the line, which would count positions again.
    let (needed, visits) = (mem::take(&mut checker.needed), checker.visits);
    let longest = if outcome.is_ok() { longest(&mut checker) } else { None };
    let seconds = started.elapsed().as_secs_f64();
    let (bytes, script) = (None, None);
    let checked = CheckedReply { reply, needed, visits, seconds, outcome, longest, bytes, script };
    (checked, checker.answers)
}

/// Checks a reply, and finds the longest line if `statistics` are requested.
fn measured<A: Answers>(
    claim: &Claim,
    answers: A,
    board: &ProofBoard,
    reply: Option<Cell>,
    statistics: bool,
) -> (CheckedReply, A) {
    let Claim { setup, attacker, .. } = *claim;
    if statistics {
        let checker = Checker::measuring(setup, attacker, answers);
        check(checker, board, reply, |checker| checker.longest_line(reply).ok())
    } else {
        check(Checker::new(setup, attacker, answers), board, reply, |_| None)
    }
}

/// Checks a reply to the position, or the position itself. Optionally records the answers and
/// finds the longest line.
pub(super) fn check_reply(
    tree: &Tree,
    board: &ProofBoard,
    reply: Option<Cell>,
    (record, statistics): (bool, bool),
) -> CheckedReply {
    let claim = tree.claim();
    let packed = match tree {
        Tree::Table(proof) if record => {
            let (checked, recorder) =
                measured(claim, Recorder::new(proof), board, reply, statistics);
            return CheckedReply { script: Some(recorder.script), ..checked };
        }
        Tree::Table(proof) => return measured(claim, proof, board, reply, statistics).0,
        Tree::Packed(packed) => packed,
    };
    let (checked, mut answers) = measured(claim, packed.answers(reply), board, reply, statistics);
    let part = packed.part(reply);
    let outcome = match checked.outcome {
        Ok(()) => packed.settle(reply, &mut answers),
        // A part that ends too early looks like a missing move.
        Err(flaw) if flaw.kind == FlawKind::NoMove && part.is_some() && !answers.ends() => {
            Err(Flaw { kind: FlawKind::Damaged, ..flaw })
        }
        flawed => flawed,
    };
    let bytes = part.map(packed::Part::bytes);
    CheckedReply { outcome, bytes, ..checked }
}

/// Packs a checked reply; `None` if the reply is open or cannot be packed.
pub(super) fn pack(
    tree: &Tree,
    board: &ProofBoard,
    checked: &mut CheckedReply,
) -> Option<packed::Part> {
    checked.outcome.as_ref().ok()?;
    if let Some(script) = checked.script.take() {
        let packed = packed::Part::new(checked.reply, &script).ok()?;
        checked.bytes = Some(packed.bytes());
        return Some(packed);
    }
    let needed = select(tree.claim(), &checked.needed);
    let packed = packed::Part::record(&needed, board, checked.reply);
    // If the selected moves are not enough, record with all of them.
    let packed = packed.or_else(|error| match tree {
        Tree::Table(all) => packed::Part::record(all, board, checked.reply),
        Tree::Packed(_) => Err(error),
    });
    checked.bytes = packed.as_ref().ok().map(packed::Part::bytes);
    packed.ok()
}

/// Returns a tree of the needed moves only.
fn select(claim: &Claim, needed: &FxHashMap<(u64, Cell), u16>) -> Proof {
    let mut selected = Proof::new(claim.clone());
    let mut moves: Vec<(u64, Cell)> = needed.keys().copied().collect();
    // Makes the file independent of the order of the map.
    moves.sort_unstable();
    for (key, m) in moves {
        selected.insert(key, m);
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Color;
    use goren_proof::Root;
    use goren_trees::replies;

    /// Regression: such a part was reported as a position without a move.
    #[test]
    fn a_part_that_ends_too_early_is_damaged() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
        let claim = Claim { setup, attacker: Color::Black, root };
        let board = replies::board(&claim).unwrap();
        let [reply, other] = [0, 1].map(|x| Some(Cell::new(x, 0)));
        let part = packed::Part::new(reply, &[]).unwrap();
        let tree = Tree::Packed(packed::Packed::new(claim, vec![part]));
        let kind = |reply| {
            let checked = check_reply(&tree, &board, reply, (false, false));
            checked.outcome.unwrap_err().kind
        };
        assert_eq!(kind(reply), FlawKind::Damaged);
        assert_eq!(kind(other), FlawKind::NoMove);
    }
}
