//! Threads that load the processor.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result};

/// Busy threads that end when dropped.
pub(super) struct CpuLoad {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl CpuLoad {
    /// Starts `threads` busy threads.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub(super) fn new(threads: usize) -> Result<CpuLoad> {
        let mut load = CpuLoad { stop: Arc::default(), threads: Vec::new() };
        for _ in 0..threads {
            let stop = load.stop.clone();
            let thread = thread::Builder::new().name("load".into()).spawn(move || {
                let mut n = 1_u64;
                while !stop.load(Relaxed) {
                    // Reads the flag rarely, so that the thread is always busy.
                    for _ in 0..1 << 16 {
                        n = black_box(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
                    }
                }
            });
            load.threads.push(thread.context("cannot start a thread for --load")?);
        }
        Ok(load)
    }
}

impl Drop for CpuLoad {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        for thread in self.threads.drain(..) {
            // It cannot panic.
            thread.join().ok();
        }
    }
}
