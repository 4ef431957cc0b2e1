//! Scripts: trees without keys. The order in which the checker asks for the moves of
//! positions is determined by the tree and the rules. So a script is just the answers in
//! that order, recorded during one check and read back by the next. The order of the
//! checker is part of the format.
//!
//! A position that is asked for the first time has a number in the script: 0 if it has no
//! move, one more than the place of its move among the promising cells
//! (`ProofBoard::promising`), or `SEVERAL`, the number of its moves, and the same for each.
//! Numbers of `FAR` and more are `FAR` and two bytes.
//!
//! Reading a packed tree therefore means checking it. The order in which the checker visits a
//! tree, and what it forgets, are part of the format: a change of either needs new magic bytes
//! for the rules that it affects. `FORMAT.md` describes both, for readers that share no code
//! with this one.

use std::io::{self, BufRead, Read};

use fxhash::FxHashSet;

use super::check::Answers;
use super::proof_board::{CanonicalKey, ProofBoard};
use super::{Claim, Moves, Proof};
use goren_core::types::Cell;

/// Marks an answer with several moves; their number and the moves follow.
const SEVERAL: u8 = 255;
/// Marks a number that is stored in the two bytes that follow.
const FAR: u8 = 254;

/// Records the answers of a tree as a script.
pub struct Recorder<'a> {
    proof: &'a Proof,
    seen: FxHashSet<u64>,
    /// Whether recording has ended.
    closed: bool,
    /// Script recorded so far.
    pub script: Vec<u8>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder with an empty script.
    pub fn new(proof: &'a Proof) -> Recorder<'a> {
        Recorder { proof, seen: FxHashSet::default(), closed: false, script: Vec::new() }
    }

    fn push(&mut self, number: usize) {
        match u8::try_from(number) {
            Ok(byte) if byte < FAR => self.script.push(byte),
            _ => {
                self.script.push(FAR);
                self.script.extend((number as u16).to_le_bytes());
            }
        }
    }
}

impl Answers for Recorder<'_> {
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        if self.closed && !self.seen.contains(&canonical.key()) {
            return Moves::new();
        }
        let moves = self.proof.get(canonical);
        if !self.seen.insert(canonical.key()) {
            return moves;
        }
        if moves.is_empty() {
            self.push(0);
            return moves;
        }
        if moves.len() > 1 {
            self.script.push(SEVERAL);
            self.push(moves.len());
        }
        let cells = board.promising(self.proof.claim.attacker);
        for &image in &moves {
            let m = board.from_image(canonical, image);
            // A stored cell off the board becomes the place after the last one: no move.
            let place = cells.iter().position(|&cell| cell == m).unwrap_or(cells.len());
            self.push(place + 1);
        }
        moves
    }

    fn close(&mut self) {
        self.closed = true;
    }
}

/// Counts the answers of a script and the moves in them, by syntax alone.
///
/// # Errors
/// The script cannot be read, ends within an answer, or nests several moves in several.
pub fn counts(script: impl BufRead) -> io::Result<(u64, u64)> {
    let mut bytes = script.bytes();
    let mut number = move || -> io::Result<Option<(u8, usize)>> {
        let Some(first) = bytes.next().transpose()? else { return Ok(None) };
        if first != FAR {
            return Ok(Some((first, first.into())));
        }
        let mut more = || bytes.next().unwrap_or(Err(io::ErrorKind::UnexpectedEof.into()));
        Ok(Some((first, u16::from_le_bytes([more()?, more()?]).into())))
    };
    let (mut answers, mut moves) = (0, 0);
    while let Some((first, place)) = number()? {
        answers += 1;
        if first != SEVERAL {
            moves += u64::from(place > 0);
            continue;
        }
        let mut within = || match number()? {
            Some((SEVERAL, _)) => Err(io::Error::from(io::ErrorKind::InvalidData)),
            Some((_, number)) => Ok(number),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        let many = within()?;
        for _ in 0..many {
            within()?;
        }
        moves += many as u64;
    }
    Ok((answers, moves))
}

/// Answers from a recorded script.
pub struct Playback<R> {
    script: R,
    /// Whether the script ended too early, or contains an invalid number.
    damaged: bool,
    /// Whether reading has ended.
    closed: bool,
    seen: FxHashSet<u64>,
    /// Moves read so far.
    pub proof: Proof,
}

impl<R: Read> Playback<R> {
    /// Creates the answers of a script, which is read byte by byte.
    pub fn new(claim: Claim, script: R) -> Playback<R> {
        let (seen, proof) = (FxHashSet::default(), Proof::new(claim));
        Playback { script, damaged: false, closed: false, seen, proof }
    }

    /// Whether the script was used up exactly: it had all answers that were asked for, and no
    /// others.
    pub fn ends(&mut self) -> bool {
        !self.damaged && matches!(self.script.read(&mut [0]), Ok(0))
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        let read = self.script.read_exact(&mut byte);
        self.damaged |= read.is_err();
        read.ok().map(|()| byte[0])
    }

    fn number(&mut self, first: u8) -> Option<usize> {
        match first {
            FAR => Some(usize::from(u16::from_le_bytes([self.byte()?, self.byte()?]))),
            SEVERAL => {
                self.damaged = true;
                None
            }
            byte => Some(byte.into()),
        }
    }

    /// Reads the places of the next moves, from 1; fewer if the script ends or is damaged.
    fn places(&mut self) -> Vec<usize> {
        let next = |player: &mut Self| player.byte().and_then(|byte| player.number(byte));
        match self.byte() {
            Some(SEVERAL) => {
                let count = next(self).unwrap_or(0);
                (0..count).map_while(|_| next(self)).collect()
            }
            Some(byte) => self.number(byte).into_iter().filter(|&place| place > 0).collect(),
            None => Vec::new(),
        }
    }
}

impl<R: Read> Answers for Playback<R> {
    fn known(&mut self, board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        if !self.closed && self.seen.insert(canonical.key()) {
            let places = self.places();
            if !places.is_empty() {
                let cells = board.promising(self.proof.claim.attacker);
                let cell_at = |place: usize| cells.get(place.checked_sub(1)?).copied();
                let moves: Vec<Cell> = places.into_iter().filter_map(cell_at).collect();
                for m in moves {
                    self.proof.insert(canonical.key(), board.to_image(canonical, m));
                }
            }
        }
        self.proof.get(canonical)
    }

    fn close(&mut self) {
        self.closed = true;
    }
}
