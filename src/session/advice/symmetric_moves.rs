//! Moves that are equivalent by a symmetry of the position.

use crate::state::five_position::FivePosition;
use goren_core::types::{Cell, Symmetry};

/// All cells but the least of each set of symmetric images. The cells `excluded` do not count,
/// so that one of their images remains.
pub fn symmetric_moves(game: &FivePosition, excluded: &[Cell]) -> Vec<Cell> {
    let setup = game.setup;
    let same: Vec<Symmetry> = Symmetry::keeping(setup.width, setup.height, &game.stones).collect();
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
    use goren_core::types::{Color, Stone};

    #[test]
    fn one_cell_of_each_orbit_remains() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut game = FivePosition { setup, stones: Vec::new(), to_move: Color::Black };
        let add = |game: &mut FivePosition, x, y, color| {
            game.stones.push((Cell::new(x, y), Stone::Of(color)));
        };
        assert_eq!(225 - symmetric_moves(&game, &[]).len(), 36);
        add(&mut game, 7, 7, Color::Black);
        add(&mut game, 8, 7, Color::White);
        // Only the reflection in the middle row remains.
        assert_eq!(Symmetry::keeping(15, 15, &game.stones).count(), 2);
        let left_out = symmetric_moves(&game, &[]);
        assert_eq!(left_out.len(), 105);
        assert!(left_out.contains(&Cell::new(3, 8)) && !left_out.contains(&Cell::new(3, 6)));
        let others = symmetric_moves(&game, &[Cell::new(3, 6)]);
        assert!(!others.contains(&Cell::new(3, 8)));
        add(&mut game, 0, 1, Color::Black);
        assert!(symmetric_moves(&game, &[]).is_empty());
    }
}
