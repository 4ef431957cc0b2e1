//! How much a page may send, and how many there may be.

/// Most bytes of a message: a file of several MiB, a character a byte.
pub const MOST_BYTES: usize = 16 << 20;
/// Most pages at once.
pub const MOST_PAGES: usize = 16;
