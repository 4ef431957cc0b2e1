//! Files of winning trees, and the checker on whatever they claim.

use std::collections::BTreeMap;
use std::io::Cursor;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};
use goren_proof::{Checker, Claim, Form, Playback, Proof, ProofFile, Root, head, read, write};
use goren_trees::packed::{Packed, Part};
use goren_trees::replies::{board, check_reply, replies_to_check};

use super::pieces;

/// Maximum number of the attacker's positions that the checker visits in a tree.
const VISITS: u64 = 100;

/// The input as a file, and a file whose head and batches have valid checksums.
pub fn proof(input: &[u8]) -> bool {
    let has_moves = examine(input);
    let mut file = b"GORENPF1".to_vec();
    for (number, piece) in pieces(input).into_iter().enumerate() {
        // A batch has a number of moves, the head does not.
        let (count, body) = match number {
            0 => (None, piece),
            _ => piece.split_first().map_or((None, piece), |(&count, body)| (Some(count), body)),
        };
        file.extend(count.into_iter().flat_map(|count| u32::from(count).to_le_bytes()));
        file.extend((body.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(body).to_le_bytes());
        file.extend(body);
    }
    examine(&file) || has_moves
}

/// A tree file that is looked up on disk: the input as a file, and a file whose
/// head, index, slots and log have valid checksums.
pub fn lookup(input: &[u8]) -> bool {
    let has_moves = look_up(input);
    let pieces = pieces(input);
    let Some(([slots, claim @ ..], batches)) = pieces.split_first() else { return has_moves };
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
    look_up(&file) || has_moves
}

/// Size of a slot in bytes.
const SLOT: usize = 2_048;

/// Builds a batch from its number of moves and its body. Returns it with its first key.
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

/// Looks up moves: every move found is in the file, and after the file is rewritten all of its
/// moves are found. Returns whether it has any.
fn look_up(file: &[u8]) -> bool {
    let opened = ProofFile::open(Cursor::new(file));
    let Ok((proof, _)) = read(file) else {
        assert!(opened.is_err());
        return false;
    };
    let mut all: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
    proof.moves().into_iter().for_each(|(key, m)| all.entry(key).or_default().push(m));
    // Some heads claim more slots than a table may have.
    let Ok(mut table) = opened else { return false };
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
    !all.is_empty()
}

/// Two twos of Black's that cross in an empty point, White to move.
fn crossing() -> Claim {
    let setup = Setup::new(RuleId::Renju, 12, 9).expect("a board there is");
    let twos = [(4, 2), (4, 3), (3, 4), (5, 4)];
    let stones = twos.map(|(x, y)| (Cell::new(x, y), Color::Black)).to_vec();
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::White } }
}

/// A script of a packed tree.
pub fn script(script: &[u8]) -> bool {
    let claim = crossing();
    let (setup, stones) = (claim.setup, claim.root.stones.clone());
    let mut checker = Checker::new(setup, Color::Black, Playback::new(claim, script));
    checker.max_visits = VISITS;
    for (cell, color) in stones {
        checker.board.place(cell, color).expect("an empty point");
    }
    let holds = checker.answer(Cell::new(2, 4), false).is_ok();
    let proof = checker.answers.proof;
    if holds {
        // The moves of the script are a tree by themselves.
        let mut again = Checker::new(setup, Color::Black, &proof);
        again.board = checker.board;
        assert!(again.answer(Cell::new(2, 4), false).is_ok());
    }
    // The script made the checker try moves.
    !proof.moves().is_empty()
}

/// A packed tree: the input as a file; then its pieces as scripts, packed by our own code,
/// and as LZMA streams in members with valid lengths and checksums.
pub fn packed(input: &[u8]) -> bool {
    let is_read = unpack(input);
    let claim = crossing();
    let width = claim.setup.width;
    let pieces = pieces(input).into_iter().take(MAX_PARTS).enumerate();
    let mut parts = Vec::new();
    let mut file = head(Form::Packed, &claim);
    file.extend((pieces.len() as u16).to_le_bytes());
    for (number, piece) in pieces {
        let reply = Cell::new(number % width, number / width);
        parts.push(Part::new(Some(reply), piece).expect("memory takes all"));
        // A dictionary of 4 KiB.
        let mut member = [&b"LZIP\x01\x0c"[..], piece, &[0; 12]].concat();
        member.extend((member.len() as u64 + 8).to_le_bytes());
        let mut part = vec![reply.x() as u8, reply.y() as u8];
        part.extend((member.len() as u32).to_le_bytes());
        let sum = crc32fast::hash(&[&part[..], &member].concat());
        file.extend(&part);
        file.extend(sum.to_le_bytes());
        file.extend(member);
    }
    unpack(&file);
    unpack(&Packed::new(claim, parts).encoded());
    is_read
}

/// Maximum number of parts made from an input.
const MAX_PARTS: usize = 8;

/// Reads a packed tree, writes it, reads it again and checks its parts. Returns whether it
/// has any.
fn unpack(file: &[u8]) -> bool {
    let Ok(Some(packed)) = Packed::read(file) else { return false };
    let written = packed.encoded();
    let again = Packed::read(&written).expect("what was written").expect("a packed tree");
    assert_eq!(again.encoded(), written);
    let Claim { setup, attacker, .. } = packed.claim;
    let Ok(root) = board(&packed.claim) else { return false };
    let asked = replies_to_check(&packed.claim, &root);
    for part in packed.parts().iter().filter(|part| asked.contains(&part.reply)) {
        // No part is expected to hold.
        let _ = part.counts();
        let mut checker = Checker::new(setup, attacker, packed.answers(part.reply));
        checker.max_visits = VISITS;
        checker.board = root.clone();
        if check_reply(&mut checker, part.reply).is_ok() {
            let _ = packed.settle(part.reply, &mut checker.answers);
        }
    }
    !packed.parts().is_empty()
}

/// Reads a tree, writes it, reads it again and checks it. Returns whether it has moves.
fn examine(file: &[u8]) -> bool {
    let Ok((proof, _)) = read(file) else { return false };
    let mut written = Vec::new();
    write(&proof, &mut written).expect("memory takes all");
    let (again, damage) = read(&written).expect("what was written");
    assert_eq!((again.claim.clone(), damage), (proof.claim.clone(), None));
    assert_eq!(again.moves(), proof.moves());
    check(&proof);
    !proof.moves().is_empty()
}

/// Runs the checker on a tree if the board is small, where that is quick.
fn check(proof: &Proof) {
    let claim = &proof.claim;
    if claim.setup.area() > 100 {
        return;
    }
    let mut checker = Checker::new(claim.setup, claim.attacker, proof);
    checker.max_visits = VISITS;
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
