//! Makes the single-threaded C library of the target usable by several threads.
//!
//! Its allocator may be called by one thread at a time: the linker replaces its functions by
//! those here (`--wrap`), and names the originals `__real_`. Its `errno` is global, but Rust's
//! standard library wants one per thread: the one here is always 0, so that system errors,
//! which are refusals of the host, have no reason (`.ci/wasm` renames the original).
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

type Pointer = *mut c_void;

#[thread_local]
#[unsafe(export_name = "errno")]
static ERRNO: Cell<c_int> = Cell::new(0);

static LOCK: Mutex<()> = Mutex::new(());

unsafe extern "C" {
    fn __real_malloc(bytes: usize) -> Pointer;
    fn __real_calloc(count: usize, bytes: usize) -> Pointer;
    fn __real_realloc(block: Pointer, bytes: usize) -> Pointer;
    fn __real_free(block: Pointer);
    fn __real_posix_memalign(result: *mut Pointer, align: usize, bytes: usize) -> c_int;
}

/// Calls the allocator under a lock.
fn locked<T>(allocate: impl FnOnce() -> T) -> T {
    let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    allocate()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_malloc(bytes: usize) -> Pointer {
    // SAFETY: our caller upholds the contract of the function of that name.
    locked(|| unsafe { __real_malloc(bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_calloc(count: usize, bytes: usize) -> Pointer {
    // SAFETY: as above.
    locked(|| unsafe { __real_calloc(count, bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_realloc(block: Pointer, bytes: usize) -> Pointer {
    // SAFETY: as above.
    locked(|| unsafe { __real_realloc(block, bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_free(block: Pointer) {
    // SAFETY: as above.
    locked(|| unsafe { __real_free(block) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_posix_memalign(
    result: *mut Pointer,
    align: usize,
    bytes: usize,
) -> c_int {
    // SAFETY: as above.
    locked(|| unsafe { __real_posix_memalign(result, align, bytes) })
}
