//! The referee of five in a row: stones and walls, wins, fouls.

use std::cell::RefCell;

use super::explain::{Explanation, explain};
use super::id::RuleId;
use crate::rules::referee::IllegalMove;
use crate::rules::referee::fouls::{self, FoulRule};
use crate::rules::referee::grid::{AXES, Content, Grid, Point, PointBoard, Run, Watched};
use crate::rules::{Fouls, Outcome, Setup};
use crate::types::{Cell, CellSet, Color, Stone};

/// A game as the referee sees it.
#[derive(Clone, Debug)]
pub struct FiveReferee {
    pub(super) setup: Setup,
    pub(super) grid: Grid,
    pub(super) placed: Vec<(Cell, Stone)>,
    pub(super) decided: Option<Color>,
}

impl FiveReferee {
    /// An empty board.
    pub fn new(setup: Setup) -> FiveReferee {
        FiveReferee {
            setup,
            grid: Grid::new(setup.width, setup.height),
            placed: Vec::new(),
            decided: None,
        }
    }

    /// The variant and the size.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// What stands on a point; `None` if it is empty or not on the board.
    pub fn stone(&self, cell: Cell) -> Option<Stone> {
        match self.grid.at(cell.into()) {
            Content::Filled(stone) => Some(stone),
            Content::Empty | Content::Outside => None,
        }
    }

    /// Whether a point is on the board and empty.
    pub fn is_empty(&self, cell: Cell) -> bool {
        self.grid.at(cell.into()) == Content::Empty
    }

    /// All that was placed, in order.
    pub fn stones(&self) -> &[(Cell, Stone)] {
        &self.placed
    }

    /// Places a stone as a move and judges it: first a winning line, then fouls, which
    /// lose, then the full board.
    ///
    /// # Errors
    /// The point is outside or occupied, or the game is over; nothing changes.
    pub fn place(&mut self, color: Color, cell: Cell) -> Result<Option<Outcome>, IllegalMove> {
        let foul = self.fouls(color, cell).any();
        self.set_up(cell, Stone::Of(color))?;
        if !self.winning_lines().is_empty() {
            self.decided = Some(color);
        } else if foul {
            self.decided = Some(!color);
        }
        Ok(self.outcome())
    }

    /// Puts a stone or a wall on the board without judging it, as when a
    /// position is set up.
    ///
    /// # Errors
    /// The point is outside or occupied, or the game is over; nothing changes.
    pub fn set_up(&mut self, cell: Cell, stone: Stone) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver);
        }
        match self.grid.at(cell.into()) {
            Content::Outside => Err(IllegalMove::Outside),
            Content::Filled(_) => Err(IllegalMove::Occupied),
            Content::Empty => {
                self.grid.set(cell.into(), Some(stone));
                self.placed.push((cell, stone));
                Ok(())
            }
        }
    }

    /// Takes back what was placed last, and the end of the game with it.
    pub fn take_back(&mut self) -> Option<(Cell, Stone)> {
        let (cell, stone) = self.placed.pop()?;
        self.grid.set(cell.into(), None);
        self.decided = None;
        Some((cell, stone))
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.decided {
            Some(color) => Some(Outcome::Win(color)),
            None if self.grid.is_full() => {
                let winner = self.setup.rule.card().full_board;
                Some(winner.map_or(Outcome::Draw, Outcome::Win))
            }
            None => None,
        }
    }

    /// Whether a stone of a colour on this point would make a winning line.
    /// Never so if the point is not empty.
    pub fn wins(&self, color: Color, cell: Cell) -> bool {
        self.is_empty(cell)
            && !winning_runs(self.setup.rule, &self.grid.with(cell.into(), color), cell.into())
                .is_empty()
    }

    /// What is a foul of a colour; `None` if nothing is.
    pub(super) fn foul_rule(&self, color: Color) -> Option<FoulRule> {
        let card = self.setup.rule.card();
        let kinds = card.fouls[color.index()];
        let (excuse, wins) = (card.excuse, card.wins);
        kinds.any().then_some(FoulRule { color, kinds, excuse, wins })
    }

    /// All kinds of foul a stone of a colour on this point would be. None where the
    /// colour has no fouls, on a point that is not empty, or if it makes five.
    pub fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        match self.foul_rule(color) {
            Some(rule) if self.is_empty(cell) => fouls::fouls(&self.grid, cell.into(), rule),
            _ => Fouls::default(),
        }
    }

    /// The same as [`FiveReferee::fouls`], and the empty points that were looked at on
    /// the way, this one included: what is placed elsewhere does not change the
    /// verdict.
    pub fn fouls_seen(&self, color: Color, cell: Cell) -> (Fouls, CellSet) {
        let seen = RefCell::new(CellSet::EMPTY);
        let mut fouls = Fouls::default();
        if let Some(rule) = self.foul_rule(color).filter(|_| self.is_empty(cell)) {
            fouls = fouls::fouls(&Watched::new(&self.grid, &seen), cell.into(), rule);
        }
        (fouls, seen.into_inner())
    }

    /// Why a stone of a colour on this point would be a foul, or what it makes if it is
    /// none. `None` where the colour has no fouls, or if the point is not empty.
    pub fn explain(&self, color: Color, cell: Cell) -> Option<Explanation> {
        let rule = self.foul_rule(color).filter(|_| self.is_empty(cell))?;
        Some(explain(&self.grid, cell.into(), rule))
    }

    /// The winning lines through what was placed last, each from one end to
    /// the other.
    pub fn winning_lines(&self) -> Vec<Vec<Cell>> {
        let Some(&(cell, _)) = self.placed.last() else { return Vec::new() };
        winning_runs(self.setup.rule, &self.grid, cell.into())
            .into_iter()
            .map(|run| run.stones.into_iter().map(Cell::from).collect())
            .collect()
    }
}

/// The runs through the stone on `p` that win the game.
pub(super) fn winning_runs(rule: RuleId, grid: &Grid, p: Point) -> Vec<Run> {
    let Content::Filled(Stone::Of(color)) = grid.at(p) else { return Vec::new() };
    AXES.iter()
        .map(|&axis| grid.run(p, axis, color))
        .filter(|run| run_wins(rule, grid, color, run))
        .collect()
}

/// Whether a run of a colour's stones wins the game.
pub(super) fn run_wins(rule: RuleId, grid: &Grid, color: Color, run: &Run) -> bool {
    let blocked = run.ends.iter().all(|&end| grid.is(end, !color));
    (rule.card().wins)(color, run.len(), blocked)
}
