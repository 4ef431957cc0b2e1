//! Threads. Rust's library asks the C library for them, and that of the target that
//! Debian has knows nothing of them, so here is what it asks for.
//!
//! No worker begins while the one that wants it is busy. So the host has them begin
//! before: each has an instance of the module on the same memory, and says that it is
//! free ([`goren_thread_free`]). Then it runs one thread after another: it waits for it
//! ([`goren_thread_next`]), lays the stack ([`goren_thread_stack`]), runs the thread
//! ([`goren_thread_run`]) and, back on its own stack, frees what that took
//! ([`goren_thread_end`]). Where no worker is free no thread begins, which Rust reports
//! as an error.
#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// "Resource temporarily unavailable", as the system interface numbers it.
const NO_MORE: c_int = 6;
/// Threads beside the first.
const MOST: usize = 15;
/// Bytes of a worker's own stack, with the variables of a thread at its lower end.
const BASE: usize = 64 << 10;
/// Most time that a worker takes to be free again, once its thread is over.
const ENDING: Duration = Duration::from_millis(20);
/// Most keys of values of a thread, of which Rust's library needs one.
const KEYS: usize = 4;
/// How often the values of a thread are looked at when it ends: what frees one may set
/// another.
const ROUNDS: usize = 4;

type Pointer = *mut c_void;
type Start = extern "C" fn(Pointer) -> Pointer;
type Free = extern "C" fn(Pointer);

/// What a worker has before it has a thread.
#[repr(C, align(16))]
struct Base(UnsafeCell<[u8; BASE]>);

// SAFETY: nothing here reads or writes it; each worker uses one of its own.
unsafe impl Sync for Base {}

/// The host finds them by this name.
#[unsafe(export_name = "goren_thread_bases")]
static BASES: [Base; MOST] = [const { Base(UnsafeCell::new([0; BASE])) }; MOST];

/// Whether a thread is over.
#[derive(Default)]
struct End {
    is_there: Mutex<bool>,
    comes: Condvar,
}

/// A thread that a worker is to run, or runs.
struct Thread {
    start: Start,
    argument: Pointer,
    /// Only its capacity is used.
    stack: Vec<u8>,
    end: Arc<End>,
}

// SAFETY: Rust's library makes the argument for another thread.
unsafe impl Send for Thread {}

struct Workers {
    /// How many there are.
    count: usize,
    /// How many run no thread. Some of them may have one to run already.
    free: usize,
    /// Threads that wait for a worker.
    threads: VecDeque<Thread>,
}

static WORKERS: Mutex<Workers> =
    Mutex::new(Workers { count: 0, free: 0, threads: VecDeque::new() });
/// A thread waits.
static WAITS: Condvar = Condvar::new();
/// A worker is free again.
static FREED: Condvar = Condvar::new();

/// What frees the values of each key, as an address.
static FREES: [AtomicUsize; KEYS] = [const { AtomicUsize::new(0) }; KEYS];
/// How many keys were made; they are numbered from 1.
static MADE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static VALUES: [Cell<Pointer>; KEYS] = const { [const { Cell::new(null_mut()) }; KEYS] };
}

/// A panic ends the module, so nothing is left half done.
fn whole<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

fn workers() -> MutexGuard<'static, Workers> {
    whole(WORKERS.lock())
}

/// A new worker: it will run a thread soon if there is one.
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
        workers = whole(WAITS.wait(workers));
    }
}

/// Where the stack of a thread begins: it grows downwards.
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
        for (free, value) in FREES.iter().zip(values) {
            let free = free.load(SeqCst);
            if free != 0 && !value.is_null() {
                // SAFETY: `pthread_key_create` was given it as such a function.
                let free = unsafe { std::mem::transmute::<usize, Free>(free) };
                free(value);
            }
        }
    }
}

/// Frees what a thread took. It is over then, and its worker free.
#[unsafe(no_mangle)]
extern "C" fn goren_thread_end(thread: *mut Thread) {
    // SAFETY: the host passes what `goren_thread_next` made, once.
    let Thread { stack, end, .. } = *unsafe { Box::from_raw(thread) };
    drop(stack);
    workers().free += 1;
    FREED.notify_one();
    *whole(end.is_there.lock()) = true;
    end.comes.notify_all();
}

#[unsafe(no_mangle)]
extern "C" fn pthread_attr_init(attributes: &mut usize) -> c_int {
    *attributes = 0;
    0
}

/// The bytes of its stack are all that is kept of what a thread is to be like.
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
    let (mut workers, waited) = whole(FREED.wait_timeout_while(workers(), ENDING, busy));
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
    // SAFETY: `pthread_create` made it, and a thread is joined or let go once.
    let end = unsafe { Arc::from_raw(thread) };
    drop(whole(end.comes.wait_while(whole(end.is_there.lock()), |is_there| !*is_there)));
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
    let made = MADE.fetch_add(1, SeqCst);
    if made >= KEYS {
        return NO_MORE;
    }
    FREES[made].store(free.map_or(0, |free| free as usize), SeqCst);
    *key = made + 1;
    0
}

/// Two threads may make the same key at once; one of them takes it back.
#[unsafe(no_mangle)]
extern "C" fn pthread_key_delete(key: usize) -> c_int {
    FREES[key - 1].store(0, SeqCst);
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_setspecific(key: usize, value: Pointer) -> c_int {
    VALUES.with(|values| values[key - 1].set(value));
    0
}
