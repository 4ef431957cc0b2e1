//! The transposition table under several threads: a probe returns only entries
//! that were stored whole under the probed key.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, Move};
use goren_engine::{Bound, Engine, Entry, Request, Table, TableHandle, WeightSet, new_position};

/// The entry of a key and a version, which determine all of its fields.
fn entry(key: u64, version: u64) -> Entry {
    let seed = mix(key ^ version << 56);
    Entry {
        best: Move::at(Cell::new((seed % 26) as usize, (seed >> 8) as usize % 26)),
        score: (seed >> 16) as i16 as i32,
        // The reader takes the version from here.
        eval: version as i32,
        depth: (seed >> 40) as i32 % 100,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][(seed >> 48) as usize % 3],
        pv: seed >> 60 & 1 != 0,
    }
}

#[test]
fn probed_entries_were_stored_whole() {
    const THREADS: u64 = 3;
    // Miri is far slower, and its loads may also return old values, as on real processors.
    const ROUNDS: u64 = if cfg!(miri) { 3_000 } else { 600_000 };
    // Few buckets and few keys, so that threads meet in the same slots.
    let table = Table::with_bytes(4 * 64).unwrap();
    let (hits, start) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (table, hits, start) = (&table, &hits, &start);
            scope.spawn(move || {
                while !start.load(Relaxed) {
                    std::hint::spin_loop();
                }
                for round in 0..ROUNDS {
                    let seed = mix(thread << 40 | round);
                    let key = mix(seed % 24);
                    if seed >> 32 & 1 == 0 {
                        table.store(key, entry(key, seed >> 33 & 63));
                    } else if let Some(found) = table.probe(key) {
                        let stored = entry(key, found.eval as u64);
                        // A store without a move may keep the old move; here every
                        // entry has a move, so all fields must agree.
                        assert_eq!(found, stored);
                        hits.fetch_add(1, Relaxed);
                    }
                }
            });
        }
        start.store(true, Relaxed);
    });
    let hits = hits.into_inner();
    assert!(hits > THREADS * ROUNDS / 10, "only {hits} entries were found again");
}

#[test]
fn a_search_of_two_threads_finds_a_legal_move() {
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    let mut game = GameState::new(Contest::five(setup));
    let mut position = new_position(game.contest(), &WeightSet::default());
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 16));
    let (nodes, moves) = if cfg!(miri) { (300, 1) } else { (20_000, 4) };
    let request = Request { threads: 2, ..Request::nodes(nodes) };
    for _ in 0..moves {
        position.set(&(&game).into());
        let answer = engine.go(&*position, &request, &mut |_| {}).unwrap();
        game.apply(&Action::stone(answer.best.cell())).unwrap();
    }
    assert!(engine.hash().made().unwrap().entries().next().is_some());
}
