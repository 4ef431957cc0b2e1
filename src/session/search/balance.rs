//! Balancing stones: stones that bring a position near a given score, by
//! successive halving. All candidates get a short search, the best quarter a
//! longer one, and so on, each stage with the same share of time and nodes; the
//! last one is searched alone. Proven positions are the last choice for any
//! score.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::advice::twins::symmetries;
use crate::decide::search;
use goren_core::opening::{Action, Event, GameState};
use goren_core::types::{Cell, PROVEN, Score, Symmetry, loss_in, plies_to_end, win_in, win_rate};
use goren_engine::{AnyPosition, Budget, Engine, Request, RootPosition};

/// The balance to reach.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Whether a stone of either side is placed, or one of the side to move.
    pub two: bool,
    /// The score to reach after the stones, for the side to move before them.
    pub bias: Score,
}

/// The stones found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balanced {
    /// One or two cells, in order.
    pub stones: Vec<Cell>,
    /// The score after them, for the side to move before.
    pub score: Score,
    /// Whether that score comes from a search or is proven.
    pub searched: bool,
}

impl Balanced {
    /// Whether the result is proven, so that the position is not balanced.
    fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// Whether the score is near the one to reach.
    pub fn is_near(&self, bias: Score) -> bool {
        let off = (win_rate(self.score) - win_rate(bias)).abs();
        self.searched && !self.is_proven() && off <= NEAR
    }

    /// Sort key: nearest first, proven ones last.
    fn off(&self, bias: Score) -> (bool, u32) {
        (self.is_proven(), self.score.abs_diff(bias))
    }
}

/// Win rates that differ by no more than this are about the same.
const NEAR: f64 = 0.1;
/// Longest search without a limit of time or nodes.
const LONGEST: Duration = Duration::from_secs(10);
/// Most candidates of the first stage.
const MOST: usize = 4096;
/// One in so many candidates reaches the next stage.
const SIFT: usize = 4;
/// Down to so many.
const LAST: usize = 16;
/// So many of those are searched again, as a deeper search moves the scores of all
/// that seemed near.
const FINAL: usize = 4;
/// At most so many finalists: the first that is still near in a search of its own is
/// the answer.
const CHECKS: usize = 8;
/// Share of the time for static verdicts: one in so many.
const STATIC_SHARE: u32 = 8;
/// Least time and nodes of a candidate.
const LEAST_SLICE: Duration = Duration::from_micros(400);
const LEAST_NODES: u64 = 16;
/// Candidates stand at most so far from another stone.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same stones.
const SEED: u64 = 0x0042_414c_414e_4345;

/// Stones that bring the score near the one to reach, or as near as possible
/// ([`Balanced::is_near`]). If every stone ends the game, a single one that does;
/// `None` for two.
pub fn balance(
    game_state: &GameState,
    position: &mut dyn AnyPosition,
    engine: &mut Engine,
    wanted: Balance,
    request: &Request,
) -> Option<Balanced> {
    let found = Seek::new(game_state, position, engine, wanted, request).find();
    found.or_else(|| if wanted.two { None } else { last_stone(game_state, wanted.bias) })
}

/// A candidate that was searched.
#[derive(Clone)]
struct Tried {
    found: Balanced,
    /// Whether it had a search of its own.
    checked: bool,
}

/// Candidates after the one stage or the other.
struct Seek<'a> {
    game_state: &'a GameState,
    position: &'a mut dyn AnyPosition,
    wanted: Balance,
    engine: &'a mut Engine,
    request: &'a Request,
    /// The time for all of it, from the start of the request.
    time: Option<Duration>,
    /// Nodes spent so far.
    spent: u64,
}

impl<'a> Seek<'a> {
    fn new(
        game_state: &'a GameState,
        position: &'a mut dyn AnyPosition,
        engine: &'a mut Engine,
        wanted: Balance,
        request: &'a Request,
    ) -> Seek<'a> {
        let budget = request.budget.soft;
        let time = match budget {
            Duration::MAX => request.max_nodes.is_none().then_some(LONGEST),
            _ => Some(budget),
        };
        Seek { game_state, position, engine, request, wanted, time, spent: 0 }
    }

    /// Remaining time and nodes, where limited.
    fn left(&self) -> (Option<Duration>, Option<u64>) {
        let request = self.request;
        let end = [self.time, request.control.latest_end()].into_iter().flatten().min();
        let time = end.map(|end| end.saturating_sub(request.started.elapsed()));
        (time, request.max_nodes.map(|nodes| nodes.saturating_sub(self.spent)))
    }

    /// Whether the search was stopped, or its time or nodes are up.
    fn is_over(&self) -> bool {
        let (time, nodes) = self.left();
        self.request.control.stopped() || time == Some(Duration::ZERO) || nodes == Some(0)
    }

    fn find(&mut self) -> Option<Balanced> {
        let (mut queue, mut decided) = self.static_verdicts();
        let count = stages(queue.len()) as u32;
        let (time, nodes) = self.left();
        if let Some(time) = time {
            let room = (time / count).as_nanos() / LEAST_SLICE.as_nanos();
            queue.truncate(usize::try_from(room).unwrap_or(MOST).max(LAST));
        }
        if let Some(nodes) = nodes {
            let room = nodes / u64::from(count) / LEAST_NODES;
            queue.truncate(usize::try_from(room).unwrap_or(MOST).max(LAST));
        }
        let bias = self.wanted.bias;
        let mut ranked: Vec<Tried> = Vec::new();
        while !queue.is_empty() {
            let scored = self.stage(&queue, ranked.is_empty());
            let (whole, count) = (scored.len() == queue.len(), next(queue.len()));
            // The newest stage knows most, even if it was cut short: it began
            // with what the one before liked best.
            let newer: HashSet<Vec<Cell>> =
                scored.iter().map(|tried| tried.found.stones.clone()).collect();
            ranked.retain(|old| !newer.contains(&old.found.stones));
            ranked.splice(0..0, scored);
            if !whole && self.is_over() {
                break;
            }
            let open = ranked.iter().filter(|tried| !tried.found.is_proven());
            queue = open.take(count).map(|tried| tried.found.stones.clone()).collect();
        }
        self.check(&mut ranked);
        decided.extend(ranked.into_iter().map(|tried| tried.found).take(1));
        decided.into_iter().min_by_key(|found| found.off(bias))
    }

    /// The candidates that do not end the game; those with a static verdict apart.
    fn static_verdicts(&mut self) -> (Vec<Vec<Cell>>, Vec<Balanced>) {
        let request = self.request;
        let candidates = candidates(self.game_state, self.wanted.two, request);
        let until = self.left().0.map(|time| request.started.elapsed() + time / STATIC_SHARE);
        let (mut open, mut decided) = (Vec::new(), Vec::new());
        for stones in candidates {
            let late = until.is_some_and(|until| request.started.elapsed() >= until);
            if !self.goes_on_after(&stones) {
                continue;
            }
            match self.position.verdict().filter(|_| !late) {
                Some(score) => {
                    let score = before(score, stones.len());
                    decided.push(Balanced { stones, score, searched: true });
                }
                None => open.push(stones),
            }
        }
        (open, decided)
    }

    /// Sets the position after some stones of both sides by turns. Whether the game goes
    /// on there.
    fn goes_on_after(&mut self, stones: &[Cell]) -> bool {
        let mut root = RootPosition::from(self.game_state);
        for &cell in stones {
            root.events.push(Event::Stone(cell, root.to_move));
            root.to_move = !root.to_move;
        }
        self.position.set(&root);
        self.position.outcome().is_none()
    }

    /// Searches the candidates of a stage, each with the same share of the rest, and
    /// sorts them. `any`: at least one.
    fn stage(&mut self, queue: &[Vec<Cell>], any: bool) -> Vec<Tried> {
        let shares = 1 + stages(queue.len()) as u32;
        let (time, nodes) = self.left();
        let time = time.map(|time| time / shares);
        let nodes = nodes.map(|nodes| nodes / u64::from(shares) / queue.len() as u64);
        let begun = Instant::now();
        let mut scored: Vec<Tried> = Vec::with_capacity(queue.len());
        for (i, stones) in queue.iter().enumerate() {
            let over = time.is_some_and(|time| begun.elapsed() >= time);
            if (over || self.request.control.stopped()) && !(any && scored.is_empty()) {
                break;
            }
            let rest = (queue.len() - i) as u32;
            let slice = time.map(|time| time.saturating_sub(begun.elapsed()) / rest);
            if let Some(found) = self.evaluate(stones, slice, nodes) {
                scored.push(Tried { found, checked: false });
            }
        }
        scored.sort_by_key(|tried| tried.found.off(self.wanted.bias));
        scored
    }

    /// Gives the best a search of its own, and the next if its score moved away.
    fn check(&mut self, ranked: &mut [Tried]) {
        for _ in 0..CHECKS {
            let (time, nodes) = self.left();
            let Some(best) = ranked.first().filter(|best| !best.checked) else { return };
            if self.is_over() || best.found.is_proven() {
                return;
            }
            let stones = best.found.stones.clone();
            let half = (time.map(|time| time / 2), nodes.map(|nodes| nodes / 2));
            let found = self.evaluate(&stones, half.0, half.1);
            let Some(found) = found.filter(|found| found.searched) else { return };
            ranked[0] = Tried { found, checked: true };
            let bias = self.wanted.bias;
            let place = ranked[1..]
                .partition_point(|other| other.found.off(bias) < ranked[0].found.off(bias));
            ranked[..=place].rotate_left(1);
        }
    }

    /// The score after some stones, for the side to move before them; `None` if the
    /// game is over then.
    fn evaluate(
        &mut self,
        stones: &[Cell],
        slice: Option<Duration>,
        nodes: Option<u64>,
    ) -> Option<Balanced> {
        let request = Request {
            budget: slice.map_or(Budget::UNLIMITED, Budget::per_move),
            started: Instant::now(),
            max_nodes: nodes.map(|nodes| nodes.max(1)),
            multi_pv: 1,
            defend: false,
            move_only: false,
            ..self.request.clone()
        };
        if !self.goes_on_after(stones) {
            return None;
        }
        let info = search(self.engine, &*self.position, &request, &mut |_| {}).info;
        self.spent += info.nodes;
        let score = before(info.score, stones.len());
        Some(Balanced { stones: stones.to_vec(), score, searched: info.searched().is_some() })
    }
}

/// A score after so many stones, for the side to move before them. The sides
/// take turns, and a proven end is so many plies farther away.
fn before(score: Score, stones: usize) -> Score {
    let score = if stones % 2 == 1 { -score } else { score };
    match plies_to_end(score) {
        None => score,
        Some(plies) if score > 0 => win_in(plies + stones),
        Some(plies) => loss_in(plies + stones),
    }
}

/// The stone that ends the game with the nearest score, so that the client gets an
/// answer.
fn last_stone(game_state: &GameState, bias: Score) -> Option<Balanced> {
    let mover = game_state.to_move();
    let ending = |cell: Cell| {
        let mut next = game_state.clone();
        next.apply(&Action::stone(cell)).ok()?;
        let score = match next.result().map(|result| &result.colors[..]) {
            Some(&[color]) if color == mover => win_in(1),
            Some(&[_]) => loss_in(1),
            _ => 0,
        };
        Some(Balanced { stones: vec![cell], score, searched: true })
    };
    let found = game_state.empty().into_iter().filter_map(ending);
    found.min_by_key(|found| found.score.abs_diff(bias))
}

/// Number of candidates of the next stage.
fn next(count: usize) -> usize {
    if count <= FINAL {
        0
    } else if count <= LAST {
        FINAL
    } else {
        count / SIFT
    }
}

/// Number of stages from so many candidates on.
fn stages(count: usize) -> usize {
    std::iter::successors(Some(count), |&n| Some(next(n)).filter(|&n| n > 0)).count()
}

/// Single stones, or one of either side, near those on the board, one of all
/// that are the same by symmetry.
fn candidates(game_state: &GameState, two: bool, request: &Request) -> Vec<Vec<Cell>> {
    let Some(setup) = game_state.contest().setup() else { return Vec::new() };
    let (stones, to_move) = (game_state.placed(), game_state.to_move());
    let close = |a: Cell, b: Cell| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) <= REACH;
    let all = || (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let free = |cell: &Cell| stones.iter().all(|&(at, _)| at != *cell);
    let near = |cell: &Cell| stones.is_empty() || stones.iter().any(|&(at, _)| close(at, *cell));
    let exclusions = &request.exclusions;
    let allowed = |cell: &Cell| {
        !exclusions.here.contains(cell) && !exclusions.cells[to_move.index()].contains(*cell)
    };
    let firsts: Vec<Cell> = all().filter(|c| free(c) && near(c) && allowed(c)).collect();
    let mut same = symmetries(setup, &stones);
    if !exclusions.here.is_empty() || exclusions.cells.iter().any(|cells| !cells.is_empty()) {
        // Symmetric images of an excluded move are not excluded.
        same.truncate(1);
    }
    let least = |stones: &[Cell]| {
        let image = |s: &Symmetry| stones.iter().map(|&cell| s.apply(cell)).collect::<Vec<_>>();
        same.iter().all(|symmetry| image(symmetry)[..] >= stones[..])
    };
    let mut found: Vec<Vec<Cell>> = Vec::new();
    for &first in &firsts {
        if !two {
            found.push(vec![first]);
            continue;
        }
        let answers = all().filter(|c| {
            *c != first
                && free(c)
                && !exclusions.cells[(!to_move).index()].contains(*c)
                && (close(first, *c) || !stones.is_empty() && near(c))
        });
        found.extend(answers.map(|second| vec![first, second]));
    }
    found.retain(|stones| least(stones));
    // Where there is no time for all, some from everywhere.
    found.shuffle(&mut SmallRng::seed_from_u64(SEED));
    found.truncate(MOST);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Contest, RuleId, Setup};
    use goren_core::types::{Color, Stone};
    use goren_engine::{Hash, WeightSet, position_of, stack};

    fn contest(side: usize) -> Contest {
        Contest::five(Setup::new(RuleId::Freestyle, side, side).unwrap())
    }

    fn game(side: usize, stones: &[(usize, usize)]) -> GameState {
        let mut game = GameState::new(contest(side));
        for &(x, y) in stones {
            game.apply(&Action::stone(Cell::new(x, y))).unwrap();
        }
        game
    }

    fn find(stones: &[(usize, usize)], wanted: Balance, nodes: u64) -> (Balanced, Score) {
        let game = game(15, stones);
        let mut position = position_of(&game, &WeightSet::default());
        let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
        let request = Request::nodes(nodes);
        let found = balance(&game, &mut *position, &mut engine, wanted, &request).unwrap();
        // What a search of its own says, from nothing.
        let mut fresh = Engine::with_hash(Hash::exactly(1 << 20));
        let request = Request::nodes(20_000);
        let mut seek = Seek::new(&game, &mut *position, &mut fresh, wanted, &request);
        let score = seek.evaluate(&found.stones, None, Some(20_000)).unwrap().score;
        (found, score)
    }

    #[test]
    fn one_stone_and_two_bring_about_what_is_wanted() {
        stack::run(|| {
            for bias in [-100, 0, 100] {
                let (found, score) = find(&[], Balance { two: false, bias }, 60_000);
                assert_eq!(found.stones.len(), 1);
                if bias == 0 {
                    assert!(score.abs() < 60, "{found:?}: {score}");
                }
            }
            let opening = [(7, 7), (8, 6)];
            let mut scores = Vec::new();
            for bias in [-150, 0, 150] {
                let (found, score) = find(&opening, Balance { two: true, bias }, 150_000);
                assert_eq!(found.stones.len(), 2);
                assert!(found.score.abs_diff(bias) < 60, "{bias}: {found:?}");
                scores.push(score);
            }
            assert!(scores.is_sorted(), "{scores:?}");
        })
        .unwrap();
    }

    #[test]
    fn candidates_differ_by_more_than_symmetry() {
        let request = Request::default();
        // One of eight triangles of the empty board.
        assert_eq!(candidates(&game(15, &[]), false, &request).len(), 36);
        let one = game(15, &[(7, 7)]);
        // Within three steps: 1 + 2 + 3 orbits on the axes and diagonals, and
        // between them.
        assert_eq!(candidates(&one, false, &request).len(), 9);
        let pairs = candidates(&one, true, &request);
        assert!(pairs.iter().all(|pair| pair.len() == 2 && pair[0] != pair[1]));
        assert!(!pairs.is_empty() && pairs.len() <= MOST);
    }

    #[test]
    fn where_nothing_goes_on_a_stone_ends_the_game() {
        stack::run(|| {
            let black = [0, 1, 2, 4, 8, 10, 12, 14, 16, 18, 21, 23];
            let stones: Vec<_> = (0..24)
                .map(|i| {
                    let color = if black.contains(&i) { Color::Black } else { Color::White };
                    (Cell::new(i % 5, i / 5), Stone::Of(color))
                })
                .collect();
            let game = GameState::from_list(contest(5), &stones, Color::Black).unwrap();
            let mut position = position_of(&game, &WeightSet::default());
            let mut engine = Engine::with_hash(Hash::exactly(1 << 16));
            let request = Request::default();
            let mut found = |two| {
                let wanted = Balance { two, bias: 0 };
                balance(&game, &mut *position, &mut engine, wanted, &request)
            };
            let last = Balanced { stones: vec![Cell::new(4, 4)], score: 0, searched: true };
            assert_eq!(found(false), Some(last));
            assert_eq!(found(true), None);
        })
        .unwrap();
    }
}
