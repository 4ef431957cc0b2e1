//! Checksums of files that settings name, so that a run goes on with the same files only.

use std::fs;
use std::path::Path;

/// The key of checksums in settings. Former versions wrote none: where one side has none, they
/// are not compared.
pub(crate) const CHECKSUMS: &str = "checksums";

/// The checksum of a plain file: the CRC-32 of its bytes from the last to the first. Forwards
/// it would be the same for all files that end with the CRC-32 of the rest, as weights do.
pub(crate) fn of_file(path: &Path) -> Option<u32> {
    let mut bytes = path.is_file().then(|| fs::read(path).ok())??;
    bytes.reverse();
    Some(crc32fast::hash(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use goren_engine::eval::Weights;

    #[test]
    fn weights_of_one_length_have_different_checksums() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.bin");
        let sum = |rule| {
            fs::write(&path, Weights::embedded(rule).write()).unwrap();
            of_file(&path)
        };
        assert_ne!(sum(RuleId::Freestyle), sum(RuleId::Renju));
        assert_eq!(sum(RuleId::Renju), sum(RuleId::Renju));
        assert_eq!(of_file(folder.path()), None);
    }
}
