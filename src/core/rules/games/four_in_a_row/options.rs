//! The options of Four In A Row.

/// The points that pieces may be placed on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Placement {
    /// On the lowest empty point of a column.
    #[default]
    Gravity,
    /// On the first empty point from any edge, along a row or a column.
    Edges,
    /// Where the piece stops on its way from an empty point to the nearest edge, or
    /// to the corner from a diagonal.
    Inward,
    /// Where the piece stops on its way from any edge to the opposite one, along a row or a
    /// column.
    Drop,
}

/// The options of Four In A Row.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct FourInARow {
    /// Where pieces come to rest.
    pub placement: Placement,
    /// Whether full lines at the edges that pieces fall to are cleared.
    pub clear: bool,
}
