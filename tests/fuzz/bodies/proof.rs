//! Files of winning trees, and the checker on whatever they claim.

use std::collections::BTreeMap;
use std::io::Cursor;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};
use goren_proof::{Checker, Claim, Playback, Proof, ProofFile, Root, read, write};

use super::pieces;

/// Positions of the attacker that a tree may take the checker through.
const VISITS: u64 = 100;

/// A file as it is, and one whose head and batches have right checksums.
pub fn proof(input: &[u8]) {
    examine(input);
    let mut file = b"GORENPF1".to_vec();
    for (number, piece) in pieces(input).into_iter().enumerate() {
        // A batch says how many moves it has, the head has none.
        let (count, body) = match number {
            0 => (None, piece),
            _ => piece.split_first().map_or((None, piece), |(&count, body)| (Some(count), body)),
        };
        file.extend(count.into_iter().flat_map(|count| u32::from(count).to_le_bytes()));
        file.extend((body.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(body).to_le_bytes());
        file.extend(body);
    }
    examine(&file);
}

/// A table that is looked up where it lies: the input as it is, and one whose
/// head, index, slots and log have right checksums.
pub fn lookup(input: &[u8]) {
    look_up(input);
    let pieces = pieces(input);
    let Some(([slots, claim @ ..], batches)) = pieces.split_first() else { return };
    let slots = batches.len().min(usize::from(slots % 8));
    let framed: Vec<(u64, Vec<u8>)> = batches.iter().map(|piece| batch(piece)).collect();
    let (front, log) = framed.split_at(slots);
    let mut body = claim.to_vec();
    body.extend((slots as u32).to_le_bytes());
    body.extend((front.last().map_or(0, |(_, batch)| batch.len()) as u32).to_le_bytes());
    let mut file = b"GORENPF2".to_vec();
    file.extend((body.len() as u32).to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    if slots > 0 {
        let keys: Vec<u8> = front.iter().flat_map(|(first, _)| first.to_le_bytes()).collect();
        file.extend(crc32fast::hash(&keys).to_le_bytes());
        file.extend(keys);
    }
    let begin = file.len();
    for (number, (_, batch)) in front.iter().enumerate() {
        file.resize(begin + number * SLOT, 0);
        file.extend(batch);
    }
    file.extend(log.iter().flat_map(|(_, batch)| batch));
    look_up(&file);
}

/// Bytes of a slot.
const SLOT: usize = 2_048;

/// A batch out of its number of moves and its body, and its first key.
fn batch(piece: &[u8]) -> (u64, Vec<u8>) {
    let (count, body) = piece.split_first().map_or((0, piece), |(&count, body)| (count, body));
    let body = &body[..body.len().min(SLOT - 12)];
    let end = body.iter().position(|&byte| byte < 0x80).map_or(0, |last| last + 1);
    let bytes = body[..end.min(9)].iter().rev();
    let first = bytes.fold(0, |key, &byte| key << 7 | u64::from(byte & 0x7f));
    let mut batch = u32::from(count).to_le_bytes().to_vec();
    batch.extend((body.len() as u32).to_le_bytes());
    batch.extend(crc32fast::hash(body).to_le_bytes());
    batch.extend(body);
    (first, batch)
}

/// A table says nothing that is not in the whole file; written anew it says all.
fn look_up(file: &[u8]) {
    let opened = ProofFile::open(Cursor::new(file));
    let Ok((proof, _)) = read(file) else {
        assert!(opened.is_err());
        return;
    };
    let mut all: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
    proof.moves().into_iter().for_each(|(key, m)| all.entry(key).or_default().push(m));
    // Some heads claim more slots than a table may have.
    let Ok(mut table) = opened else { return };
    for &key in all.keys() {
        for key in [key.wrapping_sub(1), key, key + 1] {
            let found = table.by_key(key);
            let moves = all.get(&key).map_or(&[][..], Vec::as_slice);
            assert!(found.iter().all(|m| moves.contains(m)));
        }
    }
    let mut written = Vec::new();
    write(&proof, &mut written).expect("memory takes all");
    let mut table = ProofFile::open(Cursor::new(&written)).expect("what was written");
    for (&key, moves) in &all {
        assert_eq!(table.by_key(key).into_vec(), *moves);
    }
    assert_eq!(table.fault(), None);
}

/// A script of a packed tree, for two twos that cross in an empty point.
pub fn script(script: &[u8]) {
    let setup = Setup::new(RuleId::Renju, 12, 9).expect("a board there is");
    let twos = [(4, 2), (4, 3), (3, 4), (5, 4)];
    let stones = twos.map(|(x, y)| (Cell::new(x, y), Color::Black)).to_vec();
    let root = Root { stones: stones.clone(), to_move: Color::White };
    let claim = Claim { setup, attacker: Color::Black, root };
    let mut checker = Checker::new(setup, Color::Black, Playback::new(claim, script));
    checker.most_visits = VISITS;
    for (cell, color) in stones {
        checker.board.place(cell, color).expect("an empty point");
    }
    if checker.answer(Cell::new(2, 4), false).is_err() {
        return;
    }
    // What holds is a tree by itself.
    let proof = checker.answers.proof;
    let mut again = Checker::new(setup, Color::Black, &proof);
    again.board = checker.board;
    assert!(again.answer(Cell::new(2, 4), false).is_ok());
}

fn examine(file: &[u8]) {
    let Ok((proof, _)) = read(file) else { return };
    let mut written = Vec::new();
    write(&proof, &mut written).expect("memory takes all");
    let (again, damage) = read(&written).expect("what was written");
    assert_eq!((again.claim.clone(), damage), (proof.claim.clone(), None));
    assert_eq!(again.moves(), proof.moves());
    check(&proof);
}

/// A tree is believed or refused, on boards where that is quick.
fn check(proof: &Proof) {
    let claim = &proof.claim;
    if claim.setup.area() > 100 {
        return;
    }
    let mut checker = Checker::new(claim.setup, claim.attacker, proof);
    checker.most_visits = VISITS;
    for &(cell, color) in &claim.root.stones {
        if checker.board.place(cell, color).is_err() {
            return;
        }
    }
    let keys = checker.board.keys();
    // Neither is expected to succeed.
    let _ = checker.attack(false);
    let _ = checker.advise([keys], VISITS);
}
