//! One opening from one seed.

use std::sync::Arc;

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use goren_core::rules::Setup;
use goren_core::types::{Cell, PROVEN, Score, Symmetry};
use goren_engine::eval::Weights;
use goren_engine::{Engine, Game, Hash, Info, Request, new_game_with};

/// Bytes of the transposition table of a searching thread.
const TABLE_BYTES: usize = 4 << 20;
/// Last stones that are tried for one opening.
const LAST_STONES: usize = 6;
/// A first look at a last stone takes this part of the nodes.
const FIRST_LOOK: u64 = 16;
/// Places that are tried for a stone before the opening is given up.
const PLACES: usize = 50;

/// What openings are wanted.
#[derive(Clone)]
pub(crate) struct Recipe {
    /// The variant and the board.
    pub setup: Setup,
    /// What positions are measured by.
    pub weights: Arc<Weights>,
    /// Fewest and most stones.
    pub stones: (usize, usize),
    /// Nodes of the search that measures the score.
    pub nodes: u64,
    /// Largest score for either side, in points.
    pub max_score: Score,
}

impl Recipe {
    /// An empty game of the variant, evaluated by the weights.
    pub(crate) fn new_game(&self) -> Box<dyn Game> {
        new_game_with(self.setup, self.weights.clone())
    }
}

/// An opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Opening {
    /// The stones, Black's first.
    pub moves: Vec<Cell>,
    /// Score for the side to move, in points.
    pub score: Score,
}

impl Opening {
    /// The same for all openings that a symmetry of the board makes into the
    /// same position: the smallest of their pictures, Black's stones and
    /// White's in order.
    pub(crate) fn canonical(moves: &[Cell], setup: Setup) -> [Vec<Cell>; 2] {
        let picture = |symmetry: Symmetry| {
            let mut stones = [Vec::new(), Vec::new()];
            for (i, &cell) in moves.iter().enumerate() {
                stones[i % 2].push(symmetry.apply(cell));
            }
            stones.iter_mut().for_each(|cells| cells.sort_unstable());
            stones
        };
        let pictures = Symmetry::all(setup.width, setup.height).map(picture);
        pictures.min().unwrap_or_default()
    }
}

/// Makes openings; each depends on nothing but its recipe and seed.
pub(crate) struct Maker {
    recipe: Recipe,
    game: Box<dyn Game>,
    engine: Engine,
}

impl Maker {
    /// # Errors
    /// No memory for the table.
    pub(crate) fn new(recipe: &Recipe) -> Result<Maker> {
        let engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
        engine.hash().for_search(&Request::default())?;
        Ok(Maker { recipe: recipe.clone(), game: recipe.new_game(), engine })
    }

    /// The opening of a seed; `None` if what it leads to is not level.
    pub(crate) fn make(&mut self, seed: u64) -> Option<Opening> {
        let mut rng = SmallRng::seed_from_u64(seed);
        let (fewest, most) = self.recipe.stones;
        let stones = rng.random_range(fewest..=most);
        let area = Area::random(self.recipe.setup, stones, &mut rng);
        self.game = self.recipe.new_game();
        for _ in 1..stones {
            self.place_somewhere(&area, &mut rng)?;
        }
        if stones > 0 {
            self.place_level(&area, &mut rng)?;
        }
        let score = self.measure(self.recipe.nodes);
        let moves = self.game.stones().iter().map(|&(cell, _)| cell).collect();
        (score.abs() <= self.recipe.max_score).then_some(Opening { moves, score })
    }

    /// Places a stone that does not end the game.
    fn place_somewhere(&mut self, area: &Area, rng: &mut SmallRng) -> Option<Cell> {
        for _ in 0..PLACES {
            let cell = area.cell(rng);
            if self.game.play(cell).is_ok() {
                if self.game.outcome().is_none() {
                    return Some(cell);
                }
                self.game.take_back();
            }
        }
        None
    }

    /// Places the stone of a few tried that leaves the position most level.
    fn place_level(&mut self, area: &Area, rng: &mut SmallRng) -> Option<()> {
        let mut best: Option<(Score, Cell)> = None;
        for _ in 0..LAST_STONES {
            let Some(cell) = self.place_somewhere(area, rng) else { break };
            let off = self.measure((self.recipe.nodes / FIRST_LOOK).max(1)).abs();
            self.game.take_back();
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, cell));
            }
        }
        let (off, cell) = best?;
        // A first look errs; what is far off or proven is not looked at again.
        let near = off < PROVEN && off <= 3 * self.recipe.max_score.max(20);
        (near && self.game.play(cell).is_ok()).then_some(())
    }

    fn measure(&mut self, nodes: u64) -> Score {
        // From nothing, so that the score depends on the position alone.
        self.engine.hash().clear();
        self.engine.forget();
        search(&mut self.engine, &*self.game, nodes, Vec::new()).1.score
    }
}

/// Searches a position to a number of nodes on one thread: the best move and
/// the report.
pub(crate) fn search(
    engine: &mut Engine,
    game: &dyn Game,
    nodes: u64,
    root_moves: Vec<Cell>,
) -> (Cell, Info) {
    let request = Request { root_moves, ..Request::nodes(nodes) };
    // Whoever makes an engine has its table made.
    let answer = engine.go(game, &request, &mut |_| {}).expect("a table and a thread");
    (answer.best.cell(), answer.info)
}

/// A box of the board that the stones of an opening stand in.
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl Area {
    /// A box for so many stones, most often near the middle.
    fn random(setup: Setup, stones: usize, rng: &mut SmallRng) -> Area {
        let least = (1..).find(|side| side * side >= 2 * stones).unwrap_or(1).max(3);
        let side = rng.random_range(least..=least + 3);
        let (width, height) = (side.min(setup.width), side.min(setup.height));
        // The mean of two numbers is more often near the middle than one.
        let mut place = |room: usize| (rng.random_range(0..=room) + rng.random_range(0..=room)) / 2;
        let (left, top) = (place(setup.width - width), place(setup.height - height));
        Area { left, top, width, height }
    }

    fn cell(&self, rng: &mut SmallRng) -> Cell {
        let x = self.left + rng.random_range(0..self.width);
        Cell::new(x, self.top + rng.random_range(0..self.height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::with_search_stack;
    use goren_core::rules::RuleId;

    #[test]
    fn openings_are_level_legal_and_depend_on_the_seed_alone() {
        for rule in RuleId::ALL {
            let setup = Setup::new(rule, 15, 15).unwrap();
            let weights = Weights::embedded(rule);
            let recipe = Recipe { setup, weights, stones: (1, 7), nodes: 300, max_score: 40 };
            let make = |seeds: Vec<u64>| {
                with_search_stack(|| {
                    let mut maker = Maker::new(&recipe)?;
                    Ok(seeds.into_iter().map(|seed| maker.make(seed)).collect::<Vec<_>>())
                })
            };
            let openings = make((0..60).collect()).unwrap();
            let mut again = make((0..60).rev().collect()).unwrap();
            again.reverse();
            assert_eq!(openings, again);
            let found: Vec<&Opening> = openings.iter().flatten().collect();
            assert!(found.len() >= 4, "{rule}: {}", found.len());
            for opening in found {
                assert!(opening.score.abs() <= 40 && (1..=7).contains(&opening.moves.len()));
                let mut game = recipe.new_game();
                for &cell in &opening.moves {
                    game.play(cell).unwrap();
                }
                assert_eq!(game.outcome(), None);
            }
        }
    }

    #[test]
    fn mirrored_openings_are_the_same_but_swapped_colours_are_not() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let at = |x, y| Cell::new(x, y);
        let moves = [at(7, 7), at(8, 6), at(9, 7)];
        let turned = [at(7, 5), at(8, 6), at(7, 7)];
        let swapped = [at(8, 6), at(7, 7), at(9, 7)];
        let canonical = |moves: &[Cell]| Opening::canonical(moves, setup);
        assert_eq!(canonical(&moves), canonical(&turned.map(|c| at(14 - c.y(), c.x()))));
        assert_ne!(canonical(&moves), canonical(&swapped));
    }
}
