//! Standard error. It may be full, or closed: a message that cannot be written is dropped,
//! and the command goes on. The macros of the standard library panic in that case. The
//! macros of this file have the same names and replace them in every module;
//! `clippy::print_stderr` denies the standard ones.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Prints a line.
pub fn line(text: Arguments<'_>) {
    write(format_args!("{text}\n"));
}

/// Prints a text without a line end.
pub fn write(text: Arguments<'_>) {
    // In one piece: other processes may write there too.
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

macro_rules! eprintln {
    ($($words:tt)*) => { $crate::stderr::line(format_args!($($words)*)) };
}

macro_rules! eprint {
    ($($words:tt)*) => { $crate::stderr::write(format_args!($($words)*)) };
}
