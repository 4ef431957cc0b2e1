//! Tree files that moves are appended to.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::batch::Coding;
use super::head::{Form, ProofError, TableHead, head};
use super::whole::{Damage, read, write};
use crate::{Claim, Proof};
use goren_core::types::Cell;
use goren_files::{AppendError, AppendFile, LockedFile, with_suffix, write_new};

/// Suffix of the copy of a damaged file.
const DAMAGED: &str = ".damaged";

/// An open tree file that moves are appended to.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    coding: Coding,
    /// Whether all its moves are sorted.
    sorted: bool,
    /// Copy of the file as it was found, if it was damaged.
    damaged_copy: Option<PathBuf>,
}

/// Writes the bytes of a damaged file to a new file beside it, and to the disk before the
/// original is rewritten. Does not overwrite earlier copies. Returns the path.
fn keep_damaged(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let name = |number: u32| -> PathBuf {
        let end = if number == 1 { DAMAGED.to_owned() } else { format!("{DAMAGED}.{number}") };
        with_suffix(path, &end)
    };
    write_new((1..).map(name), bytes)
}

/// Rewrites a locked file in place and waits until it is on the disk. Replacing it by another
/// file would lose the lock.
fn rewrite(file: LockedFile, path: &Path, bytes: &[u8]) -> io::Result<AppendFile> {
    let mut file = AppendFile::resume(file, path, 0)?;
    file.append_synced(bytes)?;
    Ok(file)
}

impl Journal {
    /// Creates a tree file without moves, or opens an existing one. A damaged file is copied
    /// (`.damaged`, then `.damaged.2` and so on) and rewritten with the moves that can be
    /// read. Returns these moves and the damage.
    ///
    /// # Errors
    /// An I/O error; the file is no tree, in use by another run, or about another claim.
    pub fn open(
        path: &Path,
        claim: &Claim,
    ) -> Result<(Journal, Proof, Option<Damage>), ProofError> {
        let is_new = !path.exists();
        let Some(mut file) = LockedFile::open(path)? else {
            return Err(ProofError::Head("it is in use by another run"));
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let expected = head(Form::Table, claim);
        // A run may have been interrupted before the head was on the disk.
        if bytes.len() < expected.len() && expected.starts_with(&bytes) {
            // Or during a repair.
            if !is_new && with_suffix(path, DAMAGED).exists() {
                return Err(ProofError::Head(
                    "it is empty: a run was interrupted during its repair. The damaged file is \
                     kept beside it, the one with the highest number after .damaged: give that \
                     the name of the tree to go on, or remove the empty file to begin anew",
                ));
            }
            let file = rewrite(file, path, &expected)?;
            let coding = TableHead::read(&expected)?.coding;
            let journal = Journal { file, coding, sorted: false, damaged_copy: None };
            return Ok((journal, Proof::new(claim.clone()), None));
        }
        let (proof, damage) = read(&bytes)?;
        if proof.claim != *claim {
            return Err(ProofError::Head(
                "it is about another position or rule: name another file",
            ));
        }
        let mut damaged_copy = None;
        let file = if damage.is_some() {
            damaged_copy = Some(keep_damaged(path, &bytes)?);
            bytes.clear();
            write(&proof, &mut bytes)?;
            rewrite(file, path, &bytes)?
        } else {
            AppendFile::resume(file, path, bytes.len() as u64)?
        };
        let head = TableHead::read(&bytes)?;
        let sorted = head.slots > 0 && head.log() == bytes.len() as u64;
        Ok((Journal { file, coding: head.coding, sorted, damaged_copy }, proof, damage))
    }

    /// Appends moves and waits until they are on the disk.
    ///
    /// # Errors
    /// An I/O error, or another run writes to the file. `moves` then keeps the moves, and the
    /// file none of them, so that they can be appended again.
    pub fn append(&mut self, moves: &mut Vec<(u64, Cell)>) -> Result<(), AppendError> {
        if moves.is_empty() {
            // The caller may replace the file next.
            return self.file.check();
        }
        moves.sort_unstable();
        let batch = self.coding.batch(moves);
        self.file.append_synced(&batch)?;
        self.sorted = false;
        moves.clear();
        Ok(())
    }

    /// Returns the copy of a file that was damaged when it was opened.
    pub fn kept(&self) -> Option<&Path> {
        self.damaged_copy.as_deref()
    }

    /// Whether all moves of the file are sorted, so that lookups in it are fast.
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }
}
