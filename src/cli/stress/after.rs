//! Games that continue after a win: the winning stones become walls, and any empty cell
//! may be played.

use goren_protocol::{Command, Owner, Placed, Point};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::fault::{EngineFault, FaultKind};
use super::game::StressGame;
use super::moves;
use crate::engine::point;
use goren_core::rules::Contest;
use goren_core::types::Cell;

/// Number of moves requested after the win.
const MOVES_AFTER_WIN: usize = 3;

impl StressGame<'_> {
    /// Requests some more moves if the game was won.
    pub(super) fn continue_after_win(&mut self) -> Result<(), EngineFault> {
        if self.game_state.result().is_none_or(|result| result.colors.len() != 1) {
            return Ok(());
        }
        let contest = *self.game_state.contest();
        let mut stones = moves::stones(&self.game_state);
        let all =
            (0..contest.height).flat_map(|y| (0..contest.width).map(move |x| Cell::new(x, y)));
        let mut empty: Vec<Cell> = all.filter(|cell| !stones.contains(cell)).collect();
        empty.shuffle(self.rng);
        let walls = final_stones(&stones, &contest);
        if stones.len() % 2 != self.seat.index() {
            stones.extend(empty.pop());
        }
        // If the engine knows all but the newest stone, it knows how the game ended.
        let knows_end =
            self.known_plies.as_ref().is_some_and(|plies| plies.len() + 1 == stones.len());
        let mut send_board = !knows_end || self.rng.random_bool(0.5);
        for _ in 0..MOVES_AFTER_WIN {
            let Some(&last) = stones.last().filter(|_| !empty.is_empty()) else { break };
            let question = if std::mem::take(&mut send_board) {
                Command::Board(board(&stones, &walls))
            } else {
                Command::Turn(point(last))
            };
            let reply = self.request(&question.to_wire())?;
            let free = |at: Point| empty.iter().position(|&cell| point(cell) == at);
            let at = reply.ply().and_then(|ply| ply.only()).and_then(free);
            let illegal = || {
                let words = format!("after a win: '{reply}' is no free point");
                EngineFault::new(FaultKind::Illegal, words)
            };
            let cell = empty.swap_remove(at.ok_or_else(illegal)?);
            stones.push(cell);
            stones.extend(empty.pop());
            self.tally.after_wins += 1;
        }
        Ok(())
    }
}

/// Returns the list of `BOARD` for stones placed alternately, the last one by the opponent.
fn board(stones: &[Cell], walls: &[Cell]) -> Vec<Placed> {
    let owner = |i: usize| {
        if walls.contains(&stones[i]) {
            Owner::Wall
        } else if (stones.len() - i).is_multiple_of(2) {
            Owner::Own
        } else {
            Owner::Opponent
        }
    };
    (0..stones.len()).map(|i| Placed::new(point(stones[i]), owner(i))).collect()
}

/// Returns the stones that ended a game of stones placed alternately: the rows of five or
/// more through the last stone, or the last stone alone, which is a foul. Found
/// independently of the engine's code for walls, as a manager would.
fn final_stones(stones: &[Cell], contest: &Contest) -> Vec<Cell> {
    let Some(&last) = stones.last() else { return Vec::new() };
    let color = (stones.len() - 1) % 2;
    let own = |x: isize, y: isize| -> Option<Cell> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let cell = (x < contest.width && y < contest.height).then(|| Cell::new(x, y))?;
        stones.iter().position(|&other| other == cell).filter(|i| i % 2 == color).map(|_| cell)
    };
    let walk = |dx: isize, dy: isize| {
        let at = move |n: isize| (last.x() as isize + n * dx, last.y() as isize + n * dy);
        (1..).map(at).map_while(move |(x, y)| own(x, y))
    };
    let mut walls = vec![last];
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let row: Vec<Cell> = walk(dx, dy).chain(walk(-dx, -dy)).collect();
        if row.len() >= 4 {
            walls.extend(row);
        }
    }
    walls
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Variant};

    #[test]
    fn rows_and_fouls_become_walls() {
        let contest = Contest::new(Variant::Five(RuleId::Freestyle));
        let cell = |(x, y): (usize, usize)| Cell::new(x, y);
        // Black: a row of six completed by the last stone, and a row of four.
        let black = [(0, 0), (1, 0), (2, 0), (4, 0), (5, 0), (3, 1), (3, 2), (3, 3), (3, 0)];
        let white = [(0, 1), (1, 1), (2, 1), (4, 1), (6, 0), (9, 9), (8, 8), (7, 7)];
        let mut stones = Vec::new();
        for (i, &at) in black.iter().enumerate() {
            stones.push(cell(at));
            stones.extend(white.get(i).map(|&at| cell(at)));
        }
        let mut walls = final_stones(&stones, &contest);
        walls.sort_by_key(|wall| (wall.y(), wall.x()));
        assert_eq!(walls, (0..6).map(|x| Cell::new(x, 0)).collect::<Vec<_>>());
        let list = board(&stones, &walls);
        assert_eq!(list.len(), stones.len());
        let owner = |at| list.iter().find(|placed| placed.at == point(cell(at)));
        let owner = |at| owner(at).map(|placed| placed.owner);
        assert_eq!(owner((3, 0)), Some(Owner::Wall));
        assert_eq!(owner((3, 3)), Some(Owner::Opponent));
        assert_eq!(owner((6, 0)), Some(Owner::Own));
        // Without a row of five only the last stone, a foul.
        stones.truncate(15);
        assert_eq!(final_stones(&stones, &contest), [cell((3, 3))]);
    }
}
