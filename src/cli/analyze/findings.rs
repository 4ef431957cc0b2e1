//! Lines and numbers of a search, as they are shown.

use goren_core::types::Cell;
use goren_engine::Info;

/// The stones of a line.
pub(crate) fn cells(info: &Info) -> Vec<Cell> {
    info.pv.iter().map(|m| m.cell()).collect()
}

/// A count, in thousands or millions where it is large.
pub(super) fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}K", count / 1000),
        _ => format!("{}M", count / 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(
            (short(9_999), short(12_345), short(45_000_000)),
            ("9999".into(), "12K".into(), "45M".into())
        );
    }
}
