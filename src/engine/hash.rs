//! Transposition table of engines, allocated and resized when a search needs it.
//!
//! A table is no larger than the search can use: in short searches most of the
//! cost of a table is the first touch of its pages. Where everything must be
//! forgotten (`yxhashclear`, new weights, a new game of `INFO variant`; not
//! START of five in a row, which Yixin-Boards send on every click), a table of
//! up to 128 MiB is overwritten and kept, for the same reason, and a larger one
//! is released. Where address space is scarce, the table leaves 8 MiB for the
//! rest of the search, which must not fail.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::reserve;
use crate::search::Request;
use crate::tt::{Table, TableError};

/// Where the system refuses a table, half as large a one is tried, down to
/// this many bytes.
const LEAST: usize = 1 << 16;

/// What must be left for all else that a search needs, none of which may fail:
/// its boards, histories and lists.
const ROOM: usize = 8 << 20;

/// Whether the system would give that much more.
pub fn has_room() -> bool {
    reserve::is_available(ROOM)
}

/// Bytes of the table that is made when a first game begins, and bytes that it
/// can grow to in place: enough for searches of half a second.
const READY: usize = 16 << 20;
const GROWN: usize = 48 << 20;
/// Where the system would not give that much, nothing is made before it is
/// needed.
const PLENTY: usize = 256 << 20;

/// Largest table that is overwritten to be cleared: some hundredths of a second.
const OVERWRITTEN: usize = 128 << 20;

/// Nodes a thread may search in a millisecond, at most.
const NODES_PER_MS: u128 = 1500;
/// Bytes of table for each node of one search: room for the entries of a few.
const BYTES_PER_NODE: u128 = 64;

/// Bytes that a search of `threads` threads for at most `hard` or `max_nodes`
/// nodes can make good use of.
///
/// Every page of a table costs time when it is first touched. In short
/// searches a table of all the memory allowed would be little but first
/// touches.
fn useful_bytes(hard: Duration, max_nodes: Option<u64>, threads: usize) -> usize {
    let timed = hard.as_millis().saturating_mul(NODES_PER_MS * threads as u128);
    let nodes = timed.min(max_nodes.map_or(u128::MAX, u128::from));
    usize::try_from(nodes.saturating_mul(BYTES_PER_NODE)).unwrap_or(usize::MAX).max(1 << 22)
}

/// Bytes of a table for whoever sets no limit.
const USUAL: usize = 256 << 20;

/// The transposition table of an engine, made and resized when a search needs it.
/// Clones are handles of the same table.
#[derive(Clone)]
pub struct Hash(Arc<Mutex<Memory>>);

impl Default for Hash {
    fn default() -> Hash {
        Hash::up_to(USUAL)
    }
}

impl Hash {
    /// A table of at most so many bytes, but no larger than a search can use.
    pub fn up_to(bytes: usize) -> Hash {
        Hash::of(Size::UpTo(bytes))
    }

    /// A table of exactly so many bytes (but for what is left over of a bucket):
    /// searches of so many nodes are the same on every machine.
    pub fn exactly(bytes: usize) -> Hash {
        Hash::of(Size::Exactly(bytes))
    }

    fn of(size: Size) -> Hash {
        Hash(Arc::new(Mutex::new(Memory { size, made: None, ready: None })))
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the table be of at most so many bytes from the next search on.
    pub fn set_limit(&self, bytes: usize) {
        self.memory().size = Size::UpTo(bytes);
    }

    /// Fetches memory for the first table, until some time at the latest: the
    /// first search need not wait for it then.
    pub fn prepare(&self, until: Instant) {
        self.memory().prepare(until);
    }

    /// A table for a search that can use so many bytes: the one of before if it is
    /// large enough and within the limit.
    ///
    /// # Errors
    /// Even the smallest table cannot be had.
    pub fn table(&self, useful: usize) -> Result<Arc<Table>, TableError> {
        self.memory().table(useful)
    }

    /// The table for a search within such bounds.
    ///
    /// # Errors
    /// Even the smallest table cannot be had.
    pub fn for_search(&self, request: &Request) -> Result<Arc<Table>, TableError> {
        let made = self.made().filter(|_| request.pondering);
        let useful = || useful_bytes(request.budget.hard, request.max_nodes, request.threads);
        made.map_or_else(|| self.table(useful()), Ok)
    }

    /// The table, if one was needed yet.
    pub fn made(&self) -> Option<Arc<Table>> {
        self.memory().made.as_ref().map(|(_, table)| table.clone())
    }

    /// How full it is, in words.
    pub fn usage(&self) -> String {
        match &self.memory().made {
            None => "hash usage: none made yet".to_owned(),
            Some((_, table)) => {
                let (used, kib) = (table.usage(), table.bytes() >> 10);
                format!("hash usage: {used} per mille of {kib} KB")
            }
        }
    }

    /// Forgets all entries. A table of short searches is overwritten, so that
    /// the next game's first move does not pay for first touches again. A large
    /// one is given back: that is quicker, and touches no memory never used.
    pub fn clear(&self) {
        let mut memory = self.memory();
        match &memory.made {
            Some((_, table)) if table.bytes() <= OVERWRITTEN => table.clear(),
            _ => memory.made = None,
        }
    }
}

/// Bytes of a table.
#[derive(Copy, Clone)]
enum Size {
    /// As many as a search can use, and at most so many.
    UpTo(usize),
    /// So many.
    Exactly(usize),
}

/// The table, and for which size it was made.
struct Memory {
    size: Size,
    made: Option<(usize, Arc<Table>)>,
    /// One that no search has needed yet.
    ready: Option<Table>,
}

impl Memory {
    fn prepare(&mut self, until: Instant) {
        let Size::UpTo(most) = self.size else { return };
        if self.made.is_some() || self.ready.is_some() || !reserve::is_available(PLENTY) {
            return;
        }
        if let Ok(table) = Table::with_room(READY.min(most), GROWN) {
            table.touch(|| Instant::now() < until);
            self.ready = Some(table);
        }
    }

    fn table(&mut self, useful: usize) -> Result<Arc<Table>, TableError> {
        match self.size {
            Size::UpTo(most) => self.within(useful, most),
            Size::Exactly(bytes) => {
                if let Some((_, table)) = &self.made {
                    return Ok(table.clone());
                }
                let table = Arc::new(Table::with_bytes(bytes)?);
                self.made = Some((bytes, table.clone()));
                Ok(table)
            }
        }
    }

    /// A table of at least `useful` bytes but never more than `most`, or of what
    /// can be had: the one of before if it is that still.
    fn within(&mut self, useful: usize, most: usize) -> Result<Arc<Table>, TableError> {
        let bytes = useful.min(most);
        if !reserve::hold() {
            return Err(TableError { bytes });
        }
        if let Some((asked, table)) = &self.made
            && (bytes..=most).contains(asked)
        {
            return Ok(table.clone());
        }
        if let Some(table) = self.adapted(bytes, most) {
            let table = Arc::new(table);
            self.made = Some((bytes.max(table.bytes()), table.clone()));
            return Ok(table);
        }
        let mut size = bytes;
        let table = loop {
            let own = Table::with_own_pages(size).ok().filter(|_| has_room());
            let table = own.or_else(|| Table::with_bytes(size).ok().filter(|_| has_room()));
            match table {
                Some(table) => break Arc::new(table),
                None if size <= LEAST => return Err(TableError { bytes: size }),
                None => size /= 2,
            }
        };
        self.made = Some((bytes, table.clone()));
        Ok(table)
    }

    /// The table that is there, if it can be made one of the size; else it is
    /// gone, as both would count against the limit.
    fn adapted(&mut self, bytes: usize, most: usize) -> Option<Table> {
        let mut table = match self.made.take() {
            Some((_, table)) => {
                let table = Arc::into_inner(table)?;
                // To empty a large one takes longer than to get another.
                if table.bytes() > READY {
                    return None;
                }
                table.clear();
                table
            }
            None => self.ready.take()?,
        };
        // One that is too large gives its memory back.
        let small = table.bytes() <= most;
        (small && (table.bytes() >= bytes || table.grow(bytes))).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::{Bound, Entry};
    use goren_core::types::Move;

    const ENTRY: Entry =
        Entry { best: Move::NONE, score: 1, eval: 2, depth: 3, bound: Bound::Exact, pv: false };

    /// A table for a search that can use so much, within a limit.
    fn within(hash: &Hash, useful: usize, most: usize) -> Arc<Table> {
        hash.set_limit(most);
        hash.table(useful).unwrap()
    }

    #[test]
    fn a_table_is_kept_while_it_is_large_enough_and_allowed() {
        let hash = Hash::up_to(1 << 22);
        let first = hash.table(1 << 20).unwrap();
        let kept = |useful, most| Arc::ptr_eq(&first, &within(&hash, useful, most));
        assert!(kept(1 << 20, 1 << 22));
        assert!(kept(1 << 19, 1 << 20), "a shorter search does not shrink it");
        assert!(!kept(1 << 21, 1 << 22), "a longer search has it grow");
        let second = within(&hash, 1 << 21, 1 << 22);
        let third = within(&hash, 1 << 21, 1 << 20);
        assert!(!Arc::ptr_eq(&second, &third) && third.bytes() <= 1 << 20, "a limit has it shrink");
        let (key, entry) = (7 << 40, ENTRY);
        third.store(key, entry);
        hash.clear();
        let fourth = within(&hash, 1 << 20, 1 << 20);
        assert!(Arc::ptr_eq(&third, &fourth) && fourth.probe(key).is_none(), "emptied and kept");
        let large = within(&hash, OVERWRITTEN * 2, usize::MAX);
        hash.clear();
        assert!(!Arc::ptr_eq(&large, &within(&hash, 1 << 20, 1 << 20)), "given back");
    }

    #[test]
    fn the_table_made_at_first_serves_the_first_searches() {
        let prepared = |until: Duration| {
            let hash = Hash::up_to(1 << 30);
            hash.prepare(Instant::now() + until);
            hash
        };
        let hash = prepared(Duration::from_secs(60));
        assert!(hash.made().is_none(), "no search has needed it");
        let first = hash.memory().ready.as_ref().map(Table::place);
        let short = hash.table(5 << 20).unwrap();
        assert!(
            Some(short.place()) == first && short.bytes() > 15 << 20,
            "for a short search as it is"
        );
        short.store(7 << 40, ENTRY);
        drop(short);
        let long = hash.table(40 << 20).unwrap();
        assert!(long.bytes() > 39 << 20 && long.probe(7 << 40).is_none());
        assert!(!cfg!(target_os = "linux") || Some(long.place()) == first, "grown in place");
        let kept = hash.table(30 << 20).unwrap();
        assert!(Arc::ptr_eq(&long, &kept));
        // A limit that it is beyond.
        let small = within(&prepared(Duration::from_secs(60)), 8 << 20, 8 << 20);
        assert!(small.bytes() <= 8 << 20);
        // No time, a small limit from the start.
        assert!(prepared(Duration::ZERO).table(1 << 20).unwrap().bytes() >= 1 << 19);
        let hash = Hash::up_to(1 << 20);
        hash.prepare(Instant::now());
        assert!(hash.table(1 << 20).unwrap().bytes() <= 1 << 20);
    }

    #[test]
    fn an_impossible_size_is_made_smaller() {
        let table = within(&Hash::default(), 1 << 60, 1 << 60);
        assert!(table.bytes() >= LEAST / 2);
        assert!(Hash::exactly(1 << 60).table(1).is_err(), "unless it is asked for exactly");
    }

    #[test]
    fn the_useful_size_follows_the_search() {
        let half_second = useful_bytes(Duration::from_millis(500), None, 1);
        assert!((20 << 20..100 << 20).contains(&half_second));
        assert_eq!(useful_bytes(Duration::from_millis(500), None, 2), 2 * half_second);
        assert!(useful_bytes(Duration::MAX, Some(1_000_000), 1) < 100 << 20);
        assert_eq!(useful_bytes(Duration::MAX, None, 64), usize::MAX);
    }
}
