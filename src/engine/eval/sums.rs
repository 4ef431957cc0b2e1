//! Sums over all empty cells: values of codes, and accumulators of the network.

use super::net;
use super::weights::{Values, Weights};
use crate::board::Board;
use crate::pattern::{Code, STONE, TABLE_SIZE};
use goren_core::rules::Rule;

/// Sums over the empty cells: values by the colour that they count for, accumulators by
/// the colour to move.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sums {
    pub(super) values: [Values; 2],
    pub(super) net: net::Accumulators,
}

impl Sums {
    /// Updates the sums incrementally: the codes of each cell change from the first pair
    /// (for Black and White) to the second.
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

    /// Subtracts the sums `old` and adds the sums `new`.
    pub(super) fn exchange(&mut self, old: &Sums, new: &Sums) {
        for color in 0..2 {
            self.values[color].change(old.values[color], new.values[color]);
            let pairs = old.net[color].iter().zip(&new.net[color]);
            for (sum, (old, new)) in self.net[color].iter_mut().zip(pairs) {
                *sum = sum.wrapping_add(new.wrapping_sub(*old));
            }
        }
    }
}

/// Computes the sums of a board from scratch.
pub(super) fn fresh<R: Rule>(board: &Board<R>, weights: &Weights) -> Sums {
    let mut sums = Sums::default();
    sums.change(weights, board.empty().iter().map(|cell| [[STONE; 2], board.cell(cell).codes()]));
    sums
}
