//! How many pages there may be.

/// Most pages at once.
pub const MOST_PAGES: usize = 16;
