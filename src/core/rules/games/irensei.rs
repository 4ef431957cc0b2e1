//! Irensei: seven in a row on a Go board, with Go's captures.

use super::opening_id::OpeningId::{Free, Swap2, Swap5};
use super::sheet::GameSheet;
use super::variant::Variant;

/// Smallest side: seven points between two rings that count for nothing.
pub(super) const LEAST_SIDE: usize = 11;

/// The game has no options.
fn none(_: Variant, _: &str) -> Option<Variant> {
    None
}

/// The sheet.
pub(super) const IRENSEI: GameSheet = GameSheet {
    name: "irensei",
    text: "Seven in a row inside the two outer rings of a Go board, with Go's captures; eight \
           loses for Black",
    plain: Variant::Irensei,
    with: none,
    options: &[],
    sizes: &[(19, 19)],
    openings: &[Free, Swap2, Swap5],
    passes: true,
};
