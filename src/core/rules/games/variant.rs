//! The games of the family with their options.

use super::options::{Connect6, FourInARow, Pente};
use crate::rules::id::RuleId;

/// A game with its options, apart from the board and the opening.
///
/// In formats of serde it is its name, such as `pente+keryo`; read is any that
/// [`Variant::from_name`] knows.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Five in a row without captures, one stone a turn.
    Five(RuleId),
    /// Five in a row, or captures.
    Pente(Pente),
    /// Six in a row, two stones a turn.
    Connect6(Connect6),
    /// Four in a row of pieces that fall.
    FourInARow(FourInARow),
    /// Seven in a row on a Go board.
    Irensei,
}
