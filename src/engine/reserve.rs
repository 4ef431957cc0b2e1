//! Memory reserve: an emergency reserve that is released when an allocation
//! fails.
//!
//! Rust aborts the process when an allocation fails, but an engine must answer
//! `ERROR` and keep its position. So [`Allocator`] holds a reserve of 4 MiB. When the
//! system refuses a small allocation, it releases the reserve and tries again. A
//! running search notices that at its next clock check and stops with its best move
//! so far; a START is refused. That frees the memory of the search or game, so the
//! reserve can be taken again before the next one ([`hold`]); if it cannot, neither
//! begins. Large tables are allocated by calls that may fail and do not touch the
//! reserve.
//!
//! Before the reserve is held for the first time, and once it is used up, small blocks
//! come from a pool in the program itself: just enough to say that there is no memory.

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

/// The allocator of the system, with the reserve to fall back on.
pub struct Allocator;

/// Takes the reserve, unless it is held already. False if there is no memory for it.
///
/// The reserve is of use only in a process whose global allocator is [`Allocator`].
pub fn hold() -> bool {
    RESERVE.hold()
}

/// Makes the allocator return freed memory to the system. By default, that of glibc
/// keeps up to 64 MiB once large blocks have been freed, as it raises its thresholds
/// (see `M_MMAP_THRESHOLD` in mallopt(3)); a match manager counts that against the
/// memory limit of later games. Does nothing with other allocators.
///
/// All threads share one heap: each heap of its own takes 64 MiB of addresses, and in a
/// thread that cannot have these glibc gives every small block a page of its own.
///
/// Call it once, before other threads exist.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // Bytes from which on a block is mapped by itself, and unmapped when freed.
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

/// Returns to the system all pages that are free within the allocator's heaps. What
/// earlier games freed lies scattered there, between pieces in use, and would count
/// against the memory limit of the next game. Does nothing with other allocators.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim only releases memory that is not in use.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Whether memory ran out, so that the reserve was released and not taken again.
#[inline]
pub fn is_released() -> bool {
    RESERVE.released.load(SeqCst)
}

/// Bytes that the start of a thread may allocate beside its stack. The process aborts
/// if that fails, so callers check that they are available.
pub const THREAD_START: usize = 1 << 20;

/// Whether `bytes` bytes can be allocated now.
pub fn is_available(bytes: usize) -> bool {
    let mut piece: Vec<u8> = Vec::new();
    let had = piece.try_reserve_exact(bytes).is_ok();
    // The compiler may remove an unused allocation.
    black_box(piece.as_ptr());
    had
}

struct Reserve {
    /// The reserve; null if it is not held, [`FREEING`] while a thread frees it.
    piece: AtomicPtr<u8>,
    released: AtomicBool,
}

/// Stands for a reserve that is just being freed: no block has this address.
const FREEING: *mut u8 = without_provenance_mut(1);

impl Reserve {
    const fn none() -> Reserve {
        Reserve { piece: AtomicPtr::new(null_mut()), released: AtomicBool::new(false) }
    }

    fn layout() -> Layout {
        Layout::new::<[u64; BYTES / size_of::<u64>()]>()
    }

    fn hold(&self) -> bool {
        if self.settled().is_null() {
            // SAFETY: the size is not zero.
            #[allow(unsafe_code)]
            let piece = unsafe { System.alloc(Reserve::layout()) };
            if piece.is_null() {
                return false;
            }
            if self.piece.compare_exchange(null_mut(), piece, SeqCst, SeqCst).is_err() {
                Reserve::free(piece);
            }
        }
        self.released.store(false, SeqCst);
        true
    }

    /// The reserve, or null, once no thread is freeing it any more.
    fn settled(&self) -> *mut u8 {
        loop {
            let piece = self.piece.load(SeqCst);
            if piece != FREEING {
                return piece;
            }
            yield_now();
        }
    }

    /// Frees the reserve, if it is held. If another thread is about to, waits for it: what
    /// that one frees may be enough for both.
    #[cold]
    fn release(&self) {
        let piece = self.settled();
        let taken = || self.piece.compare_exchange(piece, FREEING, SeqCst, SeqCst).is_ok();
        if !piece.is_null() && taken() {
            self.released.store(true, SeqCst);
            Reserve::free(piece);
            self.piece.store(null_mut(), SeqCst);
        }
        self.settled();
    }

    /// Frees a block of memory that was allocated as the reserve.
    fn free(piece: *mut u8) {
        // SAFETY: `System` allocated it with this layout, and nothing else refers to
        // it: it was exchanged out of `Reserve::piece`, or never stored there.
        #[allow(unsafe_code)]
        unsafe {
            System.dealloc(piece, Reserve::layout());
        }
    }

    /// Allocates `size` bytes by `ask`. If a small allocation fails, releases the
    /// reserve and tries once more; also if it is not held, as another thread may have
    /// released it since the first attempt.
    #[inline]
    fn alloc_or_release(&self, size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
        let piece = ask();
        if piece.is_null() && size <= SMALL {
            self.release();
            return ask();
        }
        piece
    }
}

/// What the system has allocated, or else a block of the pool.
#[inline]
fn or_pooled(piece: *mut u8, layout: Layout) -> *mut u8 {
    if piece.is_null() { POOL.alloc(layout) } else { piece }
}

// SAFETY: every call is passed on to the allocator of the system with the same
// arguments; a failed call changes nothing and may be repeated. Blocks of the pool go back
// to the pool, all others to the system.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: our caller upholds the contract of `System.alloc`.
        let piece = RESERVE.alloc_or_release(layout.size(), || unsafe { System.alloc(layout) });
        or_pooled(piece, layout)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let ask = || unsafe { System.alloc_zeroed(layout) };
        let piece = or_pooled(RESERVE.alloc_or_release(layout.size(), ask), layout);
        if POOL.owns(piece) {
            // SAFETY: the block has this size, and is of our caller alone.
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !POOL.owns(piece) {
            // SAFETY: as above; if this fails, the old block stays valid.
            let ask = || unsafe { System.realloc(piece, layout, size) };
            let moved = RESERVE.alloc_or_release(size, ask);
            if !moved.is_null() {
                return moved;
            }
        }
        // Out of the pool, or into it. SAFETY: by the contract of our caller the size is not
        // zero, nor too large for the alignment. Both blocks have at least the bytes that
        // are copied, the new one is another one, and the old one is used no longer.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(piece, layout.size().min(size));
                self.dealloc(piece, layout);
            }
            moved
        }
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if POOL.owns(piece) {
            POOL.free();
        } else {
            // SAFETY: as above; the block is not of the pool, so it is of the system.
            unsafe { System.dealloc(piece, layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_cannot_be_had_is_told() {
        assert!(is_available(1 << 20));
        assert!(!is_available(isize::MAX as usize));
    }

    #[test]
    fn a_refused_piece_costs_the_reserve_once() {
        let reserve = Reserve::none();
        let asked = Cell::new(0);
        let mut there = 0_u8;
        let there: *mut u8 = &mut there;
        // An allocator whose first `times` calls fail.
        let alloc_or_release = |size, times: u32| {
            asked.set(0);
            reserve.alloc_or_release(size, || {
                asked.set(asked.get() + 1);
                if asked.get() <= times { null_mut() } else { there }
            })
        };
        let released = || reserve.released.load(SeqCst);
        // The reserve is not held yet.
        assert!(alloc_or_release(1, 2).is_null() && !released());
        assert!(reserve.hold() && reserve.hold() && !released());
        assert!(alloc_or_release(1, 0) == there && asked.get() == 1 && !released());
        // Large allocations may fail and do not release the reserve.
        assert!(alloc_or_release(SMALL + 1, 1).is_null() && !released());
        assert!(alloc_or_release(1, 1) == there && asked.get() == 2 && released());
        // The reserve was released before.
        assert!(alloc_or_release(1, 2).is_null() && asked.get() == 2 && released());
        assert!(reserve.hold() && !released());
        assert!(alloc_or_release(1, 2).is_null() && asked.get() == 2 && released());
        assert!(reserve.settled().is_null());
    }

    /// The one that comes second found no reserve, and the process was aborted.
    #[test]
    fn two_threads_that_fail_at_once_share_the_reserve() {
        let reserve = Reserve::none();
        assert!(reserve.hold());
        let mut there = 0_u8;
        let there: *mut u8 = &mut there;
        let asked = Cell::new(0);
        let piece = reserve.alloc_or_release(1, || {
            asked.set(asked.get() + 1);
            if asked.get() > 1 {
                return there;
            }
            // Another thread fails too, and is quicker.
            reserve.release();
            null_mut()
        });
        assert_eq!(piece, there);
        // One that comes while the reserve is being freed waits until it is.
        assert!(reserve.hold());
        let held = reserve.piece.swap(FREEING, SeqCst);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| reserve.release());
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!waiting.is_finished());
            Reserve::free(held);
            reserve.piece.store(null_mut(), SeqCst);
        });
    }

    #[test]
    fn blocks_of_the_pool_are_moved_to_the_system() {
        let layout = Layout::new::<[u8; 24]>();
        let pooled = or_pooled(null_mut(), layout);
        assert!(POOL.owns(pooled));
        // SAFETY: the blocks have the sizes that are named, and are used only here.
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
