//! The position of a winning tree, the replies to it that are checked one by one, and their
//! order.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};

use goren_core::opening::GameState;
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, Stone};
use goren_proof::{Answers, Checker, Claim, Flaw, Measure, ProofBoard};

/// Sets up the position of a claim on a board.
///
/// # Errors
/// Its stones cannot be placed, or the game is over.
pub fn board(claim: &Claim) -> Result<ProofBoard> {
    let mut board = ProofBoard::new(claim.setup);
    for &(cell, color) in &claim.root.stones {
        board.place(cell, color).context("the position makes no sense")?;
    }
    ensure!(goes_on(claim), "the game is over in the position");
    Ok(board)
}

/// Whether the game goes on in the position of a claim. The stones of a board diagram have no
/// order: if a stone would end the game in the order of the list, the position decides.
fn goes_on(claim: &Claim) -> bool {
    let Claim { setup, root, .. } = claim;
    let mut referee = FiveReferee::new(*setup);
    let goes_on = |&(cell, color)| matches!(referee.place(color, cell), Ok(None));
    if root.stones.iter().all(goes_on) {
        return true;
    }
    let contest = Contest::new(Variant::Five(setup.rule)).on(setup.width, setup.height);
    let contest = contest.and_then(|contest| contest.opened(OpeningId::Free));
    let stones: Vec<(Cell, Stone)> =
        root.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect();
    contest.is_ok_and(|contest| {
        let game_state = GameState::from_list(contest, &stones, root.to_move);
        game_state.is_ok_and(|game_state| game_state.result().is_none())
    })
}

/// Distance of a reply from the last stone in columns and in rows, the larger first; (0, 0) if
/// there is no stone.
fn distances(claim: &Claim, reply: Cell) -> (usize, usize) {
    let distance =
        |&(last, _): &(Cell, Color)| (last.x().abs_diff(reply.x()), last.y().abs_diff(reply.y()));
    let (x, y) = claim.root.stones.last().map_or((0, 0), distance);
    (x.max(y), x.min(y))
}

/// The class of a reply by its distance from the last stone, as text: `21` if it is two
/// columns and one row away, or the reverse; `10-1` from ten on.
pub fn distance_class(claim: &Claim, reply: Cell) -> String {
    let (long, short) = distances(claim, reply);
    if long < 10 { format!("{long}{short}") } else { format!("{long}-{short}") }
}

/// The replies to a position up to symmetry, the nearest to the last stone first.
pub fn replies(claim: &Claim, board: &ProofBoard, among: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut seen = HashSet::new();
    let new = |cell: &Cell| {
        let keys = board.toggled(board.keys(), *cell, claim.root.to_move);
        seen.insert(board.canonical(&keys).whole)
    };
    let mut replies: Vec<Cell> = among.filter(new).collect();
    replies.sort_by_key(|&cell| (distances(claim, cell), cell));
    replies
}

/// The replies to check one by one: all replies if the defender is to move, `None` alone if the
/// attacker is.
pub fn replies_to_check(claim: &Claim, board: &ProofBoard) -> Vec<Option<Cell>> {
    if claim.root.to_move == claim.attacker {
        vec![None]
    } else {
        replies(claim, board, board.empty().iter()).into_iter().map(Some).collect()
    }
}

/// Whether one of the replies to check (`asked`) is not a foul: a side without a move, or with
/// fouls only, has not lost.
pub fn can_move(claim: &Claim, board: &ProofBoard, asked: &[Option<Cell>]) -> bool {
    let foul = |reply: Cell| board.fouls(claim.root.to_move, reply).0.any();
    asked.iter().any(|&reply| reply.is_none_or(|reply| !foul(reply)))
}

/// The reply among `asked` that is equivalent to this one by a symmetry of the position, if any.
pub fn equivalent_reply(
    claim: &Claim,
    board: &ProofBoard,
    asked: &[Option<Cell>],
    reply: Cell,
) -> Option<Cell> {
    let whole =
        |cell: Cell| board.canonical(&board.toggled(board.keys(), cell, claim.root.to_move)).whole;
    asked.iter().flatten().copied().find(|&other| whole(other) == whole(reply))
}

/// Checks one reply to the root, on the board of the checker, or the root itself for `None`.
pub fn check_reply<A: Answers, M: Measure>(
    checker: &mut Checker<A, M>,
    reply: Option<Cell>,
) -> Result<(), Flaw> {
    match reply {
        Some(reply) => checker.answer(reply, false),
        None => checker.attack(false),
    }
}
