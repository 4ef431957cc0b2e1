//! Trees of single wins: a search for one kind of win, without the defences of others.

use std::sync::Arc;
use std::time::Instant;

use super::finder::{MoveFinder, MoveStore};
use super::grow::stones;
use super::table::solver_of;
use super::worker::{Budgets, ProofWorker};
use goren_engine::{Control, Hash};
use goren_proof::{Claim, Proof};

/// The kind of win to search for.
#[derive(Copy, Clone, Debug)]
pub(crate) enum WinKind {
    /// The shortest by fours alone.
    Shortest,
    /// Any by fours alone, with this many stones of the attacker.
    Fours(u64),
    /// By threats, with this many positions for each.
    Threats(u64),
}

/// Searches until `until` for a win of one kind of the attacker, who is to move: the tree of
/// the win, and the nodes.
pub(crate) fn forced(
    claim: &Claim,
    hash: &Hash,
    kind: WinKind,
    until: Instant,
) -> (Option<Proof>, u64) {
    let store = MoveStore::controlled(Proof::new(claim.clone()), Arc::new(Control::until(until)));
    let store = Arc::new(store);
    let solver = solver_of(hash, claim.setup);
    let mut finder = MoveFinder::new(store.clone(), solver, claim.attacker);
    let threats = match kind {
        WinKind::Threats(positions) => positions,
        WinKind::Shortest | WinKind::Fours(_) => 0,
    };
    finder.shortest = matches!(kind, WinKind::Shortest);
    if let WinKind::Fours(stones) = kind {
        finder.fours = stones;
    }
    let budgets = Budgets { quick_nodes: threats, pass_nodes: threats, ..Budgets::USUAL };
    let mut worker = ProofWorker::new(claim, finder, budgets);
    let won = worker.open(&stones(claim)).is_none();
    worker.checker.answers.publish(Vec::new());
    let proof = store.proof().clone();
    (won.then_some(proof), worker.checker.answers.solver.nodes())
}
