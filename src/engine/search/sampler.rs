//! Random sample of the positions that a search evaluates, as training data. Most of these
//! positions come after moves that nobody would play, so games have few of their kind.

use crate::game::Position;
use goren_core::types::Cell;
use goren_core::types::keys::mix;

/// Samples positions of successive searches, each evaluation with the same chance (reservoir
/// sampling: Algorithm R of Vitter, 1985).
pub struct Sampler {
    /// Random seed.
    seed: u64,
    /// Positions to sample from a search.
    count: usize,
    /// Stones on the board at the root.
    root_stones: usize,
    /// Evaluations of this search so far.
    seen: u64,
    /// Evaluations of all searches so far.
    seen_in_all: u64,
    /// Moves from the root to each sampled position.
    lines: Vec<Vec<Cell>>,
}

impl Sampler {
    /// Creates a sampler of `count` positions per search. Equal seeds and searches give equal
    /// samples.
    pub fn new(seed: u64, count: usize) -> Sampler {
        Sampler { seed, count, root_stones: 0, seen: 0, seen_in_all: 0, lines: Vec::new() }
    }

    /// Begins a search of `root`.
    pub fn begin<P: Position>(&mut self, root: &P) {
        self.root_stones = root.stones_from(0).len();
        self.seen = 0;
        self.lines.clear();
    }

    /// Notes an evaluated position.
    pub fn note<P: Position>(&mut self, position: &P) {
        self.seen += 1;
        self.seen_in_all += 1;
        // A random number below `seen`.
        let random = u128::from(mix(self.seed ^ mix(self.seen_in_all)));
        let index = ((random * u128::from(self.seen)) >> 64) as usize;
        if self.lines.len() < self.count {
            self.lines.push(position.stones_from(self.root_stones));
        } else if let Some(line) = self.lines.get_mut(index) {
            *line = position.stones_from(self.root_stones);
        }
    }

    /// Returns the moves from the root to each position sampled from this search.
    pub fn lines(&self) -> &[Vec<Cell>] {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Five;
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::Color;

    /// Each of 2,000 searches evaluates the positions after one to ten moves, and one or three of
    /// these are sampled: every position is sampled about equally often.
    #[test]
    fn every_evaluation_has_the_same_chance() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let cell = |at: usize| Cell::new(at, at % 3);
        let mut root = Five::<Freestyle>::new(setup);
        root.put(Cell::new(14, 14), Color::Black);
        for count in [1, 3] {
            let mut sampler = Sampler::new(7, count);
            let mut sampled = [0; 10];
            for _ in 0..2_000 {
                let mut position = root.clone();
                sampler.begin(&position);
                for at in 0..10 {
                    position.put(cell(at), Color::ALL[(at + 1) % 2]);
                    sampler.note(&position);
                }
                assert_eq!(sampler.lines().len(), count);
                for line in sampler.lines() {
                    assert!(line.iter().copied().eq((0..line.len()).map(cell)));
                    sampled[line.len() - 1] += 1;
                }
            }
            let expected = 200 * count;
            let near = |&n: &usize| n.abs_diff(expected) < expected / 4;
            assert!(sampled.iter().all(near), "{count}: {sampled:?}");
        }
    }
}
