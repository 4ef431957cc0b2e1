use std::path::PathBuf;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::file::{self, TreeFile};
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{CellSet, Color};
use goren_proof::{Checker, Proof, Root};

fn path() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("../../tests/data/trees/rapfi-issue-32.packed")
}

/// A walk whose tree is read to the end.
fn walk() -> Walk {
    let walk = Walk::open(&path(), usize::MAX).unwrap();
    while walk.is_reading() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    walk.sound().unwrap();
    walk
}

/// All moves of the tree.
fn proof() -> Proof {
    let TreeFile::Packed(packed) = file::open(&path()).unwrap() else { panic!("it is packed") };
    let board = board(&packed.claim).unwrap();
    packed.parts()[0].moves(&packed.claim, &board).unwrap()
}

fn attack(walk: &mut Walk) -> Cell {
    match walk.attack(&Control::default(), &mut |_| {}).unwrap() {
        Answer::Move(cell, true) => cell,
        other => panic!("{other:?}"),
    }
}

/// A random reply: one that stops a five if there is one, otherwise mostly one near the last
/// stone.
fn random_reply(walk: &Walk, rng: &mut SmallRng) -> Option<Cell> {
    let Claim { attacker, .. } = *walk.claim();
    let board = walk.board();
    if let Some(&five) = board.wins(attacker).first() {
        return Some(five);
    }
    let near = |cell: &Cell| {
        let last = board.stones().last().unwrap().0;
        last.steps_to(*cell) < 4
    };
    let all: Vec<Cell> = board.empty().iter().collect();
    let close: Vec<Cell> = all.iter().copied().filter(near).collect();
    if rng.random_ratio(4, 5) { close.choose(rng) } else { all.choose(rng) }.copied()
}

#[test]
fn the_tree_wins_against_random_defences_and_counts_replies_as_the_checker_does() {
    let (proof, mut rng) = (proof(), SmallRng::seed_from_u64(3));
    let (mut counted, mut known) = (0, 0);
    for _ in 0..8 {
        let mut walk = walk();
        let Claim { setup, attacker, .. } = *walk.claim();
        assert!(walk.attacks_first() && walk.attacker_moves());
        loop {
            attack(&mut walk);
            if walk.is_won() {
                break;
            }
            let replies = walk.remaining_replies(&Control::default());
            // The slow method: with the moves of the whole tree and all stones of the board.
            let mut checker = Checker::new(setup, attacker, &proof);
            checker.board = walk.board().clone();
            let slow: CellSet = checker.to_answer(false).unwrap();
            let is_foul = |cell: &Cell| walk.board().fouls(!attacker, *cell).0.any();
            counted += 1;
            assert_eq!(
                replies.all,
                walk.board().empty().iter().filter(|cell| !is_foul(cell)).count()
            );
            if slow != *walk.board().empty() {
                known += 1;
                let slow: Vec<Cell> = slow.iter().filter(|cell| !is_foul(cell)).collect();
                assert_eq!(replies.left, Some(slow));
            }
            if let Some([only]) = replies.left.as_deref() {
                assert_eq!(replies.forced.first(), Some(only));
            } else {
                assert_eq!(replies.forced, []);
            }
            let Some(reply) = random_reply(&walk, &mut rng) else { break };
            if walk.reply(reply).is_err() {
                break;
            }
        }
    }
    assert!(counted > 10 && 2 * known > counted, "{counted} {known}");
}

/// The tree is a table: two fours with one reply each, then a double four.
#[test]
fn the_forced_line_is_the_line_that_the_walk_plays() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let black = [(0, 7), (1, 7), (2, 7), (6, 1), (6, 2), (6, 3), (5, 5)];
    let black = black.map(|(x, y)| (Cell::new(x, y), Color::Black));
    let stones = [&[(Cell::new(6, 0), Color::White)], &black[..]].concat();
    let root = Root { stones: stones.clone(), to_move: Color::Black };
    let mut proof = Proof::new(Claim { setup, attacker: Color::Black, root });
    let mut board = ProofBoard::new(setup);
    stones.into_iter().for_each(|(cell, color)| board.place(cell, color).unwrap());
    let line = [(3, 7), (4, 7), (6, 4), (6, 5), (4, 6)].map(|(x, y)| Cell::new(x, y));
    for (at, &cell) in line.iter().enumerate() {
        let color = if at % 2 == 0 { Color::Black } else { Color::White };
        if color == Color::Black {
            let canonical = board.canonical(&board.keys());
            proof.insert(canonical.key(), board.to_image(&canonical, cell));
        }
        board.place(cell, color).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fours.tree");
    let mut bytes = Vec::new();
    goren_proof::write(&proof, &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let mut walk = Walk::open(&path, 0).unwrap();
    assert_eq!(attack(&mut walk), line[0]);
    let replies = walk.remaining_replies(&Control::default());
    assert_eq!(replies.left, Some(vec![line[1]]));
    assert_eq!(replies.forced, line[1..]);
    assert_eq!(replies.threat, [line[1]]);
    for pair in replies.forced.chunks(2) {
        walk.reply(pair[0]).unwrap();
        assert_eq!(attack(&mut walk), pair[1]);
    }
    // A stopped search returns no replies.
    let stopped = Control::default();
    stopped.stop();
    let replies = walk.remaining_replies(&stopped);
    assert_eq!((replies.left, replies.forced.len() + replies.threat.len()), (None, 0));
}

#[test]
fn going_to_a_position_equals_walking_there() {
    let mut rng = SmallRng::seed_from_u64(8);
    let mut walk = walk();
    let mut seen: Vec<Vec<Cell>> = vec![Vec::new()];
    for _ in 0..25 {
        let to = seen.choose(&mut rng).unwrap().clone();
        walk.go(&to).unwrap();
        assert_eq!(walk.moves(), to);
        let mut fresh = self::walk();
        for &cell in &to {
            if fresh.attacker_moves() {
                assert_eq!(attack(&mut fresh), cell);
            } else {
                fresh.reply(cell).unwrap();
            }
        }
        assert_eq!(fresh.board().stones(), walk.board().stones());
        assert!(fresh.base.own() == walk.base.own(), "{to:?}");
        if walk.is_won() {
            continue;
        }
        if walk.attacker_moves() {
            attack(&mut walk);
        } else if let Some(reply) = random_reply(&walk, &mut rng) {
            // A five of the defender, or an occupied point, is refused and changes nothing.
            if walk.reply(reply).is_err() {
                assert_eq!(walk.moves(), to);
            }
        }
        seen.push(walk.moves());
    }
}

#[test]
fn moves_that_the_tree_has_not_played_are_refused() {
    let mut walk = walk();
    let first = attack(&mut walk);
    let other = walk.board().empty().iter().next().unwrap();
    let error = walk.go(&[other]).unwrap_err().to_string();
    assert!(error.contains("played another move"), "{error}");
    walk.go(&[first]).unwrap();
    assert!(walk.reply(first).is_err());
    assert_eq!(walk.moves(), [first]);
    assert_eq!(walk.claim().attacker, Color::Black);
}
