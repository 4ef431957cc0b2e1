//! Tuple families: groups of games that share tuple weights.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::tuples::TupleWeights;

/// A group of games that share tuple weights, defined in the folder of its game.
pub struct TupleFamily {
    /// Number in weights files, unique among families.
    pub(super) number: u16,
    name: &'static str,
    span: usize,
    states: usize,
    /// The embedded file of tuned weights; empty if there is none.
    pub(super) file: &'static [u8],
    hand_made_weights: fn() -> TupleWeights,
    /// The weights, after their first use.
    pub(super) loaded: OnceLock<Arc<TupleWeights>>,
}

impl TupleFamily {
    /// Creates a family. `number` identifies it in weights files; `name` is the name of
    /// its game without options; `span` is the number of cells of a tuple; `states` is the
    /// number of states (`tuples.rs`; 0 if there are none, a square if they are the captures
    /// of both sides, as `tuple_net.rs` reads them); `file` holds the tuned weights (empty if
    /// there are none); `hand_made_weights` makes hand-made weights of that shape.
    pub(crate) const fn new(
        number: u16,
        name: &'static str,
        (span, states): (usize, usize),
        file: &'static [u8],
        hand_made_weights: fn() -> TupleWeights,
    ) -> TupleFamily {
        TupleFamily { number, name, span, states, file, hand_made_weights, loaded: OnceLock::new() }
    }

    /// Returns the name of its game without options.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the number of cells of a tuple.
    pub const fn span(&self) -> usize {
        self.span
    }

    /// Returns the number of states (`tuples.rs`); 0 if there are none.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// Makes the hand-made weights, which are used where there are no tuned ones.
    pub fn hand_made_weights(&self) -> TupleWeights {
        (self.hand_made_weights)()
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
