//! How much a page may send, and how many there may be.

pub use crate::model::MOST_BYTES;

/// Most pages at once.
pub const MOST_PAGES: usize = 16;
