//! Errors of reading weights.

use goren_core::rules::RuleId;

/// Errors of reading weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// Not a weights file.
    #[error("not a file of weights")]
    Magic,
    /// Weights of tuples in a format of before.
    #[error("weights in a format of before version 7; fit them anew")]
    Former,
    /// Unknown version.
    #[error("format version {0} of the file is unknown")]
    Version(u16),
    /// The file is too short.
    #[error("the file ends after {found} of {expected} bytes")]
    Short {
        /// Bytes there should be.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The file is too long.
    #[error("the file has {found} bytes where {expected} should be")]
    Long {
        /// Bytes there should be.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// The checksum is wrong.
    #[error("the file is damaged: its checksum is {found:08x} instead of {expected:08x}")]
    Damaged {
        /// Checksum in the file.
        expected: u32,
        /// Checksum of its bytes.
        found: u32,
    },
    /// A number of sides other than 1 and 2.
    #[error("weights of {0} sides")]
    Sides(u16),
    /// An unexpected section.
    #[error("section {number} is not {name} with {entries} entries")]
    Section {
        /// Counted from 0 over all sides.
        number: usize,
        /// The name there should be.
        name: String,
        /// Entries there should be.
        entries: usize,
    },
    /// No variant has this number.
    #[error("weights of an unknown rule, number {0}")]
    UnknownRule(u16),
    /// Weights of another variant.
    #[error("weights for {found}, not for {wanted}")]
    OtherRule {
        /// The variant they are for.
        found: RuleId,
        /// The variant asked for.
        wanted: RuleId,
    },
}
