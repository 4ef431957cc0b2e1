//! Continuous games, which go on after a five: its stones become walls.

use super::command_error::CommandError;
use goren_core::opening::GameState;
use goren_core::rules::Contest;
use goren_core::rules::referee::Impossible;
use goren_core::types::{Cell, Color, DIRECTIONS, STRIDE, Stone};

/// Returns the game that begins with listed stones. In a continuous game rows of five or more
/// may be among them; they become walls.
///
/// # Errors
/// A stone that cannot be placed; in other games also a position that no game can reach.
pub fn lay(
    contest: Contest,
    stones: &[(Cell, Stone)],
    to_move: Color,
    continuous: bool,
) -> Result<GameState, Impossible> {
    match GameState::from_list(contest, stones, to_move) {
        Err(Impossible::Stone(error)) => Err(error.into()),
        Err(_) if continuous => GameState::from_list(contest, &without_rows(stones), to_move),
        other => other,
    }
}

/// Prepares the game for the next ply: in a continuous game turns the stones of a five into
/// walls.
///
/// # Errors
/// The game is over.
pub fn continue_game(game_state: &mut GameState, continuous: bool) -> Result<(), CommandError> {
    let Some(result) = game_state.result() else { return Ok(()) };
    let &[winner] = &result.colors[..] else { return Err(CommandError::Over) };
    if !continuous {
        return Err(CommandError::Over);
    }
    let (contest, to_move) = (*game_state.contest(), game_state.to_move());
    let stones = with_walls(&game_state.placed(), winner).ok_or(CommandError::Over)?;
    let mut next = lay(contest, &stones, to_move, continuous)?;
    if next.result().is_some_and(|result| !result.is_draw()) {
        next = GameState::from_list(contest, &without_rows(&stones), to_move)?;
    }
    *game_state = next;
    game_state.result().map_or(Ok(()), |_| Err(CommandError::Over))
}

/// Turns the winning rows through the last stone into walls, or the last stone alone if it
/// was a foul. `None` if the last stone did not end the game.
fn with_walls(stones: &[(Cell, Stone)], winner: Color) -> Option<Vec<(Cell, Stone)>> {
    let &(last, Stone::Of(color)) = stones.last()? else { return None };
    let mut dead = vec![last];
    if color == winner {
        dead.extend(rows_through(stones, last, Stone::Of(color)));
    }
    let to_wall = |&(cell, stone): &(Cell, Stone)| {
        (cell, if dead.contains(&cell) { Stone::Wall } else { stone })
    };
    Some(stones.iter().map(to_wall).collect())
}

/// Turns all rows of five or more into walls. Needed because walls can create a win: in Caro
/// a wall does not block the end of a five, and a wall inside a longer row may leave a five.
fn without_rows(stones: &[(Cell, Stone)]) -> Vec<(Cell, Stone)> {
    let to_wall = |&(cell, stone): &(Cell, Stone)| {
        let in_row = !rows_through(stones, cell, stone).is_empty();
        (cell, if in_row { Stone::Wall } else { stone })
    };
    stones.iter().map(to_wall).collect()
}

/// The other stones of the rows of five or more through a stone.
fn rows_through(stones: &[(Cell, Stone)], cell: Cell, stone: Stone) -> Vec<Cell> {
    let row = |dir| -> Vec<Cell> {
        // The board's frame ends every row in wall cells, so no walk wraps around.
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

    #[test]
    fn a_winning_row_and_a_foul_become_walls() {
        let black = Stone::Of(Color::Black);
        let mut stones: Vec<_> = (3..8).map(|x| (Cell::new(x, 4), black)).collect();
        stones.insert(2, (Cell::new(0, 0), Stone::Of(Color::White)));
        let after = with_walls(&stones, Color::Black).unwrap();
        assert_eq!(after.iter().filter(|(_, stone)| *stone == Stone::Wall).count(), 5);
        assert_eq!(after[2].1, Stone::Of(Color::White));
        let after = with_walls(&stones, Color::White).unwrap();
        assert_eq!(after.iter().filter(|(_, stone)| *stone == Stone::Wall).count(), 1);
        stones.push((Cell::new(9, 9), Stone::Wall));
        assert_eq!(with_walls(&stones, Color::Black), None);
    }

    #[test]
    fn rows_of_both_colors_become_walls() {
        let [black, white] = Color::ALL.map(Stone::Of);
        let row = |y: usize, count: usize, stone: Stone| {
            (0..count).map(move |i| (Cell::new(i + 2, y - i), stone))
        };
        let mut stones: Vec<_> = row(9, 5, black).chain(row(8, 6, white)).collect();
        assert!(without_rows(&stones).iter().all(|&(_, stone)| stone == Stone::Wall));
        // Four stones are not a row.
        stones.remove(2);
        let after = without_rows(&stones);
        assert_eq!(after[..4], stones[..4]);
        assert!(after[4..].iter().all(|&(_, stone)| stone == Stone::Wall));
    }
}
