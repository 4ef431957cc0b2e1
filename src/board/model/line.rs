//! Lines of searches as variations of the tree.

use anyhow::Result;

use super::tree::Tree;
use goren_core::opening::{Action, Choice};
use goren_core::types::Cell;

impl Tree {
    /// Adds the turns of a line of stones after a position, as far as they are whole and
    /// legal; gives their nodes. The position stays shown, and its line leads there.
    ///
    /// # Errors
    /// There is no such node.
    pub(super) fn add_line(&mut self, after: usize, line: &[Cell]) -> Result<Vec<usize>> {
        self.go(after)?;
        let mut nodes = Vec::new();
        let mut rest = line;
        while let Some(turn) = self.turn_of(rest) {
            // What cannot be played ends the line: a full tree, a game that is over.
            if self.play(&Action::stones(turn)).is_err() {
                break;
            }
            nodes.push(self.current());
            rest = &rest[turn.len()..];
        }
        self.go(after)?;
        Ok(nodes)
    }

    /// The stones of a line that are the turn of the side to move.
    fn turn_of<'a>(&self, line: &'a [Cell]) -> Option<&'a [Cell]> {
        let pending = self.game_state().pending_decision()?;
        let stones = pending.choices.iter().find_map(|choice| match choice {
            Choice::Stones { colors, declare: None, .. }
                if colors.iter().all(|&color| color == pending.color) =>
            {
                Some(colors.len())
            }
            _ => None,
        })?;
        line.get(..stones).filter(|turn| !turn.is_empty())
    }
}
