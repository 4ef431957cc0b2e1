//! Errors in the arguments of a known command.

use thiserror::Error;

/// Why a known command could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A number, a pair or a word is missing.
    #[error("an argument is missing")]
    Missing,
    /// Other text stands in place of a number or a pair.
    #[error("cannot read '{text}'")]
    Unreadable {
        /// The offending text, short and printable.
        text: String,
    },
    /// A number does not fit 64 bits.
    #[error("number too large: {text}")]
    TooLarge {
        /// The digits, cut short.
        text: String,
    },
    /// An entry of a list cannot be read; the first such entry is reported.
    #[error("list entry {index}: cannot read '{text}'")]
    Entry {
        /// Index of the entry, counted from 1.
        index: usize,
        /// The offending text, short and printable.
        text: String,
    },
    /// A list has more entries than any board has cells.
    #[error("list too long")]
    ListTooLong,
    /// Another command, or the end of the input, came before the list was closed.
    #[error("list without DONE")]
    WithoutDone,
    /// Another command, or the end of the input, came where a path was expected.
    #[error("no path on the next line")]
    WithoutPath,
    /// The line, or a quoted text, exceeds its maximum length.
    #[error("text too long")]
    TooLong,
}
