//! Games that go on after a win: its stones become walls, and any empty cell may
//! be played.

use goren_protocol::{Command, Owner, Placed, Point};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::fault::{EngineFault, FaultKind};
use super::game::StressGame;
use super::moves;
use crate::engine::point;
use goren_core::rules::Contest;
use goren_core::types::Cell;

/// Moves asked for after the win.
const MORE: usize = 3;

impl StressGame<'_> {
    /// Asks for some moves more, if the game was won by somebody.
    pub(super) fn go_on(&mut self) -> Result<(), EngineFault> {
        if self.game_state.result().is_none_or(|result| result.colors.len() != 1) {
            return Ok(());
        }
        let contest = *self.game_state.contest();
        let mut stones = moves::stones(&self.game_state);
        let all =
            (0..contest.height).flat_map(|y| (0..contest.width).map(move |x| Cell::new(x, y)));
        let mut empty: Vec<Cell> = all.filter(|cell| !stones.contains(cell)).collect();
        empty.shuffle(self.rng);
        let walls = ended(&stones, &contest);
        if stones.len() % 2 != self.seat.index() {
            stones.extend(empty.pop());
        }
        // The engine knows how it ended where it knows all but the newest stone.
        let knows = self.known.as_ref().is_some_and(|known| known.len() + 1 == stones.len());
        let mut reported = !knows || self.rng.random_bool(0.5);
        for _ in 0..MORE {
            let Some(&last) = stones.last().filter(|_| !empty.is_empty()) else { break };
            let question = if std::mem::take(&mut reported) {
                Command::Board(board(&stones, &walls))
            } else {
                Command::Turn(point(last))
            };
            let reply = self.put(&question.to_wire())?;
            let free = |at: Point| empty.iter().position(|&cell| point(cell) == at);
            let at = reply.ply().and_then(|ply| ply.only()).and_then(free);
            let illegal =
                || EngineFault::new(FaultKind::Illegal, format!("'{reply}' after the win"));
            let cell = empty.swap_remove(at.ok_or_else(illegal)?);
            stones.push(cell);
            stones.extend(empty.pop());
            self.tally.after_wins += 1;
        }
        Ok(())
    }
}

/// The list of `BOARD`: stones placed alternately, the last by the opponent.
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

/// The stones that ended a game, stones placed alternately: the rows of five and
/// more with the last, or the last alone, a foul. Found apart from the engine's
/// own way to bury them, as a manager would.
fn ended(stones: &[Cell], contest: &Contest) -> Vec<Cell> {
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
        // Black: a row of six that the last stone closes, and a row of four.
        let black = [(0, 0), (1, 0), (2, 0), (4, 0), (5, 0), (3, 1), (3, 2), (3, 3), (3, 0)];
        let white = [(0, 1), (1, 1), (2, 1), (4, 1), (6, 0), (9, 9), (8, 8), (7, 7)];
        let mut stones = Vec::new();
        for (i, &at) in black.iter().enumerate() {
            stones.push(cell(at));
            stones.extend(white.get(i).map(|&at| cell(at)));
        }
        let mut walls = ended(&stones, &contest);
        walls.sort_by_key(|wall| (wall.y(), wall.x()));
        assert_eq!(walls, (0..6).map(|x| Cell::new(x, 0)).collect::<Vec<_>>());
        let list = board(&stones, &walls);
        assert_eq!(list.len(), stones.len());
        let owner = |at| list.iter().find(|placed| placed.at == point(cell(at)));
        let owner = |at| owner(at).map(|placed| placed.owner);
        assert_eq!(owner((3, 0)), Some(Owner::Wall));
        assert_eq!(owner((3, 3)), Some(Owner::Opponent));
        assert_eq!(owner((6, 0)), Some(Owner::Own));
        // Without a row of five the last stone alone: a foul.
        stones.truncate(15);
        assert_eq!(ended(&stones, &contest), [cell((3, 3))]);
    }
}
