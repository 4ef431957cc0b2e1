use std::collections::HashMap;

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use super::*;
use crate::rules::referee::Referee;
use crate::rules::{Outcome, RuleId};
use crate::types::{CellSet, Stone};

/// Whether the attacker wins whatever is played: everything is tried.
fn truth(
    referee: &mut Referee,
    attacker: Color,
    to_move: Color,
    memory: &mut HashMap<Vec<u8>, bool>,
) -> bool {
    let Setup { width, height, .. } = referee.setup();
    let cells = CellSet::board(width, height);
    let stones = cells.iter().map(|cell| match referee.stone(cell) {
        None => 0,
        Some(Stone::Of(color)) => 1 + color.index() as u8,
        Some(Stone::Wall) => 3,
    });
    let key: Vec<u8> = stones.chain([to_move.index() as u8]).collect();
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let empty: Vec<Cell> = cells.iter().filter(|&cell| referee.is_empty(cell)).collect();
    let mut found = to_move != attacker;
    for cell in empty {
        let wins = match referee.place(to_move, cell).unwrap() {
            Some(outcome) => outcome == Outcome::Win(attacker),
            None => truth(referee, attacker, !to_move, memory),
        };
        referee.take_back();
        if wins == (to_move == attacker) {
            found = wins;
            break;
        }
    }
    memory.insert(key, found);
    found
}

/// Moves that win, or any: as a bad solver has them.
struct Dice {
    moves: Vec<(u64, Cell)>,
    attacker: Color,
    memory: HashMap<Vec<u8>, bool>,
    rng: SmallRng,
    /// How often out of a hundred it names any move.
    wrong: u32,
}

impl Answers for Dice {
    fn known(&mut self, _ground: &Ground, spot: &Spot) -> Moves {
        let moves = self.moves.iter().filter(|(key, _)| *key == spot.key());
        moves.map(|&(_, m)| m).collect()
    }

    fn seek(&mut self, ground: &Ground, _spare: usize) -> Option<Cell> {
        let empty: Vec<Cell> = ground.empty().iter().collect();
        if self.rng.random_range(0..100) < self.wrong {
            return empty.choose(&mut self.rng).copied();
        }
        let mut referee = Referee::new(ground.setup());
        for &(cell, stone) in ground.stones() {
            referee.set_up(cell, stone).unwrap();
        }
        empty.into_iter().find(|&cell| {
            let wins = match referee.place(self.attacker, cell).unwrap() {
                Some(outcome) => outcome == Outcome::Win(self.attacker),
                None => truth(&mut referee, self.attacker, !self.attacker, &mut self.memory),
            };
            referee.take_back();
            wins
        })
    }

    fn learn(&mut self, spot: &Spot, m: Cell) {
        self.moves.push((spot.key(), m));
    }

    fn unlearn(&mut self, spot: &Spot, m: Cell) {
        self.moves.retain(|known| *known != (spot.key(), m));
    }
}

/// A board with all but some cells full, two of three by stones of one side,
/// on which nobody has won.
fn crowded(setup: Setup, left: usize, strong: Color, rng: &mut SmallRng) -> Vec<(Cell, Color)> {
    'again: loop {
        let mut cells: Vec<Cell> = CellSet::board(setup.width, setup.height).iter().collect();
        cells.shuffle(rng);
        let mut referee = Referee::new(setup);
        while cells.len() > left {
            let color = if rng.random_range(0..3) > 0 { strong } else { !strong };
            let Some(cell) = cells.pop() else { break };
            if referee.wins(color, cell) || color == Color::Black && referee.fouls(cell).any() {
                continue 'again;
            }
            referee.set_up(cell, Stone::Of(color)).unwrap();
        }
        let stones = referee.stones().iter();
        return stones
            .filter_map(|&(cell, stone)| match stone {
                Stone::Of(color) => Some((cell, color)),
                Stone::Wall => None,
            })
            .collect();
    }
}

/// What one checker says of a crowded board, and another of what it wrote down.
struct Case {
    setup: Setup,
    attacker: Color,
    to_move: Color,
    stones: Vec<(Cell, Color)>,
}

impl Case {
    fn referee(&self) -> Referee {
        let mut referee = Referee::new(self.setup);
        for &(cell, color) in &self.stones {
            referee.set_up(cell, Stone::Of(color)).unwrap();
        }
        referee
    }

    fn checker<A: Answers>(&self, answers: A, fours: bool) -> Checker<A> {
        let checker = Checker::new(self.setup, self.attacker, answers);
        let mut checker = if fours { checker } else { checker.without_fours() };
        for &(cell, color) in &self.stones {
            checker.ground.place(cell, color).unwrap();
        }
        checker
    }

    /// Whether it is said to be won.
    fn holds<A: Answers>(&self, checker: &mut Checker<A>, seek: bool) -> bool {
        match self.to_move == self.attacker {
            true => checker.attack(seek).is_ok(),
            false => checker.left(seek).is_ok_and(|left| left.is_empty()),
        }
    }

    /// Whether moves were needed.
    fn check(&self, rng: &mut SmallRng) -> bool {
        let Case { setup, attacker, to_move, stones } = self;
        let wins = truth(&mut self.referee(), *attacker, *to_move, &mut HashMap::new());
        let mut needed = false;
        for (wrong, fours) in [(0, false), (0, true), (40, false), (40, true)] {
            let dice = Dice {
                moves: Vec::new(),
                attacker: *attacker,
                memory: HashMap::new(),
                rng: SmallRng::seed_from_u64(rng.random()),
                wrong,
            };
            let mut checker = self.checker(dice, fours);
            let found = self.holds(&mut checker, true);
            let what = || format!("{setup:?} {attacker:?} {to_move:?} {stones:?}");
            assert!(wins || !found, "{}", what());
            // A good solver convinces the checker. That Black may run out of
            // moves which are no fouls is not believed to be a win.
            let sure = wrong == 0 && (setup.rule != RuleId::Renju || *attacker == Color::Black);
            assert!(!sure || found == wins, "{}", what());
            if !found {
                continue;
            }
            // What was written down does so once more, reply by reply too.
            needed |= !checker.answers.moves.is_empty();
            let root = Root { stones: stones.clone(), to_move: *to_move };
            let mut proof = Proof::new(Claim { setup: *setup, attacker: *attacker, root });
            for &(key, m) in &checker.answers.moves {
                proof.insert(key, m);
            }
            assert!(self.holds(&mut self.checker(&proof, fours), false), "{}", what());
            if to_move != attacker {
                let mut again = self.checker(&proof, fours);
                let empty: Vec<Cell> = again.ground.empty().iter().collect();
                assert!(
                    empty.into_iter().all(|cell| again.answer(cell, false).is_ok()),
                    "{}",
                    what()
                );
            }
        }
        if !wins && to_move != attacker {
            // Nor is any lost position won reply by reply.
            let root = Root { stones: stones.clone(), to_move: *to_move };
            let proof = Proof::new(Claim { setup: *setup, attacker: *attacker, root });
            let mut checker = self.checker(&proof, true);
            let empty: Vec<Cell> = checker.ground.empty().iter().collect();
            let answered = empty.into_iter().all(|cell| checker.answer(cell, false).is_ok());
            assert!(!answered, "{setup:?} {attacker:?} {stones:?}");
        }
        needed
    }
}

#[test]
fn what_is_checked_is_true_and_what_is_true_can_be_checked() {
    let mut rng = SmallRng::seed_from_u64(5);
    let mut needed = 0;
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 7, 6).unwrap();
        for _ in 0..60 {
            for attacker in Color::ALL {
                let left = rng.random_range(8..=11);
                let stones = crowded(setup, left, attacker, &mut rng);
                let to_move = if rng.random_bool(0.7) { attacker } else { !attacker };
                needed += usize::from(Case { setup, attacker, to_move, stones }.check(&mut rng));
            }
        }
    }
    assert!(needed > 15, "{needed}");
}

#[test]
fn a_five_of_the_defender_is_no_reply_to_be_answered() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let row = |y, xs: std::ops::Range<usize>, color| xs.map(move |x| (Cell::new(x, y), color));
    let stones: Vec<(Cell, Color)> =
        row(7, 7..11, Color::Black).chain(row(14, 0..4, Color::White)).collect();
    let attacker = Color::Black;
    let case = Case { setup, attacker, to_move: Color::White, stones };
    let root = Root { stones: case.stones.clone(), to_move: Color::White };
    let proof = Proof::new(Claim { setup, attacker, root });
    let mut checker = case.checker(&proof, true);
    assert_eq!(checker.answer(Cell::new(6, 7), false), Ok(()));
    let five = Cell::new(4, 14);
    assert_eq!(checker.answer(five, false).unwrap_err().kind, FlawKind::DefenderWins(five));
    assert_eq!(checker.left(false).unwrap_err().kind, FlawKind::DefenderWins(five));
}

#[test]
fn the_ground_sees_the_wins_and_fouls_that_the_referee_sees() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut forbidden = 0;
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 9, 7).unwrap();
        for _ in 0..40 {
            let mut ground = Ground::new(setup);
            let empty = ground.clone();
            let mut referee = Referee::new(setup);
            for (cell, color) in crowded(setup, 12, Color::White, &mut rng) {
                ground.place(cell, color).unwrap();
                referee.set_up(cell, Stone::Of(color)).unwrap();
                if rule == RuleId::Renju {
                    for cell in ground.empty().iter() {
                        let fouls = referee.fouls(cell);
                        let (same, seen) = ground.fouls(cell);
                        assert_eq!(same, fouls);
                        forbidden += usize::from(fouls.any());
                        // Stones elsewhere do not matter.
                        let mut after = referee.clone();
                        let colors: &[Color] =
                            if fouls.any() { &Color::ALL } else { &[Color::White] };
                        for other in
                            ground.empty().iter().filter(|&c| c != cell && !seen.contains(c))
                        {
                            if rng.random_bool(0.3) {
                                let color = *colors.choose(&mut rng).unwrap();
                                after.set_up(other, Stone::Of(color)).unwrap();
                            }
                        }
                        assert_eq!(after.fouls(cell).any(), fouls.any(), "{:?}", after.stones());
                    }
                }
                for color in Color::ALL {
                    let seen = ground.wins(color).into_vec();
                    let all = ground.empty().iter().filter(|&c| referee.wins(color, c));
                    assert_eq!(seen, all.collect::<Vec<_>>(), "{rule}");
                }
            }
            assert!(ground.place(referee.stones()[0].0, Color::Black).is_err());
            while !ground.stones().is_empty() {
                ground.take_back();
            }
            assert_eq!(ground.keys(), empty.keys());
            assert_eq!(ground.empty(), empty.empty());
        }
    }
    assert!(forbidden > 100, "{forbidden}");
}

#[test]
fn fours_and_fives_lean_on_no_more_than_they_must() {
    let mut rng = SmallRng::seed_from_u64(11);
    let (mut twice, mut spared) = (0, 0);
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 9, 8).unwrap();
        for _ in 0..150 {
            let mut ground = Ground::new(setup);
            for (cell, color) in crowded(setup, 30, Color::White, &mut rng) {
                ground.place(cell, color).unwrap();
            }
            for color in Color::ALL {
                let (one, two) = (ground.fours(color, false), ground.fours(color, true));
                for cell in ground.empty().iter() {
                    let mut after = ground.clone();
                    after.place(cell, color).unwrap();
                    // Fives of this stone that the stones before did not have.
                    let fives = after.wins(color).len();
                    let new =
                        after.wins(color).iter().any(|five| !ground.wins(color).contains(five));
                    assert!(!new || one.contains(cell), "{rule}");
                    assert!(!new || fives < 2 || two.contains(cell), "{rule}");
                    twice += usize::from(new && fives > 1);
                }
                for five in ground.wins(color) {
                    // Whatever the enemy does elsewhere.
                    let around = ground.around_win(color, five);
                    let mut after = ground.clone();
                    let others: Vec<Cell> =
                        ground.empty().iter().filter(|&cell| !around.contains(cell)).collect();
                    for cell in others {
                        after.place(cell, !color).unwrap();
                        spared += 1;
                    }
                    assert!(after.wins(color).contains(&five), "{rule}");
                }
            }
        }
    }
    assert!(twice > 100 && spared > 1_000, "{twice} {spared}");
}

#[test]
fn images_of_a_position_share_a_spot() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let stones = [(3, 4, Color::Black), (7, 2, Color::White), (9, 9, Color::Black)];
    let m = Cell::new(5, 1);
    let mut spots = Vec::new();
    for symmetry in crate::types::Symmetry::all(15, 15) {
        let mut ground = Ground::new(setup);
        for (x, y, color) in stones {
            ground.place(symmetry.apply(Cell::new(x, y)), color).unwrap();
        }
        let spot = ground.spot(&ground.keys());
        let image = ground.to_image(&spot, symmetry.apply(m));
        assert_eq!(ground.from_image(&spot, image), symmetry.apply(m));
        spots.push((spot.whole, image));
    }
    assert!(spots.iter().all(|spot| *spot == spots[0]), "{spots:?}");
}

fn claim() -> Claim {
    let setup = Setup::new(RuleId::Renju, 15, 12).unwrap();
    let stones = vec![(Cell::new(7, 7), Color::Black), (Cell::new(8, 7), Color::White)];
    Claim { setup, attacker: Color::Black, root: Root { stones, to_move: Color::Black } }
}

fn some_proof(moves: usize) -> Proof {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut proof = Proof::new(claim());
    for _ in 0..moves {
        let cell = Cell::new(rng.random_range(0..15), rng.random_range(0..12));
        proof.insert(rng.random_range(0..1 << 56), cell);
    }
    proof
}

#[test]
fn files_hold_what_was_written() {
    for moves in [0, 1, 3, 70_000] {
        let proof = some_proof(moves);
        let mut bytes = Vec::new();
        write(&proof, &mut bytes).unwrap();
        let (again, damage) = read(&bytes).unwrap();
        assert!(again == proof && damage.is_none());
    }
}

#[test]
fn damaged_files_are_noticed_wherever_it_is() {
    let proof = some_proof(40);
    let mut bytes = Vec::new();
    write(&proof, &mut bytes).unwrap();
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            // A file that ends where a batch begins lacks its moves.
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
fn a_journal_goes_on_where_it_was_broken_off() {
    let path = std::env::temp_dir().join(format!("goren-proof-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let moves = some_proof(90).moves();
    let (mut journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert!(proof.is_empty() && damage.is_none());
    assert!(matches!(Journal::open(&path, &claim()), Err(ProofError::Head(_))));
    for part in moves.chunks(30) {
        journal.append(&mut part.to_vec()).unwrap();
    }
    drop(journal);
    let whole = std::fs::metadata(&path).unwrap().len();
    // Of a damaged batch no other suffers.
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let (part, damage) = read(&bytes).unwrap();
    assert!(part.len() == 60 && damage.is_some_and(|damage| damage.offset < at));
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(whole - 5).unwrap();
    let (mut journal, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof.len(), damage.unwrap().lost > 0), (60, true));
    let kept = path.with_extension("damaged");
    assert_eq!(std::fs::metadata(&kept).unwrap().len(), whole - 5);
    std::fs::remove_file(kept).unwrap();
    journal.append(&mut moves[60..].to_vec()).unwrap();
    drop(journal);
    let (_, proof, damage) = Journal::open(&path, &claim()).unwrap();
    assert_eq!((proof.moves(), damage), (moves, None));
    let other = Claim { attacker: Color::White, ..claim() };
    assert!(matches!(Journal::open(&path, &other), Err(ProofError::Head(_))));
    std::fs::write(&path, "something else, much longer than the head of a tree would be").unwrap();
    assert!(matches!(Journal::open(&path, &claim()), Err(ProofError::Head(_))));
    std::fs::remove_file(path).unwrap();
}

/// Whether what is asked of a proof, spoilt here and there, still proves it;
/// nothing else may.
#[test]
fn scripts_say_what_tables_say_and_no_spoilt_one_is_believed() {
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    // An open three of Black's.
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
    // What wins is found by the referee: a four, or a five's place.
    let mut proof = Proof::new(claim.clone());
    loop {
        let mut checker = case.checker(&proof, false);
        let left = checker.left(false).unwrap();
        let Some(&reply) = left.first() else { break };
        let mut ground = checker.ground.clone();
        ground.place(reply, Color::White).unwrap();
        let spot = ground.spot(&ground.keys());
        assert!(proof.get(&spot).is_empty());
        let four = ground.empty().iter().find(|&m| {
            let mut after = ground.clone();
            after.place(m, Color::Black).unwrap();
            after.wins(Color::Black).len() > 1
        });
        let Some(four) = four else { break };
        proof.insert(spot.key(), ground.to_image(&spot, four));
    }
    let mut recorder = case.checker(Recorder::new(&proof), false);
    let replies: Vec<Cell> = recorder.ground.empty().iter().collect();
    let held: Vec<bool> =
        replies.iter().map(|&reply| recorder.answer(reply, false).is_ok()).collect();
    let script = recorder.answers.script;
    let said = held.iter().filter(|&&held| held).count();
    assert!(said > 100 && script.iter().any(|&byte| byte > 0), "{said}");
    let mut rng = SmallRng::seed_from_u64(13);
    for spoilt in 0..300 {
        let mut script = script.clone();
        for _ in 0..spoilt.min(3) {
            let at = rng.random_range(0..script.len());
            script[at] = rng.random();
        }
        let mut checker = case.checker(Player::new(claim.clone(), &script[..]), false);
        let now: Vec<bool> =
            replies.iter().map(|&reply| checker.answer(reply, false).is_ok()).collect();
        let mut player = checker.answers;
        if spoilt == 0 {
            assert!(now == held && player.ends());
            assert!(player.proof.moves().iter().all(|fact| proof.moves().contains(fact)));
        }
        // What holds is so by a table as well.
        let mut table = case.checker(&player.proof, false);
        for (&reply, now) in replies.iter().zip(now) {
            assert!(!now || table.answer(reply, false).is_ok(), "{reply:?}");
        }
    }
}

#[test]
fn scripts_hold_any_moves_on_any_board() {
    let setup = Setup::new(RuleId::Freestyle, 26, 20).unwrap();
    let root = Root { stones: Vec::new(), to_move: Color::Black };
    let claim = Claim { setup, attacker: Color::Black, root };
    let mut rng = SmallRng::seed_from_u64(21);
    let cells: Vec<Cell> = CellSet::board(26, 20).iter().collect();
    // Positions as they are asked for, some of them twice; with no moves, one,
    // or more than a byte counts, on stones too.
    let mut proof = Proof::new(claim.clone());
    let mut grounds = Vec::new();
    for count in [0, 1, 1, 2, 3, 1, 0, 300, 2] {
        let mut ground = Ground::new(setup);
        for _ in 0..rng.random_range(1..9) {
            let color = if rng.random() { Color::Black } else { Color::White };
            // Twice on a point is no harm here.
            let _ = ground.place(*cells.choose(&mut rng).unwrap(), color);
        }
        let spot = ground.spot(&ground.keys());
        let mut several = cells.clone();
        several.shuffle(&mut rng);
        for &m in &several[..count] {
            proof.insert(spot.key(), ground.to_image(&spot, m));
        }
        let stone = ground.stones()[0].0;
        if count > 1 {
            proof.insert(spot.key(), ground.to_image(&spot, stone));
        }
        grounds.extend([ground.clone(), ground]);
    }
    grounds.shuffle(&mut rng);
    let mut recorder = Recorder::new(&proof);
    let ask = |answers: &mut dyn Answers| -> Vec<Moves> {
        let known = |ground: &Ground| answers.known(ground, &ground.spot(&ground.keys()));
        grounds.iter().map(known).collect()
    };
    let said = ask(&mut recorder);
    let far = |moves: &Moves| moves.len() >= 300;
    assert!(said.iter().any(far) && said.iter().any(Moves::is_empty));
    let script = recorder.script;
    let mut player = Player::new(claim, &script[..]);
    assert_eq!(ask(&mut player), said);
    assert!(player.ends() && player.proof == proof);
}
