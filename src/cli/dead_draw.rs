//! Detection of games that are drawn before the board is full.

use goren_core::opening::GameState;
use goren_core::types::{Cell, Color, DIRECTIONS};

/// Whether neither colour can still make a five in a game of five in a row, as any
/// five cells in a row hold stones of both: the game is drawn whatever is played.
pub(super) fn nobody_can_win(game_state: &GameState) -> bool {
    let (width, height) = (game_state.contest().width, game_state.contest().height);
    if game_state.events().len() * 2 < width * height {
        return false;
    }
    drawn((width, height), &game_state.stones())
}

/// The same for stones on a board of `width` columns and `height` rows.
fn drawn((width, height): (usize, usize), stones: &[(Cell, Color)]) -> bool {
    let mut board = vec![None; width * height];
    for &(cell, color) in stones {
        board[cell.y() * width + cell.x()] = Some(color);
    }
    // Signed columns and rows, as a line may leave the board.
    let stone_at = |x: i64, y: i64| {
        let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        inside.then(|| board[y as usize * width + x as usize])
    };
    let can_win = |color: Color, x: usize, y: usize| {
        DIRECTIONS.iter().any(|direction| {
            let delta = i64::from(direction.delta());
            // Differences of cell numbers: a row has 32 cells.
            let (dx, dy) = match delta {
                1 => (1, 0),
                32 => (0, 1),
                33 => (1, 1),
                _ => (1, -1),
            };
            (0..5).all(|step| {
                let at = stone_at(x as i64 + dx * step, y as i64 + dy * step);
                matches!(at, Some(stone) if stone.is_none_or(|other| other == color))
            })
        })
    };
    let cells = || (0..width * height).map(|i| (i % width, i / width));
    !cells().any(|(x, y)| Color::ALL.iter().any(|&color| can_win(color, x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::referee::FiveReferee;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Stone;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn a_game_is_drawn_early_only_when_no_five_is_left() {
        let setup = Setup::new(RuleId::Freestyle, 7, 6).unwrap();
        // A full board without a five.
        let full = |c: Cell| Color::ALL[(c.x() / 2 + c.y()) % 2];
        let mut rng = SmallRng::seed_from_u64(5);
        let mut seen = [0; 2];
        for _ in 0..300 {
            let gaps = rng.random_range(0..14);
            let mut cells: Vec<Cell> = (0..42).map(|i| Cell::new(i % 7, i / 7)).collect();
            for _ in 0..gaps {
                cells.swap_remove(rng.random_range(0..cells.len()));
            }
            let stones: Vec<_> = cells.iter().map(|&c| (c, full(c))).collect();
            // A colour can win if its stones in all the gaps make a five.
            let all: Vec<Cell> = (0..42).map(|i| Cell::new(i % 7, i / 7)).collect();
            let missing: Vec<Cell> = all.into_iter().filter(|c| !cells.contains(c)).collect();
            let wins_all = |color: Color| {
                missing.iter().any(|&last| {
                    let mut referee = FiveReferee::new(setup);
                    let rest = missing.iter().filter(|&&c| c != last);
                    for (cell, stone) in stones.iter().copied().chain(rest.map(|&c| (c, color))) {
                        referee.set_up(cell, Stone::Of(stone)).unwrap();
                    }
                    referee.wins(color, last)
                })
            };
            let dead = !Color::ALL.into_iter().any(wins_all);
            assert_eq!(drawn((7, 6), &stones), dead);
            seen[usize::from(dead)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
    }
}
