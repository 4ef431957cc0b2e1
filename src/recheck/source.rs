//! Sources of the attacker's moves: the script of a packed tree, read in the order of the
//! questions, or a table.

use std::fmt;
use std::io::BufRead;

use fxhash::FxHashMap;
use smallvec::SmallVec;

/// The reason why a file cannot be read or does not prove its claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw(pub String);

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Flaw {}

impl From<std::io::Error> for Flaw {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Returns a flaw with a text.
pub fn flaw<T>(text: impl Into<String>) -> Result<T, Flaw> {
    Err(Flaw(text.into()))
}

/// Cells to try, in this order.
pub type Moves = SmallVec<[u16; 4]>;

/// Moves by key, as cells of the canonical image.
pub trait Source {
    /// Returns the moves of a key. For a new key, a script reads places; `cell` maps a place to
    /// the cell in the canonical image, if there is one.
    fn moves(
        &mut self,
        key: u64,
        cell: &mut dyn FnMut(usize) -> Option<u16>,
    ) -> Result<Moves, Flaw>;
    /// Returns the moves of a key that was asked for before, without reading on.
    fn known(&self, key: u64) -> Option<Moves>;
    /// Returns the numbers of answers read and of moves in them.
    fn counts(&self) -> (u64, u64);
    /// Returns the approximate memory use of the answers in bytes.
    fn bytes(&self) -> usize;
    /// Checks that the source is used up.
    fn finish(&mut self) -> Result<(), Flaw>;
}

/// Code of [`AnswerTable`]: no move.
const NONE: u64 = 255;
/// Code of [`AnswerTable`]: the moves are in `lists`.
const LIST: u64 = 254;

/// Answers by key. A slot is 56 bits of key and a code; 0 is an empty slot.
struct AnswerTable {
    slots: Vec<u64>,
    used: usize,
    lists: FxHashMap<u64, Moves>,
}

impl AnswerTable {
    fn new() -> Self {
        Self { slots: vec![0; 1 << 10], used: 0, lists: FxHashMap::default() }
    }

    /// Returns the slot of a key, or the empty slot where it belongs.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at] != 0 && self.slots[at] >> 8 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn get(&self, key: u64) -> Option<Moves> {
        match self.slots[self.slot(key)] {
            0 => None,
            entry => Some(match entry & 255 {
                NONE => Moves::new(),
                LIST => self.lists[&key].clone(),
                code => Moves::from_slice(&[code as u16 - 1]),
            }),
        }
    }

    /// Adds a new key.
    fn add(&mut self, key: u64, moves: &Moves) {
        if self.used * 5 >= self.slots.len() * 4 {
            let doubled = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, doubled);
            for entry in old.into_iter().filter(|&entry| entry != 0) {
                let at = self.slot(entry >> 8);
                self.slots[at] = entry;
            }
        }
        let code = match moves[..] {
            [] => NONE,
            [cell] if cell < 253 => u64::from(cell) + 1,
            _ => {
                self.lists.insert(key, moves.clone());
                LIST
            }
        };
        let at = self.slot(key);
        self.slots[at] = key << 8 | code;
        self.used += 1;
    }
}

/// Script of one part.
pub struct Script<R> {
    reader: R,
    answered: AnswerTable,
    answers: u64,
    moves: u64,
}

impl<R: BufRead> Script<R> {
    /// Creates a source that reads a script from its beginning.
    pub fn new(reader: R) -> Self {
        Self { reader, answered: AnswerTable::new(), answers: 0, moves: 0 }
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Flaw> {
        let buffer = self.reader.fill_buf()?;
        let Some(&byte) = buffer.first() else { return flaw("the script ends early") };
        self.reader.consume(1);
        Ok(byte)
    }

    /// Reads the rest of a number: one byte, or 254 and two bytes.
    fn number(&mut self, first: u8) -> Result<usize, Flaw> {
        match first {
            254 => {
                let low = self.byte()?;
                Ok(usize::from(u16::from_le_bytes([low, self.byte()?])))
            }
            255 => flaw("a number in the script begins with 255"),
            small => Ok(usize::from(small)),
        }
    }

    fn answer(&mut self) -> Result<SmallVec<[usize; 4]>, Flaw> {
        self.answers += 1;
        let mut places = SmallVec::new();
        match self.byte()? {
            0 => {}
            255 => {
                let first = self.byte()?;
                for _ in 0..self.number(first)? {
                    let first = self.byte()?;
                    places.push(self.number(first)?);
                }
            }
            first => places.push(self.number(first)?),
        }
        self.moves += places.len() as u64;
        Ok(places)
    }
}

impl<R: BufRead> Source for Script<R> {
    fn moves(
        &mut self,
        key: u64,
        cell: &mut dyn FnMut(usize) -> Option<u16>,
    ) -> Result<Moves, Flaw> {
        if let Some(moves) = self.answered.get(key) {
            return Ok(moves);
        }
        let moves = self.answer()?.into_iter().filter_map(cell).collect();
        self.answered.add(key, &moves);
        Ok(moves)
    }

    fn known(&self, key: u64) -> Option<Moves> {
        self.answered.get(key)
    }

    fn counts(&self) -> (u64, u64) {
        (self.answers, self.moves)
    }

    fn bytes(&self) -> usize {
        8 * self.answered.slots.len() + 48 * self.answered.lists.capacity()
    }

    fn finish(&mut self) -> Result<(), Flaw> {
        if !self.reader.fill_buf()?.is_empty() {
            return flaw("the script has more answers than the tree asks for");
        }
        Ok(())
    }
}

/// A table of keys with cells of the canonical image.
pub struct Table<'a> {
    /// Pairs of key and cell, sorted by key.
    pub pairs: &'a [(u64, u16)],
    /// Number of answers given, with or without moves, and number of moves in them.
    pub counts: (u64, u64),
}

impl Source for Table<'_> {
    fn moves(&mut self, key: u64, _: &mut dyn FnMut(usize) -> Option<u16>) -> Result<Moves, Flaw> {
        let moves = self.known(key).unwrap_or_default();
        self.counts = (self.counts.0 + 1, self.counts.1 + moves.len() as u64);
        Ok(moves)
    }

    fn known(&self, key: u64) -> Option<Moves> {
        let from = self.pairs.partition_point(|pair| pair.0 < key);
        let own = self.pairs[from..].iter().take_while(|pair| pair.0 == key);
        Some(own.map(|pair| pair.1).collect())
    }

    fn counts(&self) -> (u64, u64) {
        self.counts
    }

    fn bytes(&self) -> usize {
        0
    }

    fn finish(&mut self) -> Result<(), Flaw> {
        Ok(())
    }
}
