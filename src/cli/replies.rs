//! The position of a winning tree, the replies to it that a checker goes through
//! one by one, and their order.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};

use super::point;
use super::shard::Shard;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color};
use goren_proof::{Answers, Checker, Claim, Flaw, ProofBoard};

/// The position of a claim on a board.
///
/// # Errors
/// Its stones cannot be placed, or the game is over.
pub(super) fn board(claim: &Claim) -> Result<ProofBoard> {
    let (mut board, mut referee) = (ProofBoard::new(claim.setup), FiveReferee::new(claim.setup));
    for &(cell, color) in &claim.root.stones {
        board.place(cell, color).context("the position makes no sense")?;
        let outcome = referee.place(color, cell).context("the position makes no sense")?;
        ensure!(outcome.is_none(), "the game is over in the position");
    }
    Ok(board)
}

/// How far a reply is from the last stone along the edges of the board, the
/// longer way first; 0 and 0 where there is no stone.
fn apart(claim: &Claim, reply: Cell) -> (usize, usize) {
    let by =
        |&(last, _): &(Cell, Color)| (last.x().abs_diff(reply.x()), last.y().abs_diff(reply.y()));
    let (x, y) = claim.root.stones.last().map_or((0, 0), by);
    (x.max(y), x.min(y))
}

/// The same in words: 21 two columns or rows away and one row or column.
pub(super) fn way(claim: &Claim, reply: Cell) -> String {
    let (long, short) = apart(claim, reply);
    if long < 10 { format!("{long}{short}") } else { format!("{long}-{short}") }
}

/// Those of the replies to a position that are no images of each other, the
/// nearest to the last stone first.
pub(super) fn replies(
    claim: &Claim,
    board: &ProofBoard,
    among: impl Iterator<Item = Cell>,
) -> Vec<Cell> {
    let mut seen = HashSet::new();
    let new = |cell: &Cell| {
        let keys = board.toggled(board.keys(), *cell, claim.root.to_move);
        seen.insert(board.canonical(&keys).whole)
    };
    let mut replies: Vec<Cell> = among.filter(new).collect();
    replies.sort_by_key(|&cell| (apart(claim, cell), cell));
    replies
}

/// What is gone through one by one: the replies to a position of the defender.
pub(super) fn asked(claim: &Claim, board: &ProofBoard) -> Vec<Option<Cell>> {
    if claim.root.to_move == claim.attacker {
        vec![None]
    } else {
        replies(claim, board, board.empty().iter()).into_iter().map(Some).collect()
    }
}

/// Those of what is gone through that belong to a part: the hard replies, which are
/// near the last stone, are spread over all parts.
pub(super) fn of_shard(asked: Vec<Option<Cell>>, shard: Shard) -> Vec<Option<Cell>> {
    let own = |&(number, _): &(u64, Option<Cell>)| shard.has(number);
    (0..).zip(asked).filter(own).map(|(_, reply)| reply).collect()
}

/// The reply among those gone through that is this one, or an image of it; `None`
/// if it is none of them.
pub(super) fn among(
    claim: &Claim,
    board: &ProofBoard,
    asked: &[Option<Cell>],
    reply: Cell,
) -> Option<Cell> {
    let whole =
        |cell: Cell| board.canonical(&board.toggled(board.keys(), cell, claim.root.to_move)).whole;
    asked.iter().flatten().copied().find(|&other| whole(other) == whole(reply))
}

/// The same of a reply by its name.
///
/// # Errors
/// It is none, or not a reply that is asked about.
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

/// Goes through a reply to the position on the checker's board, or through the
/// position.
pub(super) fn through<A: Answers>(
    checker: &mut Checker<A>,
    reply: Option<Cell>,
) -> Result<(), Flaw> {
    match reply {
        Some(reply) => checker.answer(reply, false),
        None => checker.attack(false),
    }
}
