//! Scratch memory for each thread of the pool.

use std::sync::Mutex;

use crate::lock::lock;

/// One value for each thread of the pool, and one for a thread outside of it.
pub(super) struct PerThread<T>(Vec<Mutex<T>>);

impl<T> PerThread<T> {
    /// Values made by `make`.
    pub fn new(make: impl Fn() -> T) -> PerThread<T> {
        PerThread((0..=rayon::current_num_threads()).map(|_| Mutex::new(make())).collect())
    }

    /// Calls `work` with the value of the calling thread, even if earlier work with it has
    /// panicked.
    pub fn with<U>(&self, work: impl FnOnce(&mut T) -> U) -> U {
        let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
        work(&mut lock(&self.0[thread]))
    }
}
