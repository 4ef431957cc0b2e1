//! Processes numbered items on several threads, with the results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};

use goren_engine::stack;

/// Calls `work` for the items `first`, `first + 1`, ... on `threads` threads,
/// each with its own state, and passes the results to `sink` in the order of the
/// items until it returns false.
///
/// # Errors
/// A thread or its state cannot be made, or `sink` fails.
pub(crate) fn ordered_jobs<S, T: Send>(
    first: u64,
    threads: usize,
    state: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, u64) -> T + Sync,
    mut sink: impl FnMut(u64, T) -> Result<bool>,
) -> Result<()> {
    let (next, done) = (AtomicU64::new(first), AtomicBool::new(false));
    let (sender, results) = mpsc::sync_channel(threads.max(1));
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, done, state, work) = (sender.clone(), &next, &done, &state, &work);
            let body = move || {
                let mut state = match state() {
                    Ok(state) => state,
                    Err(error) => {
                        // If the receiver is gone, the work is over.
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while !done.load(Relaxed) {
                    let item = next.fetch_add(1, Relaxed);
                    if sender.send(Ok((item, work(&mut state, item)))).is_err() {
                        return;
                    }
                }
            };
            stack::spawn_scoped(scope, body).context("cannot start a thread for the search")?;
        }
        drop(sender);
        let outcome = deliver(first, &results, &mut sink);
        done.store(true, Relaxed);
        drop(results);
        outcome
    })
}

/// Passes results to the sink in order until it has enough or the threads end.
fn deliver<T>(
    first: u64,
    results: &mpsc::Receiver<Result<(u64, T)>>,
    sink: &mut impl FnMut(u64, T) -> Result<bool>,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut due = first;
    for result in results {
        let (item, value) = result?;
        waiting.insert(item, value);
        while let Some(value) = waiting.remove(&due) {
            if !sink(due, value)? {
                return Ok(());
            }
            due += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn results_arrive_in_order() {
        let mut seen = Vec::new();
        let slow = |_: &mut (), i: u64| {
            thread::sleep(std::time::Duration::from_millis((i * 7) % 5));
            i * i
        };
        ordered_jobs(
            5,
            3,
            || Ok(()),
            slow,
            |i, square| {
                seen.push((i, square));
                Ok(i < 40)
            },
        )
        .unwrap();
        assert_eq!(seen, (5..=40).map(|i| (i, i * i)).collect::<Vec<_>>());
    }

    #[test]
    fn errors_end_the_work() {
        let none = ordered_jobs(0, 2, || bail!("no memory"), |_: &mut (), i| i, |_, _| Ok(true));
        assert_eq!(none.unwrap_err().to_string(), "no memory");
        let full = ordered_jobs(
            0,
            2,
            || Ok(()),
            |(), i| i,
            |i, _| {
                if i < 10 { Ok(true) } else { bail!("disk full") }
            },
        );
        assert_eq!(full.unwrap_err().to_string(), "disk full");
    }
}
