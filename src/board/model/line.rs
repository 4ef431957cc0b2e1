//! Lines of searches as variations of the tree.

use anyhow::{Context, Result};

use super::tree::Tree;
use goren_core::opening::{Action, Choice, GameState};
use goren_core::types::Cell;

/// Returns the number of stones of the next turn, if a plain turn is a choice.
///
/// # Errors
/// The game is over, or the opening has only other choices.
pub(super) fn stones_of_turn(game_state: &GameState) -> Result<usize> {
    let pending = game_state.pending_decision();
    let pending = pending.context("the game is over there: nothing follows")?;
    let stones = pending.choices.iter().find_map(|choice| match choice {
        Choice::Stones { colors, declare: None, .. }
            if colors.iter().all(|&color| color == pending.color) =>
        {
            Some(colors.len())
        }
        _ => None,
    });
    stones.context("the next decision of the opening is not a plain turn: no line can follow")
}

impl Tree {
    /// Adds the turns of a line of stones after a node, as far as they are complete and legal;
    /// returns their nodes, at least one. Shows that node, with the line as its continuation.
    ///
    /// # Errors
    /// There is no such node, or no turn of the line can be played; nothing changes.
    pub(super) fn add_line(&mut self, after: usize, line: &[Cell]) -> Result<Vec<usize>> {
        let before = self.clone();
        self.go(after)?;
        let mut nodes = Vec::new();
        let mut rest = line;
        let reason = loop {
            match self.play_turn(rest) {
                Ok(later) => {
                    nodes.push(self.current());
                    rest = later;
                }
                Err(error) => break error,
            }
        };
        if nodes.is_empty() {
            *self = before;
            return Err(reason.context("no move of that line can be played there"));
        }
        self.go(after)?;
        Ok(nodes)
    }

    /// Plays the first turn of a line of stones; returns the rest of the line.
    fn play_turn<'a>(&mut self, line: &'a [Cell]) -> Result<&'a [Cell]> {
        let stones = stones_of_turn(self.game_state())?;
        let full_turn = line.get(..stones).map(Action::stones);
        let turn = full_turn.or_else(|| self.won_turn(line));
        self.play(&turn.context("it ends before the turn is complete")?)?;
        Ok(line.get(stones..).unwrap_or_default())
    }

    /// Completes the last turn of a line whose stones win before that turn is complete: with
    /// any other stone. Returns `None` if they do not win.
    pub(super) fn won_turn(&self, begun: &[Cell]) -> Option<Action> {
        if begun.is_empty() {
            return None;
        }
        let with = |cell: Cell| Action::stones(&[begun, &[cell]].concat());
        let wins = |&cell: &Cell| {
            let mut after = self.game_state().clone();
            let is_legal = after.apply(&with(cell)).is_ok();
            let wins_without = |line: &Vec<Cell>| !line.contains(&cell);
            is_legal && after.result().is_some_and(|end| end.lines.iter().any(wins_without))
        };
        self.game_state().empty().into_iter().find(wins).map(with)
    }
}
