//! Errors of reading weights.

use goren_core::rules::RuleId;

/// Errors of reading weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// Not a weights file.
    #[error("not a weights file")]
    Magic,
    /// Tuple weights in the format from before this container.
    #[error("tuple weights in a format that is no longer supported; fit them again")]
    Former,
    /// Unknown version.
    #[error("format version {0} of the file is unknown")]
    Version(u16),
    /// The file is too short.
    #[error("the file ends after {found} of {expected} bytes")]
    Short {
        /// Bytes the file should have.
        expected: usize,
        /// Bytes the file has.
        found: usize,
    },
    /// The file is too long.
    #[error("the file has {found} bytes instead of {expected}")]
    Long {
        /// Bytes the file should have.
        expected: usize,
        /// Bytes the file has.
        found: usize,
    },
    /// The checksum is wrong.
    #[error("the file is damaged: its checksum is {found:08x} instead of {expected:08x}")]
    Damaged {
        /// Checksum stored in the file.
        expected: u32,
        /// Checksum computed from its bytes.
        found: u32,
    },
    /// A number of sides other than 1 and 2.
    #[error("the file has weights for {0} sides; only 1 and 2 are possible")]
    Sides(u16),
    /// A section with another name or number of entries than expected.
    #[error("section {number} is not {name} with {entries} entries")]
    Section {
        /// Index in the file, from 0, over all sides.
        number: usize,
        /// Expected name.
        name: String,
        /// Expected number of entries.
        entries: usize,
    },
    /// No rule and no tuple family has this number.
    #[error("weights for an unknown game, number {0}")]
    UnknownGame(u16),
    /// Weights of another tuple family, or of a rule.
    #[error("weights for game number {found}, not for {wanted}")]
    OtherFamily {
        /// Number of the game of the weights.
        found: u16,
        /// The requested family.
        wanted: &'static str,
    },
    /// Weights of another rule.
    #[error("weights for {found}, not for {wanted}")]
    OtherRule {
        /// The rule of the weights.
        found: RuleId,
        /// The requested rule.
        wanted: RuleId,
    },
}
