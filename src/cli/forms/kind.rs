//! Files of another kind than the one that is needed.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Error, Result, anyhow};
use goren_notation::forms::known;

pub(crate) use goren_notation::forms::Kind;

/// First bytes that are looked at.
const FRONT: u64 = 1 << 16;

/// What was read of a file that should be of some kind; `None` for one that is not known by
/// its beginning. Where that failed and the file is known to be of another kind, what it is
/// tells more than the fault.
///
/// # Errors
/// What the file is, or the fault.
pub(crate) fn of_kind<T>(path: &Path, kind: impl Into<Option<Kind>>, read: Result<T>) -> Result<T> {
    read.map_err(|fault| other_kind(path, kind).unwrap_or(fault))
}

/// The fault of a file that is known to be of another kind than the one that is needed. What
/// is no file, such as a pipe, can be read only once.
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
    fn a_file_of_another_kind_is_called_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let reported = |text: &str, kind| {
            fs::write(&path, text).unwrap();
            of_kind(&path, kind, Err::<(), _>(anyhow!("the fault"))).unwrap_err().to_string()
        };
        let game = "(;GM[4]SZ[15];B[hh])";
        assert!(reported(game, Some(Kind::Database)).contains("file: it is an SGF game: `goren "));
        assert!(reported(game, None).contains("it is an SGF game"));
        // Of its own kind, or of none that is known, the fault is told.
        assert_eq!(reported(game, Some(Kind::Games)), "the fault");
        assert_eq!(reported("h8i9", Some(Kind::Database)), "the fault");
        assert_eq!(of_kind(&path, Kind::Tree, Ok(7)).unwrap(), 7);
    }
}
