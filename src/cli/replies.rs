//! Choice of replies to the root position of a winning tree: by part and by name.

use anyhow::{Context, Result};

use super::point;
use super::run::shard::Shard;
use goren_core::types::Cell;
use goren_proof::{Claim, ProofBoard};
use goren_trees::replies::{equivalent_reply, replies_to_check};

/// The replies of `asked` that belong to a part of a run. As `asked` is sorted by distance,
/// the hard replies, those near the last stone, are spread over all parts.
pub(super) fn of_shard(asked: Vec<Option<Cell>>, shard: Shard) -> Vec<Option<Cell>> {
    let own = |&(number, _): &(u64, Option<Cell>)| shard.has(number);
    (0..).zip(asked).filter(own).map(|(_, reply)| reply).collect()
}

/// Finds the reply of `asked` that equals the named one by a symmetry of the position.
///
/// # Errors
/// Not a point of the board, or not a reply to the position.
fn find(claim: &Claim, board: &ProofBoard, asked: &[Option<Cell>], reply: &str) -> Result<Cell> {
    let cell = point::cell(reply, (claim.setup.width, claim.setup.height))?;
    let found = equivalent_reply(claim, board, asked, cell);
    found.with_context(|| format!("{reply} is not a reply to the position"))
}

/// The named replies to a position, each once, in the symmetry in which [`replies_to_check`] lists
/// them.
///
/// # Errors
/// A name is no reply, or the attacker is to move.
pub(super) fn named(claim: &Claim, board: &ProofBoard, names: &[String]) -> Result<Vec<Cell>> {
    let asked = replies_to_check(claim, board);
    let mut named = Vec::new();
    for name in names {
        let cell = find(claim, board, &asked, name)?;
        if !named.contains(&cell) {
            named.push(cell);
        }
    }
    Ok(named)
}
