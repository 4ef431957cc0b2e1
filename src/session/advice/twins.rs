//! Moves that are equivalent by a symmetry of the position.

use goren_core::types::{Cell, Symmetry};
use goren_engine::Game;

/// The symmetries of the board that every stone of the position has, the
/// identity first.
pub fn symmetries(game: &dyn Game) -> Vec<Symmetry> {
    let setup = game.setup();
    let stones = game.stones();
    let keeps = |symmetry: &Symmetry| {
        stones.iter().all(|&(cell, stone)| stones.contains(&(symmetry.apply(cell), stone)))
    };
    Symmetry::all(setup.width, setup.height).filter(keeps).collect()
}

/// All empty cells but one of each that are the same by symmetry. Where some
/// are `excluded` another one stays.
pub fn twins(game: &dyn Game, excluded: &[Cell]) -> Vec<Cell> {
    let setup = game.setup();
    let same = symmetries(game);
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    cells
        .filter(|&cell| {
            let images = same.iter().map(|symmetry| symmetry.apply(cell));
            images.filter(|image| !excluded.contains(image)).min().is_some_and(|least| least < cell)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_engine::new_game;

    #[test]
    fn one_cell_of_each_orbit_stays() {
        let mut game = new_game(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        assert_eq!(225 - twins(game.as_ref(), &[]).len(), 36);
        game.play(Cell::new(7, 7)).unwrap();
        game.play(Cell::new(8, 7)).unwrap();
        // Only the middle row is left as an axis.
        assert_eq!(symmetries(game.as_ref()).len(), 2);
        let left_out = twins(game.as_ref(), &[]);
        assert_eq!(left_out.len(), 105);
        assert!(left_out.contains(&Cell::new(3, 8)) && !left_out.contains(&Cell::new(3, 6)));
        let others = twins(game.as_ref(), &[Cell::new(3, 6)]);
        assert!(!others.contains(&Cell::new(3, 8)));
        game.play(Cell::new(0, 1)).unwrap();
        assert!(twins(game.as_ref(), &[]).is_empty());
    }
}
