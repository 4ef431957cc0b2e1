//! [`Setup`]: a rule of five in a row and the size of its board.

use super::games::five::RuleId;
use crate::types::{MAX_SIDE, MIN_SIDE};

/// A rule of five in a row on a board of one size.
///
/// In serde formats it has its fields by name. Deserialising fails for a size that
/// [`Setup::new`] refuses.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked"))]
pub struct Setup {
    /// The rule.
    pub rule: RuleId,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// A board size that the engine does not support.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
// Piskvork offers 20x20 if it finds that number in the answer.
#[error(
    "board size {width}x{height} is not supported, sides must be {MIN_SIDE} to {MAX_SIDE}, as in 20x20"
)]
pub struct BadSize {
    /// Requested columns.
    pub width: usize,
    /// Requested rows.
    pub height: usize,
}

impl Setup {
    /// A rule on a board of `width` columns and `height` rows.
    ///
    /// # Errors
    /// Sides outside [`MIN_SIDE`]..=[`MAX_SIDE`].
    pub fn new(rule: RuleId, width: usize, height: usize) -> Result<Setup, BadSize> {
        let sides = MIN_SIDE..=MAX_SIDE;
        if sides.contains(&width) && sides.contains(&height) {
            Ok(Setup { rule, width, height })
        } else {
            Err(BadSize { width, height })
        }
    }

    /// Number of cells of the board.
    pub const fn area(&self) -> usize {
        self.width * self.height
    }
}

/// A [`Setup`] as it is deserialised, before its size is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(rename = "Setup", deny_unknown_fields)]
struct Unchecked {
    rule: RuleId,
    width: usize,
    height: usize,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Setup {
    type Error = BadSize;

    fn try_from(Unchecked { rule, width, height }: Unchecked) -> Result<Setup, BadSize> {
        Setup::new(rule, width, height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_outside_the_frame_are_refused() {
        assert!(Setup::new(RuleId::Renju, 26, 5).is_ok());
        assert!(Setup::new(RuleId::Renju, 27, 15).is_err());
        assert!(Setup::new(RuleId::Renju, 15, 4).is_err());
    }
}
