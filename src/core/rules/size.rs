//! Sizes of boards in texts.

/// Reads columns and rows from a text such as `20x15`, of any size.
pub fn read_size(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once(['x', 'X', '×', '*'])?;
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

/// Reads columns and rows from a text such as `20x15`, or `15` for a square, of any size.
pub fn read_size_or_side(text: &str) -> Option<(usize, usize)> {
    let square = || text.trim().parse().ok().map(|side| (side, side));
    read_size(text).or_else(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_columns_and_rows_or_one_side() {
        for text in ["20x15", "20X15", "20×15", "20*15", " 20 x 15 "] {
            assert_eq!(read_size(text), Some((20, 15)), "{text}");
        }
        assert_eq!((read_size("15"), read_size_or_side("15")), (None, Some((15, 15))));
        for bad in ["", "x", "15x", "x15", "-3", "15x15x15", "a"] {
            assert_eq!(read_size_or_side(bad), None, "{bad}");
        }
    }
}
