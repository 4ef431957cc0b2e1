//! Transposition table, shared by all search threads without locks.
//!
//! A slot has 16 bytes, two relaxed `AtomicU64`: the key xor the data, and the data.
//! If two threads write a slot at once, the pair may be torn; then the key test fails
//! (lockless hashing; Hyatt and Mann, 2002). All 64 bits of the key are compared, as
//! entries carry proven wins. The key includes rule, board size and side to move.
//! Four slots make a bucket, which is a cache line.
//!
//! Almost every probe touches another page, so the table requests transparent huge pages from
//! Linux. A table may be allocated in a block of more than 32 MiB whose rest is never touched:
//! glibc returns such a block to the system when it is freed, but may keep a smaller one.
//!
//! The unsafe code of this file is prefetching and `madvise`.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use goren_core::types::{Cell, Move, PROVEN, Score};

/// Slots in a bucket.
const SLOTS: usize = 4;
const BUCKET_WORDS: usize = 2 * SLOTS;
/// Size of a cache line, which is a bucket.
const LINE_BYTES: usize = 64;
/// Smallest page size of any system.
const PAGE_BYTES: usize = 4096;
/// Least size of a block that the allocator returns to the system when it is freed: glibc raises
/// its threshold (`M_MMAP_THRESHOLD`) up to 32 MiB as blocks are freed; other systems need none.
/// Untouched pages of the block cost nothing.
const UNMAPPED_BYTES: usize = if cfg!(target_os = "linux") { 33 << 20 } else { 0 };
/// The age of an entry is the number of its search, modulo this.
const AGES: u8 = 32;
/// Lowest bit of the age in the data word.
const AGE_SHIFT: u32 = 53;

/// How the score of an entry relates to the true score.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// No score.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The score is exact.
    Exact = 3,
}

/// Entry of the table for a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, or [`Move::NONE`].
    pub best: Move,
    /// Score for the side to move, 16 bits; distances of proven results count from the position.
    pub score: Score,
    /// Static evaluation for the side to move, of 16 bits.
    pub eval: Score,
    /// Depth searched, in plies, from -128 to 127.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the node is or was a PV node. Quiescence search, solver and prover clear this mark.
    pub pv: bool,
}

impl Entry {
    /// Whether the entry proves a result, which no deeper search can change.
    #[inline]
    pub fn is_proven(&self) -> bool {
        match self.bound {
            Bound::Lower => self.score >= PROVEN,
            Bound::Upper => self.score <= -PROVEN,
            Bound::Exact => self.score.abs() >= PROVEN,
            Bound::None => false,
        }
    }

    /// Packs the entry into one word, for files.
    pub fn to_word(&self) -> u64 {
        self.pack(0)
    }

    /// Unpacks the entry that [`Entry::to_word`] packed into `word`.
    pub fn from_word(word: u64) -> Entry {
        Entry::unpack(word)
    }

    /// Packs the data word: from the lowest bit score (16 bits), evaluation (16), cell of the best
    /// move (10), depth (8), bound (2), PV flag (1), age (5), and bit 63.
    fn pack(&self, age: u8) -> u64 {
        self.score as i16 as u16 as u64
            | (self.eval as i16 as u16 as u64) << 16
            | (self.best.cell().index() as u64) << 32
            | (self.depth.min(i8::MAX.into()) as i8 as u8 as u64) << 42
            | (self.bound as u64) << 50
            | (self.pv as u64) << 52
            | (age as u64) << AGE_SHIFT
            // Always set, as a data word of 0 is an empty slot.
            | 1 << 63
    }

    fn unpack(data: u64) -> Entry {
        Entry {
            score: data as i16 as Score,
            eval: (data >> 16) as i16 as Score,
            best: Move::at(Cell::from_index((data >> 32) as usize)),
            depth: (data >> 42) as i8 as i32,
            bound: match data >> 50 & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: data >> 52 & 1 != 0,
        }
    }
}

/// The memory for a table could not be allocated.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no memory for a transposition table of {bytes} bytes")]
pub struct TableError {
    /// Size of the table in bytes.
    pub bytes: usize,
}

/// Allocates zeroed words. Fresh pages from the system are zero already and stay untouched.
#[cfg(not(loom))]
fn zeroed(words: usize) -> Result<Box<[AtomicU64]>, ()> {
    bytemuck::allocation::try_zeroed_slice_box(words)
}

/// The atomics of loom are not plain words, so each is constructed.
#[cfg(loom)]
fn zeroed(words: usize) -> Result<Box<[AtomicU64]>, ()> {
    Ok((0..words).map(|_| AtomicU64::new(0)).collect())
}

/// Requests transparent huge pages of 2 MiB (needed where they are set to `madvise`). With small
/// pages, a probe spends most of its time on a TLB miss, and the first probes on a page fault. Miri
/// does not support `madvise`.
#[cfg(all(target_os = "linux", not(loom), not(miri)))]
fn advise_huge_pages(words: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};
    const LARGE: usize = 2 << 20;
    let bytes = size_of_val(words);
    let skip = words.as_ptr().cast::<u8>().align_offset(LARGE);
    let whole = bytes.saturating_sub(skip) / LARGE * LARGE;
    if whole == 0 {
        return;
    }
    // SAFETY: the range lies within the allocation, and this advice does not change
    // the contents of memory. If the system refuses it, nothing else depends on it.
    #[allow(unsafe_code)]
    let _ = unsafe {
        let begin = words.as_ptr().cast::<u8>().add(skip).cast_mut();
        madvise(begin.cast(), whole, Advice::LinuxHugepage)
    };
}

#[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
fn advise_huge_pages(_: &[AtomicU64]) {}

/// Transposition table. A page takes memory only once an entry is stored in it.
pub struct Table {
    /// The allocation: padding, buckets, and words that are never touched.
    words: Box<[AtomicU64]>,
    /// Words before the first bucket, which is aligned to a cache line.
    skip: usize,
    buckets: usize,
    /// Number of the current search, modulo [`AGES`].
    age: AtomicU8,
}

impl Table {
    /// Allocates a table of at most `bytes` bytes, but at least one bucket.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn with_bytes(bytes: usize) -> Result<Table, TableError> {
        Table::within(bytes, 0)
    }

    /// As [`Table::with_bytes`], if possible in pages that the allocator returns to the
    /// system when the table is dropped, so that they no longer count against a memory
    /// limit of the process.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn with_own_pages(bytes: usize) -> Result<Table, TableError> {
        Table::within(bytes, UNMAPPED_BYTES).or_else(|_| Table::with_bytes(bytes))
    }

    /// As [`Table::with_bytes`], and on Linux, where untouched memory costs nothing, the table can
    /// [grow](Table::grow) to about `room` bytes in place.
    ///
    /// # Errors
    /// The memory cannot be allocated.
    pub fn with_room(bytes: usize, room: usize) -> Result<Table, TableError> {
        Table::within(bytes, if UNMAPPED_BYTES > 0 { room.max(UNMAPPED_BYTES) } else { 0 })
    }

    /// Allocates a table of at most `bytes` bytes in a block of at least `least` bytes.
    fn within(bytes: usize, least: usize) -> Result<Table, TableError> {
        let buckets = Table::buckets_in(bytes);
        let words = ((buckets + 1) * BUCKET_WORDS).max(least / size_of::<AtomicU64>());
        let words = zeroed(words).map_err(|()| TableError { bytes })?;
        advise_huge_pages(&words);
        let skip = words.as_ptr().align_offset(LINE_BYTES).min(BUCKET_WORDS);
        Ok(Table { words, skip, buckets, age: AtomicU8::new(0) })
    }

    /// Resizes an empty table to at most `bytes` bytes within its allocation; touched pages need
    /// not be touched again. Returns false and changes nothing if the allocation is too small.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let buckets = Table::buckets_in(bytes);
        let fits = (buckets + 1) * BUCKET_WORDS <= self.words.len();
        if fits {
            self.buckets = buckets;
        }
        fits
    }

    /// Touches the memory of an empty table page by page, while `go_on` returns true,
    /// so that searches need not wait for page faults.
    pub fn touch(&self, mut go_on: impl FnMut() -> bool) {
        let pages = self.used().chunks(PAGE_BYTES / size_of::<AtomicU64>());
        for page in pages.take_while(|_| go_on()) {
            page[0].store(0, Relaxed);
        }
    }

    /// Number of buckets of a table of at most `bytes` bytes; alignment costs a cache line.
    fn buckets_in(bytes: usize) -> usize {
        (bytes.saturating_sub(LINE_BYTES) / LINE_BYTES).max(1)
    }

    /// The words of the allocation that belong to the table.
    fn used(&self) -> &[AtomicU64] {
        &self.words[..(self.buckets + 1) * BUCKET_WORDS]
    }

    /// Size of the table in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.used())
    }

    /// Address of the table's memory.
    pub fn address(&self) -> usize {
        self.words.as_ptr() as usize
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for word in self.used() {
            word.store(0, Relaxed);
        }
        self.age.store(0, Relaxed);
    }

    /// Begins a new generation for a new search: older entries are replaced first.
    pub fn new_generation(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((key as u128 * self.buckets as u128) >> 64) as usize;
        &self.words[self.skip + index * BUCKET_WORDS..][..BUCKET_WORDS]
    }

    /// Prefetches the bucket of a key into the cache; on x86-64 only.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line = self.bucket(key).as_ptr();
            // SAFETY: prefetching has no effect that the program can see, and the
            // address is inside the table.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch(line.cast(), _MM_HINT_T0);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the entry of a position, if the table has one.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Relaxed);
            let matches = slot[0].load(Relaxed) ^ data == key && data != 0;
            matches.then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry: in place of that of the same position, else in an empty slot, else in place
    /// of the entry of least depth in the bucket, where each generation of age counts like 4 plies
    /// less.
    ///
    /// An entry of the same position and generation that is more than 3 plies deeper is
    /// kept, unless the new one is exact. A new entry without a best move takes over the old best
    /// move.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        for i in 0..SLOTS {
            let data = bucket[2 * i + 1].load(Relaxed);
            if data == 0 {
                if lowest > i32::MIN {
                    (victim, lowest) = (i, i32::MIN);
                }
                continue;
            }
            let old = Entry::unpack(data);
            let old_age = (data >> AGE_SHIFT) as u8 % AGES;
            if bucket[2 * i].load(Relaxed) ^ data == key {
                if !entry.best.is_some() {
                    entry.best = old.best;
                }
                if entry.bound != Bound::Exact
                    && old_age == age
                    && old.bound != Bound::None
                    && entry.depth + 3 < old.depth
                {
                    return;
                }
                victim = i;
                break;
            }
            let value = old.depth - 4 * ((AGES + age - old_age) % AGES) as i32;
            if value < lowest {
                (victim, lowest) = (i, value);
            }
        }
        let data = entry.pack(age);
        bucket[2 * victim].store(key ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }

    /// All keys with their entries, in the order of memory.
    pub fn entries(&self) -> impl Iterator<Item = (u64, Entry)> + '_ {
        let words = &self.words[self.skip..][..self.buckets * BUCKET_WORDS];
        words.chunks_exact(2).filter_map(|slot| {
            let data = slot[1].load(Relaxed);
            (data != 0).then(|| (slot[0].load(Relaxed) ^ data, Entry::unpack(data)))
        })
    }

    /// Share of the slots filled in the current generation, in thousandths, estimated
    /// from the first 1,000 buckets (`hashfull` of UCI).
    pub fn usage(&self) -> u32 {
        let sample = self.buckets.min(1000);
        let words = &self.words[self.skip..][..sample * BUCKET_WORDS];
        let age = self.age.load(Relaxed);
        let current = |data: u64| data != 0 && (data >> AGE_SHIFT) as u8 % AGES == age;
        let used = words.chunks_exact(2).filter(|s| current(s[1].load(Relaxed))).count();
        (used * 1000 / (sample * SLOTS)) as u32
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn entry(depth: i32, bound: Bound) -> Entry {
        let best = Move::at(Cell::new(25, 25));
        Entry { best, score: -29_987, eval: -123, depth, bound, pv: true }
    }

    #[test]
    fn a_table_with_own_pages_has_the_requested_size() {
        let [own, other] = [Table::with_own_pages, Table::with_bytes].map(|make| make(1 << 16));
        let (own, other) = (own.unwrap(), other.unwrap());
        assert_eq!((own.bytes(), own.buckets), (other.bytes(), other.buckets));
        own.store(1 << 60 | 99, entry(1, Bound::Exact));
        assert_eq!(own.entries().count(), 1);
        own.clear();
        assert_eq!(own.entries().count(), 0);
        // The allocation is larger than the table.
        assert!(own.words.len() * size_of::<AtomicU64>() >= UNMAPPED_BYTES);
        assert!(Table::with_own_pages(1 << 60).is_err());
    }

    /// `/proc/self/smaps` shows the flag `hg` on the pages of a table, on systems with
    /// transparent huge pages.
    #[cfg(target_os = "linux")]
    #[test]
    fn large_tables_request_huge_pages() {
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return;
        }
        let table = Table::with_bytes(64 << 20).unwrap();
        let middle = table.words[table.words.len() / 2..].as_ptr() as usize;
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut inside = false;
        let flags = maps.lines().find_map(|line| {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let bound = |text| usize::from_str_radix(text, 16).ok();
            if let Some((Some(begin), Some(end))) = range.map(|(a, b)| (bound(a), bound(b))) {
                inside = (begin..end).contains(&middle);
            }
            line.strip_prefix("VmFlags:").filter(|_| inside)
        });
        assert!(flags.unwrap().split(' ').any(|flag| flag == "hg"), "{flags:?}");
    }

    #[test]
    fn entries_survive_a_round_trip() {
        let table = Table::with_bytes(1 << 16).unwrap();
        for (i, bound) in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact].iter().enumerate()
        {
            let key = (i as u64 + 1) << 60 | 99;
            table.store(key, entry(-1 - i as i32, *bound));
            assert_eq!(table.probe(key), Some(entry(-1 - i as i32, *bound)));
            assert_eq!(table.probe(key ^ 1), None);
        }
        table.clear();
        assert_eq!(table.probe(1 << 60 | 99), None);
    }

    #[test]
    fn a_table_grows_within_its_allocation() {
        let mut table = Table::with_room(1 << 16, 1 << 18).unwrap();
        let mut pages = 0;
        table.touch(|| {
            pages += 1;
            true
        });
        assert!(pages >= (1 << 16) / PAGE_BYTES, "{pages}");
        let before = table.bytes();
        let room = table.words.len() * size_of::<AtomicU64>();
        assert!(!table.grow(room + LINE_BYTES) && table.bytes() == before);
        if room > before {
            assert!(table.grow(1 << 18) && table.bytes() > before);
        }
        table.store(3 << 60 | 5, entry(2, Bound::Exact));
        assert_eq!(table.probe(3 << 60 | 5), Some(entry(2, Bound::Exact)));
        assert_eq!(table.entries().count(), 1);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let table = Table::with_bytes(0).unwrap();
        table.store(7, entry(3, Bound::Lower));
        table.store(7, Entry { best: Move::NONE, ..entry(4, Bound::Upper) });
        assert_eq!(table.probe(7), Some(entry(4, Bound::Upper)));
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = Table::with_bytes(0).unwrap();
        for key in 1..=4 {
            table.store(key, entry(key as i32 * 10, Bound::Exact));
        }
        table.store(5, entry(1, Bound::Exact));
        assert_eq!(table.probe(1), None, "the shallowest goes");
        for _ in 0..20 {
            table.new_generation();
        }
        table.store(6, entry(1, Bound::Exact));
        assert!(table.probe(5).is_none() && table.probe(6).is_some(), "then by age and depth");
        assert!(table.probe(4).is_some());
    }

    #[test]
    fn all_entries_are_listed_and_fit_a_word() {
        let table = Table::with_bytes(1 << 12).unwrap();
        let keys: Vec<u64> = (1..=20).map(|i| i << 59 | i).collect();
        for &key in &keys {
            table.store(key, entry(key as i32 & 31, Bound::Lower));
        }
        let mut listed: Vec<u64> = table.entries().map(|(key, _)| key).collect();
        listed.sort_unstable();
        assert!(listed.iter().all(|key| keys.contains(key)));
        assert!(listed.len() >= 16, "{}", listed.len());
        for (key, entry) in table.entries() {
            assert_eq!(table.probe(key), Some(entry));
            assert_eq!(Entry::from_word(entry.to_word()), entry);
        }
    }

    #[test]
    fn a_table_stays_within_its_bytes() {
        for bytes in [1 << 10, 1_000_000, 12_345_678] {
            let table = Table::with_bytes(bytes).unwrap();
            assert!(table.bytes() <= bytes && table.bytes() > bytes - 2 * LINE_BYTES);
        }
    }
}
