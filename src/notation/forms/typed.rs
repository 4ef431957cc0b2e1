//! A game in progress that may stop within a turn.

use anyhow::{Result, ensure};

use crate::turn::{TurnError, in_column};
use goren_core::opening::{Action, Choice, GameState};
use goren_core::rules::Contest;
use goren_core::types::Cell;

/// The game after some moves, the last of which may be a part of a turn.
pub struct Typed {
    /// The game up to the last whole turn.
    pub game_state: GameState,
    /// Stones of the turn that is not over.
    pub placed: Vec<Cell>,
}

impl Typed {
    /// An empty board.
    pub fn new(contest: &Contest) -> Typed {
        Typed { game_state: GameState::new(*contest), placed: Vec::new() }
    }

    /// Stones that the seat to act places in this turn; `None` where it does
    /// something else, or the game is over.
    pub fn turn(&self) -> Option<usize> {
        match &self.game_state.pending_decision()?.choices[..] {
            [Choice::Stones { colors, .. }] => Some(colors.len()),
            _ => None,
        }
    }

    /// Places a stone. Those of one turn may come in any order.
    ///
    /// # Errors
    /// It is illegal.
    pub fn stone(&mut self, cell: Cell) -> Result<()> {
        ensure!(!self.placed.contains(&cell), "the point is occupied");
        if self.turn().is_some_and(|due| self.placed.len() + 1 < due) {
            self.game_state.referee().check(self.game_state.to_move(), cell)?;
            self.placed.push(cell);
            return Ok(());
        }
        let cells = [&self.placed[..], &[cell]].concat();
        self.game_state.apply(&Action::stones(&cells))?;
        self.placed.clear();
        Ok(())
    }

    /// Drops a piece into a column, from 0.
    ///
    /// # Errors
    /// It is illegal, or there are several ways into the column.
    pub fn drop_into(&mut self, x: usize) -> Result<()> {
        let Contest { variant, width, height, .. } = *self.game_state.contest();
        let falls = variant.falls() && self.placed.is_empty();
        ensure!(falls, "a point is a letter and a number, such as h8");
        if x >= width {
            return Err(TurnError::OutsideColumn.into());
        }
        let color = self.game_state.to_move();
        let cell = in_column(self.game_state.referee(), height, x, color)?;
        Ok(self.game_state.apply(&Action::stone(cell))?)
    }

    /// Passes.
    ///
    /// # Errors
    /// It is illegal.
    pub fn pass(&mut self) -> Result<()> {
        ensure!(self.placed.is_empty(), "a turn cannot end by a pass");
        Ok(self.game_state.apply(&Action::Pass)?)
    }

    /// Stones that the side to move has still to place in this turn; 1 where
    /// an opening asks for something else.
    pub fn left(&self) -> usize {
        self.turn().map_or(1, |due| due - self.placed.len())
    }
}
