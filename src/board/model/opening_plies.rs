//! The opening of a game: the plies made before the players took over.

use super::tree::Tree;

impl Tree {
    /// Sets how many plies of the line to the position shown were made before the players took
    /// over.
    pub(super) fn open_with(&mut self, plies: usize) {
        let path = self.path(self.current());
        let last = plies.min(path.len()).checked_sub(1);
        self.heading.opening = last.map_or(0, |last| path[last]);
    }

    /// Returns how many plies of the line to a node were made before the players took over.
    pub(super) fn opening_plies(&self, node: usize) -> usize {
        let (opening, line) = (self.path(self.heading.opening), self.path(node));
        opening.iter().zip(&line).take_while(|(one, other)| one == other).count()
    }
}
