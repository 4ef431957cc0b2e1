//! Time in which a new solver finds wins by fours and by threats, in positions
//! from games between engines.
#![allow(missing_docs)] // criterion's macros make undocumented functions

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::{Engine, Solver, TableHandle};

/// Freestyle on 15x15, the winner to move. Its shortest win by fours takes at
/// least eight of its stones, the five included. Late positions of games that
/// spread from one side of the board to the other.
const FOURS: [(&str, &str); 2] = [
    (
        "47 stones",
        "c4b6b5e2f2e6d6e7e5f4g7h8e8d7f5c7b7h5h6i5i6k5j5j6i7k7l8k4d5c5k3j4i4k6k8l6m7n4j8n6m6m5o3l4m4\
         m3n2",
    ),
    (
        "52 stones",
        "i10j9g13i9g11j12i12i11h9j11j10h10g9g10k11e11e10d9h7f7g6h6i5g5i7j6j7k7l5l6j8i8l9i6k6d7j5k5\
         m8n9n7m10k4k13l14j3m4n3l4j4m6o8",
    ),
];

/// Wins with fours and open threes. The tree that the solver finds has 14 to 29
/// stones of the winner. The positions: soon after the opening, in the middle of
/// a fight, on a crowded half of the board, and the last one again two moves of
/// each side later.
const THREATS: [(&str, &str); 4] = [
    ("11 stones", "h5i6g3k2i7f5f7j5j9h7k4"),
    ("25 stones", "g5k2i2j5j7h4j1k6i4i6j6h7g8j8k5i9h8i7i8h10g11g9f8e8f7"),
    (
        "40 stones",
        "g11d8g12c10d10c9b10f10d7c7c8e9b6e6f9f6e7g6d6g10e8c5f11e10h10h11h6i9e13f12g13h13h7h8g7f7d5\
         f4f5i11",
    ),
    (
        "44 stones",
        "g11d8g12c10d10c9b10f10d7c7c8e9b6e6f9f6e7g6d6g10e8c5f11e10h10h11h6i9e13f12g13h13h7h8g7f7d5\
         f4f5i11c11d12e11d11",
    ),
];

/// A solver set up with the position after `moves`, written without blanks and
/// Black's first, such as h8i9.
fn solver_of(moves: &str) -> Box<dyn Solver> {
    let starts = moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i);
    let mut starts: Vec<usize> = starts.collect();
    starts.push(moves.len());
    let cell = |text: &str| {
        let row: usize = text[1..].parse().expect("a row");
        Cell::new((text.as_bytes()[0] - b'a') as usize, 15 - row)
    };
    let colors = Color::ALL.into_iter().cycle().map(Stone::Of);
    let cells = starts.windows(2).map(|part| cell(&moves[part[0]..part[1]]));
    let stones: Vec<(Cell, Stone)> = cells.zip(colors).collect();
    let setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };
    let mut solver =
        Engine::with_hash(TableHandle::exactly(64 << 20)).solver(setup).expect("memory");
    let to_move = Color::ALL[stones.len() % 2];
    solver.set_up(&stones, to_move);
    solver
}

/// Searches for a win; returns its first move and its length in plies.
type FindWin = fn(&mut dyn Solver) -> Option<(Cell, usize)>;

fn bench(c: &mut Criterion, name: &str, moves: &str, find_win: FindWin) {
    let mut solver = solver_of(moves);
    let (_, plies) = find_win(&mut *solver).expect("a win");
    println!("{name}: {} moves, {} nodes", plies / 2 + 1, solver.nodes());
    c.bench_function(name, |b| {
        b.iter_batched_ref(
            || solver_of(moves),
            |solver| black_box(find_win(&mut **solver)),
            BatchSize::PerIteration,
        );
    });
}

fn all(c: &mut Criterion) {
    for (name, moves) in FOURS {
        bench(c, &format!("vcf/{name}"), moves, |solver| solver.vcf(10_000, &Arc::default()));
    }
    for (name, moves) in THREATS {
        bench(c, &format!("vct/{name}"), moves, |solver| solver.vct(2_000_000));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = all
}
criterion_main!(benches);
