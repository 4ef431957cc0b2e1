//! Games that share tuple weights.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::tuples::TupleWeights;

/// Games that share tuple weights. Each stands in the folder of its game.
pub struct TupleFamily {
    /// Its number in files; no other family has it.
    pub(super) number: u16,
    name: &'static str,
    span: usize,
    states: usize,
    /// The file of tuned weights; empty if there is none.
    pub(super) file: &'static [u8],
    by_hand: fn() -> TupleWeights,
    /// The weights, once they were asked for.
    pub(super) made: OnceLock<Arc<TupleWeights>>,
}

impl TupleFamily {
    /// The family of a number in files. `name` is that of its plainest game, `span`
    /// the cells of a tuple, `states` the number of states that the evaluation tells
    /// apart (0 for one), `file` the tuned weights (empty if there are none), and
    /// `by_hand` makes weights of that shape.
    pub(crate) const fn new(
        number: u16,
        name: &'static str,
        (span, states): (usize, usize),
        file: &'static [u8],
        by_hand: fn() -> TupleWeights,
    ) -> TupleFamily {
        TupleFamily { number, name, span, states, file, by_hand, made: OnceLock::new() }
    }

    /// The name of its plainest game.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Cells of a tuple.
    pub const fn span(&self) -> usize {
        self.span
    }

    /// Number of states that the evaluation tells apart; 0 for one.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Weights made by hand.
    pub fn by_hand(&self) -> TupleWeights {
        (self.by_hand)()
    }
}

impl PartialEq for TupleFamily {
    fn eq(&self, other: &TupleFamily) -> bool {
        self.number == other.number
    }
}

impl Eq for TupleFamily {}

impl fmt::Debug for TupleFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for TupleFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
