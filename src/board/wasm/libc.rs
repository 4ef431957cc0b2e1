//! What the C library of the target has for a single thread only.
//!
//! One thread at a time may have it allocate: the linker puts the functions here in the
//! place of its own, which it names `__real_`. Its number of the last error is that of all
//! threads, and Rust's library wants one for each: there it is always 0, so that errors of
//! the system have no reason (`.ci/wasm` has the other renamed). They are refusals of the
//! host.
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
    fn __real_realloc(piece: Pointer, bytes: usize) -> Pointer;
    fn __real_free(piece: Pointer);
    fn __real_posix_memalign(made: *mut Pointer, align: usize, bytes: usize) -> c_int;
}

/// Allocates while nobody else does.
fn alone<T>(allocate: impl FnOnce() -> T) -> T {
    let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    allocate()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_malloc(bytes: usize) -> Pointer {
    // SAFETY: our caller upholds the contract of the function of that name.
    alone(|| unsafe { __real_malloc(bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_calloc(count: usize, bytes: usize) -> Pointer {
    // SAFETY: as above.
    alone(|| unsafe { __real_calloc(count, bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_realloc(piece: Pointer, bytes: usize) -> Pointer {
    // SAFETY: as above.
    alone(|| unsafe { __real_realloc(piece, bytes) })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_free(piece: Pointer) {
    // SAFETY: as above.
    alone(|| unsafe { __real_free(piece) });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __wrap_posix_memalign(
    made: *mut Pointer,
    align: usize,
    bytes: usize,
) -> c_int {
    // SAFETY: as above.
    alone(|| unsafe { __real_posix_memalign(made, align, bytes) })
}
