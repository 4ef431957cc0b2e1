//! Trees of wins of a single kind.

use std::sync::Arc;
use std::time::Instant;

use super::finder::{MoveFinder, MoveStore};
use super::grow::stones;
use super::table::solver_of;
use super::worker::{Budgets, ProofWorker};
use goren_engine::{Control, TableHandle};
use goren_proof::{Claim, Proof};

/// Kind of win to search for.
#[derive(Copy, Clone, Debug)]
pub(crate) enum WinKind {
    /// The shortest win by fours.
    Shortest,
    /// Any win by fours, with this many stones of the attacker.
    Fours(u64),
    /// A win by threats, with this many positions per search.
    Threats(u64),
}

/// Searches until `until` for a win of one kind of the attacker, who is to move. Returns the tree
/// of the win and the number of nodes.
pub(crate) fn prove_kind(
    claim: &Claim,
    hash: &TableHandle,
    kind: WinKind,
    until: Instant,
) -> (Option<Proof>, u64) {
    let store = MoveStore::with_stop(Proof::new(claim.clone()), Arc::new(Control::until(until)));
    let store = Arc::new(store);
    let solver = solver_of(hash, claim.setup);
    let mut finder = MoveFinder::new(store.clone(), solver, claim.attacker);
    let threats = match kind {
        WinKind::Threats(positions) => positions,
        WinKind::Shortest | WinKind::Fours(_) => 0,
    };
    finder.shortest = matches!(kind, WinKind::Shortest);
    if let WinKind::Fours(stones) = kind {
        finder.vcf_stones = stones;
    }
    let budgets = Budgets { quick_nodes: threats, pass_nodes: threats, ..Budgets::DEFAULT };
    let mut worker = ProofWorker::new(claim, finder, budgets);
    let won = worker.open(&stones(claim)).is_none();
    worker.checker.answers.publish(Vec::new());
    let proof = store.proof().clone();
    (won.then_some(proof), worker.checker.answers.solver.nodes())
}
