//! Tuple families: groups of games that share tuple weights.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::tuples::TupleWeights;

/// A group of games that share tuple weights. Each is defined in the folder of its
/// game.
pub struct TupleFamily {
    /// Number in weights files, unique among families.
    pub(super) number: u16,
    name: &'static str,
    span: usize,
    states: usize,
    /// The embedded file of tuned weights; empty if there is none.
    pub(super) file: &'static [u8],
    by_hand: fn() -> TupleWeights,
    /// The weights, after their first use.
    pub(super) made: OnceLock<Arc<TupleWeights>>,
}

impl TupleFamily {
    /// A family. `number` identifies it in weights files, `name` is that of its game
    /// without options, `span` the number of cells of a tuple, `states` the number of
    /// states (`tuples.rs`; 0 if there are none, a square if they are captures of both
    /// sides, as `tuple_net.rs` reads them), `file` the tuned weights (empty if
    /// there are none), and `by_hand` makes hand-made weights of that shape.
    pub(crate) const fn new(
        number: u16,
        name: &'static str,
        (span, states): (usize, usize),
        file: &'static [u8],
        by_hand: fn() -> TupleWeights,
    ) -> TupleFamily {
        TupleFamily { number, name, span, states, file, by_hand, made: OnceLock::new() }
    }

    /// The name of its game without options.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Number of cells of a tuple.
    pub const fn span(&self) -> usize {
        self.span
    }

    /// Number of states (`tuples.rs`); 0 if there are none.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Hand-made weights, used where there are no tuned ones.
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
