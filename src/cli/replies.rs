//! Replies to the position of a winning tree, by their names.

use anyhow::{Context, Result};

use super::point;
use super::run::shard::Shard;
use goren_core::types::Cell;
use goren_proof::{Claim, ProofBoard};
use goren_trees::replies::{among, asked};

/// Those of what is gone through that belong to a part: the hard replies, which are
/// near the last stone, are spread over all parts.
pub(super) fn of_shard(asked: Vec<Option<Cell>>, shard: Shard) -> Vec<Option<Cell>> {
    let own = |&(number, _): &(u64, Option<Cell>)| shard.has(number);
    (0..).zip(asked).filter(own).map(|(_, reply)| reply).collect()
}

/// The same of a reply by its name.
///
/// # Errors
/// Not a point of the board, or not a reply to the position.
fn only(claim: &Claim, board: &ProofBoard, asked: &[Option<Cell>], reply: &str) -> Result<Cell> {
    let cell = point::cell(reply, (claim.setup.width, claim.setup.height))?;
    let found = among(claim, board, asked, cell);
    found.with_context(|| format!("{reply} is no reply to the position"))
}

/// The replies to a position that are named, each once, as they are among those
/// that are asked about.
///
/// # Errors
/// One is no reply, or it is the attacker's move.
pub(super) fn named(claim: &Claim, board: &ProofBoard, names: &[String]) -> Result<Vec<Cell>> {
    let asked = asked(claim, board);
    let mut named = Vec::new();
    for name in names {
        let cell = only(claim, board, &asked, name)?;
        if !named.contains(&cell) {
            named.push(cell);
        }
    }
    Ok(named)
}
