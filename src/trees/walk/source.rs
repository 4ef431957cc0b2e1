//! The moves of a tree, as far as they are at hand.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::reading::{Reading, State};
use crate::file::{self, TreeFile};
use crate::packed::Packed;
use crate::replies::{among, asked};
use goren_core::types::Cell;
use goren_proof::{Answers, CanonicalKey, Claim, Moves, Proof, ProofBoard, ProofError, ProofFile};

/// A tree to play by.
pub(super) enum Source {
    /// In a table, where moves are looked up.
    File(ProofFile),
    /// Out of a log.
    Whole(Proof),
    /// A packed one, of which a part at a time is read.
    Packed { packed: Packed, reading: Option<Reading>, memory: usize },
}

impl Source {
    /// Opens a file; parts of a packed tree are read in about `memory` bytes.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub(super) fn open(path: &Path, memory: usize) -> Result<Source> {
        let place = || path.display().to_string();
        match ProofFile::open(File::open(path).with_context(place)?) {
            Ok(file) => Ok(Source::File(file)),
            Err(ProofError::Io(error)) => Err(error).with_context(place),
            Err(_) => Ok(match file::open(path)? {
                TreeFile::Table(proof) => Source::Whole(proof),
                TreeFile::Packed(packed) => Source::Packed { packed, reading: None, memory },
            }),
        }
    }

    pub(super) fn claim(&self) -> &Claim {
        match self {
            Source::File(file) => file.claim(),
            Source::Whole(proof) => &proof.claim,
            Source::Packed { packed, .. } => &packed.claim,
        }
    }

    /// Replies that a packed tree answers, each read by itself.
    pub(super) fn answered(&self) -> Option<Vec<Option<Cell>>> {
        match self {
            Source::Packed { packed, .. } => {
                Some(packed.parts().iter().map(|part| part.reply).collect())
            }
            Source::File(_) | Source::Whole(_) => None,
        }
    }

    /// Turns to a reply to the position of the claim, which `board` has, or to the
    /// position itself. Whether the tree may know anything of it.
    ///
    /// # Errors
    /// There is no thread to read it.
    pub(super) fn turn_to(&mut self, board: &ProofBoard, reply: Option<Cell>) -> Result<bool> {
        let Source::Packed { packed, reading, memory } = self else { return Ok(true) };
        let named = match reply {
            Some(reply) => {
                let asked = asked(&packed.claim, board);
                let Some(named) = among(&packed.claim, board, &asked, reply) else {
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
            *reading = Some(Reading::begin(packed, part, board.clone(), *memory)?);
        }
        Ok(reading.is_some())
    }

    /// How far what it says of the reply that was turned to is at hand.
    pub(super) fn state(&self) -> State {
        match self {
            Source::Packed { reading: Some(reading), .. } => reading.state(),
            Source::File(_) | Source::Whole(_) | Source::Packed { reading: None, .. } => {
                State::Whole
            }
        }
    }

    /// The part of it that is read, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        match self {
            Source::Packed { reading: Some(reading), .. } => reading.share(),
            Source::File(_) | Source::Whole(_) | Source::Packed { reading: None, .. } => 1.0,
        }
    }

    /// # Errors
    /// Something was wrong with the file.
    pub(super) fn sound(&self) -> Result<()> {
        match self {
            Source::File(file) => file.fault().map_or(Ok(()), |fault| Err(fault.clone().into())),
            Source::Packed { .. } if self.state() == State::Wrong => {
                bail!("a part of the packed tree is wrong")
            }
            Source::Whole(_) | Source::Packed { .. } => Ok(()),
        }
    }
}

impl Answers for &mut Source {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        match self {
            Source::File(file) => file.get(canonical),
            Source::Whole(proof) => proof.get(canonical),
            Source::Packed { reading, .. } => {
                reading.as_ref().map_or_else(Moves::new, |reading| reading.get(canonical))
            }
        }
    }
}
