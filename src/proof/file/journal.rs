//! A file of a tree that moves are appended to.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::batch::Coding;
use super::head::{Form, ProofError, TableHead, head};
use super::whole::{Damage, read, write};
use crate::{Claim, Proof};
use goren_core::types::Cell;
use goren_files::{AppendError, AppendFile, LockedFile, behind, write_new};

/// The end of the name under which a damaged file is kept.
const DAMAGED: &str = ".damaged";

/// A file of a tree that moves are appended to.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    coding: Coding,
    /// Whether all its moves are sorted.
    sorted: bool,
    /// Where the file is kept as it was, if it was damaged.
    kept: Option<PathBuf>,
}

/// Keeps the bytes of a damaged file beside it, on the disk before the file is written anew.
/// What was kept before stays. Returns the name.
fn keep_damaged(path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let name = |number: u32| -> PathBuf {
        let end = if number == 1 { DAMAGED.to_owned() } else { format!("{DAMAGED}.{number}") };
        behind(path, &end)
    };
    write_new((1..).map(name), bytes)
}

/// Writes a locked file from its beginning on, and waits until it is on the disk. Its lock
/// is kept all the time, which it would not be by another file in its place.
fn rewrite(file: LockedFile, path: &Path, bytes: &[u8]) -> io::Result<AppendFile> {
    let mut file = AppendFile::resume(file, path, 0)?;
    file.append_synced(bytes)?;
    Ok(file)
}

impl Journal {
    /// Makes the file of a tree without a move, or opens the one there is. One that is
    /// damaged is kept beside it (`.damaged`, then `.damaged.2` and so on), and written anew
    /// with what makes sense. What is in it, and what was lost.
    ///
    /// # Errors
    /// An I/O error; the file is something else, in use by another run, or of
    /// another claim.
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
        // A run may have ended before its head was on the disk.
        if bytes.len() < expected.len() && expected.starts_with(&bytes) {
            // Or while it was repaired.
            if !is_new && behind(path, DAMAGED).exists() {
                return Err(ProofError::Head(
                    "it is empty: a run was interrupted while it repaired it. The damaged file \
                     is kept beside it, the one with the highest number behind .damaged: give it \
                     the name of the tree to go on, or remove the empty file to begin anew",
                ));
            }
            let file = rewrite(file, path, &expected)?;
            let coding = TableHead::read(&expected)?.coding;
            let journal = Journal { file, coding, sorted: false, kept: None };
            return Ok((journal, Proof::new(claim.clone()), None));
        }
        let (proof, damage) = read(&bytes)?;
        if proof.claim != *claim {
            return Err(ProofError::Head(
                "it is about another position or rule: name another file",
            ));
        }
        let mut kept = None;
        let file = if damage.is_some() {
            kept = Some(keep_damaged(path, &bytes)?);
            bytes.clear();
            write(&proof, &mut bytes)?;
            rewrite(file, path, &bytes)?
        } else {
            AppendFile::resume(file, path, bytes.len() as u64)?
        };
        let head = TableHead::read(&bytes)?;
        let sorted = head.slots > 0 && head.log() == bytes.len() as u64;
        Ok((Journal { file, coding: head.coding, sorted, kept }, proof, damage))
    }

    /// Appends moves and waits until they are on the disk.
    ///
    /// # Errors
    /// An I/O error, or another run writes to the file. The moves are kept then and nothing
    /// of them stays in the file, so that they can be appended again.
    pub fn append(&mut self, moves: &mut Vec<(u64, Cell)>) -> Result<(), AppendError> {
        if moves.is_empty() {
            // The caller may put another file in its place next.
            return self.file.check();
        }
        moves.sort_unstable();
        let batch = self.coding.batch(moves);
        self.file.append_synced(&batch)?;
        self.sorted = false;
        moves.clear();
        Ok(())
    }

    /// Where a file that was damaged is kept as it was found.
    pub fn kept(&self) -> Option<&Path> {
        self.kept.as_deref()
    }

    /// Whether all moves of the file are sorted, so that it is quick to look
    /// them up there.
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }
}
