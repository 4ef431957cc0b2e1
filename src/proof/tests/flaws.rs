//! Flaws are reported with the path to them, if the caller asks for it.

use super::*;

/// Plays a path from a position on; returns the side to move at its end.
fn walk(board: &mut ProofBoard, path: &[Option<Cell>], mut to_move: Color) -> Color {
    for step in path {
        if let Some(m) = *step {
            board.place(m, to_move).unwrap();
        }
        to_move = !to_move;
    }
    to_move
}

#[test]
fn a_flaw_lies_where_its_path_leads() {
    let mut rng = SmallRng::seed_from_u64(12);
    let (mut flaws, mut deep) = (0, 0);
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 7, 6).unwrap();
        for _ in 0..200 {
            let attacker = Color::ALL[rng.random_range(0..2)];
            let stones = crowded(setup, rng.random_range(8..=11), attacker, &mut rng);
            let case = Case { setup, attacker, to_move: attacker, stones };
            let mut solver = |moves| Solver {
                moves,
                attacker,
                memory: HashMap::new(),
                rng: SmallRng::seed_from_u64(rng.random()),
                wrong: 0,
            };
            let mut checker = case.checker(solver(Vec::new()), false);
            if checker.attack(true).is_err() {
                continue;
            }
            let moves = checker.answers.moves;
            for (missing, _) in &moves {
                let root = Root { stones: case.stones.clone(), to_move: attacker };
                let mut proof = Proof::new(Claim { setup, attacker, root });
                for (key, m) in moves.iter().filter(|(key, _)| key != missing) {
                    proof.insert(*key, *m);
                }
                let with_path = case.checker(&proof, false).attack(false);
                // The next question tries failed positions again: more moves may be known.
                let mut later = case.checker(solver(proof.moves()), false);
                assert_eq!(later.attack(false), with_path);
                later.answers.moves.clone_from(&moves);
                assert_eq!(later.attack(false), Ok(()));
                let without_path = case.checker(&proof, false).without_paths().attack(false);
                // Another move may win as well.
                let Err(Flaw { path, kind }) = with_path else {
                    assert_eq!(without_path, Ok(()));
                    continue;
                };
                assert_eq!(without_path, Err(Flaw { path: Vec::new(), kind }));
                let mut board = case.checker(&proof, false).board;
                // The path to a move that cannot be played ends with that move.
                let bad = usize::from(matches!(kind, FlawKind::Occupied(_)));
                let to_move = walk(&mut board, &path[..path.len() - bad], attacker);
                match kind {
                    FlawKind::Occupied(m) => assert!(!board.empty().contains(m), "{path:?}"),
                    FlawKind::NoMove => assert_eq!(to_move, attacker, "{path:?}"),
                    FlawKind::DefenderWins(five) => {
                        assert!(board.wins(!attacker).contains(&five), "{path:?}");
                    }
                    other => panic!("{other:?} {path:?}"),
                }
                flaws += 1;
                deep += usize::from(path.len() > 2);
            }
        }
    }
    assert!(flaws > 50 && deep > 20, "{flaws} {deep}");
}
