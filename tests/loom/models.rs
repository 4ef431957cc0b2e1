//! Two threads on one bucket.

use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;

use crate::tt::{Bound, Entry, Table};
use goren_core::types::{Cell, Move};

/// Two keys of the same bucket.
const KEYS: [u64; 2] = [1 << 60 | 77, 5 << 50 | 3];

/// An entry of this depth; entries of other depths have another move, score and evaluation.
fn entry(depth: i32) -> Entry {
    let best = Move::at(Cell::new(depth as usize, 3 * depth as usize));
    Entry { best, score: 100 * depth, eval: -7 * depth, depth, bound: Bound::Exact, pv: depth > 2 }
}

/// Runs a model under all interleavings with at most `preemptions` forced switches
/// between threads.
fn explore(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

fn table() -> Arc<Table> {
    Arc::new(Table::with_bytes(0).expect("a bucket"))
}

#[test]
fn two_stores_under_one_key_are_never_mixed() {
    explore(4, || {
        let table = table();
        let other = table.clone();
        let writer = thread::spawn(move || other.store(KEYS[0], entry(1)));
        table.store(KEYS[0], entry(2));
        let found = table.probe(KEYS[0]);
        assert!(found.is_none_or(|found| found == entry(1) || found == entry(2)), "{found:?}");
        writer.join().expect("no panic");
    });
}

#[test]
fn stores_under_two_keys_that_meet_in_a_slot_are_never_mixed() {
    explore(4, || {
        let table = table();
        let other = table.clone();
        // Both take the first empty slot.
        let writer = thread::spawn(move || other.store(KEYS[0], entry(1)));
        table.store(KEYS[1], entry(2));
        for (key, stored) in KEYS.into_iter().zip([1, 2]) {
            assert!(table.probe(key).is_none_or(|found| found == entry(stored)));
        }
        writer.join().expect("no panic");
        for (key, stored) in KEYS.into_iter().zip([1, 2]) {
            assert!(table.probe(key).is_none_or(|found| found == entry(stored)));
        }
    });
}

#[test]
fn a_concurrent_reader_sees_a_whole_entry_or_none() {
    explore(4, || {
        let table = table();
        table.store(KEYS[0], entry(1));
        let other = table.clone();
        let writer = thread::spawn(move || {
            other.store(KEYS[0], entry(2));
            other.new_generation();
        });
        let found = table.probe(KEYS[0]);
        assert!(found.is_none_or(|found| found == entry(1) || found == entry(2)), "{found:?}");
        assert!(table.entries().all(|(key, _)| key != KEYS[1]));
        writer.join().expect("no panic");
        assert_eq!(table.probe(KEYS[0]), Some(entry(2)));
    });
}
