//! The options of four on a torus: none.

/// Four on a torus, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct TorusFour;

impl TorusFour {
    /// Number of stones in a row that wins.
    pub const GOAL: usize = 4;
}
