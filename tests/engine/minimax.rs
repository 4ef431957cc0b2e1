//! The search against plain minimax: on toy games the generic search must
//! find the value of every position, on late positions of the real games the
//! value that follows from the referee.

use std::collections::HashMap;

use crate::support::{Random, Table, enough, limits, search_position, setting};
use crate::toys::{Hints, Rules, Toy};
use Promise::{Exact, Result, Sound};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{
    Caro, CaroExact, Freestyle, Outcome, Renju, Renju1899, Renju1903, RenjuBoth, RenjuOverline,
    Rule, Standard, StandardDoubleThree,
};
use goren_core::types::{Cell, Color, PROVEN, Score, Stone, loss_in, win_in};
use goren_engine::game::{Five, GenType, MoveList, Position};
use goren_engine::pattern::Class;
use goren_engine::{Answer, Params, Request};

fn search<P: Position>(position: &P, depth: u32, params: &Params) -> Answer {
    search_position(position, &limits(depth), params)
}

/// Parameters without late move pruning, pruning of plain fours and singular
/// extensions: with these the search finds the fastest win, not just any.
fn all_moves() -> Params {
    Params { lmp_depth: 0, delaying_four_depth: 0, singular_depth: 127, ..Params::default() }
}

/// Whether only one legal move is generated: it is played without a search, so its
/// score means nothing.
fn is_single_reply<P: Position>(position: &mut P) -> bool {
    let mut moves = MoveList::new();
    position.moves(GenType::Main, &mut moves);
    moves.iter().filter(|entry| position.is_legal(entry.m)).count() == 1
}

/// Values of positions for the side to move: the fastest win, the slowest
/// loss.
#[derive(Default)]
struct Minimax {
    known: HashMap<([u32; 2], usize), Score>,
}

impl Minimax {
    fn value(&mut self, toy: &mut Toy) -> Score {
        let identity = toy.identity();
        if let Some(&value) = self.known.get(&identity) {
            return value;
        }
        let me = toy.to_move();
        let value = match toy.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(color)) => {
                if color == me {
                    win_in(0)
                } else {
                    loss_in(0)
                }
            }
            None => {
                let mut best = Score::MIN;
                for i in toy.empties() {
                    toy.play(i);
                    let value = self.value(toy);
                    let value = if toy.to_move() == me { value } else { -value };
                    toy.unmake();
                    best = best.max(farther(value));
                }
                best
            }
        };
        self.known.insert(identity, value);
        value
    }
}

/// A value seen from one ply further away.
fn farther(value: Score) -> Score {
    if value.abs() >= PROVEN { value - value.signum() } else { value }
}

/// What a score must guarantee.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Promise {
    /// The true value.
    Exact,
    /// The true result, and no faster end than the true one.
    Result,
    /// A proven score has the true result, and no faster end than the true one.
    Sound,
}

impl Promise {
    fn is_kept(self, score: Score, value: Score) -> bool {
        let proven = |s: Score| if s.abs() >= PROVEN { s.signum() } else { 0 };
        let sound =
            proven(score) == 0 || proven(score) == proven(value) && score.abs() <= value.abs();
        match self {
            Promise::Exact => score == value,
            Promise::Result => sound && score.signum() == value.signum(),
            Promise::Sound => sound,
        }
    }
}

/// Searches every position of random games at full depth.
fn check_toy(rules: Rules, games: usize, least_stones: usize, promise: Promise) {
    let mut minimax = Minimax::default();
    let mut random = Random::new(rules.row.into());
    let mut results = [0; 3];
    let (mut inexact, mut proofs) = (0, 0);
    for _ in 0..games * setting("GOREN_TEST_FACTOR", 1) as usize {
        let mut toy = Toy::new(rules);
        let mut placed = 0;
        while toy.outcome().is_none() {
            if placed >= least_stones {
                let depth = if rules.hints == Hints::None { 40 } else { 80 };
                let params = if promise == Exact { all_moves() } else { Params::default() };
                let answer = search(&toy, depth, &params);
                let value = minimax.value(&mut toy);
                results[(value.signum() + 1) as usize] += 1;
                let at = toy.identity();
                let score = answer.info.score;
                if is_single_reply(&mut toy) {
                    let free: Vec<usize> = toy.empties().collect();
                    toy.play(free[random.below(free.len())]);
                    placed += 1;
                    continue;
                }
                inexact += usize::from(score != value);
                proofs += usize::from(score.abs() >= PROVEN);
                assert!(promise.is_kept(score, value), "{rules:?} {at:?}: {score}, not {value}");
                let mut after = toy.clone();
                after.make(answer.best);
                let reached = minimax.value(&mut after);
                let reached = if after.to_move() == toy.to_move() { reached } else { -reached };
                assert!(
                    promise == Promise::Sound || Promise::Result.is_kept(score, farther(reached)),
                    "{rules:?} {at:?}: {:?}",
                    answer.best
                );
            }
            let free: Vec<usize> = toy.empties().collect();
            toy.play(free[random.below(free.len())]);
            placed += 1;
        }
    }
    println!("{rules:?} losses, draws, wins {results:?}, inexact {inexact}, proofs {proofs}");
    assert!(enough(results.iter().filter(|&&n| n > 0).count() >= 2), "{results:?}");
    // Without any proof, `Sound` would be vacuous.
    assert!(enough(promise != Sound || proofs > 0), "{rules:?}");
}

fn toy(width: usize, height: usize, row: u32, turn: [usize; 2], hints: Hints) -> Rules {
    Rules { width, height, row, turn, hints }
}

#[test]
fn three_in_a_row() {
    check_toy(toy(3, 3, 3, [1, 1], Hints::None), 40, 0, Exact);
    check_toy(toy(3, 3, 3, [1, 1], Hints::Quiet), 40, 0, Result);
    check_toy(toy(3, 3, 3, [1, 1], Hints::Threats), 40, 0, Result);
}

#[test]
fn a_wider_board() {
    check_toy(toy(4, 3, 3, [1, 1], Hints::None), 10, 2, Exact);
    check_toy(toy(4, 3, 3, [1, 1], Hints::Threats), 20, 2, Result);
    check_toy(toy(4, 4, 4, [1, 1], Hints::Threats), 10, 5, Result);
    check_toy(toy(4, 4, 4, [1, 1], Hints::None), 10, 7, Exact);
    check_toy(toy(5, 3, 4, [1, 1], Hints::Quiet), 10, 6, Result);
}

#[test]
fn two_stones_a_turn() {
    check_toy(toy(3, 3, 3, [1, 2], Hints::None), 40, 0, Exact);
    check_toy(toy(4, 3, 4, [1, 2], Hints::None), 20, 4, Exact);
    check_toy(toy(4, 4, 4, [1, 2], Hints::None), 10, 7, Exact);
    check_toy(toy(4, 4, 4, [1, 2], Hints::Quiet), 10, 7, Result);
    check_toy(toy(4, 4, 4, [1, 3], Hints::None), 10, 7, Exact);
    check_toy(toy(5, 3, 5, [2, 2], Hints::None), 10, 6, Exact);
}

#[test]
fn a_loss_needs_all_moves() {
    check_toy(toy(3, 3, 3, [1, 1], Hints::Few), 60, 0, Sound);
    check_toy(toy(4, 3, 3, [1, 1], Hints::Few), 20, 2, Sound);
    check_toy(toy(4, 4, 4, [1, 2], Hints::Few), 20, 7, Sound);
}

#[test]
fn node_counts_are_reproducible() {
    let rules = toy(5, 5, 5, [1, 1], Hints::Threats);
    for depth in [3, 6, 9] {
        let nodes = [0, 1].map(|_| search(&Toy::new(rules), depth, &Params::default()).info.nodes);
        assert_eq!(nodes[0], nodes[1]);
    }
    for max_nodes in [1, 100, 511, 512, 513, 5000, 12_345] {
        let run = || {
            let request = Request { max_nodes: Some(max_nodes), ..limits(120) };
            search_position(&Toy::new(rules), &request, &Params::default())
        };
        let (a, b) = (run(), run());
        assert_eq!((a.best, a.info.nodes, &a.info.pv), (b.best, b.info.nodes, &b.info.pv));
        assert_eq!(a.info.nodes, max_nodes, "the limit is met exactly");
    }
}

/// Values of late positions by the referee alone.
struct Judge {
    referee: FiveReferee,
    cells: Vec<Cell>,
    /// Whether players may pass.
    passes: bool,
    known: HashMap<Vec<u8>, Score>,
}

impl Judge {
    fn new(referee: FiveReferee) -> Judge {
        let setup = referee.setup();
        let row = |y| (0..setup.width).map(move |x| Cell::new(x, y));
        let cells = (0..setup.height).flat_map(row).filter(|&c| referee.is_empty(c)).collect();
        let passes = setup.rule.card().game.passes;
        Judge { referee, cells, passes, known: HashMap::new() }
    }

    /// The value of a position that was not reached by a pass. If every stone loses, a pass
    /// saves the side to move unless the opponent then wins with a stone: the opponent may
    /// pass too, which draws. Ignores that a pass may delay a loss.
    fn value(&mut self, me: Color) -> Score {
        let value = self.by_stones(me);
        let saved = self.passes && value <= -PROVEN && self.by_stones(!me) < PROVEN;
        if saved { 0 } else { value }
    }

    /// The value if the next ply is a stone.
    fn by_stones(&mut self, me: Color) -> Score {
        let kind = |c: &Cell| match self.referee.stone(*c) {
            Some(Stone::Of(color)) => 1 + color.index() as u8,
            _ => 0,
        };
        let key: Vec<u8> = self.cells.iter().map(kind).chain([me.index() as u8]).collect();
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mut best = Score::MIN;
        for i in 0..self.cells.len() {
            if !self.referee.is_empty(self.cells[i]) {
                continue;
            }
            let value = match self.referee.place(me, self.cells[i]).unwrap() {
                Some(Outcome::Win(color)) if color == me => win_in(1),
                // A foul loses at once.
                Some(Outcome::Win(_)) => loss_in(1),
                Some(Outcome::Draw) => 0,
                None => farther(-self.value(!me)),
            };
            self.referee.take_back();
            best = best.max(value);
        }
        self.known.insert(key, best);
        best
    }
}

fn check_late<R: Rule>(n: usize) {
    let mut random = Random::new(R::ID as u64);
    let mut results = [0; 3];
    let mut inexact = 0;
    for i in 0..n * setting("GOREN_TEST_FACTOR", 1) as usize {
        let (w, h) = [(5, 5), (6, 6), (5, 7), (6, 5)][i % 4];
        let mut table = Table::<R>::new(w, h);
        let left = 4 + random.below(4);
        let calm: &[Class] = if i % 3 == 0 { &[] } else { &[Class::Five] };
        for _ in 0..200 {
            let stones = table.board.empty().len().saturating_sub(left);
            table.scatter(&mut random, stones.min(4), i % 5 == 4, calm);
        }
        if table.board.empty().len() > left + 2 || table.board.empty().is_empty() {
            continue;
        }
        for me in Color::ALL {
            let mut position = Five::<R>::new(table.board.setup());
            table.board.stones().for_each(|(cell, stone)| position.set_up(cell, stone));
            position.set_to_move(me);
            let answer = search(&position, 60, &Params::default());
            let mut judge = Judge::new(table.referee.clone());
            let value = judge.value(me);
            results[(value.signum() + 1) as usize] += 1;
            let score = answer.info.score;
            if !is_single_reply(&mut position) {
                inexact += usize::from(score != value);
                assert!(
                    Promise::Result.is_kept(score, value),
                    "{me:?}: {score}, not {value}; {:?}\n{}",
                    answer.info.pv,
                    table.picture()
                );
            }
            // The answer is a stone even where a pass is better.
            let (value, best) = (judge.by_stones(me), answer.best.cell());
            let reached = match judge.referee.place(me, best).unwrap() {
                Some(Outcome::Win(color)) => {
                    if color == me {
                        win_in(1)
                    } else {
                        loss_in(1)
                    }
                }
                Some(Outcome::Draw) => 0,
                None => farther(-judge.value(!me)),
            };
            assert_eq!(
                reached.signum(),
                value.signum(),
                "{me:?} plays {best:?}\n{}",
                table.picture()
            );
        }
    }
    println!("{} losses, draws, wins {results:?}, inexact {inexact}", R::ID);
    assert!(enough(results.iter().all(|&n| n > 0)), "{results:?}");
}

#[test]
fn late_freestyle() {
    check_late::<Freestyle>(120);
}

#[test]
fn late_standard() {
    check_late::<Standard>(120);
}

#[test]
fn late_renju() {
    check_late::<Renju>(160);
}

#[test]
fn late_renju_overline() {
    check_late::<RenjuOverline>(160);
}

#[test]
fn late_renju_both() {
    check_late::<RenjuBoth>(160);
}

#[test]
fn late_renju_1899() {
    check_late::<Renju1899>(120);
}

#[test]
fn late_renju_1903() {
    check_late::<Renju1903>(120);
}

#[test]
fn late_double_three() {
    check_late::<StandardDoubleThree>(120);
}

#[test]
fn late_caro() {
    check_late::<Caro>(120);
}

#[test]
fn late_caro_exact() {
    check_late::<CaroExact>(400);
}
