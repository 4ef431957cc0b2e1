//! Games as they were played, and the files that hold them.

pub mod diagram;
pub mod import;
pub mod lib;
#[cfg(test)]
mod linear;
mod lines;
#[cfg(test)]
mod mutations;
mod played;
pub mod psq;
mod quote;
#[cfg(any(test, feature = "testing"))]
pub mod samples;
pub mod sgf;
pub mod text;

pub use played::{Ending, GameRecord, PlayedPly};
