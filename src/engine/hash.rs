//! Transposition table of an engine, allocated and resized when a search needs it.
//!
//! A table is no larger than the search can use: in a short search, most of the cost of a table is
//! the page faults of its first use. For the same reason [`TableHandle::clear`] overwrites a table
//! of up to 128 MiB and keeps it, but releases a larger one. `yxhashclear`, new weights and another
//! game by `INFO variant` clear the table; START in five in a row does not, as Yixin-Boards send it
//! on every click.
//!
//! A table leaves at least 8 MiB of address space for the rest of the search, whose allocations
//! must not fail.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::reserve;
use crate::search::Request;
use crate::tt::{Table, TableError};

/// If the system refuses a table, half the size is tried, down to this many bytes.
const LEAST: usize = 1 << 16;

/// Bytes that must be left for the rest of a search (boards, histories, lists), whose
/// allocations must not fail.
const ROOM: usize = 8 << 20;

/// Whether 8 MiB more could be allocated, enough for a search beside its table.
pub fn has_room() -> bool {
    reserve::is_available(ROOM)
}

/// Bytes of the table that [`TableHandle::prepare`] allocates.
const PREPARED_BYTES: usize = 16 << 20;
/// Bytes that the prepared table can grow to in place: enough for searches of half a second.
const PREPARED_ROOM: usize = 64 << 20;
/// [`TableHandle::prepare`] allocates no table if fewer bytes than this are available.
const PREPARE_IF_AVAILABLE: usize = 256 << 20;

/// Largest table that is cleared by overwriting it, which takes some hundredths of a
/// second.
const OVERWRITTEN: usize = 128 << 20;

/// Nodes per millisecond and thread, estimated high.
const NODES_PER_MS: u128 = 1500;
/// Bytes of table per node: four entries, so that the entries of a few searches fit.
const BYTES_PER_NODE: u128 = 64;

/// Returns the bytes of table that a search can use on `threads` threads, for at most `hard` time
/// and `max_nodes` nodes: at least 4 MiB, and a power of two, so that the table and its entries are
/// kept where an increment makes the time of each move differ a little.
///
/// Each page of a table costs a page fault when it is first touched. A short search with a table of
/// the maximum size would spend most of its time on page faults.
fn useful_bytes(hard: Duration, max_nodes: Option<u64>, threads: usize) -> usize {
    // A request for 0 threads means 1 thread.
    let timed = hard.as_millis().saturating_mul(NODES_PER_MS * threads.max(1) as u128);
    let nodes = timed.min(max_nodes.map_or(u128::MAX, u128::from));
    let bytes = usize::try_from(nodes.saturating_mul(BYTES_PER_NODE)).unwrap_or(usize::MAX);
    bytes.max(1 << 22).checked_next_power_of_two().unwrap_or(usize::MAX)
}

/// Default limit of a table in bytes.
const DEFAULT_LIMIT: usize = 256 << 20;

/// The transposition table of an engine, allocated and resized when a search needs
/// it. Clones are handles of the same table.
#[derive(Clone)]
pub struct TableHandle(Arc<Mutex<Memory>>);

impl Default for TableHandle {
    fn default() -> TableHandle {
        TableHandle::up_to(DEFAULT_LIMIT)
    }
}

impl TableHandle {
    /// Creates a table that is as large as a search can use, but of at most `bytes` bytes.
    pub fn up_to(bytes: usize) -> TableHandle {
        TableHandle::of(Size::UpTo(bytes))
    }

    /// Creates a table of exactly `bytes` bytes, rounded down to whole buckets. With it, a search
    /// with a fixed number of nodes is the same on every machine.
    pub fn exactly(bytes: usize) -> TableHandle {
        TableHandle::of(Size::Exactly(bytes))
    }

    fn of(size: Size) -> TableHandle {
        TableHandle(Arc::new(Mutex::new(Memory { size, current: None, prepared: None })))
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Limits the size of the table, in bytes, from the next search on. Replaces an exact size.
    pub fn set_limit(&self, bytes: usize) {
        self.memory().size = Size::UpTo(bytes);
    }

    /// Allocates the first table and touches its pages, until `until` at the latest,
    /// so that the first search need not wait for page faults.
    pub fn prepare(&self, until: Instant) {
        self.memory().prepare(until);
    }

    /// Returns the table for a search that can use `useful` bytes: the current one if it is large
    /// enough and within the limit, else a new one.
    ///
    /// # Errors
    /// Not even the smallest table can be allocated.
    pub fn table(&self, useful: usize) -> Result<Arc<Table>, TableError> {
        self.memory().table(useful)
    }

    /// Returns the table for a search with the limits of `request`. While pondering, the current
    /// table is not resized.
    ///
    /// # Errors
    /// Not even the smallest table can be allocated.
    pub fn for_search(&self, request: &Request) -> Result<Arc<Table>, TableError> {
        let current = self.made().filter(|_| request.pondering);
        let useful = || useful_bytes(request.budget.hard, request.max_nodes, request.threads);
        current.map_or_else(|| self.table(useful()), Ok)
    }

    /// The current table, if a search has needed one.
    pub fn made(&self) -> Option<Arc<Table>> {
        self.memory().current.as_ref().map(|(_, table)| table.clone())
    }

    /// Reports how full the table is, as a line of text.
    pub fn usage(&self) -> String {
        match &self.memory().current {
            None => "hash usage: no table yet".to_owned(),
            Some((_, table)) => {
                let (used, kib) = (table.usage(), table.bytes() >> 10);
                format!("hash usage: {used} per mille of {kib} KB")
            }
        }
    }

    /// Removes all entries. A small table is overwritten, so that the next search need
    /// not wait for page faults. A large one is released, which is quicker than
    /// overwriting it.
    pub fn clear(&self) {
        let mut memory = self.memory();
        match &memory.current {
            Some((_, table)) if table.bytes() <= OVERWRITTEN => table.clear(),
            _ => memory.current = None,
        }
    }

    /// Takes the memory reserve again, and drops the table for it if there is no other memory. Call
    /// this between searches: a running search keeps the memory that it uses.
    pub fn hold_reserve(&self) {
        if !reserve::hold() {
            let mut memory = self.memory();
            (memory.current, memory.prepared) = (None, None);
            reserve::trim();
            reserve::hold();
        }
    }
}

/// Requested size of a table, in bytes.
#[derive(Copy, Clone)]
enum Size {
    /// As large as a search can use, and at most this.
    UpTo(usize),
    /// Exactly this.
    Exactly(usize),
}

/// The state shared by the clones of a [`TableHandle`].
struct Memory {
    size: Size,
    /// The table, with the requested size in bytes; if memory was short, the table is smaller.
    current: Option<(usize, Arc<Table>)>,
    /// A table of [`TableHandle::prepare`] that no search has needed yet.
    prepared: Option<Table>,
}

impl Memory {
    fn prepare(&mut self, until: Instant) {
        let Size::UpTo(limit) = self.size else { return };
        if self.current.is_some()
            || self.prepared.is_some()
            || !reserve::is_available(PREPARE_IF_AVAILABLE)
        {
            return;
        }
        if let Ok(table) = Table::with_room(PREPARED_BYTES.min(limit), PREPARED_ROOM) {
            table.touch(|| Instant::now() < until);
            self.prepared = Some(table);
        }
    }

    fn table(&mut self, useful: usize) -> Result<Arc<Table>, TableError> {
        match self.size {
            Size::UpTo(limit) => self.within(useful, limit),
            Size::Exactly(bytes) => {
                if let Some((_, table)) = &self.current {
                    return Ok(table.clone());
                }
                let table = Arc::new(Table::with_bytes(bytes)?);
                self.current = Some((bytes, table.clone()));
                Ok(table)
            }
        }
    }

    /// Returns a table of at least `useful` bytes, but at most `limit`, or a smaller one if memory
    /// is short. Keeps the current one if its size is in that range.
    fn within(&mut self, useful: usize, limit: usize) -> Result<Arc<Table>, TableError> {
        let bytes = useful.min(limit);
        if !reserve::hold() {
            return Err(TableError { bytes });
        }
        if let Some((requested, table)) = &self.current
            && (bytes..=limit).contains(requested)
        {
            return Ok(table.clone());
        }
        if let Some(table) = self.adapted(bytes, limit) {
            let table = Arc::new(table);
            self.current = Some((bytes.max(table.bytes()), table.clone()));
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
        self.current = Some((bytes, table.clone()));
        Ok(table)
    }

    /// Returns the current or prepared table, emptied, if it has or can grow to at least `bytes`
    /// bytes and does not exceed `limit`. Otherwise drops it, before a new one is allocated: both
    /// would count against the memory limit.
    fn adapted(&mut self, bytes: usize, limit: usize) -> Option<Table> {
        let mut table = match self.current.take() {
            Some((_, table)) => {
                let table = Arc::into_inner(table)?;
                // Emptying a large table takes longer than allocating another.
                if table.bytes() > PREPARED_BYTES {
                    return None;
                }
                table.clear();
                table
            }
            None => self.prepared.take()?,
        };
        // A table above the limit is dropped, as only that returns its memory.
        let allowed = table.bytes() <= limit;
        (allowed && (table.bytes() >= bytes || table.grow(bytes))).then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time::Budget;
    use crate::tt::{Bound, Entry};
    use goren_core::types::Move;

    const ENTRY: Entry =
        Entry { best: Move::NONE, score: 1, eval: 2, depth: 3, bound: Bound::Exact, pv: false };

    /// The table for a search that can use `useful` bytes, with this limit.
    fn within(hash: &TableHandle, useful: usize, limit: usize) -> Arc<Table> {
        hash.set_limit(limit);
        hash.table(useful).unwrap()
    }

    #[test]
    fn a_table_is_kept_while_it_is_large_enough_and_allowed() {
        let hash = TableHandle::up_to(1 << 22);
        let first = hash.table(1 << 20).unwrap();
        let kept = |useful, limit| Arc::ptr_eq(&first, &within(&hash, useful, limit));
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
    fn the_prepared_table_serves_the_first_searches() {
        let prepared = |until: Duration| {
            let hash = TableHandle::up_to(1 << 30);
            hash.prepare(Instant::now() + until);
            hash
        };
        let hash = prepared(Duration::from_secs(60));
        assert!(hash.made().is_none(), "no search has needed it");
        let first = hash.memory().prepared.as_ref().map(Table::address);
        let short = hash.table(5 << 20).unwrap();
        assert!(
            Some(short.address()) == first && short.bytes() > 15 << 20,
            "for a short search as it is"
        );
        short.store(7 << 40, ENTRY);
        drop(short);
        let long = hash.table(40 << 20).unwrap();
        assert!(long.bytes() > 39 << 20 && long.probe(7 << 40).is_none());
        assert!(!cfg!(target_os = "linux") || Some(long.address()) == first, "grown in place");
        let kept = hash.table(30 << 20).unwrap();
        assert!(Arc::ptr_eq(&long, &kept));
        // The prepared table exceeds the limit.
        let small = within(&prepared(Duration::from_secs(60)), 8 << 20, 8 << 20);
        assert!(small.bytes() <= 8 << 20);
        // No time to touch pages; then a small limit from the start.
        assert!(prepared(Duration::ZERO).table(1 << 20).unwrap().bytes() >= 1 << 19);
        let hash = TableHandle::up_to(1 << 20);
        hash.prepare(Instant::now());
        assert!(hash.table(1 << 20).unwrap().bytes() <= 1 << 20);
    }

    #[test]
    fn an_impossible_size_is_reduced() {
        let table = within(&TableHandle::default(), 1 << 60, 1 << 60);
        assert!(table.bytes() >= LEAST / 2);
        assert!(TableHandle::exactly(1 << 60).table(1).is_err(), "unless it is asked for exactly");
    }

    #[test]
    fn a_slightly_longer_search_keeps_the_table() {
        let hash = TableHandle::up_to(1 << 28);
        let table = |ms| {
            let budget = Budget { hard: Duration::from_millis(ms), ..Budget::UNLIMITED };
            hash.for_search(&Request { budget, ..Request::default() }).unwrap()
        };
        table(60).store(7 << 40, ENTRY);
        assert!(table(63).probe(7 << 40).is_some());
        assert!(table(600).probe(7 << 40).is_none(), "far more time needs a larger one");
    }

    #[test]
    fn the_useful_size_follows_the_search() {
        let half_second = useful_bytes(Duration::from_millis(500), None, 1);
        assert!((20 << 20..100 << 20).contains(&half_second));
        assert_eq!(useful_bytes(Duration::from_millis(500), None, 0), half_second);
        assert_eq!(useful_bytes(Duration::from_millis(500), None, 2), 2 * half_second);
        assert!(useful_bytes(Duration::MAX, Some(1_000_000), 1) < 100 << 20);
        assert_eq!(useful_bytes(Duration::MAX, None, 64), usize::MAX);
    }
}
