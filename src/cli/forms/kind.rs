//! Detection of files of another kind than needed.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Error, Result, anyhow};
use goren_notation::forms::known;

pub(crate) use goren_notation::forms::Kind;

/// Number of bytes to inspect at the start of a file.
const FRONT: u64 = 1 << 16;

/// Returns the result of reading a file that should be of a kind, where `None` is a kind
/// without a known start. If reading failed and the file is of another known kind, the error
/// names that kind, which explains more than the fault.
///
/// # Errors
/// The kind of the file, or the fault.
pub(crate) fn of_kind<T>(path: &Path, kind: impl Into<Option<Kind>>, read: Result<T>) -> Result<T> {
    read.map_err(|fault| other_kind(path, kind).unwrap_or(fault))
}

/// Returns an error if a file is of another known kind than needed. Skips pipes and the like,
/// which can be read only once.
pub(crate) fn other_kind(path: &Path, kind: impl Into<Option<Kind>>) -> Option<Error> {
    let kind = kind.into();
    let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten()?;
    let mut front = Vec::new();
    file.take(FRONT).read_to_end(&mut front).ok()?;
    let (_, what) = known(&front).filter(|&(other, _)| Some(other) != kind)?;
    Some(anyhow!("{}: it is {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_error_names_the_kind_of_a_file_of_another_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let error = |text: &str, kind| {
            fs::write(&path, text).unwrap();
            of_kind(&path, kind, Err::<(), _>(anyhow!("the fault"))).unwrap_err().to_string()
        };
        let game = "(;GM[4]SZ[15];B[hh])";
        assert!(error(game, Some(Kind::Database)).contains("file: it is an SGF game: `goren "));
        assert!(error(game, None).contains("it is an SGF game"));
        // If the kind is right or unknown, the error is the fault.
        assert_eq!(error(game, Some(Kind::Games)), "the fault");
        assert_eq!(error("h8i9", Some(Kind::Database)), "the fault");
        assert_eq!(of_kind(&path, Kind::Tree, Ok(7)).unwrap(), 7);
    }
}
