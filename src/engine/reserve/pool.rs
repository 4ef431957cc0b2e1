//! A little memory within the program itself, for when the system has none and the
//! reserve is not held or used up: at the very start of a process, and until one that is
//! out of memory has said so.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Bytes of a pool: enough for some short commands and their answers.
const BYTES: usize = 64 << 10;
/// Largest block. Whoever allocates more can do without, or uses up the pool.
const LARGEST: usize = 16 << 10;
/// Alignment of the pool, and so the greatest of a block.
const ALIGN: usize = 64;
/// All blocks begin and end at multiples of this.
const UNIT: usize = 16;
/// In [`Pool::state`], one block in use. The bits below have the bytes placed.
const BLOCK: usize = 1 << 17;
/// These bits.
const PLACED: usize = BLOCK - 1;

/// Blocks are placed one behind the other. Once all of them are freed, the next one is
/// placed at the beginning again.
#[repr(align(64))]
pub(super) struct Pool {
    bytes: UnsafeCell<[u8; BYTES]>,
    /// The number of blocks in use and of bytes placed: in one word, so that both change at
    /// once.
    state: AtomicUsize,
}

// SAFETY: threads share only `state`, which is atomic. It gives each block to one caller,
// and places another one there only after all callers have freed theirs.
#[allow(unsafe_code)]
unsafe impl Sync for Pool {}

impl Pool {
    pub(super) const fn new() -> Pool {
        Pool { bytes: UnsafeCell::new([0; BYTES]), state: AtomicUsize::new(0) }
    }

    /// A block, or null if it is too large or does not fit any more. Its bytes have any
    /// values.
    pub(super) fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align().max(UNIT));
        if size > LARGEST || align > ALIGN {
            return null_mut();
        }
        let begin = |state: usize| (state & PLACED).next_multiple_of(align);
        let placed = self.state.fetch_update(SeqCst, SeqCst, |state| {
            let end = begin(state) + size.next_multiple_of(UNIT);
            (end <= BYTES).then_some((state & !PLACED) + BLOCK + end)
        });
        placed.map_or(null_mut(), |before| self.first().wrapping_add(begin(before)))
    }

    /// Whether a block is one of this pool.
    pub(super) fn owns(&self, piece: *mut u8) -> bool {
        piece.addr().wrapping_sub(self.first().addr()) < BYTES
    }

    /// Notes that one of its blocks is used no longer.
    pub(super) fn free(&self) {
        let freed = |state: usize| {
            let left = state - BLOCK;
            Some(if left < BLOCK { 0 } else { left })
        };
        let _ = self.state.fetch_update(SeqCst, SeqCst, freed);
    }

    fn first(&self) -> *mut u8 {
        self.bytes.get().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alloc(pool: &Pool, size: usize, align: usize) -> *mut u8 {
        pool.alloc(Layout::from_size_align(size, align).unwrap())
    }

    #[test]
    fn blocks_lie_apart_and_the_pool_is_used_again() {
        let pool = Pool::new();
        for _ in 0..3 {
            let sizes = [(1, 1), (40, 8), (3, 64), (1_000, 16), (7, 32)];
            let blocks = sizes.map(|(size, align)| (alloc(&pool, size, align), size, align));
            for (i, &(block, size, align)) in blocks.iter().enumerate() {
                assert!(pool.owns(block) && block.addr().is_multiple_of(align));
                for &(other, length, _) in &blocks[..i] {
                    let (begin, end) = (other.addr(), other.addr() + length);
                    assert!(block.addr() >= end || block.addr() + size <= begin);
                }
            }
            blocks.iter().for_each(|_| pool.free());
            assert_eq!(alloc(&pool, 5, 1), pool.first(), "it is empty again");
            pool.free();
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let pool = Pool::new();
        assert!(alloc(&pool, LARGEST + 1, 1).is_null() && alloc(&pool, 1, 2 * ALIGN).is_null());
        let blocks = || (0..).map(|_| alloc(&pool, LARGEST, 8)).take_while(|b| !b.is_null());
        assert_eq!(blocks().count(), BYTES / LARGEST);
        assert!(alloc(&pool, 1, 1).is_null(), "the pool is full");
        (1..BYTES / LARGEST).for_each(|_| pool.free());
        assert!(alloc(&pool, 1, 1).is_null(), "one block is still in use");
        pool.free();
        assert_eq!(blocks().count(), BYTES / LARGEST);
        let mut other = 0_u8;
        assert!(!pool.owns(&mut other) && !pool.owns(null_mut()));
        assert!(!pool.owns(pool.first().wrapping_add(BYTES)));
    }

    #[test]
    fn no_two_threads_have_the_same_block() {
        let pool = Pool::new();
        std::thread::scope(|scope| {
            for thread in 0..3_u8 {
                let pool = &pool;
                scope.spawn(move || {
                    for i in 0..200 {
                        let block = alloc(pool, 24, 8);
                        assert!(!block.is_null());
                        let value = thread.wrapping_mul(85) ^ i as u8;
                        // SAFETY: the block has 24 bytes and belongs to this thread.
                        #[allow(unsafe_code)]
                        unsafe {
                            block.write_bytes(value, 24);
                            std::thread::yield_now();
                            assert_eq!(block.add(23).read(), value);
                        }
                        pool.free();
                    }
                });
            }
        });
    }
}
