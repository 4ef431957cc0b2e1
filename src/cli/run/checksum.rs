//! Checksums of files that settings name, so that a run resumes only with the same files.

use std::fs;
use std::path::Path;

use goren_core::rules::Variant;
use goren_engine::eval::{Weights, write_tuples};
use goren_engine::game::tuple_family;

/// The key of checksums in settings. Former versions wrote none, or fewer: checksums that one
/// side lacks are not compared.
pub(crate) const CHECKSUMS: &str = "checksums";

/// The key of the CRC-32 of weights other than the embedded ones, in settings of `goren spsa`.
pub(crate) const WEIGHTS_CRC32: &str = "weights_crc32";

/// The checksum of a plain file, by [`of_bytes`].
pub(crate) fn of_file(path: &Path) -> Option<u32> {
    path.is_file().then(|| fs::read(path).ok())?.map(of_bytes)
}

/// The CRC-32 of bytes from the last to the first. Forwards it would be the same for all files
/// that end with the CRC-32 of the rest, as weights do.
pub(crate) fn of_bytes(mut bytes: Vec<u8>) -> u32 {
    bytes.reverse();
    crc32fast::hash(&bytes)
}

/// The checksum of the embedded weights of a game, if it has any. Versions of the engine may
/// differ in them.
pub(crate) fn of_embedded(variant: Variant) -> Option<u32> {
    let bytes = match variant {
        Variant::Five(rule) => Weights::embedded(rule).write(),
        variant => {
            let family = tuple_family(variant)?;
            write_tuples(family, &family.weights())
        }
    };
    Some(of_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;

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
