//! Files of packed trees: one compressed script (`proof::Recorder`) for each reply to the
//! root, or one for the root if the attacker is to move.
//!
//! The head is followed by the number of parts and the parts. A part is the reply's column and
//! row (both 255 for the position itself), the length of the data, the checksum of all this,
//! and the data, a lzip member. Numbers are little endian.
//!
//! Each reply has its own script, so that replies are checked in parallel. `file.rs` reads
//! files of both kinds, packed trees and tables.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, ensure};
use lzma_rust2::{LzipOptions, LzipReader, LzipWriter};

use super::replies::check_reply;
use goren_core::types::Cell;
use goren_files::replace;
use goren_proof::{
    Checker, Claim, Flaw, FlawKind, Form, Playback, Proof, ProofBoard, Recorder, head, is_packed,
    read_head,
};

/// Column and row that stand for the root itself.
const NO_REPLY: [u8; 2] = [255; 2];
/// Bytes of the head and the trailer of a lzip member.
const MEMBER: usize = 26;

/// The script of a checker for one reply, or for the root.
pub struct Part {
    /// The reply; `None` for the root.
    pub reply: Option<Cell>,
    /// The script, compressed.
    data: Vec<u8>,
}

/// A packed tree.
pub struct Packed {
    /// The claim of the tree.
    pub claim: Claim,
    parts: Vec<Part>,
}

/// A reader that counts the bytes read from it.
struct CountingReader {
    data: Cursor<Vec<u8>>,
    taken: Arc<AtomicUsize>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.data.read(buffer)?;
        self.taken.fetch_add(read, Relaxed);
        Ok(read)
    }
}

fn compressed(script: &[u8]) -> io::Result<Vec<u8>> {
    let mut options = LzipOptions::with_preset(9);
    // A dictionary no larger than the script needs, as a power of two: the format stores
    // other sizes inexactly, and the window of a reader would be too small.
    let dictionary = &mut options.lzma_options.dict_size;
    *dictionary = (script.len() as u32)
        .checked_next_power_of_two()
        .map_or(*dictionary, |size| size.min(*dictionary));
    let mut writer = LzipWriter::new(Vec::new(), options);
    writer.write_all(script)?;
    writer.finish()
}

/// Whether the bytes may be one lzip member, which ends with its length. The lzip reader also
/// accepts several members in a row, or none, which other readers of this format refuse.
fn is_one_member(data: &[u8]) -> bool {
    let length = data.last_chunk::<8>().map(|length| u64::from_le_bytes(*length));
    data.len() >= MEMBER && length == Some(data.len() as u64)
}

impl Part {
    /// A part with the script that a checker has recorded.
    ///
    /// # Errors
    /// The script cannot be compressed.
    pub fn new(reply: Option<Cell>, script: &[u8]) -> io::Result<Part> {
        Ok(Part { reply, data: compressed(script)? })
    }

    /// Records the answers of a tree to the check of a reply.
    ///
    /// # Errors
    /// The tree does not prove the reply.
    pub fn record(proof: &Proof, board: &ProofBoard, reply: Option<Cell>) -> Result<Part> {
        let Claim { setup, attacker, .. } = proof.claim;
        let mut checker = Checker::new(setup, attacker, Recorder::new(proof));
        checker.board = board.clone();
        let check = check_reply(&mut checker, reply);
        ensure!(check.is_ok(), "the moves that the check used do not prove the reply on their own");
        let part = Part::new(reply, &checker.answers.script)?;
        // The packed part may be the only copy of the tree: check that it can be unpacked.
        part.moves(&proof.claim, board)?;
        Ok(part)
    }

    /// Returns a reader of the script.
    pub fn script(&self) -> impl BufRead {
        BufReader::new(LzipReader::new(&self.data[..]))
    }

    /// Returns a reader of the script for another thread, which adds the number of compressed
    /// bytes read to `taken`.
    pub fn counted_script(&self, taken: Arc<AtomicUsize>) -> impl Read + Send + use<> {
        let data = CountingReader { data: Cursor::new(self.data.clone()), taken };
        BufReader::new(LzipReader::new(data))
    }

    /// The number of answers in the script and of moves in them, without a check of the tree.
    ///
    /// # Errors
    /// The script cannot be read, or ends within an answer.
    pub fn counts(&self) -> io::Result<(u64, u64)> {
        goren_proof::counts(self.script())
    }

    /// All moves in the part.
    ///
    /// # Errors
    /// The script cannot be read, or does not prove the reply.
    pub fn moves(&self, claim: &Claim, board: &ProofBoard) -> Result<Proof> {
        let player = Playback::new(claim.clone(), self.script());
        let mut checker = Checker::new(claim.setup, claim.attacker, player);
        checker.board = board.clone();
        let check = check_reply(&mut checker, self.reply);
        let mut player = checker.answers;
        ensure!(check.is_ok() && player.ends(), "a part of the packed tree is wrong");
        Ok(player.proof)
    }

    /// Length of the part in the file in bytes.
    pub fn bytes(&self) -> usize {
        self.place().len() + 8 + self.data.len()
    }

    fn place(&self) -> [u8; 2] {
        self.reply.map_or(NO_REPLY, |cell| [cell.x() as u8, cell.y() as u8])
    }

    fn sum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&self.place());
        sum.update(&(self.data.len() as u32).to_le_bytes());
        sum.update(&self.data);
        sum.finalize()
    }
}

impl Packed {
    /// Creates a tree of these parts.
    pub fn new(claim: Claim, parts: Vec<Part>) -> Packed {
        Packed { claim, parts }
    }

    /// Reads a file; `None` if it is not a packed tree.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn read(bytes: &[u8]) -> Result<Option<Packed>> {
        if !is_packed(bytes) {
            return Ok(None);
        }
        let (claim, rest) = read_head(Form::Packed, bytes)?;
        let (count, mut rest) = rest.split_at_checked(2).context("cut short")?;
        let count = u16::from_le_bytes([count[0], count[1]]);
        let mut parts: Vec<Part> = Vec::new();
        while !rest.is_empty() {
            let damaged = || format!("damaged at byte {}", bytes.len() - rest.len());
            let next = rest.split_at_checked(10).and_then(|(front, after)| {
                let [x, y, numbers @ ..] = front else { return None };
                let (length, sum) = numbers.split_at(4);
                let [length, sum] =
                    [length, sum].map(|number| number.try_into().map(u32::from_le_bytes));
                let (data, after) = after.split_at_checked(length.ok()? as usize)?;
                let inside =
                    usize::from(*x) < claim.setup.width && usize::from(*y) < claim.setup.height;
                let reply = inside.then(|| Cell::new((*x).into(), (*y).into()));
                let part = Part { reply, data: data.to_vec() };
                let whole = part.place() == [*x, *y] && sum.ok() == Some(part.sum());
                (whole && is_one_member(data)).then_some((part, after))
            });
            let (part, after) = next.with_context(damaged)?;
            ensure!(parts.iter().all(|other| other.reply != part.reply), "a reply has two parts");
            parts.push(part);
            rest = after;
        }
        ensure!(parts.len() == usize::from(count), "parts are missing");
        Ok(Some(Packed { claim, parts }))
    }

    /// Adds a part, which replaces the part of the same reply. The parts stay in the order of
    /// their replies.
    pub fn add(&mut self, part: Part) {
        self.parts.retain(|other| other.reply != part.reply);
        let at = self.parts.partition_point(|other| other.reply < part.reply);
        self.parts.insert(at, part);
    }

    /// Adds the parts of another tree of the same claim. If both have a part for a reply, the
    /// shorter one stays.
    pub fn join(&mut self, other: Packed) {
        for part in other.parts {
            match self.parts.iter_mut().find(|own| own.reply == part.reply) {
                Some(own) if own.bytes() > part.bytes() => *own = part,
                Some(_) => {}
                None => self.add(part),
            }
        }
    }

    /// The part of a reply.
    pub fn part(&self, reply: Option<Cell>) -> Option<&Part> {
        self.parts.iter().find(|part| part.reply == reply)
    }

    /// All parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Plays back the answers about a reply; there are none if it has no part.
    pub fn answers(&self, reply: Option<Cell>) -> Playback<Box<dyn Read + '_>> {
        let script: Box<dyn Read + '_> = match self.part(reply) {
            Some(part) => Box::new(part.script()),
            None => Box::new(io::empty()),
        };
        Playback::new(self.claim.clone(), script)
    }

    /// Decides whether a reply is answered, after a checker has accepted it by `answers`.
    ///
    /// # Errors
    /// The reply has no part, or its part is damaged or has fewer or more answers than the
    /// checker asked for.
    pub fn settle<R: Read>(
        &self,
        reply: Option<Cell>,
        answers: &mut Playback<R>,
    ) -> Result<(), Flaw> {
        let kind = match self.part(reply) {
            Some(_) if answers.ends() => return Ok(()),
            Some(_) => FlawKind::Damaged,
            // A reply without a part is open, even if it needs no answer.
            None => FlawKind::NoMove,
        };
        Err(Flaw { path: reply.map(Some).into_iter().collect(), kind })
    }

    /// The bytes of the file.
    pub fn encoded(&self) -> Vec<u8> {
        let mut bytes = head(Form::Packed, &self.claim);
        bytes.extend((self.parts.len() as u16).to_le_bytes());
        for part in &self.parts {
            bytes.extend(part.place());
            bytes.extend((part.data.len() as u32).to_le_bytes());
            bytes.extend(part.sum().to_le_bytes());
            bytes.extend(&part.data);
        }
        bytes
    }

    /// Replaces a file atomically by this tree.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = self.encoded();
        let content = |mut file: &std::fs::File| file.write_all(&bytes);
        replace(path, 0, content).with_context(|| path.display().to_string())
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Color;
    use goren_proof::Root;

    #[test]
    fn joining_trees_keeps_the_shorter_part_of_each_reply() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
        let claim = Claim { setup, attacker: Color::Black, root };
        let mut rng = SmallRng::seed_from_u64(5);
        let mut part = |x, length: usize| {
            let script: Vec<u8> = (0..length).map(|_| rng.random()).collect();
            Part::new(Some(Cell::new(x, 0)), &script).unwrap()
        };
        let mut all = Packed::new(claim.clone(), vec![part(1, 900), part(3, 10)]);
        let others = vec![part(0, 500), part(1, 20), part(3, 800)];
        let expected = [others[0].bytes(), others[1].bytes(), all.parts[1].bytes()];
        all.join(Packed::new(claim, others));
        let columns: Vec<_> = all.parts().iter().map(|part| part.reply.unwrap().x()).collect();
        assert_eq!(columns, [0, 1, 3]);
        assert_eq!(all.parts().iter().map(Part::bytes).collect::<Vec<_>>(), expected);
    }

    /// A resumed check used to add its parts again, and the file could not be read.
    #[test]
    fn a_new_part_replaces_the_part_of_the_same_reply() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
        let claim = Claim { setup, attacker: Color::Black, root };
        let part = |script: &[u8]| Part::new(Some(Cell::new(3, 0)), script).unwrap();
        let mut packed = Packed::new(claim, vec![part(&[1, 2, 3])]);
        packed.add(part(&[4]));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.packed");
        packed.write(&path).unwrap();
        let read = Packed::read(&std::fs::read(&path).unwrap()).unwrap().unwrap();
        assert_eq!((read.parts().len(), read.parts()[0].bytes()), (1, part(&[4]).bytes()));
    }

    #[test]
    fn scripts_of_any_length_are_read_back() {
        let mut rng = SmallRng::seed_from_u64(4);
        for length in [0, 1, 4_000, 5_000, 70_001, 900_000] {
            // The repetition lies half the script back.
            let half: Vec<u8> = (0..length).map(|_| rng.random()).collect();
            let script = [&half[..], &half].concat();
            let part = Part { reply: None, data: compressed(&script).unwrap() };
            let mut again = Vec::new();
            part.script().read_to_end(&mut again).unwrap();
            assert!(again == script, "{length}");
            assert!(part.bytes() < length + 1_000 + length / 50, "{length} {}", part.bytes());
        }
    }
}
