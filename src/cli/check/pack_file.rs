//! The file of `--pack`. A part stays in it until another of the same reply takes its place,
//! so that a run that is stopped, or has some of the replies, loses nothing that was there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use goren_core::types::Cell;
use goren_files::output_path::{self, HOLDS_OTHER};
use goren_proof::{Claim, is_packed};
use goren_trees::packed::{Packed, Part};
use goren_trees::{TreeFile, open};

/// Why a file that was changed is not written.
const CHANGED: &str = "another program has changed it, and it stays as it is: give each run a \
                       file of its own, and join them by `goren merge --packed`";

/// Why a tree that is checked is not replaced by a part of it.
pub(super) const ONLY_WHOLE: &str = "a tree that is checked is replaced only by all of its \
                                     replies; name another file";

/// What tells a file from another: its length and checksum.
type Fingerprint = (usize, u32);

/// A packed tree that a check writes.
pub(super) struct PackFile {
    path: PathBuf,
    /// What was in the file, and in its place what was packed since.
    packed: Packed,
    /// The file as it was read or written last; `None` if there was none.
    fingerprint: Option<Fingerprint>,
    /// Whether it is one of the files that are checked: it is written once nothing is open.
    is_input: bool,
}

impl PackFile {
    /// Goes on with the packed tree of a claim, or begins one. Nothing is written yet.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or holds something else.
    pub(super) fn open(path: &Path, claim: &Claim, is_input: bool) -> Result<PackFile> {
        let bytes = content(path)?;
        let has_parts = bytes.as_deref().is_some_and(is_packed);
        let has_other = !has_parts && bytes.as_ref().is_some_and(|bytes| !bytes.is_empty());
        // A table that is checked is replaced by what it is packed to.
        ensure!(is_input || !has_other, "{}: {HOLDS_OTHER}", path.display());
        let mut packed = Packed::new(claim.clone(), Vec::new());
        if has_parts && let TreeFile::Packed(before) = open(path)? {
            ensure!(before.claim == *claim, "{}: {HOLDS_OTHER}", path.display());
            packed.join(before);
        }
        let fingerprint = bytes.as_deref().map(fingerprint_of);
        Ok(PackFile { path: path.to_path_buf(), packed, fingerprint, is_input })
    }

    /// Checks that a run has all that [`PackFile::finish`] needs: of `all` replies those that
    /// are not packed yet are its `own`.
    ///
    /// # Errors
    /// It is the tree that is checked, and would lack replies.
    pub(super) fn check_reach(
        &self,
        all: &[Option<Cell>],
        own: &[(u64, Option<Cell>)],
    ) -> Result<()> {
        let is_packed = |reply: &Option<Cell>| self.parts().iter().any(|it| it.reply == *reply);
        let is_own = |reply: &Option<Cell>| own.iter().any(|(_, it)| it == reply);
        let lacks = all.iter().any(|reply| !is_packed(reply) && !is_own(reply));
        ensure!(!(self.is_input && lacks), "{}: {ONLY_WHOLE}", self.path.display());
        Ok(())
    }

    /// All parts, those that were there before too.
    pub(super) fn parts(&self) -> &[Part] {
        self.packed.parts()
    }

    /// Takes in a part. It is written at once, so that an interrupted run keeps its results.
    ///
    /// # Errors
    /// As in [`PackFile::write`].
    pub(super) fn add(&mut self, part: Part) -> Result<()> {
        self.packed.add(part);
        if self.is_input { Ok(()) } else { self.write() }
    }

    /// Writes the last state of the file, and prints its size; `is_complete` says whether all
    /// replies are answered and packed.
    ///
    /// # Errors
    /// As in [`PackFile::write`]; it is the tree that was checked, and not all replies are packed.
    pub(super) fn finish(&mut self, is_complete: bool) -> Result<()> {
        let lost = self.is_input && !is_complete;
        ensure!(!lost, "{}: {ONLY_WHOLE}", self.path.display());
        self.write()?;
        println!("Packed: {} bytes", fs::metadata(&self.path)?.len());
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Another program has changed it since, or an I/O error.
    fn write(&mut self) -> Result<()> {
        // A lock on the file would end when it is replaced. Of a file that somebody has
        // removed nothing can be lost.
        let now = content(&self.path)?.as_deref().map(fingerprint_of);
        ensure!(now.is_none() || now == self.fingerprint, "{}: {CHANGED}", self.path.display());
        let bytes = self.packed.encoded();
        output_path::replace(&self.path, &bytes)?;
        self.fingerprint = Some(fingerprint_of(&bytes));
        Ok(())
    }
}

/// The bytes of a file; `None` if there is none.
///
/// # Errors
/// An I/O error.
fn content(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

fn fingerprint_of(bytes: &[u8]) -> Fingerprint {
    (bytes.len(), crc32fast::hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Color;
    use goren_proof::Root;

    /// Two runs that began with the same file, as the tasks of an array do: the second one
    /// to write lost what the first had written.
    #[test]
    fn what_another_run_has_written_stays() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
        let claim = Claim { setup, attacker: Color::Black, root };
        let part = |x| Part::new(Some(Cell::new(x, 0)), &[1, 2, 3]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.packed");
        let open = || PackFile::open(&path, &claim, false).unwrap();
        let [mut one, mut other] = [open(), open()];
        one.add(part(0)).unwrap();
        one.add(part(1)).unwrap();
        let before = fs::read(&path).unwrap();
        let error = other.add(part(2)).unwrap_err().to_string();
        assert!(error.contains("all.packed: another program has changed it"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
        // A run that begins later goes on with the file.
        let mut later = open();
        later.add(part(2)).unwrap();
        assert_eq!(open().parts().len(), 3);
        assert!(one.finish(true).is_err());
        fs::remove_file(&path).unwrap();
        later.finish(true).unwrap();
        assert_eq!(open().parts().len(), 3);
    }
}
