//! Positions of five in a row of unknown move order.

use std::collections::VecDeque;

use super::referee::{FiveReferee, run_wins, winning_runs};
use crate::rules::Outcome;
use crate::rules::referee::fouls;
use crate::rules::referee::grid::{Grid, Point};
use crate::rules::referee::{FinalRow, Impossible, Next, check_makers, without};
use crate::types::{Cell, Color, Stone};

/// Number of stones in a row that makes an overline.
const OVERLINE: usize = 6;

impl FiveReferee {
    /// Judges stones that were set up in unknown order: returns the outcome, if the game is
    /// over. Reorders them so that, apart from fouls, the game was not over before the last
    /// stone.
    ///
    /// # Errors
    /// The reason why no game leads to the position; nothing changes.
    pub fn settle(&mut self, next: Next) -> Result<Option<Outcome>, Impossible> {
        let mover = !next.to_move;
        let own = |cell: &Cell| self.stone(*cell) == Some(Stone::Of(mover));
        let rows = self.rows(&self.grid);
        check_makers(&rows, mover)?;
        let could_be_last =
            |cell: &Cell| self.rows(&without(&self.grid, (*cell).into())).is_empty();
        let newest = match next.last.filter(own) {
            Some(cell) if could_be_last(&cell) => Some(cell),
            Some(_) => return Err(Impossible::NotLast),
            None if rows.is_empty() => None,
            None => {
                let stones = self.placed.iter().rev().map(|&(cell, _)| cell);
                let mut enders = stones.filter(own).filter(could_be_last);
                Some(enders.next().ok_or(Impossible::Several)?)
            }
        };
        self.decided = newest.and_then(|cell| self.decided_by(cell, mover));
        self.put_in_order(newest);
        Ok(self.outcome())
    }

    /// The winner, if any, if this stone on the board is the newest.
    fn decided_by(&self, cell: Cell, mover: Color) -> Option<Color> {
        let p = Point::from(cell);
        if !winning_runs(self.setup.rule, &self.grid, p).is_empty() {
            return Some(mover);
        }
        let rule = self.foul_rule(mover)?;
        let foul = fouls::fouls(&without(&self.grid, p), p, rule).any();
        foul.then_some(!mover)
    }

    /// The rows on a board that end the game: winning ones, and overlines where
    /// they are fouls.
    fn rows(&self, grid: &Grid) -> Vec<FinalRow> {
        let card = self.setup.rule.card();
        let mut rows = Vec::new();
        for maker in Color::ALL {
            for run in grid.runs(maker, 5) {
                let wins = run_wins(self.setup.rule, grid, maker, &run);
                let foul = card.fouls[maker.index()].overline && run.len() >= OVERLINE;
                rows.extend(
                    (wins || foul).then(|| FinalRow { maker, stones: run.stones.to_vec() }),
                );
            }
        }
        rows
    }

    /// Orders the stones so that, apart from fouls, the game was not over before the newest: a
    /// stone that completes a row waits for the others.
    fn put_in_order(&mut self, newest: Option<Cell>) {
        let mut grid = Grid::new(self.setup.width, self.setup.height);
        let (last, mut waiting): (VecDeque<_>, VecDeque<_>) =
            self.placed.drain(..).partition(|&(cell, _)| Some(cell) == newest);
        let mut postponed = 0;
        while let Some((cell, stone)) = waiting.pop_front() {
            let p = Point::from(cell);
            grid.set(p, Some(stone));
            let ends = !winning_runs(self.setup.rule, &grid, p).is_empty();
            // If there is no such order, any order will do.
            if ends && postponed < waiting.len() {
                grid.set(p, None);
                waiting.push_back((cell, stone));
                postponed += 1;
            } else {
                self.placed.push((cell, stone));
                postponed = 0;
            }
        }
        self.placed.extend(last);
    }
}
