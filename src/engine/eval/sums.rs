//! Sums over all empty cells: values of codes, and accumulators of the network.

use super::net;
use super::weights::{Values, Weights};
use crate::board::Board;
use crate::pattern::{Code, STONE, TABLE_SIZE};
use goren_core::rules::Rule;

/// Sums over the empty cells: values by the colour they count for, accumulators by the
/// colour to move.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sums {
    pub(super) values: [Values; 2],
    pub(super) net: net::Accumulators,
}

impl Sums {
    /// Incremental update: each cell goes from the first pair of codes (for Black and
    /// White) to the second.
    #[inline(always)]
    pub(super) fn change(
        &mut self,
        weights: &Weights,
        cells: impl Iterator<Item = [[Code; 2]; 2]>,
    ) {
        // Local copies, so that the compiler keeps them in registers.
        let (mut values, mut delta) = (self.values, net::AccumulatorDelta::ZERO);
        for [old, new] in cells {
            for c in 0..2 {
                let table = &weights.potential[c];
                values[c].change(
                    table[old[c] as usize % TABLE_SIZE],
                    table[new[c] as usize % TABLE_SIZE],
                );
            }
            if let Some(net) = &weights.net {
                net.change(&mut delta, old, new);
            }
        }
        self.values = values;
        delta.add_to(&mut self.net);
    }

    /// Subtracts the sums `was` and adds the sums `is`.
    pub(super) fn exchange(&mut self, was: &Sums, is: &Sums) {
        for color in 0..2 {
            self.values[color].change(was.values[color], is.values[color]);
            let numbers = was.net[color].iter().zip(&is.net[color]);
            for (sum, (was, is)) in self.net[color].iter_mut().zip(numbers) {
                *sum = sum.wrapping_add(is.wrapping_sub(*was));
            }
        }
    }
}

/// The sums of a board, computed from scratch.
pub(super) fn fresh<R: Rule>(board: &Board<R>, weights: &Weights) -> Sums {
    let mut sums = Sums::default();
    sums.change(weights, board.empty().iter().map(|cell| [[STONE; 2], board.cell(cell).codes()]));
    sums
}
