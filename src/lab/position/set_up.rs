//! Positions without their moves: an order in which the stones could have been
//! placed, and who is to move.

use anyhow::{Result, bail};

use super::{Ending, Position};
use crate::opening::Event;
use crate::record::diagram::Diagram;
use crate::rules::referee::{End, PlyEnd, Truth, truth};
use crate::rules::{Connect6, Contest, Pairs, Variant};
use crate::search::Scene;
use crate::types::{Cell, Color, Stone};

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
    let Arranged { order, truth, end } = arrange(contest, board)?;
    let events = order.iter().map(|&(cell, color)| Event::Stone(cell, color)).collect();
    let ending = end.map(|End { winners, reason, .. }| {
        let winner = if winners.len() == 1 { winners.first().copied() } else { None };
        Ending { winner, reason }
    });
    let mut position = Position {
        contest: *contest,
        scene: Scene { events, to_move, stones: left, placed: 0 },
        stones: Vec::new(),
        last: board.last.into_iter().collect(),
        history: None,
        ending,
        truth,
    };
    position.stones = position.standing();
    Ok(position)
}

/// Who is to move and how many stones he has to place in this turn.
fn turn(contest: &Contest, board: &Diagram, said: Option<Color>) -> Result<(Color, usize)> {
    let count = |of| board.stones.iter().filter(|&&(_, color)| color == of).count();
    let (black, white) = (count(Color::Black), count(Color::White));
    let pairs = matches!(contest.variant, Variant::Connect6(_));
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

/// Stones in an order in which they could have been placed.
struct Arranged {
    order: Vec<(Cell, Color)>,
    truth: Box<dyn Truth>,
    end: Option<End>,
}

/// Why an order of stones does not do.
enum Fault {
    /// A stone cannot be placed as the how manyth, or ends the game too soon.
    At(usize),
    /// A stone is taken by a later one.
    Taken { stone: usize, by: usize },
}

/// Looks for an order in which the stones of a board can be placed so that all
/// of them stay and the game goes on to the last: what fails comes later, what
/// is taken comes after what takes it.
fn arrange(contest: &Contest, board: &Diagram) -> Result<Arranged> {
    let mut order = board.stones.clone();
    // From the bottom, as pieces fall; White first, who commits no fouls.
    order.sort_by_key(|&(cell, color)| {
        let falls = matches!(contest.variant, Variant::FourInARow(_));
        let newest = board.last == Some(cell);
        (newest, if falls { 32 - cell.y() } else { 1 - color.index() }, cell)
    });
    for _ in 0..2 * order.len() + 8 {
        match try_out(contest, &order) {
            Ok((truth, end)) => return Ok(Arranged { order, truth, end }),
            Err(Fault::At(stone)) => order[stone..].rotate_left(1),
            Err(Fault::Taken { stone, by }) => order[stone..=by].rotate_left(1),
        }
    }
    bail!("no moves lead to this position of {}", contest.variant)
}

type Tried = (Box<dyn Truth>, Option<End>);

fn try_out(contest: &Contest, order: &[(Cell, Color)]) -> Result<Tried, Fault> {
    let mut board = truth(contest);
    let mut end = None;
    for (at, &(cell, color)) in order.iter().enumerate() {
        if end.is_some() {
            return Err(Fault::At(at - 1));
        }
        board.place(color, cell).map_err(|_| Fault::At(at))?;
        let stands = |&(cell, color): &(Cell, Color)| board.stone(cell) == Some(Stone::Of(color));
        match order[..=at].iter().position(|stone| !stands(stone)) {
            Some(stone) if stone == at => return Err(Fault::At(at)),
            Some(stone) => return Err(Fault::Taken { stone, by: at }),
            None => {}
        }
        end = board.end_ply(PlyEnd { mover: color, to_move: !color, seat: (at + 1) % 2 });
    }
    Ok((board, end))
}
