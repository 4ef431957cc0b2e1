//! Memory for the moment in which the system gives none.
//!
//! Rust ends a process when an allocation fails, but an engine must answer
//! `ERROR` and keep its position. So some memory is held back: where the system
//! refuses a small piece, what is held back is given up for it, and whoever
//! works looks now and then whether that has happened and comes to an end. What
//! that work held is free again then, and the reserve can be had anew.
//!
//! The allocator of `pbrain-goren` (the unsafe code here) holds 4 MiB. A search
//! sees at its next look at the clock that they were released, and answers what
//! it has; a START is refused. The reserve is taken anew before the next search
//! or game, and without it there is none. Large tables are allocated by calls
//! that may fail.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::SeqCst};

/// Bytes held back: more than what a search still asks for until it notices.
const BYTES: usize = 4 << 20;
/// Larger pieces are asked for by those who can do without: tables.
const SMALL: usize = 1 << 20;

static RESERVE: Reserve = Reserve::none();

/// The system's allocator with a reserve behind it.
pub struct Allocator;

/// Holds memory back, unless that is done already. Whether it could be had.
///
/// Only for a process whose allocator is [`Allocator`]; others get nothing of it.
pub fn keep() -> bool {
    RESERVE.keep()
}

/// Has the allocator return freed memory to the system. By default the one of
/// glibc keeps up to 64 MiB of it once large blocks have been freed (it raises
/// its own bounds, see `M_MMAP_THRESHOLD` in mallopt(3)), and a judge counts
/// that against the memory limit of later games. Other systems need nothing.
///
/// To be called once, before other threads exist.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // Blocks from this size on have pages of their own, and a heap keeps no
        // more than this much that is free at its end.
        const OWN_PAGES: libc::c_int = 128 << 10;
        const KEPT: libc::c_int = 512 << 10;
        // SAFETY: mallopt sets numbers in the allocator, which any time allows.
        #[allow(unsafe_code)]
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_PAGES);
            libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
        }
    }
}

/// Whether memory has run out since the reserve was taken.
#[inline]
pub fn is_given_up() -> bool {
    RESERVE.given_up.load(SeqCst)
}

/// What a thread asks for beside its stack before it can fail in an orderly way:
/// one that is begun without it ends the process.
pub const THREAD_START: usize = 1 << 20;

/// Whether the system would give so many bytes more.
pub fn can_have(bytes: usize) -> bool {
    let mut piece: Vec<u8> = Vec::new();
    let had = piece.try_reserve_exact(bytes).is_ok();
    // A compiler need not ask for what nobody looks at.
    black_box(piece.as_ptr());
    had
}

struct Reserve {
    piece: AtomicPtr<u8>,
    given_up: AtomicBool,
}

impl Reserve {
    const fn none() -> Reserve {
        Reserve { piece: AtomicPtr::new(null_mut()), given_up: AtomicBool::new(false) }
    }

    /// Its shape.
    fn layout() -> Layout {
        Layout::new::<[u64; BYTES / size_of::<u64>()]>()
    }

    fn keep(&self) -> bool {
        if self.piece.load(SeqCst).is_null() {
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
        self.given_up.store(false, SeqCst);
        true
    }

    /// Gives it up; whether there was anything.
    #[cold]
    fn give_up(&self) -> bool {
        let piece = self.piece.swap(null_mut(), SeqCst);
        if piece.is_null() {
            return false;
        }
        self.given_up.store(true, SeqCst);
        Reserve::free(piece);
        true
    }

    /// Frees a piece that nobody knows of any more.
    fn free(piece: *mut u8) {
        // SAFETY: it came from there by this layout, and was taken out of the
        // one place that knew it, or never put there.
        #[allow(unsafe_code)]
        unsafe {
            System.dealloc(piece, Reserve::layout());
        }
    }

    /// Asks once more where the first answer is nothing and the reserve may
    /// help.
    #[inline]
    fn insist(&self, size: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
        let piece = ask();
        if piece.is_null() && size <= SMALL && self.give_up() { ask() } else { piece }
    }
}

// SAFETY: all comes from and goes to the system's allocator as it was asked for;
// a failed request leaves everything as it was and may be made again.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: what holds for our caller holds for us.
        RESERVE.insist(layout.size(), || unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        RESERVE.insist(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; the old piece stands where this fails.
        RESERVE.insist(size, || unsafe { System.realloc(piece, layout, size) })
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(piece, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_cannot_be_had_is_told() {
        assert!(can_have(1 << 20));
        assert!(!can_have(isize::MAX as usize));
    }

    #[test]
    fn a_refused_piece_costs_the_reserve_once() {
        let reserve = Reserve::none();
        let asked = Cell::new(0);
        let mut there = 0_u8;
        let there: *mut u8 = &mut there;
        // An allocator that refuses so many times.
        let insist = |size, times: u32| {
            asked.set(0);
            reserve.insist(size, || {
                asked.set(asked.get() + 1);
                if asked.get() <= times { null_mut() } else { there }
            })
        };
        let given_up = || reserve.given_up.load(SeqCst);
        // Nothing is held back yet.
        assert!(insist(1, 1).is_null() && !given_up());
        assert!(reserve.keep() && reserve.keep() && !given_up());
        assert!(insist(1, 0) == there && asked.get() == 1 && !given_up());
        // Large pieces may fail.
        assert!(insist(SMALL + 1, 1).is_null() && !given_up());
        assert!(insist(1, 1) == there && asked.get() == 2 && given_up());
        // There is no more.
        assert!(insist(1, 1).is_null() && given_up());
        assert!(reserve.keep() && !given_up());
        assert!(insist(1, 2).is_null() && asked.get() == 2 && given_up());
        assert!(!reserve.give_up());
    }
}
