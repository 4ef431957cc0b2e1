//! Files of winning trees, and the checker on whatever they claim.

use goren::proof::{Checker, Claim, Player, Proof, Root, read, write};
use goren::rules::{RuleId, Setup};
use goren::types::{Cell, Color};

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

/// A script of a packed tree, for two twos that cross in an empty point.
pub fn script(script: &[u8]) {
    let setup = Setup::new(RuleId::Renju, 12, 9).expect("a board there is");
    let twos = [(4, 2), (4, 3), (3, 4), (5, 4)];
    let stones = twos.map(|(x, y)| (Cell::new(x, y), Color::Black)).to_vec();
    let root = Root { stones: stones.clone(), to_move: Color::White };
    let claim = Claim { setup, attacker: Color::Black, root };
    let mut checker = Checker::new(setup, Color::Black, Player::new(claim, script));
    checker.most_visits = VISITS;
    for (cell, color) in stones {
        checker.ground.place(cell, color).expect("an empty point");
    }
    if checker.answer(Cell::new(2, 4), false).is_err() {
        return;
    }
    // What holds is a tree by itself.
    let proof = checker.answers.proof;
    let mut again = Checker::new(setup, Color::Black, &proof);
    again.ground = checker.ground;
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
        if checker.ground.place(cell, color).is_err() {
            return;
        }
    }
    let keys = checker.ground.keys();
    // Neither is expected to succeed.
    let _ = checker.attack(false);
    let _ = checker.advise(&[keys], VISITS);
}
