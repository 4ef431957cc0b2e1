//! Positions given by lists of the protocol. This module does not judge them; the game
//! decides whether the stones are possible.

use goren_protocol::{Owner, Placed, Point};

use super::axes::Axes;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Stone};

/// Stones in the order of a list, and the side to move.
pub type ShownPosition = (Vec<(Cell, Stone)>, Color);

/// Why a list is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadList {
    /// A point off the board.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// A number of stones other than the 0, 3 and 5 of the steps of swap2.
    #[error("swap2 has no step with {0} stones")]
    Swap2(usize),
    /// A number of stones that the step of the opening does not have.
    #[error("this step of the opening does not take {0} stones")]
    Step(usize),
}

/// Reads the position of a BOARD list, in which the engine is to move.
///
/// # Errors
/// A point off the board.
pub fn from_board(list: &[Placed], axes: Axes, setup: &Setup) -> Result<ShownPosition, BadList> {
    // Analysis tools write a pass as a stone at -1,-1.
    let stones = || list.iter().filter(|placed| !placed.at.is_pass());
    // A pass counts as a turn, except before the first stone.
    let turns = || list.iter().skip_while(|placed| placed.at.is_pass());
    let count = |owner| turns().filter(|placed| placed.owner == owner).count();
    let (own, opponent, walls) = (count(Owner::Own), count(Owner::Opponent), count(Owner::Wall));
    // The order of the list does not determine the colours, except in renju. The colour of a
    // wall is unknown, but in games with walls the stones alternate.
    let me = match walls {
        0 if own >= opponent => Color::Black,
        0 => Color::White,
        _ if (own + opponent + walls).is_multiple_of(2) => Color::Black,
        _ => Color::White,
    };
    let read = |placed: &Placed| {
        let stone = match placed.owner {
            Owner::Own => Stone::Of(me),
            Owner::Opponent => Stone::Of(!me),
            Owner::Wall => Stone::Wall,
        };
        let cell = axes.cell(placed.at, setup).ok_or(BadList::Outside(placed.at))?;
        Ok((cell, stone))
    };
    Ok((stones().map(read).collect::<Result<_, _>>()?, me))
}

/// Reads the position of a SWAP2BOARD list: Black and White alternate.
///
/// # Errors
/// A point off the board, or a number of stones that swap2 does not have.
pub fn from_swap2(list: &[Point], axes: Axes, setup: &Setup) -> Result<ShownPosition, BadList> {
    if !matches!(list.len(), 0 | 3 | 5) {
        return Err(BadList::Swap2(list.len()));
    }
    let mut to_move = Color::Black;
    let mut stones = Vec::with_capacity(list.len());
    for &at in list {
        stones.push((axes.cell(at, setup).ok_or(BadList::Outside(at))?, Stone::Of(to_move)));
        to_move = !to_move;
    }
    Ok((stones, to_move))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;

    const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 20, height: 10 };
    const OWN: Owner = Owner::Own;
    const ENEMY: Owner = Owner::Opponent;

    fn colors(owners: &[Owner]) -> (Vec<Stone>, Color) {
        let list: Vec<Placed> = owners
            .iter()
            .enumerate()
            .map(|(i, &owner)| Placed::new(Point::new(i as i32, 3), owner))
            .collect();
        let (stones, to_move) = from_board(&list, Axes::ColumnFirst, &SETUP).unwrap();
        (stones.into_iter().map(|(_, stone)| stone).collect(), to_move)
    }

    #[test]
    fn colours_come_from_counts() {
        let (black, white) = (Stone::Of(Color::Black), Stone::Of(Color::White));
        assert_eq!(colors(&[]), (vec![], Color::Black));
        assert_eq!(colors(&[ENEMY]), (vec![black], Color::White));
        assert_eq!(colors(&[OWN, ENEMY]), (vec![black, white], Color::Black));
        assert_eq!(colors(&[ENEMY, OWN]), (vec![white, black], Color::Black));
        assert_eq!(colors(&[ENEMY, OWN, ENEMY]), (vec![black, white, black], Color::White));
        assert_eq!(colors(&[OWN, OWN]), (vec![black, black], Color::Black));
        assert_eq!(colors(&[ENEMY, ENEMY]), (vec![black, black], Color::White));
        let wall = Owner::Wall;
        assert_eq!(colors(&[wall, OWN, OWN, ENEMY]).1, Color::Black);
        assert_eq!(colors(&[wall, OWN, ENEMY]).1, Color::White);
    }

    #[test]
    fn a_pass_is_not_a_stone() {
        let list = [Placed::new(Point::PASS, OWN), Placed::new(Point::new(1, 1), ENEMY)];
        let (stones, to_move) = from_board(&list, Axes::ColumnFirst, &SETUP).unwrap();
        assert_eq!((stones.len(), to_move), (1, Color::White));
    }

    /// The colours were exchanged for a side that had passed.
    #[test]
    fn a_pass_after_the_first_stone_counts_as_a_turn() {
        let list = [(1, OWN), (2, ENEMY), (-1, OWN), (3, ENEMY)].map(|(x, owner)| {
            Placed::new(if x < 0 { Point::PASS } else { Point::new(x, 3) }, owner)
        });
        let (stones, to_move) = from_board(&list, Axes::ColumnFirst, &SETUP).unwrap();
        assert_eq!(
            (stones.len(), stones[0].1, to_move),
            (3, Stone::Of(Color::Black), Color::Black)
        );
    }
}
