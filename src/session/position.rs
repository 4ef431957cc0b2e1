//! Conversion between the stones of the protocol and stones on the board.
//!
//! It never judges a position: whether stones may stand there is up to the game.

use goren_protocol::{Owner, Placed, Point};

use goren_core::rules::{Outcome, Setup};
use goren_core::types::{Cell, Color, DIRECTIONS, STRIDE, Stone};

/// Which of the two numbers of a coordinate comes first.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Axes {
    /// Column, then row: the Gomocup family, gomocalc too.
    #[default]
    ColumnFirst,
    /// Row, then column: both Yixin-Boards.
    RowFirst,
}

impl Axes {
    /// The cell of a point, if it is on the board.
    pub fn cell(self, at: Point, setup: &Setup) -> Option<Cell> {
        let (x, y) = match self {
            Axes::ColumnFirst => (at.x, at.y),
            Axes::RowFirst => (at.y, at.x),
        };
        let x = usize::try_from(x).ok().filter(|&x| x < setup.width)?;
        let y = usize::try_from(y).ok().filter(|&y| y < setup.height)?;
        Some(Cell::new(x, y))
    }

    /// The point of a cell.
    pub fn point(self, cell: Cell) -> Point {
        let (x, y) = (cell.x() as i32, cell.y() as i32);
        match self {
            Axes::ColumnFirst => Point::new(x, y),
            Axes::RowFirst => Point::new(y, x),
        }
    }
}

/// The cell of the same coordinates in the other order.
pub fn turned(cell: Cell) -> Cell {
    Cell::new(cell.y(), cell.x())
}

/// Stones in the order of a list, and who is to move.
pub type ShownPosition = (Vec<(Cell, Stone)>, Color);

/// Why a list is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadList {
    /// A point beyond the edge.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// An opening of swap2 has 0, 3 or 5 stones.
    #[error("swap2 has no step with {0} stones")]
    Swap2(usize),
    /// A step of an opening needs other stones.
    #[error("this step of the opening does not go with {0} stones")]
    Step(usize),
}

/// The position of a BOARD list, whose receiver is to move.
///
/// # Errors
/// A point beyond the edge.
pub fn from_board(list: &[Placed], axes: Axes, setup: &Setup) -> Result<ShownPosition, BadList> {
    // Analysis tools write a pass as a stone at -1,-1.
    let stones = || list.iter().filter(|placed| !placed.at.is_pass());
    let count = |owner| stones().filter(|placed| placed.owner == owner).count();
    let (own, opponent, walls) = (count(Owner::Own), count(Owner::Opponent), count(Owner::Wall));
    // Not by whose line is first: the order of a list is free but in renju.
    // Of walls the colour is unknown; but stones alternate in games with walls.
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

/// The position of a SWAP2BOARD list: Black and White by turns.
///
/// # Errors
/// A point beyond the edge, or a number of stones that swap2 does not know.
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

/// What a continuous game goes on with after an end: the stones of the
/// winning lines, or the foul stone, have become walls. `None` where the
/// newest stone did not end the game.
pub fn buried(stones: &[(Cell, Stone)], outcome: Outcome) -> Option<Vec<(Cell, Stone)>> {
    let Outcome::Win(winner) = outcome else { return None };
    let &(last, Stone::Of(color)) = stones.last()? else { return None };
    let mut dead = vec![last];
    if color == winner {
        dead.extend(rows_through(stones, last, Stone::Of(color)));
    }
    let bury = |&(cell, stone): &(Cell, Stone)| {
        (cell, if dead.contains(&cell) { Stone::Wall } else { stone })
    };
    Some(stones.iter().map(bury).collect())
}

/// The stones with all in rows of five or more as walls: what a continuous game
/// goes on with where a row that has won nothing would win now. Walls are no
/// opponent at the end of a five in Caro, and may leave five of a longer row.
pub fn without_rows(stones: &[(Cell, Stone)]) -> Vec<(Cell, Stone)> {
    let bury = |&(cell, stone): &(Cell, Stone)| {
        let in_row = !rows_through(stones, cell, stone).is_empty();
        (cell, if in_row { Stone::Wall } else { stone })
    };
    stones.iter().map(bury).collect()
}

/// The other stones of the rows of five or more through one of them.
fn rows_through(stones: &[(Cell, Stone)], cell: Cell, stone: Stone) -> Vec<Cell> {
    let row = |dir| -> Vec<Cell> {
        // Boards leave a margin of walls in the frame, so that no line runs
        // around it.
        let walk = |step: i32| {
            let along = (1..STRIDE as i32).map(move |n| cell.step(dir, n * step));
            along.take_while(|&other| stones.contains(&(other, stone)))
        };
        walk(-1).chain(walk(1)).collect()
    };
    DIRECTIONS.into_iter().map(row).filter(|row| row.len() >= 4).flatten().collect()
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
    fn axes() {
        let at = Point::new(15, 3);
        assert_eq!(Axes::ColumnFirst.cell(at, &SETUP), Some(Cell::new(15, 3)));
        assert_eq!(Axes::RowFirst.cell(at, &SETUP), None);
        assert_eq!(Axes::RowFirst.cell(Point::new(3, 15), &SETUP), Some(Cell::new(15, 3)));
        assert_eq!(Axes::RowFirst.point(Cell::new(15, 3)), Point::new(3, 15));
        for bad in [Point::PASS, Point::new(20, 0), Point::new(0, 10), Point::new(i32::MAX, 0)] {
            assert_eq!(Axes::ColumnFirst.cell(bad, &SETUP), None);
        }
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
    fn a_pass_is_no_stone() {
        let list = [Placed::new(Point::PASS, OWN), Placed::new(Point::new(1, 1), ENEMY)];
        let (stones, to_move) = from_board(&list, Axes::ColumnFirst, &SETUP).unwrap();
        assert_eq!((stones.len(), to_move), (1, Color::White));
    }

    #[test]
    fn a_win_is_buried_and_so_is_a_foul() {
        let black = Stone::Of(Color::Black);
        let mut stones: Vec<_> = (3..8).map(|x| (Cell::new(x, 4), black)).collect();
        stones.insert(2, (Cell::new(0, 0), Stone::Of(Color::White)));
        let after = buried(&stones, Outcome::Win(Color::Black)).unwrap();
        assert_eq!(after.iter().filter(|(_, stone)| *stone == Stone::Wall).count(), 5);
        assert_eq!(after[2].1, Stone::Of(Color::White));
        let after = buried(&stones, Outcome::Win(Color::White)).unwrap();
        assert_eq!(after.iter().filter(|(_, stone)| *stone == Stone::Wall).count(), 1);
        assert_eq!(buried(&stones, Outcome::Draw), None);
    }

    #[test]
    fn rows_of_both_colors_become_walls() {
        let [black, white] = Color::ALL.map(Stone::Of);
        let row = |y: usize, count: usize, stone: Stone| {
            (0..count).map(move |i| (Cell::new(i + 2, y - i), stone))
        };
        let mut stones: Vec<_> = row(9, 5, black).chain(row(8, 6, white)).collect();
        assert!(without_rows(&stones).iter().all(|&(_, stone)| stone == Stone::Wall));
        // Four are no row.
        stones.remove(2);
        let after = without_rows(&stones);
        assert_eq!(after[..4], stones[..4]);
        assert!(after[4..].iter().all(|&(_, stone)| stone == Stone::Wall));
    }
}
