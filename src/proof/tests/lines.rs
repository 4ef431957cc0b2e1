//! The longest line of a tree, compared with exhaustive search.

use super::*;

/// Returns the plies to the attacker's win with best play; `None` if there is no win.
fn distance(
    referee: &mut FiveReferee,
    attacker: Color,
    to_move: Color,
    memory: &mut HashMap<Vec<u8>, Option<usize>>,
) -> Option<usize> {
    let Setup { width, height, .. } = referee.setup();
    let cells = CellSet::board(width, height);
    let key = key_of(referee, to_move);
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let empty: Vec<Cell> = cells.iter().filter(|&cell| referee.is_empty(cell)).collect();
    let mut after = Vec::new();
    for cell in empty {
        after.push(match referee.place(to_move, cell).unwrap() {
            Some(outcome) => (outcome == Outcome::Win(attacker)).then_some(0),
            None => distance(referee, attacker, !to_move, memory),
        });
        referee.take_back();
    }
    let best = if to_move == attacker {
        after.into_iter().flatten().min()
    } else {
        after.into_iter().collect::<Option<Vec<usize>>>().and_then(|all| all.into_iter().max())
    };
    let found = best.map(|plies| plies + 1);
    memory.insert(key, found);
    found
}

impl Case {
    fn measuring<A: Answers>(&self, answers: A) -> Checker<A, Plies> {
        let mut checker = Checker::measuring(self.setup, self.attacker, answers);
        for &(cell, color) in &self.stones {
            checker.board.place(cell, color).unwrap();
        }
        checker
    }
}

/// Plays a line out; returns the number of its plies.
fn played(case: &Case, line: &[LinePly]) -> usize {
    let mut referee = case.referee();
    let mut to_move = case.to_move;
    for (number, ply) in line.iter().enumerate() {
        let outcome = referee.place(to_move, ply.cell).unwrap();
        let last = number + 1 == line.len();
        assert_eq!(outcome, last.then_some(Outcome::Win(case.attacker)), "{line:?} {number}");
        assert!(to_move != case.attacker || !ply.anywhere);
        to_move = !to_move;
    }
    line.len()
}

/// Checks the longest line of a tree while it is packed, and of the packed tree. The line
/// records and reads no more than the check did.
fn packed_line(case: &Case, proof: &Proof) {
    let mut recorder = case.measuring(Recorder::new(proof));
    assert_eq!(recorder.attack(false), Ok(()));
    let script = recorder.answers.script.clone();
    let line = recorder.longest_line(None).unwrap();
    // Nothing is recorded for a position that the check never reached.
    let unseen = ProofBoard::new(case.setup);
    let canonical = unseen.canonical(&unseen.keys());
    assert!(recorder.answers.known(&unseen, &canonical).is_empty());
    assert_eq!(recorder.answers.script, script);
    played(case, &line);
    let mut player = case.measuring(Playback::new(proof.claim.clone(), &script[..]));
    assert_eq!(player.attack(false), Ok(()));
    assert_eq!(player.longest_line(None).unwrap(), line);
    assert!(player.answers.known(&unseen, &canonical).is_empty() && player.answers.ends());
}

#[test]
fn the_longest_line_is_a_game_and_no_shorter_than_the_best_defence() {
    let mut rng = SmallRng::seed_from_u64(21);
    let (mut games, mut longest, mut anywhere) = (0, 0, 0);
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 7, 6).unwrap();
        for _ in 0..60 {
            let attacker = Color::ALL[rng.random_range(0..2)];
            let stones = crowded(setup, rng.random_range(6..=8), attacker, &mut rng);
            let case = Case { setup, attacker, to_move: attacker, stones };
            let solver = Solver {
                moves: Vec::new(),
                attacker,
                memory: HashMap::new(),
                rng: SmallRng::seed_from_u64(rng.random()),
                wrong: 20,
            };
            let mut checker = case.checker(solver, rng.random());
            if checker.attack(true).is_err() {
                continue;
            }
            let root = Root { stones: case.stones.clone(), to_move: attacker };
            let mut proof = Proof::new(Claim { setup, attacker, root });
            for &(key, m) in &checker.answers.moves {
                proof.insert(key, m);
            }
            let mut measuring = case.measuring(&proof);
            let before = measuring.board.stones().to_vec();
            assert_eq!(measuring.attack(false), Ok(()));
            let line = measuring.longest_line(None).unwrap();
            assert_eq!(measuring.board.stones(), before);
            packed_line(&case, &proof);
            let plies = played(&case, &line);
            let memory = &mut HashMap::new();
            let best = distance(&mut case.referee(), attacker, attacker, memory).unwrap();
            assert!(plies >= best, "{rule:?} {:?}: {line:?}, {best}", case.stones);
            games += 1;
            longest = longest.max(plies);
            anywhere += line.iter().filter(|ply| ply.anywhere).count();
        }
    }
    assert!(games > 60 && longest >= 5 && anywhere > 5, "{games} {longest} {anywhere}");
}
