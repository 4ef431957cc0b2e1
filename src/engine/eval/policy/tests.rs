use std::array::from_fn;
use std::collections::HashMap;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Board;
use crate::eval::cpu;
use crate::eval::embedding::window_rows;
use crate::eval::near::{EarlierMove, NEAR, number};
use crate::eval::{Eval, Weights};
use crate::game::{MoveList, Scored};
use crate::pattern::WindowRows;
use goren_core::rules::{Caro, CaroExact, Ends, Freestyle, Renju, Rule, RuleId, Setup, Standard};
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Move, Stone};

/// Returns pseudo-random weights in the range of trained ones.
fn random(rule: RuleId, seed: u64) -> PolicySide {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut side = PolicySide::zero(rule);
    let mut fill = |numbers: &mut [i16], limit: i16| {
        numbers.iter_mut().for_each(|number| *number = rng.random_range(-limit..=limit));
    };
    fill(&mut side.windows, 90);
    fill(&mut side.kernel, 100);
    fill(&mut side.places, 4000);
    fill(&mut side.output, 600);
    fill(&mut side.global, 100);
    side
}

/// Returns what each colour sees of the cells before or after a cell: its own stones and
/// empty cells up to the first cell it cannot use. Only for rules where a wall is the same
/// as an opponent's stone.
fn half<R: Rule>(board: &Board<R>, cell: Cell, dir: Direction, sign: i32) -> [String; 2] {
    assert_eq!(R::ENDS, Ends::Any);
    let stones: HashMap<Cell, Stone> = board.stones().collect();
    Color::ALL.map(|color| {
        let mut seen = String::new();
        for step in 1..=R::HALF as i32 {
            let at = cell.step(dir, sign * step);
            match stones.get(&at) {
                None if board.is_empty(at) => seen.push('.'),
                Some(&Stone::Of(of)) if of == color => seen.push('o'),
                _ => break,
            }
        }
        seen
    })
}

/// The slow twin: computes the output from scratch, in the steps of the module comment.
fn slow<R: Rule>(
    board: &Board<R>,
    rows: &WindowRows,
    side: &PolicySide,
    to_move: Color,
    last: [Option<EarlierMove>; 2],
) -> impl Fn(Cell) -> i32 {
    let feature = |cell: Cell, i: usize| -> i64 {
        let row = |dir| rows.row(board.window_number(dir, cell), to_move);
        let sum: i64 =
            DIRECTIONS.iter().map(|&dir| i64::from(side.windows[row(dir) * CHANNELS + i])).sum();
        sum.clamp(0, 127)
    };
    let features: HashMap<Cell, [i64; CHANNELS]> =
        board.empty().iter().map(|cell| (cell, from_fn(|i| feature(cell, i)))).collect();
    let totals: [i64; CHANNELS] = from_fn(|j| features.values().map(|row| row[j]).sum());
    let near = move |cell: Cell, dx: i32, dy: i32, i: usize| {
        let (x, y) = (cell.x() as i32 + dx, cell.y() as i32 + dy);
        let inside = (0..26).contains(&x) && (0..26).contains(&y);
        let neighbour = Cell::new(x.max(0) as usize, y.max(0) as usize);
        features.get(&neighbour).filter(|_| inside).map_or(0, |row| row[i])
    };
    move |cell| {
        let mut output = 0;
        for i in 0..CHANNELS {
            let mut sum = i64::from(side.places[i]);
            for (dx, dy) in (-1i32..=1).flat_map(|dx| (-1i32..=1).map(move |dy| (dx, dy))) {
                let kind = (dx.abs() + dy.abs()) as usize;
                sum += i64::from(side.kernel[kind * CHANNELS + i]) * near(cell, dx, dy, i);
            }
            for (own, earlier) in [(false, last[0]), (true, last[1])] {
                if let Some(earlier) = earlier {
                    sum += i64::from(side.places[(1 + number(own, earlier, cell)) * CHANNELS + i]);
                }
            }
            let active = (sum >> 6).clamp(0, 127);
            let whole: i64 =
                (0..CHANNELS).map(|j| totals[j] * i64::from(side.global[i * CHANNELS + j])).sum();
            output += active * (i64::from(side.output[i]) + (whole >> 14));
        }
        (output >> 8) as i32
    }
}

fn check<R: Rule>(side: usize, seed: u64) {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut board = Board::<R>::new(Setup::new(R::ID, side, side).unwrap());
    let sides = [random(R::ID, seed), random(R::ID, seed + 1)];
    let net = PolicyNet::new(R::ID, &sides);
    let mut state = State::new(&board, &net, &[[0; CHANNELS]; 2]);
    let rows = window_rows(R::ID);
    let mut compared = 0;
    for round in 0..120 {
        // Several stones may be placed and taken back between two updates.
        for _ in 0..rng.random_range(0..4) {
            if board.placed() > 4 && rng.random_bool(0.4) {
                board.unmake();
            } else {
                let cell = Cell::new(rng.random_range(0..side), rng.random_range(0..side));
                if board.is_empty(cell) {
                    board.make(cell, Color::ALL[rng.random_range(0..2)]);
                }
            }
        }
        let earlier = |rng: &mut SmallRng| {
            let cell = Cell::new(rng.random_range(0..side), rng.random_range(0..side));
            rng.random_bool(0.8).then(|| (cell, rng.random_range(0..7)))
        };
        let last = [earlier(&mut rng), earlier(&mut rng)];
        let to_move = Color::ALL[round % 2];
        let mut moves = MoveList::new();
        moves.extend(board.empty().iter().map(|cell| {
            let policy_score = rng.random_range(-2 * MARGIN..MARGIN / 2);
            Scored::new(Move::at(cell), policy_score)
        }));
        let before = moves.clone();
        cpu::policy(&mut state, &board, &net, to_move, last, &mut moves);
        let exact = slow(&board, &rows, &sides[to_move.index()], to_move, last);
        let best = before.iter().map(|entry| entry.score).max().unwrap();
        let near = |entry: &&Scored| best - entry.score <= MARGIN;
        let lowest = before.iter().filter(near).map(|entry| exact(entry.m.cell())).min().unwrap();
        for (old, new) in before.iter().zip(&moves) {
            let expected = if near(&old) { exact(old.m.cell()) } else { lowest };
            assert_eq!(new.score - old.score, expected, "{old:?}, {} stones", board.placed());
            compared += usize::from(near(&old));
        }
    }
    assert!(compared > 3_000, "{compared}");
}

#[test]
fn the_net_agrees_with_its_definition() {
    check::<Freestyle>(15, 1);
    check::<Freestyle>(26, 2);
    check::<Standard>(9, 3);
    check::<Renju>(15, 4);
    check::<Caro>(12, 5);
}

#[test]
fn windows_that_look_different_have_different_rows() {
    let mut rng = SmallRng::seed_from_u64(9);
    let rows = window_rows(RuleId::Renju);
    let mut seen: HashMap<[[String; 2]; 2], usize> = HashMap::new();
    let mut back: HashMap<usize, [[String; 2]; 2]> = HashMap::new();
    for _ in 0..60 {
        let mut board = Board::<Renju>::new(Setup::new(RuleId::Renju, 15, 15).unwrap());
        for _ in 0..rng.random_range(0..120) {
            let cell = Cell::new(rng.random_range(0..15), rng.random_range(0..15));
            if board.is_empty(cell) {
                board.make(cell, Color::ALL[rng.random_range(0..2)]);
            }
        }
        for cell in board.empty().iter() {
            for dir in DIRECTIONS {
                let number = board.window_number(dir, cell);
                let mut window = [-1, 1].map(|sign| half(&board, cell, dir, sign));
                window.sort();
                let row = rows.row(number, Color::Black);
                assert_eq!(*seen.entry(window.clone()).or_insert(row), row, "{window:?}");
                assert_eq!(*back.entry(row).or_insert(window.clone()), window, "row {row}");
                // The other colour sees the same window with the colours exchanged.
                window.iter_mut().for_each(|half| half.reverse());
                window.sort();
                let other = rows.row(number, Color::White);
                assert_eq!(*seen.entry(window).or_insert(other), other);
            }
        }
    }
    assert!(seen.len() > 500, "{}", seen.len());
}

#[test]
fn a_net_for_other_windows_is_not_used() {
    fn is_used<R: Rule>(weights: RuleId) -> bool {
        let board = Board::<R>::new(Setup::new(R::ID, 15, 15).unwrap());
        let mut eval = Eval::new(&board, Weights::embedded(weights));
        let mut moves = MoveList::new();
        moves.extend((0..15).map(|x| Scored::new(Move::at(Cell::new(x, 7)), 0)));
        eval.add_policy(&board, Color::Black, [None; 2], &mut moves);
        moves.iter().any(|entry| entry.score != 0)
    }

    // Windows of freestyle are shorter than those of renju and standard, which are equal.
    assert!(is_used::<Freestyle>(RuleId::Freestyle) && is_used::<Standard>(RuleId::Renju));
    assert!(!is_used::<Renju>(RuleId::Freestyle) && !is_used::<Freestyle>(RuleId::Renju));
    assert!(!is_used::<Standard>(RuleId::Caro) && is_used::<CaroExact>(RuleId::Caro));
}

#[test]
fn weights_survive_a_round_trip() {
    for rule in [RuleId::Freestyle, RuleId::Standard, RuleId::Renju, RuleId::Caro] {
        let sides = [random(rule, 11), random(rule, 12)];
        let net = PolicyNet::new(rule, &sides);
        for color in Color::ALL {
            assert_eq!(net.side(rule, color), sides[color.index()]);
        }
        assert_eq!(sides[0].places.len(), (1 + NEAR) * CHANNELS);
    }
}
