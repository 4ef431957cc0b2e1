//! Threads: the `pthread_*` functions that Rust's standard library calls, as Debian's C library
//! for the target has none.
//!
//! A browser does not start a worker while the worker that requests it is busy. So the host
//! starts workers in advance: each has an instance of the module on the same memory, and reports
//! that it is free ([`goren_thread_free`]). Then it runs one thread after another: it waits for a
//! thread ([`goren_thread_next`]), sets up its stack ([`goren_thread_stack`]), runs it
//! ([`goren_thread_run`]) and, back on its own stack, frees its memory ([`goren_thread_end`]). If
//! no worker is free, no thread starts, which Rust reports as an error.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// `EAGAIN` ("Resource temporarily unavailable") of WASI.
const NO_MORE: c_int = 6;
/// Maximum number of threads beside the first.
const MAX: usize = 15;
/// Bytes of a worker's own stack, with the thread-local variables at its lower end.
const BASE: usize = 64 << 10;
/// Maximum time until a worker is free again after the end of its thread.
const ENDING: Duration = Duration::from_millis(20);
/// Maximum number of keys of thread-specific values; Rust's standard library needs one.
const KEYS: usize = 4;
/// How often the destructors run at the end of a thread: a destructor may set another value.
const ROUNDS: usize = 4;

type Pointer = *mut c_void;
type Start = extern "C" fn(Pointer) -> Pointer;
type Free = extern "C" fn(Pointer);

/// The stack and thread-local variables of a worker.
#[repr(C, align(16))]
struct Base(UnsafeCell<[u8; BASE]>);

// SAFETY: nothing here reads or writes it; each worker uses its own.
unsafe impl Sync for Base {}

/// The host finds them by this name.
#[unsafe(export_name = "goren_thread_bases")]
static BASES: [Base; MAX] = [const { Base(UnsafeCell::new([0; BASE])) }; MAX];

/// Whether a thread is over.
#[derive(Default)]
struct End {
    is_over: Mutex<bool>,
    changed: Condvar,
}

/// A thread that waits for a worker, or that a worker runs.
struct Thread {
    start: Start,
    argument: Pointer,
    /// Only its capacity is used.
    stack: Vec<u8>,
    end: Arc<End>,
}

// SAFETY: Rust's standard library makes the argument for another thread.
unsafe impl Send for Thread {}

struct Workers {
    /// Number of workers.
    count: usize,
    /// Number of workers that run no thread; threads may already wait for them.
    free: usize,
    /// Threads that wait for a worker.
    threads: VecDeque<Thread>,
}

static WORKERS: Mutex<Workers> =
    Mutex::new(Workers { count: 0, free: 0, threads: VecDeque::new() });
/// Notified when a thread waits.
static WAITS: Condvar = Condvar::new();
/// Notified when a worker is free again.
static FREED: Condvar = Condvar::new();

/// The destructor of each key, as an address.
static DESTRUCTORS: [AtomicUsize; KEYS] = [const { AtomicUsize::new(0) }; KEYS];
/// Number of keys created; keys are numbered from 1.
static KEY_COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static VALUES: [Cell<Pointer>; KEYS] = const { [const { Cell::new(null_mut()) }; KEYS] };
}

/// Ignores poisoning: a panic ends the module, so no state is left inconsistent.
fn unpoisoned<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

fn workers() -> MutexGuard<'static, Workers> {
    unpoisoned(WORKERS.lock())
}

/// Registers a new worker, which is about to call [`goren_thread_next`].
#[unsafe(no_mangle)]
extern "C" fn goren_thread_free() {
    let mut workers = workers();
    workers.count += 1;
    workers.free += 1;
}

/// Waits for a thread.
#[unsafe(no_mangle)]
extern "C" fn goren_thread_next() -> *mut Thread {
    let mut workers = workers();
    loop {
        if let Some(thread) = workers.threads.pop_front() {
            workers.free -= 1;
            drop(workers);
            return Box::into_raw(Box::new(thread));
        }
        workers = unpoisoned(WAITS.wait(workers));
    }
}

/// Returns the start of the stack of a thread, which grows downwards.
#[unsafe(no_mangle)]
extern "C" fn goren_thread_stack(thread: &mut Thread) -> *mut u8 {
    let stack = &mut thread.stack;
    let end = stack.as_mut_ptr().wrapping_add(stack.capacity());
    end.wrapping_sub(end.addr() % align_of::<Base>())
}

/// Runs a thread, on its stack.
#[unsafe(no_mangle)]
extern "C" fn goren_thread_run(thread: &Thread) {
    (thread.start)(thread.argument);
    for _ in 0..ROUNDS {
        let values = VALUES.with(|values| values.each_ref().map(|value| value.replace(null_mut())));
        for (free, value) in DESTRUCTORS.iter().zip(values) {
            let free = free.load(SeqCst);
            if free != 0 && !value.is_null() {
                // SAFETY: `pthread_key_create` was given it as such a function.
                let free = unsafe { std::mem::transmute::<usize, Free>(free) };
                free(value);
            }
        }
    }
}

/// Frees the memory of a thread, and marks it as over and its worker as free.
#[unsafe(no_mangle)]
extern "C" fn goren_thread_end(thread: *mut Thread) {
    // SAFETY: the host passes what `goren_thread_next` made, once.
    let Thread { stack, end, .. } = *unsafe { Box::from_raw(thread) };
    drop(stack);
    workers().free += 1;
    FREED.notify_one();
    *unpoisoned(end.is_over.lock()) = true;
    end.changed.notify_all();
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_init(attributes: &mut usize) -> c_int {
    *attributes = 0;
    0
}

/// The stack size is the only attribute.
#[unsafe(no_mangle)]
extern "C" fn pthread_attr_setstacksize(attributes: &mut usize, bytes: usize) -> c_int {
    *attributes = bytes;
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_destroy(_attributes: Pointer) -> c_int {
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_create(
    made: &mut *const End,
    attributes: &usize,
    start: Start,
    argument: Pointer,
) -> c_int {
    let busy = |workers: &mut Workers| workers.count > 0 && workers.free <= workers.threads.len();
    let (mut workers, waited) = unpoisoned(FREED.wait_timeout_while(workers(), ENDING, busy));
    let mut stack = Vec::new();
    if workers.count == 0 || waited.timed_out() || stack.try_reserve_exact(*attributes).is_err() {
        return NO_MORE;
    }
    let end = Arc::new(End::default());
    *made = Arc::into_raw(end.clone());
    workers.threads.push_back(Thread { start, argument, stack, end });
    WAITS.notify_one();
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_join(thread: *const End, _result: Pointer) -> c_int {
    // SAFETY: `pthread_create` made it, and a thread is joined or detached once.
    let end = unsafe { Arc::from_raw(thread) };
    drop(unpoisoned(end.changed.wait_while(unpoisoned(end.is_over.lock()), |is_over| !*is_over)));
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_detach(thread: *const End) -> c_int {
    // SAFETY: as above.
    drop(unsafe { Arc::from_raw(thread) });
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_key_create(key: &mut usize, free: Option<Free>) -> c_int {
    let made = KEY_COUNT.fetch_add(1, SeqCst);
    if made >= KEYS {
        return NO_MORE;
    }
    DESTRUCTORS[made].store(free.map_or(0, |free| free as usize), SeqCst);
    *key = made + 1;
    0
}

/// If two threads create the same key at once, one of them deletes it.
#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(key: usize) -> c_int {
    DESTRUCTORS[key - 1].store(0, SeqCst);
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_setspecific(key: usize, value: Pointer) -> c_int {
    VALUES.with(|values| values[key - 1].set(value));
    0
}
