//! What the database says about the first move.

use super::super::thinker::Task;
use super::{Session, State};
use crate::database::branch;
use crate::database::{Label, Place, Record};
use crate::types::{Cell, Stone};

/// How far from a stone a move may lie, by columns and rows, where the
/// database forbids some: no opening leaves it at once, and what is farther is
/// no answer to anything.
const NEAR: usize = 3;

impl Session {
    /// The first moves to search: the one that the database says wins or must
    /// be played, or all that are near but those that it says lose or must not
    /// be played. Empty if it has nothing to say.
    pub(in crate::session) fn stored_moves(&mut self, task: Task) -> Vec<Cell> {
        let State::Idle(game) = &mut self.state else {
            self.shelf.setup = None;
            return Vec::new();
        };
        let setup = game.setup();
        self.shelf.setup = Some(setup);
        let Some(database) = self.shelf.open.as_ref().filter(|_| task == Task::Move) else {
            return Vec::new();
        };
        let stones = game.stones();
        let colored = |&(cell, stone): &(Cell, Stone)| match stone {
            Stone::Of(color) => Some((cell, color)),
            Stone::Wall => None,
        };
        let Some(colored) = stones.iter().map(colored).collect::<Option<Vec<_>>>() else {
            return Vec::new();
        };
        let place = Place::of(setup, &colored, game.to_move());
        let forbidden = if game.to_move() == crate::types::Color::Black {
            game.forbidden()
        } else {
            Vec::new()
        };
        let mut known = branch::children(database.store(), &place);
        known.retain(|(cell, _)| !forbidden.contains(cell));
        choose(&place, &known, &forbidden)
    }
}

fn choose(place: &Place, known: &[(Cell, Record)], forbidden: &[Cell]) -> Vec<Cell> {
    let with = |label| known.iter().filter(move |(_, record)| record.label == label);
    // The win that is nearest; those whose length is unknown come last.
    let win = with(Label::WIN).min_by_key(|(_, record)| record.steps().unwrap_or(i32::MAX));
    if let Some((cell, _)) = win.or_else(|| with(Label::BEST).next()) {
        return vec![*cell];
    }
    let bad: Vec<Cell> =
        with(Label::LOSE).chain(with(Label::BLOCK)).map(|(cell, _)| *cell).collect();
    if bad.is_empty() {
        return Vec::new();
    }
    let near = |cell: &Cell| {
        let close = |stone: Cell| {
            stone.x().abs_diff(cell.x()) <= NEAR && stone.y().abs_diff(cell.y()) <= NEAR
        };
        crate::types::Color::ALL.into_iter().any(|color| place.stones(color).any(close))
    };
    let mut cells = place.empty_cells();
    cells.retain(|cell| near(cell) && !bad.contains(cell) && !forbidden.contains(cell));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RuleId, Setup};

    #[test]
    fn wins_and_marks_decide_and_losses_are_left_out() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let at = |x| Cell::new(x, 6);
        let place = Place::after(setup, &[Some(Cell::new(7, 7))]).unwrap();
        let record = |label, value| Record { value, ..Record::labelled(label) };
        let chosen = |known: &[(Cell, Record)]| choose(&place, known, &[]);
        let none = (at(1), record(Label::NONE, -900));
        let unknown = (at(2), record(Label::WIN, 0));
        let far = (at(3), record(Label::WIN, -29_900));
        let near = (at(4), record(Label::WIN, -29_990));
        let best = (at(5), record(Label::BEST, 0));
        let lost = (at(6), record(Label::LOSE, 29_990));
        let blocked = (at(7), record(Label::BLOCK, 0));
        assert_eq!(chosen(std::slice::from_ref(&none)), []);
        assert_eq!(chosen(&[best.clone(), unknown.clone()]), [at(2)]);
        assert_eq!(chosen(&[best.clone(), unknown, far, near]), [at(4)]);
        assert_eq!(chosen(&[none, best, lost.clone()]), [at(5)]);
        let rest = chosen(&[lost, blocked]);
        assert_eq!(rest.len(), 7 * 7 - 1 - 2);
        assert!(!rest.contains(&at(6)) && !rest.contains(&at(7)));
    }
}
