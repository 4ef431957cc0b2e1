mod advise;
mod files;
mod flaws;
mod lines;
mod lookup;
mod named;
mod stranger;

use std::collections::HashMap;

use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use super::*;
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, CellSet, Color, Stone};

/// Encodes the stones of a game and the side to move as a key.
fn key_of(referee: &FiveReferee, to_move: Color) -> Vec<u8> {
    let Setup { width, height, .. } = referee.setup();
    let cells = CellSet::board(width, height);
    let stones = cells.iter().map(|cell| match referee.stone(cell) {
        None => 0,
        Some(Stone::Of(color)) => 1 + color.index() as u8,
        Some(Stone::Wall) => 3,
    });
    stones.chain([to_move.index() as u8]).collect()
}

/// Whether the attacker wins, by exhaustive search.
fn truth(
    referee: &mut FiveReferee,
    attacker: Color,
    to_move: Color,
    memory: &mut HashMap<Vec<u8>, bool>,
) -> bool {
    let Setup { width, height, .. } = referee.setup();
    let cells = CellSet::board(width, height);
    let key = key_of(referee, to_move);
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

/// An unreliable solver, which finds winning moves or random ones.
struct Solver {
    moves: Vec<(u64, Cell)>,
    attacker: Color,
    memory: HashMap<Vec<u8>, bool>,
    rng: SmallRng,
    /// How often it names a random move, in percent.
    wrong: u32,
}

impl Answers for Solver {
    fn known(&mut self, _board: &ProofBoard, canonical: &CanonicalKey) -> Moves {
        let moves = self.moves.iter().filter(|(key, _)| *key == canonical.key());
        moves.map(|&(_, m)| m).collect()
    }

    fn seek(&mut self, board: &ProofBoard, _extra_stones: usize) -> Option<Cell> {
        let empty: Vec<Cell> = board.empty().iter().collect();
        if self.rng.random_range(0..100) < self.wrong {
            return empty.choose(&mut self.rng).copied();
        }
        let mut referee = FiveReferee::new(board.setup());
        for &(cell, stone) in board.stones() {
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

    fn learn(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.moves.push((canonical.key(), m));
    }

    fn unlearn(&mut self, canonical: &CanonicalKey, m: Cell) {
        self.moves.retain(|known| *known != (canonical.key(), m));
    }
}

/// Returns a board without a win on which all but `left` cells are occupied, two of three by
/// `strong` where possible.
fn crowded(setup: Setup, left: usize, strong: Color, rng: &mut SmallRng) -> Vec<(Cell, Color)> {
    'again: loop {
        let mut cells: Vec<Cell> = CellSet::board(setup.width, setup.height).iter().collect();
        cells.shuffle(rng);
        let mut referee = FiveReferee::new(setup);
        while cells.len() > left {
            let color = if rng.random_range(0..3) > 0 { strong } else { !strong };
            let Some(cell) = cells.pop() else { break };
            let fits =
                |&color: &Color| !referee.wins(color, cell) && !referee.fouls(color, cell).any();
            let Some(color) = [color, !color].into_iter().find(fits) else { continue 'again };
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

/// A crowded board, to be checked by a solver's moves and then by the stored ones.
struct Case {
    setup: Setup,
    attacker: Color,
    to_move: Color,
    stones: Vec<(Cell, Color)>,
}

impl Case {
    fn referee(&self) -> FiveReferee {
        let mut referee = FiveReferee::new(self.setup);
        for &(cell, color) in &self.stones {
            referee.set_up(cell, Stone::Of(color)).unwrap();
        }
        referee
    }

    fn checker<A: Answers>(&self, answers: A, fours: bool) -> Checker<A> {
        let checker = Checker::new(self.setup, self.attacker, answers);
        let mut checker = if fours { checker } else { checker.without_fours() };
        for &(cell, color) in &self.stones {
            checker.board.place(cell, color).unwrap();
        }
        checker
    }

    /// Whether the checker confirms the win.
    fn holds<A: Answers>(&self, checker: &mut Checker<A>, seek: bool) -> bool {
        if self.to_move == self.attacker {
            checker.attack(seek).is_ok()
        } else {
            checker.left(seek).is_ok_and(|left| left.is_empty())
        }
    }

    /// Checks the case with all solvers; returns whether moves were needed.
    fn check(&self, rng: &mut SmallRng) -> bool {
        let Case { setup, attacker, to_move, stones } = self;
        let wins = truth(&mut self.referee(), *attacker, *to_move, &mut HashMap::new());
        let mut needed = false;
        for (wrong, fours) in [(0, false), (0, true), (40, false), (40, true)] {
            let solver = Solver {
                moves: Vec::new(),
                attacker: *attacker,
                memory: HashMap::new(),
                rng: SmallRng::seed_from_u64(rng.random()),
                wrong,
            };
            let mut checker = self.checker(solver, fours);
            let found = self.holds(&mut checker, true);
            let what = || format!("{setup:?} {attacker:?} {to_move:?} {stones:?}");
            assert!(wins || !found, "{}", what());
            // With a good solver the checker confirms every win. It does not count it as a
            // win if the defender runs out of moves that are no fouls, or if the board is full.
            let card = setup.rule.card();
            let runs_out = card.fouls[(!*attacker).index()].any();
            let sure = wrong == 0 && !runs_out && card.full_board != Some(*attacker);
            assert!(!sure || found == wins, "{}", what());
            if !found {
                continue;
            }
            // The stored moves suffice for a second check, reply by reply too.
            needed |= !checker.answers.moves.is_empty();
            let root = Root { stones: stones.clone(), to_move: *to_move };
            let mut proof = Proof::new(Claim { setup: *setup, attacker: *attacker, root });
            for &(key, m) in &checker.answers.moves {
                proof.insert(key, m);
            }
            assert!(self.holds(&mut self.checker(&proof, fours), false), "{}", what());
            if to_move != attacker {
                let mut again = self.checker(&proof, fours);
                let empty: Vec<Cell> = again.board.empty().iter().collect();
                assert!(
                    empty.into_iter().all(|cell| again.answer(cell, false).is_ok()),
                    "{}",
                    what()
                );
            }
        }
        if !wins && to_move != attacker {
            // A position that is not won is not won reply by reply either.
            let root = Root { stones: stones.clone(), to_move: *to_move };
            let proof = Proof::new(Claim { setup: *setup, attacker: *attacker, root });
            let mut checker = self.checker(&proof, true);
            let empty: Vec<Cell> = checker.board.empty().iter().collect();
            let answered = empty.into_iter().all(|cell| checker.answer(cell, false).is_ok());
            assert!(!answered, "{setup:?} {attacker:?} {stones:?}");
        }
        needed
    }
}

#[test]
fn the_checker_agrees_with_exhaustive_search() {
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
fn memory_does_not_change_results() {
    // Three fours at the edge, with one five each, and then an open four.
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let attacker = Color::Black;
    let threes = [2, 5, 8].into_iter().flat_map(|y| (0..3).map(move |x| (x, y)));
    let stones = threes.chain((6..9).map(|x| (x, 11)));
    let stones = stones.map(|(x, y)| (Cell::new(x, y), attacker)).collect();
    let case = Case { setup, attacker, to_move: attacker, stones };
    let root = Root { stones: case.stones.clone(), to_move: attacker };
    let mut proof = Proof::new(Claim { setup, attacker, root });
    let fours = [2, 5, 8].map(|y| Cell::new(3, y));
    let fives = [2, 5].map(|y| Cell::new(4, y));
    // The second four is known without the reply to the first, the last move without the
    // reply to the third, and the third four with all stones.
    let mut line = case.checker(&proof.clone(), false).board;
    let mut know = |line: &ProofBoard, m: Cell| {
        let canonical = line.canonical(&line.keys());
        proof.insert(canonical.key(), line.to_image(&canonical, m));
    };
    know(&line, fours[0]);
    line.place(fours[0], attacker).unwrap();
    know(&line, fours[1]);
    line.place(fives[0], !attacker).unwrap();
    line.place(fours[1], attacker).unwrap();
    line.place(fives[1], !attacker).unwrap();
    know(&line, fours[2]);
    let third = line.clone();
    line.place(fours[2], attacker).unwrap();
    know(&line, Cell::new(9, 11));
    // From the start, and after the position of the third four was checked.
    let mut fresh = case.checker(&proof, false);
    assert!(case.holds(&mut fresh, false));
    let mut used = case.checker(&proof, false);
    used.board = third;
    assert_eq!(used.attack(false), Ok(()));
    used.board = case.checker(&proof, false).board;
    assert!(case.holds(&mut used, false));
}

#[test]
fn a_five_of_the_defender_cannot_be_answered() {
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
fn the_proof_board_agrees_with_the_referee() {
    let mut rng = SmallRng::seed_from_u64(9);
    let mut forbidden = [0; 2];
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 9, 7).unwrap();
        for _ in 0..40 {
            let mut board = ProofBoard::new(setup);
            let empty = board.clone();
            let mut referee = FiveReferee::new(setup);
            for (cell, color) in crowded(setup, 12, Color::White, &mut rng) {
                board.place(cell, color).unwrap();
                referee.set_up(cell, Stone::Of(color)).unwrap();
                for color in Color::ALL {
                    let fouls = compare_fouls(&board, &referee, color, &mut rng);
                    forbidden[color.index()] += fouls;
                    let seen = board.wins(color).into_vec();
                    let all = board.empty().iter().filter(|&c| referee.wins(color, c));
                    assert_eq!(seen, all.collect::<Vec<_>>(), "{rule}");
                }
            }
            assert!(board.place(referee.stones()[0].0, Color::Black).is_err());
            while !board.stones().is_empty() {
                board.take_back();
            }
            assert_eq!(board.keys(), empty.keys());
            assert_eq!(board.empty(), empty.empty());
        }
    }
    assert!(forbidden.iter().all(|&points| points > 100), "{forbidden:?}");
}

/// Compares the fouls of a colour with those of the referee, also after adding stones that do
/// not matter. Returns the number of forbidden points.
fn compare_fouls(
    board: &ProofBoard,
    referee: &FiveReferee,
    of: Color,
    rng: &mut SmallRng,
) -> usize {
    if !board.setup().rule.card().fouls[of.index()].any() {
        return 0;
    }
    let mut forbidden = 0;
    for cell in board.empty().iter() {
        let fouls = referee.fouls(of, cell);
        let (same, seen) = board.fouls(of, cell);
        assert_eq!(same, fouls);
        forbidden += usize::from(fouls.any());
        let mut after = referee.clone();
        let colors: &[Color] = if fouls.any() { &Color::ALL } else { &[!of] };
        for other in board.empty().iter().filter(|&c| c != cell && !seen.contains(c)) {
            if rng.random_bool(0.3) {
                let color = *colors.choose(rng).unwrap();
                after.set_up(other, Stone::Of(color)).unwrap();
            }
        }
        assert_eq!(after.fouls(of, cell).any(), fouls.any(), "{:?}", after.stones());
    }
    forbidden
}

#[test]
fn no_four_or_five_is_missed() {
    let mut rng = SmallRng::seed_from_u64(11);
    let (mut twice, mut placed) = (0, 0);
    for rule in RuleId::ALL {
        let setup = Setup::new(rule, 9, 8).unwrap();
        for _ in 0..150 {
            let mut board = ProofBoard::new(setup);
            for (cell, color) in crowded(setup, 30, Color::White, &mut rng) {
                board.place(cell, color).unwrap();
            }
            for color in Color::ALL {
                let (one, two) = (board.fours(color, false), board.fours(color, true));
                for cell in board.empty().iter() {
                    let mut after = board.clone();
                    after.place(cell, color).unwrap();
                    // Fives that this stone adds.
                    let fives = after.wins(color).len();
                    let new =
                        after.wins(color).iter().any(|five| !board.wins(color).contains(five));
                    assert!(!new || one.contains(cell), "{rule}");
                    assert!(!new || fives < 2 || two.contains(cell), "{rule}");
                    twice += usize::from(new && fives > 1);
                }
                for five in board.wins(color) {
                    // The five remains, whatever the opponent plays elsewhere.
                    let around = board.around_win(color, five);
                    let mut after = board.clone();
                    let others: Vec<Cell> =
                        board.empty().iter().filter(|&cell| !around.contains(cell)).collect();
                    for cell in others {
                        after.place(cell, !color).unwrap();
                        placed += 1;
                    }
                    assert!(after.wins(color).contains(&five), "{rule}");
                }
            }
        }
    }
    assert!(twice > 100 && placed > 1_000, "{twice} {placed}");
}

#[test]
fn images_of_a_position_share_a_canonical_key() {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let stones = [(3, 4, Color::Black), (7, 2, Color::White), (9, 9, Color::Black)];
    let m = Cell::new(5, 1);
    let mut canonical_keys = Vec::new();
    for symmetry in goren_core::types::Symmetry::all(15, 15) {
        let mut board = ProofBoard::new(setup);
        for (x, y, color) in stones {
            board.place(symmetry.apply(Cell::new(x, y)), color).unwrap();
        }
        let canonical = board.canonical(&board.keys());
        let image = board.to_image(&canonical, symmetry.apply(m));
        assert_eq!(board.from_image(&canonical, image), symmetry.apply(m));
        canonical_keys.push((canonical.whole, image));
    }
    assert!(
        canonical_keys.iter().all(|canonical| *canonical == canonical_keys[0]),
        "{canonical_keys:?}"
    );
}
