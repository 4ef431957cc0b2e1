//! Files and scripts of trees.

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::Case;
use crate::*;
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, CellSet, Color};

fn claim() -> Claim {
    let setup = Setup::new(RuleId::Renju, 15, 12).unwrap();
    let stones = vec![(Cell::new(7, 7), Color::Black), (Cell::new(8, 7), Color::White)];
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::Black } }
}

fn random_proof(moves: usize) -> Proof {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut proof = Proof::new(claim());
    for _ in 0..moves {
        let cell = Cell::new(rng.random_range(0..15), rng.random_range(0..12));
        proof.insert(rng.random_range(0..1 << 56), cell);
    }
    proof
}

#[test]
fn written_files_are_read_back() {
    for moves in [0, 1, 3, 70_000] {
        let proof = random_proof(moves);
        let mut bytes = Vec::new();
        write(&proof, &mut bytes).unwrap();
        let (again, damage) = read(&bytes).unwrap();
        assert!(again == proof && damage.is_none());
    }
}

#[test]
fn damage_is_noticed_at_every_bit() {
    let proof = random_proof(40);
    let mut bytes = Vec::new();
    write(&proof, &mut bytes).unwrap();
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            // A file that ends where a batch begins lacks the moves of the batch.
            Ok((part, damage)) => assert!(damage.is_some() || part.len() < proof.len()),
            Err(error) => assert!(matches!(error, ProofError::Head(_))),
        }
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            let noticed = match read(&bytes) {
                Ok((_, damage)) => damage.is_some(),
                Err(_) => true,
            };
            assert!(noticed, "bit {bit} of byte {at}");
            bytes[at] ^= 1 << bit;
        }
    }
}

#[test]
fn a_journal_continues_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree");
    let moves = random_proof(90).moves();
    let (mut journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert!(proof.is_empty() && damage.is_none());
    assert!(matches!(Journal::open(&path, &claim()), Err(ProofError::Head(_))));
    for part in moves.chunks(30) {
        journal.append(&mut part.to_vec()).unwrap();
    }
    drop(journal);
    let whole = std::fs::metadata(&path).unwrap().len();
    // A damaged batch does not affect the others.
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let (part, damage) = read(&bytes).unwrap();
    assert!(part.len() == 60 && damage.is_some_and(|damage| damage.offset < at));
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(whole - 5).unwrap();
    let (mut journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof.len(), damage.unwrap().lost > 0), (60, true));
    let copy = path.with_extension("damaged");
    assert_eq!(std::fs::metadata(&copy).unwrap().len(), whole - 5);
    std::fs::remove_file(copy).unwrap();
    journal.append(&mut moves[60..].to_vec()).unwrap();
    drop(journal);
    let (_, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof.moves(), damage), (moves.clone(), None));
    let other = Claim { attacker: Color::White, ..claim() };
    assert!(matches!(Journal::open(&path, &other), Err(ProofError::Head(_))));
    // A sorted table is continued by a log.
    let mut bytes = Vec::new();
    write(&random_proof(40), &mut bytes).unwrap();
    std::fs::write(&path, &bytes).unwrap();
    let (mut journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof, damage, journal.is_sorted()), (random_proof(40), None, true));
    journal.append(&mut moves.clone()).unwrap();
    assert!(!journal.is_sorted());
    drop(journal);
    assert!(std::fs::read(&path).unwrap().starts_with(&bytes));
    let (journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof.moves(), damage, journal.is_sorted()), (moves, None, false));
    drop(journal);
    std::fs::write(&path, "something else, much longer than the head of a tree would be").unwrap();
    assert!(matches!(Journal::open(&path, &claim()), Err(ProofError::Head(_))));
}

/// Damages the script of a tree here and there. It may prove only what its moves prove as a
/// table.
#[test]
fn a_damaged_script_proves_nothing_false() {
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    // An open three of Black.
    let black = [(7, 7), (8, 7), (9, 7)].map(|(x, y)| (Cell::new(x, y), Color::Black));
    let white = [(0, 0), (1, 0), (0, 14)].map(|(x, y)| (Cell::new(x, y), Color::White));
    let case = Case {
        setup,
        attacker: Color::Black,
        to_move: Color::White,
        stones: [&black[..], &white].concat(),
    };
    let root = Root { stones: case.stones.clone(), to_move: Color::White };
    let claim = Claim { setup, attacker: Color::Black, root };
    // Moves that leave two fives win.
    let mut proof = Proof::new(claim.clone());
    loop {
        let mut checker = case.checker(&proof, false);
        let left = checker.left(false).unwrap();
        let Some(&reply) = left.first() else { break };
        let mut board = checker.board.clone();
        board.place(reply, Color::White).unwrap();
        let canonical = board.canonical(&board.keys());
        assert!(proof.get(&canonical).is_empty());
        let four = board.empty().iter().find(|&m| {
            let mut after = board.clone();
            after.place(m, Color::Black).unwrap();
            after.wins(Color::Black).len() > 1
        });
        let Some(four) = four else { break };
        proof.insert(canonical.key(), board.to_image(&canonical, four));
    }
    let mut recorder = case.checker(Recorder::new(&proof), false);
    let replies: Vec<Cell> = recorder.board.empty().iter().collect();
    let proven: Vec<bool> =
        replies.iter().map(|&reply| recorder.answer(reply, false).is_ok()).collect();
    let script = recorder.answers.script;
    let count = proven.iter().filter(|&&proven| proven).count();
    assert!(count > 100 && script.iter().any(|&byte| byte > 0), "{count}");
    let mut rng = SmallRng::seed_from_u64(13);
    for damaged in 0..300 {
        let mut script = script.clone();
        for _ in 0..damaged.min(3) {
            let at = rng.random_range(0..script.len());
            script[at] = rng.random();
        }
        let mut checker = case.checker(Playback::new(claim.clone(), &script[..]), false);
        let now: Vec<bool> =
            replies.iter().map(|&reply| checker.answer(reply, false).is_ok()).collect();
        let mut player = checker.answers;
        if damaged == 0 {
            assert!(now == proven && player.ends());
            assert!(player.proof.moves().iter().all(|fact| proof.moves().contains(fact)));
        }
        // What the script proves, a table of its moves proves as well.
        let mut table = case.checker(&player.proof, false);
        for (&reply, now) in replies.iter().zip(now) {
            assert!(!now || table.answer(reply, false).is_ok(), "{reply:?}");
        }
    }
}

#[test]
fn scripts_store_any_moves_on_any_board() {
    let setup = Setup::new(RuleId::Freestyle, 26, 20).unwrap();
    let root = Root { stones: Vec::new(), to_move: Color::Black };
    let claim = Claim { setup, attacker: Color::Black, root };
    let mut rng = SmallRng::seed_from_u64(21);
    let cells: Vec<Cell> = CellSet::board(26, 20).iter().collect();
    // Positions in the order of the questions, each twice; with no move, one, or more than a
    // byte counts, on stones too.
    let mut proof = Proof::new(claim.clone());
    let mut boards = Vec::new();
    for count in [0, 1, 1, 2, 3, 1, 0, 300, 2] {
        let mut board = ProofBoard::new(setup);
        for _ in 0..rng.random_range(1..9) {
            let color = if rng.random() { Color::Black } else { Color::White };
            // Occupied points are skipped.
            let _ = board.place(*cells.choose(&mut rng).unwrap(), color);
        }
        let canonical = board.canonical(&board.keys());
        let mut several = cells.clone();
        several.shuffle(&mut rng);
        for &m in &several[..count] {
            proof.insert(canonical.key(), board.to_image(&canonical, m));
        }
        let stone = board.stones()[0].0;
        if count > 1 {
            proof.insert(canonical.key(), board.to_image(&canonical, stone));
        }
        boards.extend([board.clone(), board]);
    }
    boards.shuffle(&mut rng);
    let mut recorder = Recorder::new(&proof);
    let ask = |answers: &mut dyn Answers| -> Vec<Moves> {
        let known = |board: &ProofBoard| answers.known(board, &board.canonical(&board.keys()));
        boards.iter().map(known).collect()
    };
    let recorded = ask(&mut recorder);
    let far = |moves: &Moves| moves.len() >= 300;
    assert!(recorded.iter().any(far) && recorded.iter().any(Moves::is_empty));
    let script = recorder.script;
    let mut player = Playback::new(claim, &script[..]);
    assert_eq!(ask(&mut player), recorded);
    assert!(player.ends() && player.proof == proof);
}

/// 255 used to be read as a place, or as a count.
#[test]
fn several_moves_within_several_are_refused() {
    let setup = Setup::new(RuleId::Freestyle, 20, 20).unwrap();
    let root = Root { stones: Vec::new(), to_move: Color::Black };
    let claim = Claim { setup, attacker: Color::Black, root };
    let board = ProofBoard::new(setup);
    let cases: [(&[u8], bool); 4] = [
        (&[255, 2, 254, 255, 0, 6], true),
        (&[255, 2, 255, 6], false),
        (&[255, 2, 6, 255], false),
        (&[255, 255], false),
    ];
    for (script, sound) in cases {
        let mut player = Playback::new(claim.clone(), script);
        player.known(&board, &board.canonical(&board.keys()));
        assert_eq!(player.ends(), sound, "{script:?}");
        assert_eq!(counts(script).is_ok(), sound, "{script:?}");
    }
}

/// As in a folder without file locks.
#[test]
fn writes_by_another_run_are_noticed_even_if_nothing_is_appended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree");
    let (mut journal, ..) = Journal::open(&path, &claim()).unwrap();
    journal.append(&mut Vec::new()).unwrap();
    let mut other = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut other, b"another batch").unwrap();
    assert!(journal.append(&mut Vec::new()).is_err());
    assert!(std::fs::read(&path).unwrap().ends_with(b"another batch"));
}
