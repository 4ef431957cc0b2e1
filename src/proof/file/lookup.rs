//! Tables that are looked up in their files, with one read for each position. Memory holds
//! only the first key of every page (a slot, or a batch of an older file) and the moves of a
//! short log.
//!
//! Beyond the last page there is no cache. Keys are as good as random, so no two positions
//! of a game share a page, and the system caches what is read often.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use super::batch::{Batch, Bytes, Frame};
use super::head::{BLOCK, MAX_HEAD, ProofError, SLOT, TableHead};
use super::whole::block_keys;
use crate::{Answers, CanonicalKey, Claim, Moves, ProofBoard};
use goren_core::types::Cell;

/// Maximum number of slots: a file of 2 GiB, with 8 MiB of first keys.
const MAX_SLOTS: usize = 1 << 20;
/// Number of moves in each batch of an older file, except the last.
const FULL_BATCH: u32 = 1 << 16;
/// Size of the largest batch that lookups read, in bytes.
const MAX_BATCH: u64 = 1 << 20;
/// Size of the longest log that is read into memory when a file is opened, in bytes: about
/// 80,000 moves, some milliseconds.
const MAX_LOG: u64 = 1 << 19;
/// First key of an unreadable page, if no readable page follows.
const NO_KEY: u64 = u64::MAX;

/// A fault found while reading an open table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableFault {
    /// The bytes are invalid.
    #[error("damaged at byte {0}")]
    Damaged(u64),
    /// The file ends too early.
    #[error("cut short at byte {0}")]
    Short(u64),
    /// An I/O error.
    #[error("cannot be read at byte {0}: {1}")]
    Unreadable(u64, String),
}

/// Where the pages are.
#[derive(Debug)]
enum Places {
    /// Pages are the slots of the head.
    Slots,
    /// Pages are these batches.
    Batches(Vec<Range<u64>>),
}

/// A table that is looked up in its file.
#[derive(Debug)]
pub struct ProofFile<F = File> {
    file: F,
    head: TableHead,
    /// First key of each page, ascending.
    firsts: Vec<u64>,
    places: Places,
    /// Moves of the log, sorted by key.
    log: Vec<(u64, Cell)>,
    /// Bytes read last.
    buffer: Vec<u8>,
    /// Page in the buffer, if any.
    loaded: Option<usize>,
    fault: Option<TableFault>,
}

impl<F: Read + Seek> ProofFile<F> {
    /// Opens a table. Positions in damaged parts are unknown; the first damage is noted as a
    /// fault.
    ///
    /// # Errors
    /// The file cannot be read, is no table, or is not sorted.
    pub fn open(mut file: F) -> Result<ProofFile<F>, ProofError> {
        let length = file.seek(SeekFrom::End(0))?;
        let mut front = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.by_ref().take(MAX_HEAD as u64).read_to_end(&mut front)?;
        let head = TableHead::read(&front)?;
        if head.slots > MAX_SLOTS {
            return Err(ProofError::Head("it is too large"));
        }
        let mut table = ProofFile {
            file,
            head,
            firsts: Vec::new(),
            places: Places::Slots,
            log: Vec::new(),
            buffer: front,
            loaded: None,
            fault: None,
        };
        let log = if table.head.slots > 0 {
            table.read_index(length);
            table.head.log()
        } else {
            table.find_batches(length)
        };
        table.read_log(log..length)?;
        table.buffer = Vec::new();
        Ok(table)
    }

    /// Returns the claim of the tree.
    pub fn claim(&self) -> &Claim {
        &self.head.claim
    }

    /// Returns the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let (places, page) = match &self.places {
            Places::Slots => (0, SLOT),
            Places::Batches(batches) => {
                let longest = batches.iter().map(|part| part.end - part.start).max();
                (size_of_val(&batches[..]), longest.unwrap_or(0) as usize)
            }
        };
        size_of_val(&self.firsts[..]) + size_of_val(&self.log[..]) + places + page
    }

    /// Returns the first fault found so far.
    pub fn fault(&self) -> Option<&TableFault> {
        self.fault.as_ref()
    }

    fn note<T>(&mut self, outcome: Result<T, TableFault>) -> Option<T> {
        match outcome {
            Ok(done) => Some(done),
            Err(fault) => {
                self.fault.get_or_insert(fault);
                None
            }
        }
    }

    /// Returns the moves of a position, in the image of the canonical key. Moves that cannot
    /// be read are unknown; the first fault is noted.
    pub fn get(&mut self, canonical: &CanonicalKey) -> Moves {
        self.by_key(canonical.key())
    }

    /// As [`ProofFile::get`], by the key that files store ([`CanonicalKey::key`]).
    pub fn by_key(&mut self, key: u64) -> Moves {
        let mut moves = Moves::new();
        let end = self.firsts.partition_point(|&first| first <= key);
        if let Some(page) = end.checked_sub(1) {
            // In older files the moves of a key may be split over two batches.
            let before = page.checked_sub(1).filter(|_| self.firsts[page] == key);
            for page in before.into_iter().chain([page]) {
                let found = self.find(page, key, &mut moves);
                self.note(found);
            }
        }
        let begin = self.log.partition_point(|&(other, _)| other < key);
        for &(_, m) in self.log[begin..].iter().take_while(|&&(other, _)| other == key) {
            if !moves.contains(&m) {
                moves.push(m);
            }
        }
        moves
    }

    /// Adds the moves that a page has for a key.
    fn find(&mut self, page: usize, key: u64, moves: &mut Moves) -> Result<(), TableFault> {
        if self.loaded != Some(page) {
            let sound = self.load(page)?;
            let misplaced = sound && self.first_of_buffer() != Some(self.firsts[page]);
            if !sound || misplaced {
                return Err(TableFault::Damaged(self.place(page).start));
            }
            self.loaded = Some(page);
        }
        let batch = Batch::take(&mut Bytes(&self.buffer));
        let add = |m| {
            if !moves.contains(&m) {
                moves.push(m);
            }
        };
        let found = batch.and_then(|batch| batch.find(self.head.coding, key, add));
        found.ok_or_else(|| TableFault::Damaged(self.place(page).start))
    }

    fn place(&self, page: usize) -> Range<u64> {
        match &self.places {
            Places::Slots => self.head.slot(page),
            Places::Batches(batches) => batches[page].clone(),
        }
    }

    /// Reads a page; returns whether it begins with a sound batch.
    fn load(&mut self, page: usize) -> Result<bool, TableFault> {
        self.fetch(self.place(page))?;
        let batch = Batch::take(&mut Bytes(&self.buffer));
        Ok(batch.is_some_and(|batch| batch.is_sound(self.head.coding)))
    }

    fn first_of_buffer(&self) -> Option<u64> {
        self.head.coding.first(self.buffer.get(Frame::BYTES..)?)
    }

    /// Reads a part of the file into the buffer.
    fn fetch(&mut self, part: Range<u64>) -> Result<(), TableFault> {
        self.loaded = None;
        let length = part.end - part.start;
        self.buffer.clear();
        self.buffer.reserve(length as usize);
        let read = self.file.seek(SeekFrom::Start(part.start));
        let read = read.and_then(|_| self.file.by_ref().take(length).read_to_end(&mut self.buffer));
        match read {
            Ok(read) if read as u64 == length => Ok(()),
            Ok(read) => Err(TableFault::Short(part.start + read as u64)),
            Err(error) => Err(TableFault::Unreadable(part.start, error.to_string())),
        }
    }

    /// Reads the first keys of the slots that the file is long enough for.
    fn read_index(&mut self, length: u64) {
        let begin = self.head.slot(0).start;
        let whole = length.saturating_sub(begin).div_ceil(SLOT as u64);
        let slots = usize::try_from(whole).unwrap_or(usize::MAX).min(self.head.slots);
        for block in 0..slots.div_ceil(BLOCK) {
            let wanted = BLOCK.min(slots - self.firsts.len());
            let part = self.head.block(block);
            let begin = part.start;
            let keys = self
                .fetch(part)
                .and_then(|()| block_keys(&self.buffer).ok_or(TableFault::Damaged(begin)));
            match self.note(keys) {
                Some(keys) => self.firsts.extend(&keys[..wanted.min(keys.len())]),
                None => self.rebuild_index(wanted),
            }
        }
        if length < self.head.log() {
            self.note::<()>(Err(TableFault::Short(length)));
        }
        // Lookups go to the page after a slot whose first key is unknown.
        let mut next = NO_KEY;
        for first in self.firsts.iter_mut().rev() {
            if *first == NO_KEY {
                *first = next;
            }
            next = *first;
        }
    }

    /// Reads the first keys of the next `count` slots from the slots themselves.
    fn rebuild_index(&mut self, count: usize) {
        for _ in 0..count {
            let page = self.firsts.len();
            let loaded = self.load(page);
            let sound = self.note(loaded) == Some(true);
            let first = self.first_of_buffer().filter(|_| sound);
            self.firsts.push(first.unwrap_or(NO_KEY));
        }
    }

    /// Finds the sorted batches that an older file begins with; returns where the log after
    /// them begins.
    fn find_batches(&mut self, length: u64) -> u64 {
        /// Bytes at the front of a batch that contain its first move.
        const UP_TO_CELL: u64 = Frame::BYTES as u64 + 12;
        let mut batches = Vec::new();
        let mut at = self.head.bytes;
        while at < length {
            let fetched = self.fetch(at..length.min(at + UP_TO_CELL));
            let frame = Frame::take(&mut Bytes(&self.buffer));
            let end = frame.map(|frame| at + (Frame::BYTES as u64) + u64::from(frame.length));
            let end = end.filter(|&end| end <= length);
            let Some((frame, end)) = frame.zip(end).filter(|_| fetched.is_ok()) else {
                self.note::<()>(Err(fetched.err().unwrap_or(TableFault::Damaged(at))));
                at = length;
                break;
            };
            let first =
                self.buffer.get(Frame::BYTES..).and_then(|body| self.head.coding.first(body));
            let sorted = first.filter(|first| self.firsts.last().is_none_or(|last| last < first));
            let Some(first) = sorted.filter(|_| end - at <= MAX_BATCH) else { break };
            self.firsts.push(first);
            batches.push(at..end);
            at = end;
            if frame.count != FULL_BATCH {
                break;
            }
        }
        self.places = Places::Batches(batches);
        at
    }

    /// Reads the log.
    ///
    /// # Errors
    /// The log is too long.
    fn read_log(&mut self, part: Range<u64>) -> Result<(), ProofError> {
        if part.is_empty() {
            return Ok(());
        }
        if part.end - part.start > MAX_LOG {
            return Err(ProofError::Unsorted);
        }
        let fetched = self.fetch(part.clone());
        if self.note(fetched).is_none() {
            return Ok(());
        }
        let mut rest = Bytes(&self.buffer);
        let mut fault = None;
        while !rest.0.is_empty() {
            let at = part.end - rest.0.len() as u64;
            let batch = Batch::take(&mut rest);
            match batch.as_ref().and_then(|batch| batch.moves(self.head.coding)) {
                Some(moves) => self.log.extend(moves),
                None => _ = fault.get_or_insert(TableFault::Damaged(at)),
            }
            if batch.is_none() {
                break;
            }
        }
        self.log.sort_by_key(|&(key, _)| key);
        self.log.shrink_to_fit();
        self.note(fault.map_or(Ok(()), Err));
        Ok(())
    }
}

impl<F: Read + Seek> Answers for &mut ProofFile<F> {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        self.get(canonical)
    }
}
