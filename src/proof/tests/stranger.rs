//! A reader of tables written from the description of the format alone.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::lookup::{FREESTYLE, appended, by_key, claim, log, some_proof, sorted};
use crate::ProofBoard;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color, Stone, Symmetry};

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return number;
        }
    }
}

/// Reads keys with (x, y) of their moves, on a board of less than 257 cells.
fn read(bytes: &[u8]) -> BTreeMap<u64, Vec<(usize, usize)>> {
    let body = &bytes[16..16 + number(&bytes[8..12]) as usize];
    assert_eq!(u64::from(crc32fast::hash(body)), number(&bytes[12..16]));
    let name = usize::from(body[0]);
    let width = usize::from(body[1 + name]);
    let stones = number(&body[5 + name..7 + name]) as usize;
    let mut at = 16 + body.len();
    let sorted = &bytes[..8] == b"GORENPF2";
    let mut moves = BTreeMap::new();
    let mut batch = |at: usize| {
        let [count, length, sum] = [0, 4, 8].map(|i| number(&bytes[at + i..at + i + 4]));
        let body = &bytes[at + 12..at + 12 + length as usize];
        assert_eq!(u64::from(crc32fast::hash(body)), sum);
        let (mut i, mut key) = (0, 0);
        for _ in 0..count {
            key += varint(body, &mut i);
            let cell = if sorted {
                i += 1;
                usize::from(body[i - 1])
            } else {
                varint(body, &mut i) as usize
            };
            let list: &mut Vec<_> = moves.entry(key).or_default();
            list.push((cell % width, cell / width));
        }
        at + 12 + body.len()
    };
    if sorted {
        let numbers = &body[7 + name + 3 * stones..];
        let (slots, last) = (number(&numbers[..4]) as usize, number(&numbers[4..8]) as usize);
        at += 8 * slots + 4 * slots.div_ceil(512);
        for slot in 0..slots {
            batch(at + 2_048 * slot);
        }
        at += 2_048 * slots.saturating_sub(1) + last;
    }
    while at < bytes.len() {
        at = batch(at);
    }
    moves
}

fn mix(n: u64) -> u64 {
    let z = (n + 1).wrapping_mul(0x9e3779b97f4a7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
    z ^ (z >> 31)
}

fn image(bits: usize, (w, h): (usize, usize), (x, y): (usize, usize)) -> (usize, usize) {
    let x = if bits & 1 > 0 { w - 1 - x } else { x };
    let y = if bits & 2 > 0 { h - 1 - y } else { y };
    if bits & 4 > 0 { (y, x) } else { (x, y) }
}

/// Returns the key of stones (x, y, colour), and the cell `m` in its image.
fn key(
    (w, h): (usize, usize),
    stones: &[(usize, usize, u64)],
    m: (usize, usize),
) -> (u64, (usize, usize)) {
    let number = |bits: usize| {
        stones.iter().fold(0, |all, &(x, y, color)| {
            let (x, y) = image(bits, (w, h), (x, y));
            let one = mix(1024 * color + 32 * y as u64 + x as u64 + 1);
            all ^ (u128::from(one) << 64 | u128::from(mix(one)))
        })
    };
    let images = 0..if w == h { 8 } else { 4 };
    let least = images.min_by_key(|&bits| number(bits)).unwrap();
    ((number(least) >> 72) as u64, image(least, (w, h), m))
}

#[test]
fn tables_can_be_read_by_the_description_of_the_format() {
    let proof = some_proof(claim(15, 15), 3_000);
    let all: BTreeMap<u64, Vec<(usize, usize)>> = by_key(&proof)
        .into_iter()
        .map(|(key, moves)| (key, moves.iter().map(|m| (m.x(), m.y())).collect()))
        .collect();
    let more = [(7, Cell::new(1, 2))];
    let extended = appended(&sorted(&proof), &proof.claim, [&more[..]].into_iter());
    for bytes in [sorted(&proof), log(&proof, 100), extended] {
        let mut read = read(&bytes);
        read.remove(&7);
        assert!(read == all);
    }
    let mut rng = SmallRng::seed_from_u64(2);
    for (width, height) in [(15, 15), (9, 12)] {
        let mut board = ProofBoard::new(Setup::new(FREESTYLE, width, height).unwrap());
        let symmetries: Vec<Symmetry> = Symmetry::all(width, height).collect();
        for turn in 0..40 {
            let cells: Vec<Cell> = board.empty().iter().collect();
            let cell = *cells.choose(&mut rng).unwrap();
            board.place(cell, Color::ALL[turn % 2]).unwrap();
            // Symmetric positions too.
            if turn == 0 {
                let twin = symmetries[1].apply(cell);
                let _ = board.place(twin, Color::Black);
            }
            let stones = board.stones().iter();
            let stones: Vec<(usize, usize, u64)> = stones
                .map(|&(cell, stone)| {
                    let white = stone == Stone::Of(Color::White);
                    (cell.x(), cell.y(), u64::from(white))
                })
                .collect();
            let m = cells[turn];
            let canonical = board.canonical(&board.keys());
            let image = board.to_image(&canonical, m);
            let expected = (canonical.key(), (image.x(), image.y()));
            assert_eq!(key((width, height), &stones, (m.x(), m.y())), expected);
        }
    }
}
