//! Reading and writing of whole tree files.

use std::io::{self, Write};

use super::batch::{Batch, Bytes, Frame, framed};
use super::head::{BLOCK, ProofError, SLOT, TableHead, sorted_head};
use crate::Proof;
use goren_core::types::Cell;

/// The damaged part of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// Offset of the first damaged byte.
    pub offset: usize,
    /// Number of bytes in damaged or incomplete parts; bytes that are missing do not count.
    pub lost: usize,
}

/// State of reading a whole file.
struct Reader<'a> {
    bytes: &'a [u8],
    head: TableHead,
    proof: Proof,
    damage: Option<Damage>,
}

impl<'a> Reader<'a> {
    /// Returns a part of the file, as much of it as there is.
    fn part(&self, range: std::ops::Range<u64>) -> &'a [u8] {
        let inside = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(self.bytes.len());
        &self.bytes[inside(range.start)..inside(range.end)]
    }

    fn note(&mut self, offset: u64, lost: usize) {
        let offset = (offset as usize).min(self.bytes.len());
        self.damage.get_or_insert(Damage { offset, lost: 0 }).lost += lost;
    }

    /// Inserts the moves of a batch; returns whether it is sound.
    fn take(&mut self, batch: Batch<'_>) -> bool {
        let moves = batch.moves(self.head.coding);
        let sound = moves.is_some();
        for (key, m) in moves.into_iter().flatten() {
            self.proof.insert(key, m);
        }
        sound
    }

    fn index(&mut self) {
        for number in 0..self.head.blocks() {
            let range = self.head.block(number);
            if range.start >= self.bytes.len() as u64 {
                break;
            }
            let block = self.part(range.clone());
            if block_keys(block).is_none_or(|keys| keys.len() as u64 * 8 + 4 != size(&range)) {
                self.note(range.start, block.len());
            }
        }
    }

    fn slots(&mut self) {
        for number in 0..self.head.slots {
            let range = self.head.slot(number);
            if range.end > self.bytes.len() as u64 {
                // All later slots are incomplete or missing too.
                self.note(range.start, self.part(range.start..u64::MAX).len());
                return;
            }
            let mut slot = Bytes(self.part(range.clone()));
            let sound = Batch::take(&mut slot).is_some_and(|batch| self.take(batch));
            if !sound || slot.0.iter().any(|&byte| byte != 0) {
                self.note(range.start, size(&range) as usize);
            }
        }
    }

    fn log(&mut self) {
        let mut rest = Bytes(self.part(self.head.log()..u64::MAX));
        while !rest.0.is_empty() {
            let before = rest.0;
            let batch = Batch::take(&mut rest);
            if !batch.is_some_and(|batch| self.take(batch)) {
                if batch.is_none() {
                    rest.0 = &[];
                }
                let offset = self.bytes.len() - before.len();
                self.note(offset as u64, before.len() - rest.0.len());
            }
        }
    }
}

fn size(range: &std::ops::Range<u64>) -> u64 {
    range.end - range.start
}

/// Returns the keys of a block of the index, which begins with their checksum; `None` if it
/// is damaged.
pub(super) fn block_keys(block: &[u8]) -> Option<Vec<u64>> {
    let mut bytes = Bytes(block);
    let sum = bytes.word()?;
    let (keys, rest) = bytes.0.as_chunks::<8>();
    let sound = rest.is_empty() && crc32fast::hash(bytes.0) == sum;
    sound.then(|| keys.iter().map(|&key| u64::from_le_bytes(key)).collect())
}

/// Reads a tree, without its damaged parts.
///
/// # Errors
/// The head cannot be read.
pub fn read(bytes: &[u8]) -> Result<(Proof, Option<Damage>), ProofError> {
    let head = TableHead::read(bytes)?;
    let proof = Proof::new(head.claim.clone());
    let mut reader = Reader { bytes, head, proof, damage: None };
    reader.index();
    reader.slots();
    reader.log();
    Ok((reader.proof, reader.damage))
}

/// The slots of a sorted table.
#[derive(Default)]
struct Slots {
    /// All slots, concatenated.
    bytes: Vec<u8>,
    /// First key of each slot.
    firsts: Vec<u64>,
}

impl Slots {
    fn add(&mut self, first: u64, count: usize, body: &[u8]) {
        self.bytes.resize(self.firsts.len() * SLOT, 0);
        self.bytes.extend(framed(count, body));
        self.firsts.push(first);
    }

    /// Encodes moves, which are sorted by key.
    fn of(head: &TableHead, moves: &[(u64, Cell)]) -> Slots {
        let coding = head.coding;
        let mut slots = Slots::default();
        let (mut body, mut first, mut last, mut count) = (Vec::new(), 0, 0, 0);
        // All moves of a position stay in one slot: even a move on every cell of the largest
        // board fits.
        for group in moves.chunk_by(|a, b| a.0 == b.0) {
            let before = body.len();
            let push = |mut last: u64, body: &mut Vec<u8>| {
                for &(key, cell) in group {
                    coding.push(last, (key, cell), body);
                    last = key;
                }
            };
            push(last, &mut body);
            if Frame::BYTES + body.len() > SLOT {
                slots.add(first, count, &body[..before]);
                body.clear();
                count = 0;
                push(0, &mut body);
            }
            if count == 0 {
                first = group[0].0;
            }
            last = group[0].0;
            count += group.len();
        }
        if count > 0 {
            slots.add(first, count, &body);
        }
        slots
    }

    fn last(&self) -> usize {
        self.bytes.len() - self.firsts.len().saturating_sub(1) * SLOT
    }
}

/// Writes a tree as a sorted table.
///
/// # Errors
/// An error of `out`.
pub fn write(proof: &Proof, out: &mut impl Write) -> io::Result<()> {
    let sorted = |slots, last| sorted_head(&proof.claim, slots, last);
    let empty = TableHead::read(&sorted(0, 0)).map_err(io::Error::other)?;
    let slots = Slots::of(&empty, &proof.moves());
    let mut front = sorted(slots.firsts.len(), slots.last());
    for block in slots.firsts.chunks(BLOCK) {
        let keys: Vec<u8> = block.iter().flat_map(|key| key.to_le_bytes()).collect();
        front.extend(crc32fast::hash(&keys).to_le_bytes());
        front.extend(keys);
    }
    out.write_all(&front)?;
    out.write_all(&slots.bytes)
}
