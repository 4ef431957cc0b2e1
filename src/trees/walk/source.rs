//! The moves of a tree, as far as it is read.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::reading::{PartReading, ReadState};
use crate::file::{self, TreeFile};
use crate::packed::Packed;
use crate::replies::{equivalent_reply, replies_to_check};
use goren_core::types::Cell;
use goren_proof::{Answers, CanonicalKey, Claim, Moves, Proof, ProofBoard, ProofError, ProofFile};

/// A tree to play from.
pub(super) enum TreeSource {
    /// A table, whose moves are looked up in the file.
    File(ProofFile),
    /// A log, read into memory.
    Whole(Proof),
    /// A packed tree, of which one part at a time is read.
    Packed { packed: Packed, reading: Option<PartReading>, memory: usize },
}

impl TreeSource {
    /// Opens a file; reading the part of a packed tree takes about `memory` bytes at most.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub(super) fn open(path: &Path, memory: usize) -> Result<TreeSource> {
        let place = || path.display().to_string();
        match ProofFile::open(File::open(path).with_context(place)?) {
            Ok(file) => Ok(TreeSource::File(file)),
            Err(ProofError::Io(error)) => Err(error).with_context(place),
            Err(_) => Ok(match file::open(path)? {
                TreeFile::Table(proof) => TreeSource::Whole(proof),
                TreeFile::Packed(packed) => TreeSource::Packed { packed, reading: None, memory },
            }),
        }
    }

    pub(super) fn claim(&self) -> &Claim {
        match self {
            TreeSource::File(file) => file.claim(),
            TreeSource::Whole(proof) => &proof.claim,
            TreeSource::Packed { packed, .. } => &packed.claim,
        }
    }

    /// The replies that a packed tree answers, each in a part of its own; `None` for a table.
    pub(super) fn answered(&self) -> Option<Vec<Option<Cell>>> {
        match self {
            TreeSource::Packed { packed, .. } => {
                Some(packed.parts().iter().map(|part| part.reply).collect())
            }
            TreeSource::File(_) | TreeSource::Whole(_) => None,
        }
    }

    /// Selects a reply to the position of the claim, which is on `board`, or the position
    /// itself. Returns whether the tree may answer it.
    ///
    /// # Errors
    /// No thread can be started to read its part.
    pub(super) fn turn_to(&mut self, board: &ProofBoard, reply: Option<Cell>) -> Result<bool> {
        let TreeSource::Packed { packed, reading, memory } = self else { return Ok(true) };
        let named = match reply {
            Some(reply) => {
                let asked = replies_to_check(&packed.claim, board);
                let Some(named) = equivalent_reply(&packed.claim, board, &asked, reply) else {
                    return Ok(false);
                };
                Some(named)
            }
            None => None,
        };
        if reading.as_ref().is_some_and(|reading| reading.reply == named) {
            return Ok(true);
        }
        *reading = None;
        if let Some(part) = packed.part(named) {
            *reading = Some(PartReading::begin(packed, part, board.clone(), *memory)?);
        }
        Ok(reading.is_some())
    }

    /// The progress of reading the part of the selected reply.
    pub(super) fn state(&self) -> ReadState {
        match self {
            TreeSource::Packed { reading: Some(reading), .. } => reading.state(),
            TreeSource::File(_)
            | TreeSource::Whole(_)
            | TreeSource::Packed { reading: None, .. } => ReadState::Whole,
        }
    }

    /// The share of that part that is read, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        match self {
            TreeSource::Packed { reading: Some(reading), .. } => reading.share(),
            TreeSource::File(_)
            | TreeSource::Whole(_)
            | TreeSource::Packed { reading: None, .. } => 1.0,
        }
    }

    /// Checks that no fault of the file has been found.
    ///
    /// # Errors
    /// The fault of the file.
    pub(super) fn sound(&self) -> Result<()> {
        match self {
            TreeSource::File(file) => {
                file.fault().map_or(Ok(()), |fault| Err(fault.clone().into()))
            }
            TreeSource::Packed { .. } if self.state() == ReadState::Wrong => {
                bail!("a part of the packed tree is wrong")
            }
            TreeSource::Whole(_) | TreeSource::Packed { .. } => Ok(()),
        }
    }
}

impl Answers for &mut TreeSource {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        match self {
            TreeSource::File(file) => file.get(canonical),
            TreeSource::Whole(proof) => proof.get(canonical),
            TreeSource::Packed { reading, .. } => {
                reading.as_ref().map_or_else(Moves::new, |reading| reading.get(canonical))
            }
        }
    }
}
