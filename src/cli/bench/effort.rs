//! Search depth and table size of the bench.

use goren_core::rules::Variant;
use goren_engine::Request;

/// Plies searched unless others are asked for.
pub(super) const DEPTH: u32 = 12;

/// Bytes of the transposition table, which is new for every position.
pub(super) const TABLE_BYTES: usize = 16 << 20;

/// A search of so many plies on one thread.
pub(super) fn request(depth: u32) -> Request {
    Request { max_depth: Some(depth), ..Request::default() }
}

/// Plies searched in a game unless others are asked for: about as long in each.
pub(super) fn usual_depth(variant: Variant) -> u32 {
    match variant {
        Variant::Five(_) => DEPTH,
        Variant::Pente(_) => 9,
        Variant::Connect6(_) => 8,
        Variant::FourInARow(_) => 14,
        Variant::Irensei => 10,
    }
}
