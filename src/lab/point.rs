//! Points as people write them: a column letter and the row from the bottom.

use anyhow::{Result, bail};

use crate::rules::Setup;
use crate::types::Cell;

/// Column from the left (from 0) and row from the bottom (from 1) of a text
/// like `h8` or `H8`; `None` if it is no such text. The point may lie outside
/// any board.
pub(super) fn read(text: &str) -> Option<(usize, usize)> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let digits = chars.as_str();
    let well_formed = digits.bytes().all(|b| b.is_ascii_digit());
    if !well_formed || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let row = digits.parse().ok()?;
    Some((letter.to_ascii_lowercase() as usize - 'a' as usize, row))
}

/// The cell of a text on a board.
///
/// # Errors
/// The text is no point, or the point is not on the board.
pub(super) fn cell(text: &str, setup: Setup) -> Result<Cell> {
    match read(text) {
        Some((x, row)) if x < setup.width && (1..=setup.height).contains(&row) => {
            Ok(Cell::new(x, setup.height - row))
        }
        Some(_) => bail!("{text} is outside the board"),
        None => bail!("{text:?} is no point; a point is a letter and a number, such as h8"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleId;

    #[test]
    fn points_count_rows_from_the_bottom() {
        let setup = Setup::new(RuleId::Freestyle, 20, 15).unwrap();
        assert_eq!(cell("a1", setup).unwrap(), Cell::new(0, 14));
        assert_eq!(cell("T15", setup).unwrap(), Cell::new(19, 0));
        for outside in ["u1", "a0", "a16", "z99"] {
            assert!(cell(outside, setup).unwrap_err().to_string().contains("outside"));
        }
        for bad in ["", "a", "a01", "7", "a1x", "é1", "a-1", "a+1", "hint", "a99999999999999999999"]
        {
            assert!(read(bad).is_none(), "{bad}");
        }
    }
}
