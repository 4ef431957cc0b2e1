//! Lines of searches as variations of the tree.

use anyhow::Result;

use super::tree::Tree;
use goren_core::opening::{Action, Choice};
use goren_core::types::Cell;

impl Tree {
    /// Adds the turns of a line of stones after a node, as far as they are complete and legal;
    /// returns their nodes. Shows that node, with the line as its continuation.
    ///
    /// # Errors
    /// There is no such node.
    pub(super) fn add_line(&mut self, after: usize, line: &[Cell]) -> Result<Vec<usize>> {
        self.go(after)?;
        let mut nodes = Vec::new();
        let mut rest = line;
        while let Some(stones) = self.stones_of_turn() {
            let full_turn = rest.get(..stones).map(Action::stones);
            let Some(turn) = full_turn.or_else(|| self.won_turn(rest)) else { break };
            // The tree may be full, or the game over.
            if self.play(&turn).is_err() {
                break;
            }
            nodes.push(self.current());
            rest = rest.get(stones..).unwrap_or_default();
        }
        self.go(after)?;
        Ok(nodes)
    }

    /// Returns the number of stones of the next turn, if a plain turn is a choice.
    fn stones_of_turn(&self) -> Option<usize> {
        let pending = self.game_state().pending_decision()?;
        pending.choices.iter().find_map(|choice| match choice {
            Choice::Stones { colors, declare: None, .. }
                if colors.iter().all(|&color| color == pending.color) =>
            {
                Some(colors.len())
            }
            _ => None,
        })
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
