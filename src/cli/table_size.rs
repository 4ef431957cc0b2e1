//! Size of the transposition table as an argument.

use crate::number::whole;

/// Size of the transposition table. Commands may give it another default.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct TableSize {
    /// Transposition table in MiB.
    #[arg(long, default_value_t = 128, value_name = "MIB",
        value_parser = whole::<u32>(1..=1 << 20))]
    memory: u32,
}

impl TableSize {
    /// Bytes of the table.
    pub(crate) fn bytes(&self) -> usize {
        (self.memory as usize) << 20
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_args::parse;

    #[test]
    fn sizes_are_in_mebibytes() {
        let size = |line: &str| parse::<TableSize>(line).map(|size| size.bytes() >> 20);
        assert_eq!((size("").unwrap(), size("--memory 3").unwrap()), (128, 3));
        assert!(size("--memory 0").is_err());
    }
}
