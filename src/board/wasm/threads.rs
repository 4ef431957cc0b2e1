//! Threads, of which there are none: Rust's library asks for them, and the C library
//! of the target that Debian has knows nothing of them. They cannot be started, which
//! Rust reports as an error.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

/// "Resource temporarily unavailable", as the system interface numbers it.
const NO_MORE: c_int = 6;

type Pointer = *mut c_void;

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_init(_attributes: Pointer) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_setstacksize(_attributes: Pointer, _bytes: usize) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_destroy(_attributes: Pointer) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_create(
    _thread: Pointer,
    _attributes: Pointer,
    _work: Pointer,
    _argument: Pointer,
) -> c_int {
    NO_MORE
}

#[unsafe(no_mangle)]
extern "C" fn pthread_join(_thread: Pointer, _result: Pointer) -> c_int {
    NO_MORE
}

#[unsafe(no_mangle)]
extern "C" fn pthread_detach(_thread: Pointer) -> c_int {
    NO_MORE
}
