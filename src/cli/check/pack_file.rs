//! The file of `--pack`. A part stays in it until another part of the same reply replaces it,
//! so that a stopped run, or a run over some of the replies, loses no earlier part.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use goren_core::types::Cell;
use goren_files::output_path::{self, HOLDS_OTHER};
use goren_proof::{Claim, is_packed};
use goren_trees::packed::{Packed, Part};
use goren_trees::{TreeFile, open};

/// Error message for a file that another program has changed.
const CHANGED: &str = "another program has changed it since, so it is left as it is: give each \
                       run its own file, and join them with `goren merge --packed`";

/// Error message for an input that only a part of its replies would replace.
pub(super) const ONLY_WHOLE: &str = "the checked tree is replaced only once all its replies \
                                     are packed; name another file";

/// Length and checksum of a file, which identify its content.
type Fingerprint = (usize, u32);

/// Packed tree that a check writes.
pub(super) struct PackFile {
    path: PathBuf,
    /// The earlier content of the file with the parts packed since.
    packed: Packed,
    /// The file as last read or written; `None` without a file.
    fingerprint: Option<Fingerprint>,
    /// Whether the file is an input; then it is written only once no reply is open.
    is_input: bool,
}

impl PackFile {
    /// Continues the packed tree of a claim, or begins one. Writes nothing yet.
    ///
    /// # Errors
    /// The file cannot be read, is damaged or holds something else.
    pub(super) fn open(path: &Path, claim: &Claim, is_input: bool) -> Result<PackFile> {
        let bytes = content(path)?;
        let has_parts = bytes.as_deref().is_some_and(is_packed);
        let has_other = !has_parts && bytes.as_ref().is_some_and(|bytes| !bytes.is_empty());
        // An input in table form may be replaced by its packed form.
        ensure!(is_input || !has_other, "{}: {HOLDS_OTHER}", path.display());
        let mut packed = Packed::new(claim.clone(), Vec::new());
        if has_parts && let TreeFile::Packed(existing) = open(path)? {
            ensure!(existing.claim == *claim, "{}: {HOLDS_OTHER}", path.display());
            packed.join(existing);
        }
        let fingerprint = bytes.as_deref().map(fingerprint_of);
        Ok(PackFile { path: path.to_path_buf(), packed, fingerprint, is_input })
    }

    /// Checks that a run covers all replies that [`PackFile::finish`] needs: each of `all` is
    /// packed already or among its `own`.
    ///
    /// # Errors
    /// The file is the input, and would lack replies.
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

    /// Returns all parts, including earlier ones.
    pub(super) fn parts(&self) -> &[Part] {
        self.packed.parts()
    }

    /// Adds a part and writes it at once, so that an interrupted run keeps its results.
    ///
    /// # Errors
    /// As in [`PackFile::write`].
    pub(super) fn add(&mut self, part: Part) -> Result<()> {
        self.packed.add(part);
        if self.is_input { Ok(()) } else { self.write() }
    }

    /// Writes the final state of the file, and prints its size; `is_complete` says whether all
    /// replies are answered and packed.
    ///
    /// # Errors
    /// As in [`PackFile::write`]; the file is the input, and not all replies are packed.
    pub(super) fn finish(&mut self, is_complete: bool) -> Result<()> {
        let loses_replies = self.is_input && !is_complete;
        ensure!(!loses_replies, "{}: {ONLY_WHOLE}", self.path.display());
        self.write()?;
        println!("Packed: {} bytes", fs::metadata(&self.path)?.len());
        Ok(())
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Another program has changed it since, or an I/O error.
    fn write(&mut self) -> Result<()> {
        // A lock would not survive the replacement of the file. A removed file is no conflict,
        // as it has nothing to lose.
        let now = content(&self.path)?.as_deref().map(fingerprint_of);
        ensure!(now.is_none() || now == self.fingerprint, "{}: {CHANGED}", self.path.display());
        let bytes = self.packed.encoded();
        output_path::replace(&self.path, &bytes)?;
        self.fingerprint = Some(fingerprint_of(&bytes));
        Ok(())
    }
}

/// Reads a file; `None` if there is none.
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

    /// Regression: of two runs that began with the same file, as the tasks of an array do, the
    /// second one to write lost the parts of the first.
    #[test]
    fn parts_written_by_another_run_are_not_lost() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
        let claim = Claim { setup, attacker: Color::Black, root };
        let part = |x| Part::new(Some(Cell::new(x, 0)), &[1, 2, 3]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.packed");
        let open = || PackFile::open(&path, &claim, false).unwrap();
        let [mut first, mut second] = [open(), open()];
        first.add(part(0)).unwrap();
        first.add(part(1)).unwrap();
        let before = fs::read(&path).unwrap();
        let error = second.add(part(2)).unwrap_err().to_string();
        assert!(error.contains("all.packed: another program has changed it"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
        // A run that begins later continues the file.
        let mut later = open();
        later.add(part(2)).unwrap();
        assert_eq!(open().parts().len(), 3);
        assert!(first.finish(true).is_err());
        fs::remove_file(&path).unwrap();
        later.finish(true).unwrap();
        assert_eq!(open().parts().len(), 3);
    }
}
