//! Positions without their moves: the stones as they stand, and who is to move.

use anyhow::{Context, Result, bail};

use super::state::Position;
use goren_core::opening::GameState;
use goren_core::record::diagram::Diagram;
use goren_core::rules::referee::Next;
use goren_core::rules::{Connect6, Contest, Pairs, Variant};
use goren_core::types::{Cell, Color, Stone};

/// The position of a board that was drawn. Where stones are captured, none has
/// been so far.
///
/// # Errors
/// The stones do not say who is to move, or no moves lead to them.
pub(super) fn position(
    contest: &Contest,
    board: &Diagram,
    to_move: Option<Color>,
) -> Result<Position> {
    if let Variant::Connect6(Connect6 { pairs: Pairs::Collinear, .. }) = contest.variant {
        bail!("in {} the turn before counts: give the moves", contest.variant);
    }
    let (to_move, left) = turn(contest, board, to_move.or(board.to_move))?;
    let next = Next { to_move, left, last: board.last };
    let stones: Vec<(Cell, Stone)> =
        board.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect();
    let why = || format!("no moves lead to this position of {}", contest.variant);
    let game_state = GameState::from_position(*contest, &stones, next).with_context(why)?;
    Ok(Position {
        contest: *contest,
        last: board.last.into_iter().collect(),
        history: None,
        ..Position::of(&game_state, &[], left)
    })
}

/// The side to move and how many stones it has to place in this turn.
fn turn(contest: &Contest, board: &Diagram, said: Option<Color>) -> Result<(Color, usize)> {
    let count = |of| board.stones.iter().filter(|&&(_, color)| color == of).count();
    let (black, white) = (count(Color::Black), count(Color::White));
    let pairs = contest.variant.turn() == 2;
    // The colour of the nth stone of a game, from 0.
    let nth = |n: usize| if pairs { n.div_ceil(2) % 2 } else { n % 2 };
    let stones = black + white;
    let regular = (0..stones).filter(|&n| nth(n) == 0).count() == black;
    let due = Color::ALL[nth(stones)];
    let left = if pairs && stones % 2 == 1 { 2 } else { 1 };
    match said {
        None if regular => Ok((due, left)),
        Some(color) if regular && color == due => Ok((color, left)),
        Some(color) => Ok((color, if pairs && stones > 0 { 2 } else { 1 })),
        None => bail!(
            "with {black} black and {white} white stones it is not clear who is to move: say it \
             by --to-move"
        ),
    }
}
