//! Tests that readers take time in proportion to the length of a text.

use std::time::{Duration, Instant};

/// Far more than any reader needs, and far less than one whose time grows with the square of the
/// length.
const LONGEST: Duration = Duration::from_secs(10);

/// Checks that `read`, which reads a long text, takes at most [`LONGEST`].
pub(in crate::record) fn assert_linear(read: impl FnOnce()) {
    let start = Instant::now();
    read();
    let time = start.elapsed();
    assert!(time < LONGEST, "{time:?}");
}
