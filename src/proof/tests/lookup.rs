//! Tables that are looked up in their files: they answer like the whole table in memory, and
//! never wrong, whatever happens to the file.

use std::cell::Cell as Switch;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::rc::Rc;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::*;
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color};

pub(super) const FREESTYLE: RuleId = RuleId::Freestyle;

pub(super) fn claim(width: usize, height: usize) -> Claim {
    let setup = Setup::new(FREESTYLE, width, height).unwrap();
    let root = Root { stones: vec![(Cell::new(7, 7), Color::Black)], to_move: Color::White };
    Claim { setup, attacker: Color::Black, root }
}

/// Returns random moves, every tenth one for a position that has another.
pub(super) fn some_proof(claim: Claim, moves: usize) -> Proof {
    let mut rng = SmallRng::seed_from_u64(moves as u64);
    let Setup { width, height, .. } = claim.setup;
    let mut proof = Proof::new(claim);
    let mut key = 0;
    for number in 0..moves {
        if number % 10 != 9 {
            key = rng.random_range(0..1 << 56);
        }
        let cell = Cell::new(rng.random_range(0..width), rng.random_range(0..height));
        proof.insert(key, cell);
    }
    proof
}

/// Returns all moves by key.
pub(super) fn by_key(proof: &Proof) -> BTreeMap<u64, Vec<Cell>> {
    let mut all: BTreeMap<u64, Vec<Cell>> = BTreeMap::new();
    for (key, m) in proof.moves() {
        all.entry(key).or_default().push(m);
    }
    all
}

pub(super) fn sorted(proof: &Proof) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(proof, &mut bytes).unwrap();
    bytes
}

/// Returns a log of batches, as `goren prove` writes it. With full batches, sorted over the
/// whole file, it is what earlier versions wrote.
pub(super) fn log(proof: &Proof, batch: usize) -> Vec<u8> {
    appended(&head(Form::Table, &proof.claim), &proof.claim, proof.moves().chunks(batch))
}

/// Appends batches to a file.
pub(super) fn appended<'a>(
    bytes: &[u8],
    claim: &Claim,
    batches: impl Iterator<Item = &'a [(u64, Cell)]>,
) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree");
    std::fs::write(&path, bytes).unwrap();
    let (mut journal, ..) = Journal::open(&path, claim).unwrap();
    batches.for_each(|batch| journal.append(&mut batch.to_vec()).unwrap());
    drop(journal);
    std::fs::read(&path).unwrap()
}

fn open(bytes: &[u8]) -> ProofFile<Cursor<&[u8]>> {
    ProofFile::open(Cursor::new(bytes)).unwrap()
}

/// Checks that a file answers like the whole table, for some of the keys, their neighbours,
/// and others.
fn compare(bytes: &[u8], proof: &Proof, step: usize) {
    let mut file = open(bytes);
    assert_eq!(*file.claim(), proof.claim);
    let all = by_key(proof);
    let mut rng = SmallRng::seed_from_u64(1);
    let beside = all.keys().flat_map(|&key| [key.saturating_sub(1), key, key + 1]);
    let random: Vec<u64> = (0..500).map(|_| rng.random_range(0..1 << 56)).collect();
    let ends = [0, 1, (1 << 56) - 1, u64::MAX];
    let mut asked = 0;
    for key in beside.step_by(step).chain(random).chain(ends) {
        let known = all.get(&key).cloned().unwrap_or_default();
        let mut found = file.by_key(key).into_vec();
        found.sort_unstable();
        assert_eq!(found, known, "{key:x}");
        asked += usize::from(!known.is_empty());
    }
    assert!(asked >= all.len() / step / 2);
    assert_eq!(file.fault(), None);
}

#[test]
fn a_file_answers_like_the_table_in_memory() {
    // One byte for a cell, and two.
    for (width, height) in [(15, 15), (17, 20)] {
        for moves in [0, 1, 3, 400, 3_000] {
            let proof = some_proof(claim(width, height), moves);
            compare(&sorted(&proof), &proof, 1);
            // A log.
            compare(&log(&proof, 7), &proof, 1);
            // A sorted table that was appended to.
            let more = some_proof(claim(width, height), moves + 20);
            let bytes = appended(&sorted(&proof), &proof.claim, more.moves().chunks(7));
            let mut both = proof.clone();
            more.moves().into_iter().for_each(|(key, m)| _ = both.insert(key, m));
            let (again, damage) = read(&bytes).unwrap();
            assert!(again.moves() == both.moves() && damage.is_none());
            compare(&bytes, &both, 1);
        }
    }
    let many = some_proof(claim(15, 15), 300_000);
    compare(&sorted(&many), &many, 101);
    // As earlier versions wrote it, and appended to.
    let old = log(&many, 1 << 16);
    compare(&old, &many, 10_007);
    let batch = [(5, Cell::new(3, 4))];
    let mut more = many.clone();
    more.insert(batch[0].0, batch[0].1);
    compare(&appended(&old, &many.claim, [&batch[..]].into_iter()), &more, 100_003);
}

#[test]
fn moves_of_a_position_in_two_batches_are_found() {
    let mut proof = some_proof(claim(15, 15), 80_000);
    let moves = proof.moves();
    // More moves for the last key of the first batch and for the first key of the second.
    for at in [(1 << 16) - 1, 1 << 16] {
        (0..15).for_each(|x| _ = proof.insert(moves[at].0, Cell::new(x, 9)));
    }
    compare(&log(&proof, 1 << 16), &proof, 8_009);
    let all = by_key(&proof);
    let mut file = ProofFile::open(Cursor::new(log(&proof, 1 << 16))).unwrap();
    for at in [(1 << 16) - 1, 1 << 16] {
        let key = moves[at].0;
        assert_eq!(file.by_key(key).into_vec(), all[&key]);
    }
}

#[test]
fn a_position_with_a_move_on_every_cell_of_the_largest_board_fits() {
    let mut proof = some_proof(claim(26, 26), 700);
    for key in [3, 1 << 50, (1 << 56) - 1] {
        let cells = (0..26 * 26).map(|number| Cell::new(number % 26, number / 26));
        cells.for_each(|cell| _ = proof.insert(key, cell));
    }
    let bytes = sorted(&proof);
    compare(&bytes, &proof, 1);
    let (again, damage) = read(&bytes).unwrap();
    assert!(again.moves() == proof.moves() && damage.is_none());
}

#[test]
fn a_sorted_table_is_smaller_than_a_log() {
    let proof = some_proof(claim(15, 15), 100_000);
    assert!(sorted(&proof).len() < log(&proof, 1 << 16).len());
}

/// Checks that a damaged file gives no wrong answer, and reports a fault if an answer is
/// missing. Returns the number of positions that it still answers.
fn count_known(bytes: &[u8], all: &BTreeMap<u64, Vec<Cell>>, step: usize, what: &str) -> usize {
    let Ok(mut file) = ProofFile::open(Cursor::new(bytes)) else { return 0 };
    let (mut known, mut missing) = (0, false);
    for (&key, moves) in all.iter().step_by(step) {
        let found = file.by_key(key);
        assert!(found.iter().all(|m| moves.contains(m)), "{what}: {key:x}");
        assert!(file.by_key(key + 1).is_empty() || all.contains_key(&(key + 1)), "{what}");
        known += usize::from(found.len() == moves.len());
        missing |= found.len() < moves.len();
    }
    assert!(!missing || file.fault().is_some(), "{what}: no fault");
    known
}

/// Returns where the head ends, and where the first slot begins.
fn ends(bytes: &[u8]) -> (usize, usize) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let head = 16 + word(8);
    let slots = word(head - 8);
    (head, head + 8 * slots + 4 * slots.div_ceil(512))
}

#[test]
fn a_flipped_bit_costs_a_slot_at_most() {
    let (proof, more) = (some_proof(claim(15, 15), 2_000), some_proof(claim(15, 15), 60));
    let mut bytes = appended(&sorted(&proof), &proof.claim, more.moves().chunks(20));
    let mut both = proof.clone();
    more.moves().into_iter().for_each(|(key, m)| _ = both.insert(key, m));
    let all = by_key(&both);
    let step = 3;
    let whole = count_known(&bytes, &all, step, "whole");
    assert_eq!(whole, all.len().div_ceil(step));
    let (head, slots) = ends(&bytes);
    let (mut lost, mut harmless) = (0, 0);
    for at in 0..bytes.len() {
        // Every byte of the head, of the index and of the frames of slots, and some others.
        if at >= slots && (at - slots) % 2_048 > 24 && at % 11 != 0 {
            continue;
        }
        bytes[at] ^= 1 << (at % 8);
        let what = format!("byte {at}");
        let known = count_known(&bytes, &all, step, &what);
        if at < head {
            // Without its head the file is useless.
            assert_eq!(known, 0, "{what}");
        } else if at < slots {
            assert_eq!(known, whole, "{what}");
        } else {
            assert!(known + 400 / step > whole, "{what}: {known} of {whole}");
            lost += usize::from(known < whole);
            harmless += usize::from(known == whole);
        }
        bytes[at] ^= 1 << (at % 8);
    }
    assert!(lost > 500 && harmless < 200, "{lost} {harmless}");
}

#[test]
fn a_truncated_file_is_used_as_far_as_it_goes() {
    let (proof, more) = (some_proof(claim(15, 15), 2_000), some_proof(claim(15, 15), 60));
    let bytes = appended(&sorted(&proof), &proof.claim, more.moves().chunks(20));
    let mut both = proof.clone();
    more.moves().into_iter().for_each(|(key, m)| _ = both.insert(key, m));
    let all = by_key(&both);
    let (head, slots) = ends(&bytes);
    let mut before = 0;
    for length in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
        let known = count_known(&bytes[..length], &all, 3, &format!("{length} bytes"));
        assert!(known >= before && (length >= head || known == 0), "{length}");
        assert!(known >= (length.saturating_sub(slots) / 2_048) * 230 / 3, "{length}: {known}");
        before = known;
    }
    assert!(before < all.len().div_ceil(3));
}

#[test]
fn a_damaged_index_is_rebuilt_from_the_slots() {
    let proof = some_proof(claim(15, 15), 300_000);
    let all = by_key(&proof);
    let mut bytes = sorted(&proof);
    let (head, slots) = ends(&bytes);
    assert!(slots - head > 8 * 700);
    // The first block, and then a slot in it.
    bytes[head + 900] ^= 4;
    let mut file = open(&bytes);
    assert_eq!(file.fault(), Some(&TableFault::Damaged(head as u64)));
    for (&key, moves) in all.iter().step_by(53) {
        assert_eq!(file.by_key(key).into_vec(), *moves);
    }
    bytes[slots + 7 * 2_048 + 30] ^= 4;
    let known = count_known(&bytes, &all, 1, "a slot");
    assert!((all.len() - 400..all.len()).contains(&known), "{known} of {}", all.len());
    // No index at all.
    bytes[head..slots].fill(0);
    let known = count_known(&bytes, &all, 1, "no index");
    assert!((all.len() - 400..all.len()).contains(&known), "{known} of {}", all.len());
}

#[test]
fn a_misplaced_slot_is_rejected() {
    let proof = some_proof(claim(15, 15), 2_000);
    let mut bytes = sorted(&proof);
    let (_, slots) = ends(&bytes);
    let slot = |number: usize| slots + number * 2_048..slots + (number + 1) * 2_048;
    // A copy of the second slot in the place of the first.
    let other = bytes[slot(1)].to_vec();
    bytes[slot(0)].copy_from_slice(&other);
    let all = by_key(&proof);
    let known = count_known(&bytes, &all, 1, "twice");
    assert!((all.len() - 400..all.len() - 200).contains(&known), "{known} of {}", all.len());
    // A slot of another table.
    let foreign = sorted(&some_proof(claim(15, 15), 2_010));
    bytes[slot(0)].copy_from_slice(&foreign[slot(0)]);
    count_known(&bytes, &all, 1, "foreign");
    let mut file = open(&bytes);
    for (&key, moves) in by_key(&some_proof(claim(15, 15), 2_010)).iter().take(200) {
        assert!(file.by_key(key).is_empty() || all.get(&key) == Some(moves));
    }
}

#[test]
fn the_other_batches_of_a_damaged_older_file_are_used() {
    let proof = some_proof(claim(15, 15), 300_000);
    let all = by_key(&proof);
    let mut bytes = log(&proof, 1 << 16);
    let whole = all.len().div_ceil(3_001);
    assert_eq!(count_known(&bytes, &all, 3_001, "whole"), whole);
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let known = count_known(&bytes, &all, 3_001, "a bit");
    assert!((whole * 3 / 5..whole).contains(&known), "{known} of {whole}");
    bytes.truncate(at);
    let known = count_known(&bytes, &all, 3_001, "cut short");
    assert!((whole / 3..whole * 3 / 5).contains(&known), "{known} of {whole}");
}

#[test]
fn a_long_log_must_be_sorted_first() {
    let proof = some_proof(claim(15, 15), 200_000);
    let moves = proof.moves();
    let mut rng = SmallRng::seed_from_u64(4);
    let mut batches = Vec::new();
    for _ in 0..150 {
        let mut batch: Vec<_> = (0..1_000).map(|_| *moves.choose(&mut rng).unwrap()).collect();
        batch.sort_unstable();
        batches.push(batch);
    }
    for start in [head(Form::Table, &proof.claim), sorted(&proof)] {
        let bytes = appended(&start, &proof.claim, batches.iter().map(Vec::as_slice));
        let opened = ProofFile::open(Cursor::new(&bytes));
        assert!(matches!(opened, Err(ProofError::Unsorted)));
        let (whole, _) = read(&bytes).unwrap();
        compare(&sorted(&whole), &whole, 997);
    }
}

/// A disk that fails while `works` is false.
struct Disk {
    bytes: Cursor<Vec<u8>>,
    works: Rc<Switch<bool>>,
}

impl Read for Disk {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.works.get() {
            // Short reads.
            self.bytes.by_ref().take(1_000).read(buffer)
        } else {
            Err(io::Error::other("the disk is gone"))
        }
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn positions_are_unknown_only_while_the_disk_fails() {
    let proof = some_proof(claim(15, 15), 2_000);
    let all = by_key(&proof);
    let works = Rc::new(Switch::new(true));
    let disk = Disk { bytes: Cursor::new(sorted(&proof)), works: works.clone() };
    let mut file = ProofFile::open(disk).unwrap();
    let (&key, moves) = all.iter().nth(1_000).unwrap();
    works.set(false);
    assert!(file.by_key(key).is_empty());
    let message = file.fault().unwrap().to_string();
    assert!(
        message.starts_with("cannot be read at byte ") && message.ends_with(": the disk is gone")
    );
    works.set(true);
    assert_eq!(file.by_key(key).into_vec(), *moves);
    works.set(false);
    // The page is still in memory.
    assert_eq!(file.by_key(key).into_vec(), *moves);
}
