//! A game in progress that may stop in the middle of a turn.

use anyhow::{Result, ensure};

use crate::turn::{TurnError, in_column};
use goren_core::opening::{Action, Choice, GameState};
use goren_core::rules::Contest;
use goren_core::types::Cell;

/// The game after some moves, whose last turn may be incomplete.
pub struct Typed {
    /// The game up to the last complete turn.
    pub game_state: GameState,
    /// Stones of the incomplete turn.
    pub placed: Vec<Cell>,
}

impl Typed {
    /// An empty board.
    pub fn new(contest: &Contest) -> Typed {
        Typed { game_state: GameState::new(*contest), placed: Vec::new() }
    }

    /// Number of stones that the seat to act places in this turn; `None` if it does
    /// something else, or the game is over.
    pub fn turn(&self) -> Option<usize> {
        match &self.game_state.pending_decision()?.choices[..] {
            [Choice::Stones { colors, .. }] => Some(colors.len()),
            _ => None,
        }
    }

    /// Places a stone. The stones of one turn may come in any order.
    ///
    /// # Errors
    /// The stone is illegal.
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
    /// The piece is illegal, or the column does not determine where it goes.
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
    /// The pass is illegal.
    pub fn pass(&mut self) -> Result<()> {
        ensure!(self.placed.is_empty(), "a turn cannot end with a pass");
        Ok(self.game_state.apply(&Action::Pass)?)
    }

    /// Number of stones that the side to move still has to place in this turn; 1 if
    /// an opening asks for something else.
    pub fn left(&self) -> usize {
        self.turn().map_or(1, |due| due - self.placed.len())
    }
}
