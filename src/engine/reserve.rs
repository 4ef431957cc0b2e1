//! Memory reserve: an emergency reserve that is released when an allocation
//! fails.
//!
//! Rust aborts the process when an allocation fails, but an engine must answer
//! `ERROR` and keep its position. So [`Allocator`] holds a reserve of 4 MiB. When the
//! system refuses a small allocation, it releases the reserve and tries again. A running search
//! notices this at its next clock check and stops with its best move so far; a START is refused.
//! Either frees the memory of the search or game, so that [`hold`] can take the reserve again
//! before the next one; if it cannot, no search or game begins. Large tables use fallible
//! allocations, which do not touch the reserve.
//!
//! Before the reserve is held for the first time, and once it is used up, small blocks come from a
//! static pool: just enough to report that there is no memory.

mod pool;

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::SeqCst};
use std::thread::yield_now;

use self::pool::Pool;

/// Size of the reserve in bytes: more than a search allocates between two clock
/// checks.
const BYTES: usize = 4 << 20;
/// Allocations of more bytes (tables) do not release the reserve; their callers handle
/// the failure. The weights of a rule are allocated in blocks of up to 1.4 MB.
const SMALL: usize = 2 << 20;

static RESERVE: Reserve = Reserve::none();
static POOL: Pool = Pool::new();

/// The allocator of the system, with the reserve as a fallback.
pub struct Allocator;

/// Takes the reserve, unless it is held already. Returns false if there is no memory for it.
///
/// The reserve works only in a process whose global allocator is [`Allocator`].
pub fn hold() -> bool {
    RESERVE.hold()
}

/// Makes the allocator return freed memory to the system. By default, glibc keeps up to 64 MiB once
/// large blocks have been freed, as it raises its thresholds (see `M_MMAP_THRESHOLD` in
/// mallopt(3)); a match manager counts this memory against the limit of later games. Does nothing
/// with other allocators.
///
/// All threads share one heap: a heap per thread reserves 64 MiB of address space each, and where
/// that fails glibc gives every small block its own page.
///
/// Call this once, before other threads exist.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // Blocks of at least this many bytes are mapped separately, and unmapped when freed.
        const MMAP_THRESHOLD: libc::c_int = 128 << 10;
        // Free bytes that the heap keeps at its end.
        const TRIM_THRESHOLD: libc::c_int = 128 << 10;
        // SAFETY: mallopt only sets parameters of the allocator.
        #[allow(unsafe_code)]
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, MMAP_THRESHOLD);
            libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD);
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// Returns all free pages within the allocator's heaps to the system. Memory that earlier games
/// freed lies between blocks in use, and would count against the memory limit of the next game.
/// Does nothing with other allocators.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim only releases memory that is not in use.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Whether the reserve was released because memory ran out, and not taken again since.
#[inline]
pub fn is_released() -> bool {
    RESERVE.released.load(SeqCst)
}

/// Bytes that the start of a thread may allocate beside its stack. The process aborts
/// if that fails, so callers check first that they are available.
pub const THREAD_START: usize = 1 << 20;

/// Whether `bytes` bytes can be allocated now.
pub fn is_available(bytes: usize) -> bool {
    let mut block: Vec<u8> = Vec::new();
    let available = block.try_reserve_exact(bytes).is_ok();
    // The compiler may remove an unused allocation.
    black_box(block.as_ptr());
    available
}

struct Reserve {
    /// The reserve; null if it is not held, [`FREEING`] while a thread frees it.
    block: AtomicPtr<u8>,
    released: AtomicBool,
}

/// Marks a reserve that is being freed: no block has this address.
const FREEING: *mut u8 = without_provenance_mut(1);

impl Reserve {
    const fn none() -> Reserve {
        Reserve { block: AtomicPtr::new(null_mut()), released: AtomicBool::new(false) }
    }

    fn layout() -> Layout {
        Layout::new::<[u64; BYTES / size_of::<u64>()]>()
    }

    fn hold(&self) -> bool {
        if self.settled().is_null() {
            // SAFETY: the size is not zero.
            #[allow(unsafe_code)]
            let block = unsafe { System.alloc(Reserve::layout()) };
            if block.is_null() {
                return false;
            }
            if self.block.compare_exchange(null_mut(), block, SeqCst, SeqCst).is_err() {
                Reserve::free(block);
            }
        }
        self.released.store(false, SeqCst);
        true
    }

    /// Waits until no thread is freeing the reserve; returns the reserve, or null.
    fn settled(&self) -> *mut u8 {
        loop {
            let block = self.block.load(SeqCst);
            if block != FREEING {
                return block;
            }
            yield_now();
        }
    }

    /// Frees the reserve, if it is held. If another thread is freeing it, waits for that: the
    /// memory may be enough for both.
    #[cold]
    fn release(&self) {
        let block = self.settled();
        let taken = || self.block.compare_exchange(block, FREEING, SeqCst, SeqCst).is_ok();
        if !block.is_null() && taken() {
            self.released.store(true, SeqCst);
            Reserve::free(block);
            self.block.store(null_mut(), SeqCst);
        }
        self.settled();
    }

    /// Frees a block of memory that was allocated as the reserve.
    fn free(block: *mut u8) {
        // SAFETY: `System` allocated it with this layout, and nothing else refers to
        // it: it was exchanged out of `Reserve::block`, or never stored there.
        #[allow(unsafe_code)]
        unsafe {
            System.dealloc(block, Reserve::layout());
        }
    }

    /// Allocates `size` bytes by `allocate`. If a small allocation fails, releases the reserve and
    /// tries once more, even if the reserve is not held: another thread may have released it since
    /// the first attempt.
    #[inline]
    fn alloc_or_release(&self, size: usize, allocate: impl Fn() -> *mut u8) -> *mut u8 {
        let block = allocate();
        if block.is_null() && size <= SMALL {
            self.release();
            return allocate();
        }
        block
    }
}

/// Returns `block`, or a block of the pool if the system has returned null.
#[inline]
fn or_pooled(block: *mut u8, layout: Layout) -> *mut u8 {
    if block.is_null() { POOL.alloc(layout) } else { block }
}

// SAFETY: every call is passed on to the allocator of the system with the same
// arguments; a failed call changes nothing and may be repeated. Blocks of the pool go back
// to the pool, all others to the system.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: our caller upholds the contract of `System.alloc`.
        let block = RESERVE.alloc_or_release(layout.size(), || unsafe { System.alloc(layout) });
        or_pooled(block, layout)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let allocate = || unsafe { System.alloc_zeroed(layout) };
        let block = or_pooled(RESERVE.alloc_or_release(layout.size(), allocate), layout);
        if POOL.owns(block) {
            // SAFETY: the block has this size, and only our caller has it.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !POOL.owns(block) {
            // SAFETY: as above; if this fails, the old block stays valid.
            let allocate = || unsafe { System.realloc(block, layout, size) };
            let moved = RESERVE.alloc_or_release(size, allocate);
            if !moved.is_null() {
                return moved;
            }
        }
        // Moves the block out of the pool, or into it. SAFETY: by the contract of our caller the
        // size is not zero, nor too large for the alignment. Both blocks have at least the bytes
        // that are copied, they do not overlap, and the old one is no longer used.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if POOL.owns(block) {
            POOL.free();
        } else {
            // SAFETY: as above; the block is not of the pool, so the system allocated it.
            unsafe { System.dealloc(block, layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn impossible_sizes_are_not_available() {
        assert!(is_available(1 << 20));
        assert!(!is_available(isize::MAX as usize));
    }

    #[test]
    fn a_failed_allocation_releases_the_reserve_once() {
        let reserve = Reserve::none();
        let calls = Cell::new(0);
        let mut byte = 0_u8;
        let good: *mut u8 = &mut byte;
        // An allocator whose first `failures` calls fail.
        let alloc_or_release = |size, failures: u32| {
            calls.set(0);
            reserve.alloc_or_release(size, || {
                calls.set(calls.get() + 1);
                if calls.get() <= failures { null_mut() } else { good }
            })
        };
        let released = || reserve.released.load(SeqCst);
        // The reserve is not held yet.
        assert!(alloc_or_release(1, 2).is_null() && !released());
        assert!(reserve.hold() && reserve.hold() && !released());
        assert!(alloc_or_release(1, 0) == good && calls.get() == 1 && !released());
        // Large allocations may fail and do not release the reserve.
        assert!(alloc_or_release(SMALL + 1, 1).is_null() && !released());
        assert!(alloc_or_release(1, 1) == good && calls.get() == 2 && released());
        // The reserve was released before.
        assert!(alloc_or_release(1, 2).is_null() && calls.get() == 2 && released());
        assert!(reserve.hold() && !released());
        assert!(alloc_or_release(1, 2).is_null() && calls.get() == 2 && released());
        assert!(reserve.settled().is_null());
    }

    /// The second thread found no reserve, and the process was aborted.
    #[test]
    fn two_threads_that_fail_at_once_share_the_reserve() {
        let reserve = Reserve::none();
        assert!(reserve.hold());
        let mut byte = 0_u8;
        let good: *mut u8 = &mut byte;
        let calls = Cell::new(0);
        let block = reserve.alloc_or_release(1, || {
            calls.set(calls.get() + 1);
            if calls.get() > 1 {
                return good;
            }
            // Another thread fails too, and releases the reserve first.
            reserve.release();
            null_mut()
        });
        assert_eq!(block, good);
        // A thread that comes while the reserve is being freed waits until that is done.
        assert!(reserve.hold());
        let freed = reserve.block.swap(FREEING, SeqCst);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| reserve.release());
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!waiting.is_finished());
            Reserve::free(freed);
            reserve.block.store(null_mut(), SeqCst);
        });
    }

    #[test]
    fn blocks_of_the_pool_are_moved_to_the_system() {
        let layout = Layout::new::<[u8; 24]>();
        let pooled = or_pooled(null_mut(), layout);
        assert!(POOL.owns(pooled));
        // SAFETY: the blocks have the given sizes, and are used only here.
        #[allow(unsafe_code)]
        unsafe {
            pooled.copy_from_nonoverlapping([7_u8; 24].as_ptr(), 24);
            let moved = Allocator.realloc(pooled, layout, 1 << 10);
            assert!(!POOL.owns(moved) && moved.add(23).read() == 7);
            let grown = Allocator.realloc(moved, Layout::new::<[u8; 1 << 10]>(), 1 << 11);
            assert!(!POOL.owns(grown) && grown.read() == 7);
            Allocator.dealloc(grown, Layout::new::<[u8; 1 << 11]>());
        }
        let next = or_pooled(null_mut(), layout);
        assert_eq!(next, pooled, "the pool is empty again");
        POOL.free();
    }
}
