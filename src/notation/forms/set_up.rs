//! Positions without their moves: the stones and the side to move.

use goren_core::opening::GameState;
use goren_core::record::diagram::Diagram;
use goren_core::rules::referee::{Impossible, Next};
use goren_core::rules::{Connect6, Contest, Pairs, Variant};
use goren_core::types::{Cell, Color, Stone};

/// Reason why a drawn board is not a position of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetUpError {
    /// The position depends on the previous turn, not just on the stones.
    #[error("in {0} the previous turn matters: give the moves")]
    TurnBefore(Variant),
    /// The numbers of stones do not determine the side to move.
    #[error("with {black} black and {white} white stones it is not clear who is to move")]
    ToMove {
        /// Black stones.
        black: usize,
        /// White stones.
        white: usize,
    },
    /// No game can reach the position.
    #[error("no moves lead to this position of {0}: {1}")]
    Impossible(Variant, Impossible),
}

/// Begins a game with a drawn board, with no stones captured so far. `stated` is the side to
/// move if the user states it; otherwise the board or the numbers of its stones determine it.
///
/// # Errors
/// The stones do not determine the side to move, or no moves lead to them.
pub fn set_up(
    contest: &Contest,
    board: &Diagram,
    stated: Option<Color>,
) -> Result<GameState, SetUpError> {
    if let Variant::Connect6(Connect6 { pairs: Pairs::Collinear, .. }) = contest.variant {
        return Err(SetUpError::TurnBefore(contest.variant));
    }
    let (to_move, left) = turn(contest, board, stated.or(board.to_move))?;
    let next = Next { to_move, left, last: board.last };
    let stones: Vec<(Cell, Stone)> =
        board.stones.iter().map(|&(cell, color)| (cell, Stone::Of(color))).collect();
    GameState::from_position(*contest, &stones, next)
        .map_err(|error| SetUpError::Impossible(contest.variant, error))
}

/// The side to move, and the number of stones it has to place in this turn.
fn turn(
    contest: &Contest,
    board: &Diagram,
    stated: Option<Color>,
) -> Result<(Color, usize), SetUpError> {
    let count = |of| board.stones.iter().filter(|&&(_, color)| color == of).count();
    let (black, white) = (count(Color::Black), count(Color::White));
    let pairs = contest.variant.turn() == 2;
    // The colour of the nth stone of a game, from 0.
    let nth = |n: usize| if pairs { n.div_ceil(2) % 2 } else { n % 2 };
    let stones = black + white;
    let regular = (0..stones).filter(|&n| nth(n) == 0).count() == black;
    let due = Color::ALL[nth(stones)];
    let left = if pairs && stones % 2 == 1 { 2 } else { 1 };
    match stated {
        None if regular => Ok((due, left)),
        Some(color) if regular && color == due => Ok((color, left)),
        Some(color) => Ok((color, if pairs && stones > 0 { 2 } else { 1 })),
        None => Err(SetUpError::ToMove { black, white }),
    }
}
