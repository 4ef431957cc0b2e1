//! What can be wrong with the arguments of a known command.

use thiserror::Error;

/// Why a known command could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// A number, a pair or a word is not there.
    #[error("an argument is missing")]
    Missing,
    /// Something stands where a number or a pair should.
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
    /// An entry of a list cannot be read; it is the first such entry.
    #[error("list entry {index}: cannot read '{text}'")]
    Entry {
        /// Which entry, counted from 1.
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
    /// The line, or a quoted text, is longer than is read.
    #[error("text too long")]
    TooLong,
}
