//! Openings made up on the spot: a few stones near the centre.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::rules::Setup;
use crate::rules::referee::Referee;
use crate::types::{Cell, Color};

/// Fewest and most stones.
const STONES: std::ops::RangeInclusive<usize> = 3..=6;
/// Side of the box around the centre in which they lie.
const BOX: usize = 7;

/// So many openings, the same for the same seed. None ends the game.
pub(super) fn openings(setup: Setup, count: usize, seed: u64) -> Vec<Vec<Cell>> {
    let mut rng = SmallRng::seed_from_u64(seed);
    (0..count).map(|_| opening(setup, &mut rng)).collect()
}

fn opening(setup: Setup, rng: &mut SmallRng) -> Vec<Cell> {
    let count = rng.random_range(STONES);
    let mut referee = Referee::new(setup);
    let mut cells = Vec::new();
    while cells.len() < count {
        let mut along = |side: usize| {
            let wide = side.min(BOX);
            (side - wide) / 2 + rng.random_range(0..wide)
        };
        let cell = Cell::new(along(setup.width), along(setup.height));
        // So few stones make no five, but Black may fall into a double three.
        if referee.fouls(cell).any() || referee.place(Color::ALL[cells.len() % 2], cell).is_err() {
            continue;
        }
        cells.push(cell);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;

    #[test]
    fn openings_are_legal_near_the_centre_and_fixed_by_the_seed() {
        for (rule, width, height) in [(RuleId::Renju, 15, 15), (RuleId::Freestyle, 5, 20)] {
            let setup = Setup::new(rule, width, height).unwrap();
            let made = openings(setup, 200, 7);
            assert_eq!(made, openings(setup, 200, 7));
            assert_ne!(made, openings(setup, 200, 8));
            for opening in made {
                assert!(STONES.contains(&opening.len()));
                let mut referee = Referee::new(setup);
                for (i, cell) in opening.into_iter().enumerate() {
                    assert_eq!(referee.place(Color::ALL[i % 2], cell), Ok(None));
                    let from_centre = |n: usize, side: usize| (2 * n + 1).abs_diff(side);
                    assert!(from_centre(cell.x(), width) <= BOX);
                    assert!(from_centre(cell.y(), height) <= BOX);
                }
            }
        }
    }
}
