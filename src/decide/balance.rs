//! Balancing stones: stones that bring the score of a position near a given one, found by
//! successive halving. All candidates get a short search, the best quarter a longer one,
//! and so on; each stage has the same share of time and nodes. A separate search verifies the best.
//! Proven positions are chosen last, whatever the wanted score.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::search::search;
use crate::strength::excludes_more;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use goren_core::opening::{Action, Event, GameState};
use goren_core::types::{
    Cell, Color, PROVEN, Score, Symmetry, loss_in, plies_to_end, win_in, win_rate,
};
use goren_engine::{AnyPosition, Budget, Engine, Exclusions, Request, RootPosition};

/// The wanted balance.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balance {
    /// Whether to place one stone of each side; else one of the side to move.
    pub two: bool,
    /// The wanted score after the stones, for the side to move before them.
    pub bias: Score,
}

/// The stones found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Balanced {
    /// One or two cells, in the order of play.
    pub stones: Vec<Cell>,
    /// The score after them, for the side to move before them.
    pub score: Score,
    /// Whether the score was searched or is proven; else it is static.
    pub searched: bool,
}

impl Balanced {
    /// Whether the score is a proven win or loss.
    fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// Whether the score is near the wanted one.
    pub fn is_near(&self, bias: Score) -> bool {
        let off = (win_rate(self.score) - win_rate(bias)).abs();
        self.searched && !self.is_proven() && off <= NEAR
    }

    /// Sort key: by distance from the wanted score, proven ones last.
    fn off(&self, bias: Score) -> (bool, u32) {
        (self.is_proven(), self.score.abs_diff(bias))
    }
}

/// Largest difference of win rates that counts as near.
const NEAR: f64 = 0.1;
/// Time for the task if neither time nor nodes are limited.
const LONGEST: Duration = Duration::from_secs(10);
/// Maximum number of candidates of the first stage.
const MAX_CANDIDATES: usize = 4096;
/// One candidate in this many reaches the next stage.
const SIFT: usize = 4;
/// `SIFT` applies to more candidates than this.
const LAST: usize = 16;
/// Number of candidates of the last stage: a deeper search may reorder scores that are
/// close.
const FINAL: usize = 4;
/// Maximum number of candidates that are verified by a separate search. The first that is still the
/// best after it is the answer.
const CHECKS: usize = 8;
/// One part in this many of the time goes to static verdicts.
const STATIC_SHARE: u32 = 8;
/// Least time and nodes of a candidate.
const LEAST_SLICE: Duration = Duration::from_micros(400);
const LEAST_NODES: u64 = 16;
/// Greatest distance of a candidate from another stone.
const REACH: usize = 3;
/// Fixed, so that the same limits give the same stones.
const SEED: u64 = 0x0042_414c_414e_4345;

/// Finds stones that bring the score near the wanted one, or as near as possible (see
/// [`Balanced::is_near`]). If every stone ends the game, returns a single one that ends it, or
/// `None` if two are wanted. Returns `None` if all stones are excluded, and in games other than
/// five in a row.
pub(super) fn balance(
    game_state: &GameState,
    position: &mut dyn AnyPosition,
    engine: &mut Engine,
    wanted: Balance,
    request: &Request,
) -> Option<Balanced> {
    game_state.contest().setup()?;
    let found = BalanceSearch::new(game_state, position, engine, wanted, request).find();
    found.or_else(|| if wanted.two { None } else { last_stone(game_state, wanted.bias, request) })
}

/// A candidate that was searched.
#[derive(Clone)]
struct SearchedCandidate {
    found: Balanced,
    /// Whether a separate search has verified it.
    checked: bool,
}

/// Search for balancing stones.
struct BalanceSearch<'a> {
    game_state: &'a GameState,
    position: &'a mut dyn AnyPosition,
    wanted: Balance,
    engine: &'a mut Engine,
    request: &'a Request,
    /// Time for the whole task, from the start of the request; `None` if unlimited.
    time: Option<Duration>,
    /// Nodes spent.
    spent: u64,
}

impl<'a> BalanceSearch<'a> {
    fn new(
        game_state: &'a GameState,
        position: &'a mut dyn AnyPosition,
        engine: &'a mut Engine,
        wanted: Balance,
        request: &'a Request,
    ) -> BalanceSearch<'a> {
        let budget = request.budget.soft;
        let time = match budget {
            Duration::MAX => request.max_nodes.is_none().then_some(LONGEST),
            _ => Some(budget),
        };
        BalanceSearch { game_state, position, engine, request, wanted, time, spent: 0 }
    }

    /// Time and nodes left, where limited.
    fn left(&self) -> (Option<Duration>, Option<u64>) {
        let request = self.request;
        let time = self.time.map(|time| time.saturating_sub(request.started.elapsed()));
        let time = [time, request.control.left()].into_iter().flatten().min();
        (time, request.max_nodes.map(|nodes| nodes.saturating_sub(self.spent)))
    }

    /// Whether the task was stopped, or time or nodes are used up.
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
            queue.truncate(usize::try_from(room).unwrap_or(MAX_CANDIDATES).max(LAST));
        }
        if let Some(nodes) = nodes {
            let room = nodes / u64::from(count) / LEAST_NODES;
            queue.truncate(usize::try_from(room).unwrap_or(MAX_CANDIDATES).max(LAST));
        }
        let bias = self.wanted.bias;
        let mut ranked: Vec<SearchedCandidate> = Vec::new();
        while !queue.is_empty() {
            let scored = self.stage(&queue, ranked.is_empty());
            let (whole, count) = (scored.len() == queue.len(), next(queue.len()));
            // The latest stage is the most reliable, even if cut short: it began with the
            // best ones of the stage before.
            let newer: HashSet<Vec<Cell>> =
                scored.iter().map(|candidate| candidate.found.stones.clone()).collect();
            ranked.retain(|old| !newer.contains(&old.found.stones));
            ranked.splice(0..0, scored);
            if !whole && self.is_over() {
                break;
            }
            let open = ranked.iter().filter(|candidate| !candidate.found.is_proven());
            queue = open.take(count).map(|candidate| candidate.found.stones.clone()).collect();
        }
        self.check(&mut ranked);
        decided.extend(ranked.into_iter().map(|candidate| candidate.found).take(1));
        decided.into_iter().min_by_key(|found| found.off(bias))
    }

    /// Returns the candidates that do not end the game: first those to search, then those with a
    /// static verdict. Candidates for which there is no time are left to the search.
    fn static_verdicts(&mut self) -> (Vec<Vec<Cell>>, Vec<Balanced>) {
        let request = self.request;
        let candidates = candidates(self.game_state, self.wanted.two, request);
        let until = self.left().0.map(|time| request.started.elapsed() + time / STATIC_SHARE);
        let (mut open, mut decided) = (Vec::new(), Vec::new());
        for stones in candidates {
            let late = until.is_some_and(|until| request.started.elapsed() >= until);
            if late || request.control.stopped() {
                open.push(stones);
                continue;
            }
            if !self.goes_on_after(&stones) {
                continue;
            }
            // A verdict may rest on a move that the user excludes.
            let exclusions = exclusions_after(&request.exclusions, &stones);
            let verdict = if excludes_more(&exclusions) { None } else { self.position.verdict() };
            match verdict {
                Some(score) => {
                    let score = before(score, stones.len());
                    decided.push(Balanced { stones, score, searched: true });
                }
                None => open.push(stones),
            }
        }
        (open, decided)
    }

    /// Sets the position after stones of both sides in turn. Returns whether the game goes on
    /// there.
    fn goes_on_after(&mut self, stones: &[Cell]) -> bool {
        let mut root = RootPosition::from(self.game_state);
        for &cell in stones {
            root.events.push(Event::Stone(cell, root.to_move));
            root.to_move = !root.to_move;
        }
        self.position.set(&root);
        self.position.outcome().is_none()
    }

    /// Searches the candidates of a stage with equal shares of its limits, and sorts
    /// them. `any`: at least one is searched even if time is up.
    fn stage(&mut self, queue: &[Vec<Cell>], any: bool) -> Vec<SearchedCandidate> {
        let shares = 1 + stages(queue.len()) as u32;
        let (time, nodes) = self.left();
        let time = time.map(|time| time / shares);
        let nodes = nodes.map(|nodes| nodes / u64::from(shares) / queue.len() as u64);
        let started_at = Instant::now();
        let mut scored: Vec<SearchedCandidate> = Vec::with_capacity(queue.len());
        for (i, stones) in queue.iter().enumerate() {
            let over = time.is_some_and(|time| started_at.elapsed() >= time);
            if (over || self.request.control.stopped()) && !(any && scored.is_empty()) {
                break;
            }
            let rest = (queue.len() - i) as u32;
            let slice = time.map(|time| time.saturating_sub(started_at.elapsed()) / rest);
            if let Some(found) = self.evaluate(stones, slice, nodes) {
                scored.push(SearchedCandidate { found, checked: false });
            }
        }
        scored.sort_by_key(|candidate| candidate.found.off(self.wanted.bias));
        scored
    }

    /// Searches the best candidate alone, with more time. If its score moves away from
    /// the wanted one, the next candidate takes its place and is searched in turn.
    fn check(&mut self, ranked: &mut [SearchedCandidate]) {
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
            ranked[0] = SearchedCandidate { found, checked: true };
            let bias = self.wanted.bias;
            let place = ranked[1..]
                .partition_point(|other| other.found.off(bias) < ranked[0].found.off(bias));
            ranked[..=place].rotate_left(1);
        }
    }

    /// Searches the position after some stones. Returns them with the score for the side to move
    /// before them, or `None` if they end the game.
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
            // Root moves and known results are about the position before the stones.
            root_moves: Vec::new(),
            exclusions: exclusions_after(&self.request.exclusions, stones),
            known_results: Vec::new(),
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

/// Converts a score after `stones` plies to the side to move before them. A proven result
/// is that many plies farther away.
fn before(score: Score, stones: usize) -> Score {
    let score = if stones % 2 == 1 { -score } else { score };
    match plies_to_end(score) {
        None => score,
        Some(plies) if score > 0 => win_in(plies + stones),
        Some(plies) => loss_in(plies + stones),
    }
}

/// Returns the stone that ends the game with the score nearest to `bias`, so that the client gets
/// an answer.
fn last_stone(game_state: &GameState, bias: Score, request: &Request) -> Option<Balanced> {
    let mover = game_state.to_move();
    let ending = |cell: Cell| {
        if is_excluded(request, mover, cell) {
            return None;
        }
        let mut next = game_state.clone();
        next.apply(&Action::stone(cell)).ok()?;
        let score = match next.result()?.colors[..] {
            [color] if color == mover => win_in(1),
            [_] => loss_in(1),
            _ => 0,
        };
        Some(Balanced { stones: vec![cell], score, searched: true })
    };
    let found = game_state.empty().into_iter().filter_map(ending);
    found.min_by_key(|found| found.score.abs_diff(bias))
}

/// Number of candidates of the next stage; 0 if there is none.
fn next(count: usize) -> usize {
    if count <= FINAL {
        0
    } else if count <= LAST {
        FINAL
    } else {
        count / SIFT
    }
}

/// Number of stages, beginning with `count` candidates.
fn stages(count: usize) -> usize {
    std::iter::successors(Some(count), |&n| Some(next(n)).filter(|&n| n > 0)).count()
}

/// Whether the user excludes a stone as the next one of a colour.
fn is_excluded(request: &Request, color: Color, cell: Cell) -> bool {
    let exclusions = &request.exclusions;
    exclusions.root_moves.contains(&cell)
        || exclusions.cells[color.index()].contains(cell)
        || is_sequence(exclusions, &[cell])
}

/// Whether the stones are a sequence that the user excludes.
fn is_sequence(exclusions: &Exclusions, stones: &[Cell]) -> bool {
    exclusions.sequences.iter().any(|sequence| sequence.as_slice() == stones)
}

/// Returns the exclusions after stones of both sides in turn: the cells, and the rest of each
/// sequence that contains the stones. Excluded root moves apply to the first stone alone.
fn exclusions_after(exclusions: &Exclusions, stones: &[Cell]) -> Exclusions {
    let rest = |sequence: &Vec<Cell>| rest_of(sequence, stones);
    Exclusions {
        root_moves: Vec::new(),
        cells: exclusions.cells,
        sequences: exclusions.sequences.iter().filter_map(rest).collect(),
    }
}

/// Returns the rest of a sequence after some of its moves; `None` if the stones are no part of it.
/// The moves before the last one may come in any order, as long as each stays with its side.
fn rest_of(sequence: &[Cell], stones: &[Cell]) -> Option<Vec<Cell>> {
    let mut moves = sequence.to_vec();
    let last = moves.len().checked_sub(1)?;
    for (i, stone) in stones.iter().enumerate() {
        let at = (i..last).step_by(2).find(|&at| moves[at] == *stone)?;
        moves.swap(i, at);
    }
    Some(moves.split_off(stones.len()))
}

/// Returns single stones, or pairs of one stone of each side, near stones on the board, or anywhere
/// if all near cells are excluded; one of each set of symmetric images.
fn candidates(game_state: &GameState, two: bool, request: &Request) -> Vec<Vec<Cell>> {
    let Some(setup) = game_state.contest().setup() else { return Vec::new() };
    let (stones, to_move) = (game_state.placed(), game_state.to_move());
    let close = |a: Cell, b: Cell| a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y())) <= REACH;
    let all = || (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    let free = |cell: &Cell| stones.iter().all(|&(at, _)| at != *cell);
    let near = |cell: &Cell| stones.is_empty() || stones.iter().any(|&(at, _)| close(at, *cell));
    let exclusions = &request.exclusions;
    let allowed = |cell: &Cell| free(cell) && !is_excluded(request, to_move, *cell);
    let mut firsts: Vec<Cell> = all().filter(|c| allowed(c) && near(c)).collect();
    if firsts.is_empty() {
        firsts = all().filter(allowed).collect();
    }
    let mut symmetries: Vec<Symmetry> =
        Symmetry::keeping(setup.width, setup.height, &stones).collect();
    if !exclusions.root_moves.is_empty() || excludes_more(exclusions) {
        // The images of an excluded move are not excluded, so only the identity may be
        // used.
        symmetries.truncate(1);
    }
    let is_canonical = |stones: &[Cell]| {
        let image = |s: &Symmetry| stones.iter().map(|&cell| s.apply(cell)).collect::<Vec<_>>();
        symmetries.iter().all(|symmetry| image(symmetry)[..] >= stones[..])
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
                && !is_sequence(exclusions, &[first, *c])
                && (close(first, *c) || !stones.is_empty() && near(c))
        });
        found.extend(answers.map(|second| vec![first, second]));
    }
    found.retain(|stones| is_canonical(stones));
    // If there is no time for all, a random selection is searched.
    found.shuffle(&mut SmallRng::seed_from_u64(SEED));
    found.truncate(MAX_CANDIDATES);
    found
}
