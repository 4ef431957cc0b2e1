//! Numbers of things in words.

use std::fmt::Display;

/// A number with its noun: `1 move`, `2 moves`.
pub(crate) fn plural<N: Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    many: &str,
) -> String {
    let thing = if number == N::from(1) { one } else { many };
    format!("{number} {thing}")
}
