//! Limits of the server.

/// Maximum number of open pages.
pub const MAX_PAGES: usize = 16;
