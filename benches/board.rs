//! Make and unmake pairs on filled-in middlegames.
#![allow(missing_docs)] // criterion's macros make undocumented functions

use criterion::{Criterion, criterion_group, criterion_main};
use goren_core::rules::{Freestyle, Renju, Rule, Setup, Standard};
use goren_core::types::{Cell, Color, keys::mix};
use goren_engine::board::Board;

/// A board with 30 stones around its centre.
fn middlegame<R: Rule>() -> (Board<R>, Vec<Cell>) {
    let mut board = Board::<R>::new(Setup { rule: R::ID, width: 15, height: 15 });
    let mut seed = 1;
    let mut color = Color::Black;
    while board.placed() < 30 {
        seed = mix(seed);
        let cell = Cell::new(3 + seed as usize % 9, 3 + (seed >> 32) as usize % 9);
        if board.is_empty(cell) {
            board.make(cell, color);
            color = !color;
        }
    }
    let cells = board.near().iter().collect();
    (board, cells)
}

fn pairs<R: Rule>(c: &mut Criterion, name: &str) {
    let (mut board, cells) = middlegame::<R>();
    let mut i = 0;
    c.bench_function(name, |b| {
        b.iter(|| {
            i += 1;
            let color = Color::ALL[i % 2];
            board.make(cells[i % cells.len()], color);
            board.unmake();
        });
    });
}

fn all(c: &mut Criterion) {
    pairs::<Freestyle>(c, "pair/freestyle");
    pairs::<Standard>(c, "pair/standard");
    pairs::<Renju>(c, "pair/renju");
}

criterion_group!(benches, all);
criterion_main!(benches);
