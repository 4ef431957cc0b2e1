//! The referee of five in a row: stones and walls, wins, fouls.

use std::cell::RefCell;

use super::explain::{Explanation, explain};
use super::id::RuleId;
use crate::rules::referee::IllegalMove;
use crate::rules::referee::fouls::{self, FoulRule};
use crate::rules::referee::grid::{AXES, Content, Grid, Point, PointBoard, Run, Watched};
use crate::rules::{Fouls, Outcome, Setup};
use crate::types::{Cell, CellSet, Color, Stone};

/// The referee of a game, with its board.
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

    /// The rule and the board size.
    pub fn setup(&self) -> Setup {
        self.setup
    }

    /// The stone or wall on a point; `None` if it is empty or not on the board.
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

    /// All stones and walls, in the order of placement.
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

    /// Puts a stone or a wall on the board without judging it, to set up a position.
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

    /// Takes back the last stone or wall, and with it the end of the game.
    pub fn take_back(&mut self) -> Option<(Cell, Stone)> {
        let (cell, stone) = self.placed.pop()?;
        self.grid.set(cell.into(), None);
        self.decided = None;
        Some((cell, stone))
    }

    /// The outcome, if the game is over.
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

    /// Whether a stone of a colour on this point would make a winning line. False if the point is
    /// not empty.
    pub fn wins(&self, color: Color, cell: Cell) -> bool {
        self.is_empty(cell)
            && !winning_runs(self.setup.rule, &self.grid.with(cell.into(), color), cell.into())
                .is_empty()
    }

    /// The fouls of a colour; `None` if it has none.
    pub(super) fn foul_rule(&self, color: Color) -> Option<FoulRule> {
        let card = self.setup.rule.card();
        let kinds = card.fouls[color.index()];
        let (excuse, wins) = (card.excuse, card.wins);
        kinds.any().then_some(FoulRule { color, kinds, excuse, wins })
    }

    /// All kinds of foul that a stone of a colour on this point would commit. None if the colour
    /// has no fouls, the point is not empty, or the stone makes a five.
    pub fn fouls(&self, color: Color, cell: Cell) -> Fouls {
        match self.foul_rule(color) {
            Some(rule) if self.is_empty(cell) => fouls::fouls(&self.grid, cell.into(), rule),
            _ => Fouls::default(),
        }
    }

    /// As [`FiveReferee::fouls`], with the empty points that were read, including this one:
    /// stones placed elsewhere do not change the verdict.
    pub fn fouls_seen(&self, color: Color, cell: Cell) -> (Fouls, CellSet) {
        let seen = RefCell::new(CellSet::EMPTY);
        let mut fouls = Fouls::default();
        if let Some(rule) = self.foul_rule(color).filter(|_| self.is_empty(cell)) {
            fouls = fouls::fouls(&Watched::new(&self.grid, &seen), cell.into(), rule);
        }
        (fouls, seen.into_inner())
    }

    /// Why a stone of a colour on this point would be a foul, or the rows that it makes if it
    /// would not. `None` if the colour has no fouls or the point is not empty.
    pub fn explain(&self, color: Color, cell: Cell) -> Option<Explanation> {
        let rule = self.foul_rule(color).filter(|_| self.is_empty(cell))?;
        Some(explain(&self.grid, cell.into(), rule))
    }

    /// The winning lines through the last stone, each from one end to the other.
    pub fn winning_lines(&self) -> Vec<Vec<Cell>> {
        let Some(&(cell, _)) = self.placed.last() else { return Vec::new() };
        winning_runs(self.setup.rule, &self.grid, cell.into()).iter().map(Run::cells).collect()
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
