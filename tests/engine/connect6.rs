//! Connect6 wins that are claimed from threats alone, each checked against all
//! pairs of stones that could answer, on a board that has nothing but its stones.

use std::sync::Arc;

use crate::support::{enough, other_seeds, setting};
use goren_core::rules::{Connect6 as Rules, Contest, OpeningId, Pairs, Variant};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, Color, Move};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::game::{Connect6, GenType, MoveList, Position, Replay, Tupled, tuple_family};
use goren_engine::threat::{Meter, Verdict};

const SIDE: usize = 11;
const GOAL: usize = 6;
/// Node limit of a search for a win.
const NODES: u64 = 8_000;

/// Stones by column and row.
#[derive(Clone)]
struct Grid {
    torus: bool,
    stones: [[Option<Color>; SIDE]; SIDE],
}

impl Grid {
    fn set(&mut self, cell: Cell, color: Color) {
        self.stones[cell.x()][cell.y()] = Some(color);
    }

    fn empty(&self) -> Vec<Cell> {
        let cells = (0..SIDE * SIDE).map(|i| Cell::new(i % SIDE, i / SIDE));
        cells.filter(|cell| self.stones[cell.x()][cell.y()].is_none()).collect()
    }

    /// The empty cells of every six in a row that have at least `stones` stones of a colour
    /// and none of the other.
    fn open(&self, color: Color, stones: usize) -> Vec<Vec<Cell>> {
        let mut open = Vec::new();
        for i in 0..SIDE * SIDE {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let at = |k: usize| {
                    let (x, y) = ((i % SIDE) as i32, (i / SIDE) as i32);
                    let (x, y) = (x + dx * k as i32, y + dy * k as i32);
                    let side = SIDE as i32;
                    let inside = (0..side).contains(&x) && (0..side).contains(&y);
                    (inside || self.torus).then(|| {
                        Cell::new(x.rem_euclid(side) as usize, y.rem_euclid(side) as usize)
                    })
                };
                let Some(row) = (0..GOAL).map(at).collect::<Option<Vec<Cell>>>() else { continue };
                let of = |who| move |c: &&Cell| self.stones[c.x()][c.y()] == who;
                let own = row.iter().filter(of(Some(color))).count();
                if own >= stones && !row.iter().any(|c| of(Some(!color))(&c)) {
                    open.push(row.iter().filter(of(None)).copied().collect());
                }
            }
        }
        open
    }
}

fn weights_by_hand(rules: Rules) -> Arc<TupleWeights> {
    let family = tuple_family(Variant::Connect6(rules)).expect("a game evaluated by tuples");
    Arc::new(family.hand_made_weights())
}

/// A position and its stones.
#[derive(Clone)]
struct Pair {
    position: Connect6,
    grid: Grid,
}

impl Pair {
    fn new(torus: bool, weights: &Arc<TupleWeights>) -> Pair {
        let rules = Rules { torus, pairs: Pairs::Any };
        let contest = Contest::new(Variant::Connect6(rules)).opened(OpeningId::Free).unwrap();
        let contest = contest.on(SIDE, SIDE).unwrap();
        let grid = Grid { torus, stones: [[None; SIDE]; SIDE] };
        Pair { position: Connect6::new(rules, &contest, weights.clone()), grid }
    }

    fn make(&mut self, cell: Cell) {
        self.grid.set(cell, self.position.to_move());
        self.position.make(Move::at(cell));
    }

    /// Plays out the claimed win against every answer. Returns the number of the
    /// attacker's turns that it takes.
    fn play_out(mut self, plies: usize) -> usize {
        let me = self.position.to_move();
        let left = self.position.left();
        for _ in 0..left {
            let (m, _) =
                self.position.solve(&mut Meter::nodes(100 * NODES)).expect("a win goes on");
            assert!(self.position.is_pseudo_legal(m));
            self.make(m.cell());
            if !self.grid.open(me, GOAL).is_empty() {
                return 1;
            }
        }
        let threats = self.grid.open(me, GOAL - 2);
        let empty = self.grid.empty();
        let mut turns = 2;
        for (i, &a) in empty.iter().enumerate() {
            for &b in &empty[i + 1..] {
                if !threats.iter().all(|gaps| gaps.contains(&a) || gaps.contains(&b)) {
                    continue;
                }
                // This pair stops all lines, so the win must not be claimed for the next turn.
                assert!(plies > left + 4, "{plies} plies, but {a:?} {b:?} goes on");
                let mut next = self.clone();
                next.make(a);
                next.make(b);
                assert!(next.grid.open(!me, GOAL).is_empty(), "{a:?} {b:?} wins");
                turns = turns.max(1 + next.play_out(usize::MAX));
            }
        }
        // The defender wins unless all its lines are stopped.
        let stopped = self.grid.open(!me, GOAL - 2).is_empty();
        assert!(stopped, "the defender wins");
        turns
    }
}

fn below(seed: &mut u64, n: usize) -> usize {
    *seed = mix(*seed);
    (*seed >> 16) as usize % n
}

#[test]
fn claimed_wins_hold_against_every_pair() {
    let rules = Rules { torus: false, pairs: Pairs::Any };
    let weights = weights_by_hand(rules);
    // Wins by turns of the attacker, the last entry for longer ones too; claims in mid-turn.
    let mut wins = [0; 5];
    let mut halves = 0;
    for game in 0..300 * setting("GOREN_TEST_FACTOR", 1) {
        let seed = &mut mix(game.wrapping_add(other_seeds()));
        let mut pair = Pair::new(game % 3 == 0, &weights);
        while pair.position.outcome().is_none() && pair.grid.empty().len() > SIDE {
            if pair.position.verdict() != Verdict::Unknown {
                break;
            }
            let before = (pair.position.key(), pair.position.board().clone());
            let found = pair.position.solve(&mut Meter::nodes(NODES));
            assert_eq!(before, (pair.position.key(), pair.position.board().clone()));
            if let Some((_, plies)) = found {
                halves += (pair.position.left() == 1) as usize;
                let turns = pair.clone().play_out(plies);
                wins[turns.min(wins.len()) - 1] += 1;
                break;
            }
            // Stones near others, mostly where lines meet.
            let near: Vec<Cell> = pair.position.board().near().iter().collect();
            let cells = if near.is_empty() { pair.grid.empty() } else { near };
            let tries = (0..3).map(|_| cells[below(seed, cells.len())]);
            let cell =
                tries.max_by_key(|&cell| pair.position.policy_score(Move::at(cell))).unwrap();
            pair.make(cell);
        }
    }
    assert!(enough(wins[1] > 10 && wins[2] > 5 && wins[3] + wins[4] > 3), "{wins:?}");
    assert!(enough(halves > 5), "{halves}");
}

#[test]
fn an_immediate_win_precedes_every_defence() {
    let rules = Rules { torus: false, pairs: Pairs::Any };
    let contest = Contest::new(Variant::Connect6(rules)).opened(OpeningId::Free).unwrap();
    let mut position = Connect6::new(rules, &contest, weights_by_hand(rules));
    for x in 5..9 {
        position.place(Cell::new(x, 4), Color::Black);
        position.place(Cell::new(x, 12), Color::White);
    }
    for (left, ends) in [(2, vec![3, 4, 9, 10]), (1, vec![])] {
        position.hand_to(Color::Black, left);
        let mut list = MoveList::new();
        position.moves(GenType::Main, &mut list);
        let cells: Vec<Cell> = list.iter().map(|entry| entry.m.cell()).collect();
        assert_eq!(cells, ends.iter().map(|&x| Cell::new(x, 4)).collect::<Vec<_>>());
        let lost = position.verdict() == Verdict::Loss(3);
        assert!(lost && left == 1 || position.verdict() == Verdict::Win(2) && left == 2);
    }
}

#[test]
fn restricted_pairs_are_not_solved() {
    let board = |pairs| {
        let rules = Rules { torus: false, pairs };
        let contest = Contest::new(Variant::Connect6(rules)).opened(OpeningId::Free).unwrap();
        let mut position = Connect6::new(rules, &contest, weights_by_hand(rules));
        // Four lines of three meet in the middle; White is far away.
        for (black, white) in
            [[(7, 9), (6, 9)], [(5, 9), (9, 7)], [(9, 6), (9, 5)], [(7, 7), (6, 6)]]
                .into_iter()
                .zip([[(0, 18), (18, 0)], [(0, 0), (18, 18)], [(0, 9), (2, 18)], [(18, 3), (3, 0)]])
        {
            for (x, y) in black.into_iter().chain(white) {
                let color = if black.contains(&(x, y)) { Color::Black } else { Color::White };
                position.place(Cell::new(x, y), color);
            }
        }
        position.hand_to(Color::Black, 2);
        position
    };
    let found = board(Pairs::Any).solve(&mut Meter::nodes(10_000));
    assert!(found.is_some_and(|(_, plies)| plies == 6), "{found:?}");
    assert_eq!(board(Pairs::Collinear).solve(&mut Meter::nodes(10_000)), None);
    assert_eq!(board(Pairs::Apart).solve(&mut Meter::nodes(10_000)), None);
}
