//! The transposition table of a session, made and resized when a search needs
//! it. Knows no settings.

use std::sync::Arc;
use std::time::{Duration, Instant};

use goren_engine::spare;
use goren_engine::tt::{Table, TableError};

/// Where the system refuses a table, half as large a one is tried, down to
/// this many bytes.
const LEAST: usize = 1 << 16;

/// What must be left for all else that a search needs, none of which may fail:
/// its boards, histories and lists.
const ROOM: usize = 8 << 20;

/// Whether the system would give that much more.
pub fn has_room() -> bool {
    spare::can_have(ROOM)
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
pub fn useful_bytes(hard: Duration, max_nodes: Option<u64>, threads: usize) -> usize {
    let timed = hard.as_millis().saturating_mul(NODES_PER_MS * threads as u128);
    let nodes = timed.min(max_nodes.map_or(u128::MAX, u128::from));
    usize::try_from(nodes.saturating_mul(BYTES_PER_NODE)).unwrap_or(usize::MAX).max(1 << 22)
}

/// The table, and for which size it was made.
#[derive(Default)]
pub struct Memory {
    made: Option<(usize, Arc<Table>)>,
    /// One that no search has needed yet.
    ready: Option<Table>,
}

impl Memory {
    /// Fetches memory for the first table, until some time at the latest: the
    /// first search need not wait for it then.
    pub fn prepare(&mut self, most: usize, until: Instant) {
        if self.made.is_some() || self.ready.is_some() || !spare::can_have(PLENTY) {
            return;
        }
        if let Ok(table) = Table::with_room(READY.min(most), GROWN) {
            table.touch(|| Instant::now() < until);
            self.ready = Some(table);
        }
    }

    /// A table of at least `useful` bytes but never more than `most`, or of
    /// what can be had: the one of before if it is that still.
    ///
    /// # Errors
    /// Even the smallest table cannot be had.
    pub fn table(&mut self, useful: usize, most: usize) -> Result<Arc<Table>, TableError> {
        let bytes = useful.min(most);
        if !spare::keep() {
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

    /// The table, if one was needed yet.
    pub fn made(&self) -> Option<Arc<Table>> {
        self.made.as_ref().map(|(_, table)| table.clone())
    }

    /// How full it is, in words.
    pub fn usage(&self) -> String {
        match &self.made {
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
    pub fn clear(&mut self) {
        match &self.made {
            Some((_, table)) if table.bytes() <= OVERWRITTEN => table.clear(),
            _ => self.made = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::Move;
    use goren_engine::tt::{Bound, Entry};

    const ENTRY: Entry =
        Entry { best: Move::NONE, score: 1, eval: 2, depth: 3, bound: Bound::Exact, pv: false };

    #[test]
    fn a_table_is_kept_while_it_is_large_enough_and_allowed() {
        let mut memory = Memory::default();
        let first = memory.table(1 << 20, 1 << 22).unwrap();
        let mut kept = |useful, most| Arc::ptr_eq(&first, &memory.table(useful, most).unwrap());
        assert!(kept(1 << 20, 1 << 22));
        assert!(kept(1 << 19, 1 << 20), "a shorter search does not shrink it");
        assert!(!kept(1 << 21, 1 << 22), "a longer search has it grow");
        let second = memory.table(1 << 21, 1 << 22).unwrap();
        let third = memory.table(1 << 21, 1 << 20).unwrap();
        assert!(!Arc::ptr_eq(&second, &third) && third.bytes() <= 1 << 20, "a limit has it shrink");
        let (key, entry) = (7 << 40, ENTRY);
        third.store(key, entry);
        memory.clear();
        let fourth = memory.table(1 << 20, 1 << 20).unwrap();
        assert!(Arc::ptr_eq(&third, &fourth) && fourth.probe(key).is_none(), "emptied and kept");
        let large = memory.table(OVERWRITTEN * 2, usize::MAX).unwrap();
        memory.clear();
        assert!(!Arc::ptr_eq(&large, &memory.table(1 << 20, 1 << 20).unwrap()), "given back");
    }

    #[test]
    fn the_table_made_at_first_serves_the_first_searches() {
        let prepared = |until: Duration| {
            let mut memory = Memory::default();
            memory.prepare(1 << 30, Instant::now() + until);
            memory
        };
        let mut memory = prepared(Duration::from_secs(60));
        assert!(memory.made().is_none(), "no search has needed it");
        let first = memory.ready.as_ref().map(Table::place);
        let short = memory.table(5 << 20, 1 << 30).unwrap();
        assert!(
            Some(short.place()) == first && short.bytes() > 15 << 20,
            "for a short search as it is"
        );
        short.store(7 << 40, ENTRY);
        drop(short);
        let long = memory.table(40 << 20, 1 << 30).unwrap();
        assert!(long.bytes() > 39 << 20 && long.probe(7 << 40).is_none());
        assert!(!cfg!(target_os = "linux") || Some(long.place()) == first, "grown in place");
        let kept = memory.table(30 << 20, 1 << 30).unwrap();
        assert!(Arc::ptr_eq(&long, &kept));
        // A limit that it is beyond.
        let small = prepared(Duration::from_secs(60)).table(8 << 20, 8 << 20).unwrap();
        assert!(small.bytes() <= 8 << 20);
        // No time, a small limit from the start.
        let mut memory = prepared(Duration::ZERO);
        assert!(memory.table(1 << 20, 1 << 30).unwrap().bytes() >= 1 << 19);
        let mut memory = Memory::default();
        memory.prepare(1 << 20, Instant::now());
        assert!(memory.table(1 << 20, 1 << 20).unwrap().bytes() <= 1 << 20);
    }

    #[test]
    fn an_impossible_size_is_made_smaller() {
        let table = Memory::default().table(1 << 60, 1 << 60).unwrap();
        assert!(table.bytes() >= LEAST / 2);
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
