//! Labels of the database for root moves.

use super::state::DatabaseState;
use crate::state::five_position::FivePosition;
use goren_core::types::Cell;
use goren_database::branch;
use goren_database::{Label, Place, Record};
use goren_engine::Request;

/// What the database says about root moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RootAdvice {
    /// A move that wins or is labelled as best.
    play: Option<Cell>,
    /// Moves that lose or must not be played.
    avoid: Vec<Cell>,
}

impl RootAdvice {
    /// Adds the advice to a request.
    pub fn apply(self, request: &mut Request) {
        request.root_moves.extend(self.play);
        request.exclusions.root_moves.extend(self.avoid);
    }
}

/// What the database says about the root moves of a game.
pub fn moves(state: &DatabaseState, game: &FivePosition) -> RootAdvice {
    let Some(database) = &state.open else { return RootAdvice::default() };
    let Some(place) = place_of(game) else { return RootAdvice::default() };
    let mut known = branch::children(database.store(), &place);
    game.retain_legal(&mut known);
    choose(&known)
}

/// The position of a game; `None` if there are walls.
pub(super) fn place_of(game: &FivePosition) -> Option<Place> {
    Some(Place::of(game.setup, &game.colored()?, game.to_move))
}

fn choose(known: &[(Cell, Record)]) -> RootAdvice {
    let with = |label| known.iter().filter(move |(_, record)| record.label == label);
    // The shortest win; wins of unknown length come last.
    let win = with(Label::WIN).min_by_key(|(_, record)| record.steps().unwrap_or(i32::MAX));
    let play = win.or_else(|| with(Label::BEST).next()).map(|(cell, _)| *cell);
    let bad = with(Label::LOSE).chain(with(Label::BLOCK)).map(|(cell, _)| *cell);
    RootAdvice { avoid: if play.is_none() { bad.collect() } else { Vec::new() }, play }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_best_moves_are_played_and_losses_avoided() {
        let at = |x| Cell::new(x, 6);
        let record = |label, value| Record { value, ..Record::labelled(label) };
        let none = (at(1), record(Label::NONE, -900));
        let unknown = (at(2), record(Label::WIN, 0));
        let far = (at(3), record(Label::WIN, -29_900));
        let near = (at(4), record(Label::WIN, -29_990));
        let best = (at(5), record(Label::BEST, 0));
        let lost = (at(6), record(Label::LOSE, 29_990));
        let blocked = (at(7), record(Label::BLOCK, 0));
        let play = |x| RootAdvice { play: Some(at(x)), avoid: Vec::new() };
        assert_eq!(choose(std::slice::from_ref(&none)), RootAdvice::default());
        assert_eq!(choose(&[best.clone(), unknown.clone()]), play(2));
        assert_eq!(choose(&[best.clone(), unknown, far, near]), play(4));
        assert_eq!(choose(&[none, best, lost.clone()]), play(5));
        assert_eq!(choose(&[lost, blocked]), RootAdvice { play: None, avoid: vec![at(6), at(7)] });
    }
}
