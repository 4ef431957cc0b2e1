//! A file of a tree that moves are appended to.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::batch::Coding;
use super::head::{Form, ProofError, TableHead, head};
use super::whole::{Damage, read, write};
use crate::{Claim, Proof};
use goren_core::types::Cell;

/// The end of the name under which a damaged file is kept.
const DAMAGED: &str = ".damaged";

/// A file of a tree that moves are appended to.
#[derive(Debug)]
pub struct Journal {
    file: File,
    coding: Coding,
    /// Bytes that are whole.
    length: u64,
    /// Whether all its moves are sorted.
    sorted: bool,
}

/// A file beside another, by the end of its name.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Keeps the bytes of a damaged file beside it, on the disk before the file is written anew.
/// What was kept before stays.
fn keep_damaged(path: &Path, bytes: &[u8]) -> io::Result<()> {
    for number in 1.. {
        let end = if number == 1 { DAMAGED.to_owned() } else { format!("{DAMAGED}.{number}") };
        match OpenOptions::new().write(true).create_new(true).open(beside(path, &end)) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                return file.sync_all();
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(ProofError::Head("it is in use by another run"));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let expected = head(Form::Table, claim);
        // A run may have ended before its head was on the disk.
        if bytes.len() < expected.len() && expected.starts_with(&bytes) {
            // Or while it was repaired.
            if !is_new && beside(path, DAMAGED).exists() {
                return Err(ProofError::Head(
                    "it is empty: a run was interrupted while it repaired it. The damaged file \
                     is kept beside it, the one with the highest number behind .damaged: give it \
                     the name of the tree to go on, or remove the empty file to begin anew",
                ));
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&expected)?;
            file.sync_all()?;
            let coding = TableHead::read(&expected)?.coding;
            let length = expected.len() as u64;
            let journal = Journal { file, coding, length, sorted: false };
            return Ok((journal, Proof::new(claim.clone()), None));
        }
        let (proof, damage) = read(&bytes)?;
        if proof.claim != *claim {
            return Err(ProofError::Head(
                "it is about another position or rule: name another file",
            ));
        }
        if damage.is_some() {
            keep_damaged(path, &bytes)?;
            bytes.clear();
            write(&proof, &mut bytes)?;
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&bytes)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::End(0))?;
        let head = TableHead::read(&bytes)?;
        let sorted = head.slots > 0 && head.log() == bytes.len() as u64;
        let length = bytes.len() as u64;
        Ok((Journal { file, coding: head.coding, length, sorted }, proof, damage))
    }

    /// Appends moves and waits until they are on the disk.
    ///
    /// # Errors
    /// An I/O error. The moves are kept then and nothing of them stays in the file,
    /// so that they can be appended again.
    pub fn append(&mut self, moves: &mut Vec<(u64, Cell)>) -> io::Result<()> {
        if moves.is_empty() {
            return Ok(());
        }
        moves.sort_unstable();
        let batch = self.coding.batch(moves);
        // What is left of a batch that could not be written would end the log.
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length))?;
        let written = self.file.write_all(&batch).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Best effort: the next call cuts it too.
            self.file.set_len(self.length).ok();
            return Err(error);
        }
        self.length += batch.len() as u64;
        self.sorted = false;
        moves.clear();
        Ok(())
    }

    /// Whether all moves of the file are sorted, so that it is quick to look
    /// them up there.
    pub fn is_sorted(&self) -> bool {
        self.sorted
    }
}
