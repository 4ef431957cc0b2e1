//! A decision in progress: its limits and its searches.

use std::time::{Duration, Instant};

use super::sample::{after, stones_due};
use super::search::search;
use super::strength::{Strength, seed_of};
use goren_core::opening::{Action, Choice, Event, GameState, PendingDecision, Zone};
use goren_core::types::{Cell, Color, Score, win_in};
use goren_engine::{Answer, Budget, Engine, Info, Replayed, Report, Request, RootPosition};

/// Longest time for what an opening asks besides a move, however much
/// time there is.
const LONGEST: Duration = Duration::from_secs(10);
/// Part of the time of a turn of two stones that the first one gets.
const FIRST_STONE: f64 = 0.6;
/// Fifths looked at, besides those to be offered.
const SPARE_FIFTHS: usize = 10;

/// A decision in progress.
pub(super) struct DecisionSearch<'a> {
    position: &'a mut dyn Replayed,
    engine: &'a mut Engine,
    request: &'a Request,
    /// The time for it, counted from its start; `None` without a clock.
    time: Option<Duration>,
    /// Nodes left for it, if they are bounded.
    nodes: Option<u64>,
    /// How well moves of the game itself are played, and the number of the game.
    strength: (Strength, u64),
    /// What the last search knew.
    pub(super) info: Info,
    /// What the ways to go on are worth.
    pub(super) why: Vec<String>,
}

impl<'a> DecisionSearch<'a> {
    pub(super) fn new(
        position: &'a mut dyn Replayed,
        engine: &'a mut Engine,
        request: &'a Request,
        strength: (Strength, u64),
    ) -> DecisionSearch<'a> {
        let budget = request.budget;
        DecisionSearch {
            position,
            engine,
            request,
            time: (budget.soft != Duration::MAX).then_some(budget.soft),
            nodes: request.max_nodes,
            strength,
            info: Info::NOTHING,
            why: Vec::new(),
        }
    }

    /// The time left of the whole search, or of its part in an opening; `None`
    /// without a clock.
    fn left(&self, opening: bool) -> Option<Duration> {
        let request = self.request;
        let bounded = request.max_nodes.is_some() || request.max_depth.is_some();
        // Nobody waits for ever for an opening.
        let longest = (opening && (self.time.is_some() || !bounded)).then_some(LONGEST);
        let ends = [self.time, longest, self.request.control.latest_end()];
        let end = ends.into_iter().flatten().min()?;
        Some(end.saturating_sub(request.started.elapsed()))
    }

    /// Whether a clock of the client runs.
    pub(super) fn has_clock(&self) -> bool {
        self.request.budget.hard != Duration::MAX
    }

    /// Whether time or nodes are limited, so that searches share them.
    pub(super) fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.left(true).is_some()
    }

    /// Whether what is known by now has to do.
    pub(super) fn is_spent(&self) -> bool {
        self.request.control.stopped() || self.left(true) == Some(Duration::ZERO)
    }

    /// Bounds of one of `parts` equal parts of what is left for an opening.
    pub(super) fn part(&self, parts: usize) -> Request {
        self.share(true, 1.0 / parts.max(1) as f64)
    }

    /// Bounds of a share of what is left, for a search whose score is used.
    fn share(&self, opening: bool, share: f64) -> Request {
        let left = self.left(opening);
        let part = |left: Duration| Budget::per_move(left.mul_f64(share));
        let budget = left.map_or(Budget::UNLIMITED, part);
        let max_nodes = self.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1));
        let request = self.request.clone();
        Request { budget, started: Instant::now(), max_nodes, move_only: false, ..request }
    }

    /// Searches, and notes what it cost.
    pub(super) fn search(
        &mut self,
        root: &RootPosition,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        self.run(root, request, Strength::FULL, report)
    }

    /// The same at some strength.
    fn run(
        &mut self,
        root: &RootPosition,
        request: &Request,
        strength: Strength,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        self.position.set(root);
        let answer = if strength.is_full() {
            search(self.engine, &*self.position, request, report)
        } else {
            let stones = root.events.iter().filter_map(|event| match *event {
                Event::Stone(cell, _) => Some(cell),
                Event::Pass => None,
            });
            let seed = seed_of(stones, self.strength.1);
            strength.think(seed, &*self.position, self.engine, request, report)
        };
        self.nodes = self.nodes.map(|nodes| nodes.saturating_sub(answer.info.nodes));
        self.info = answer.info.clone();
        answer
    }

    /// A turn of the game itself, within its zone and without some cells.
    /// `weighed` says that its score is used as well.
    pub(super) fn turn(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        avoid: &[Cell],
        weighed: bool,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Action> {
        let [Choice::Stones { colors, zone, .. }] = &pending.choices[..] else { return None };
        let mut placed: Vec<Cell> = Vec::new();
        for left in (1..=colors.len()).rev() {
            let root_moves: Vec<Cell> = match zone {
                Zone::Anywhere if avoid.is_empty() => Vec::new(),
                _ if colors.len() == 1 => {
                    let cells = game_state.placements().into_iter();
                    cells.filter(|cell| !avoid.contains(cell)).collect()
                }
                _ => {
                    let free =
                        |cell: &Cell| game_state.in_pair_zone(*cell) && !placed.contains(cell);
                    game_state.empty().into_iter().filter(free).collect()
                }
            };
            if root_moves.is_empty() && !(*zone == Zone::Anywhere && avoid.is_empty()) {
                return None;
            }
            let request = match colors.len() {
                1 if avoid.is_empty() => self.request.clone(),
                1 => self.share(false, 1.0),
                _ => self.share(false, if left > 1 { FIRST_STONE } else { 1.0 }),
            };
            let root = RootPosition::of(game_state, &placed, pending.color, left);
            let move_only = self.request.move_only && !weighed;
            let request = Request { root_moves, move_only, ..request };
            let answer = self.run(&root, &request, self.strength.0, report);
            let fits = |cell: &Cell| {
                let cells = [&placed[..], &[*cell]].concat();
                left > 1 || after(game_state, &Action::stones(&cells)).is_some()
            };
            let best = answer.best.is_some().then(|| answer.best.cell()).filter(fits);
            // After a stone that wins the turn has to be filled all the same.
            let any =
                || game_state.empty().into_iter().find(|cell| !placed.is_empty() && fits(cell));
            let cell = best.or_else(any)?;
            placed.push(cell);
        }
        Some(Action::stones(&placed))
    }

    /// What a position is worth to the owner of the colour to move, as far as
    /// the board goes. One for which no time is left counts as level.
    pub(super) fn value(&mut self, game_state: &GameState, parts: usize) -> Score {
        if let Some(result) = game_state.result() {
            return match result.colors[..] {
                [color] if color == game_state.to_move() => win_in(0),
                [_] => -win_in(0),
                _ => 0,
            };
        }
        let root = RootPosition::of(game_state, &[], game_state.to_move(), stones_due(game_state));
        let request = self.part(parts);
        self.search(&root, &request, &mut |_| {}).info.searched().unwrap_or(0)
    }

    /// The best stone for the colour to move; `None` if there is none.
    pub(super) fn best_stone(&mut self, game_state: &GameState, parts: usize) -> Option<Cell> {
        let root = RootPosition::of(game_state, &[], game_state.to_move(), 1);
        let request = self.part(parts);
        let best = self.search(&root, &request, &mut |_| {}).best;
        best.is_some().then(|| best.cell())
    }

    /// Fifths that differ by more than symmetry, the best for Black first: at
    /// least `count` of them if there are so many, with their worth to Black.
    pub(super) fn fifths(
        &mut self,
        game_state: &GameState,
        count: usize,
        parts: usize,
    ) -> Vec<(Cell, Score)> {
        let stones = game_state.stones();
        let away = |cell: &Cell| {
            let far = |&(stone, _): &(Cell, Color)| {
                cell.x().abs_diff(stone.x()).pow(2) + cell.y().abs_diff(stone.y()).pow(2)
            };
            (stones.iter().map(far).sum::<usize>(), *cell)
        };
        let mut cells = game_state.empty();
        cells.sort_by_key(away);
        let mut distinct: Vec<Cell> = Vec::new();
        for cell in cells {
            if distinct.len() == count + SPARE_FIFTHS {
                break;
            }
            distinct.push(cell);
            if game_state.has_twins(&distinct) {
                distinct.pop();
            }
        }
        let number = distinct.len();
        let mut fifths: Vec<(Cell, Score)> = Vec::new();
        for (i, cell) in distinct.into_iter().enumerate() {
            // Those for which no time is left count as level.
            let score = if self.is_spent() {
                0
            } else {
                let request = self.part(parts * (number - i));
                -self.answer_to_fifth(game_state, cell, &request).info.searched().unwrap_or(0)
            };
            fifths.push((cell, score));
        }
        fifths.sort_by_key(|&(cell, score)| (-score, cell));
        fifths
    }

    /// What White answers to a fifth.
    pub(super) fn answer_to_fifth(
        &mut self,
        game_state: &GameState,
        fifth: Cell,
        request: &Request,
    ) -> Answer {
        let mut root = RootPosition::of(game_state, &[], Color::White, 1);
        root.events.push(Event::Stone(fifth, Color::Black));
        self.search(&root, request, &mut |_| {})
    }
}
