//! Standard error. It may be full, or nobody may read it any more: what cannot be told
//! then stays untold, and the command goes on. The macros of the standard library panic
//! there; those of this file have their names and stand in their place in every module,
//! and `clippy::print_stderr` refuses the others.

use std::fmt::Arguments;
use std::io::{self, Write};

/// Tells a line.
pub fn line(words: Arguments<'_>) {
    write(format_args!("{words}\n"));
}

/// Tells something without an end of line.
pub fn write(words: Arguments<'_>) {
    // In one piece: other processes may write there too.
    let _ = io::stderr().write_all(words.to_string().as_bytes());
}

macro_rules! eprintln {
    ($($words:tt)*) => { $crate::stderr::line(format_args!($($words)*)) };
}

macro_rules! eprint {
    ($($words:tt)*) => { $crate::stderr::write(format_args!($($words)*)) };
}
