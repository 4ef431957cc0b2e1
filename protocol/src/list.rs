//! The list of a command, and how it is printed.

use std::fmt;

use crate::placed::Placed;
use crate::point::Point;

/// The list that belongs to a command.
pub(crate) enum List<P, Q> {
    /// Stones with their owners.
    Placed(P),
    /// Cells alone.
    Points(Q),
}

/// A command's list, to be filled.
pub(crate) type ListMut<'a> = List<&'a mut Vec<Placed>, &'a mut Vec<Point>>;
/// A command's list, to be printed.
pub(crate) type ListRef<'a> = List<&'a [Placed], &'a [Point]>;

impl ListRef<'_> {
    /// Writes the entries, one per line, and `DONE`.
    pub(crate) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Placed(list) => list.iter().try_for_each(|entry| writeln!(f, "{entry}"))?,
            Self::Points(list) => list.iter().try_for_each(|entry| writeln!(f, "{entry}"))?,
        }
        f.write_str("DONE")
    }
}
