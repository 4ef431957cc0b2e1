//! A decision in progress: its limits and its searches.

use std::time::{Duration, Instant};

use super::sample::after;
use super::search::search;
use super::strength::Strength;
use super::way::Worth;
use goren_core::opening::{Action, Choice, Event, GameState, PendingDecision, Zone};
use goren_core::types::{Cell, Color, Score, win_in};
use goren_engine::{Answer, AnyPosition, Budget, Engine, Info, Report, Request, RootPosition};

/// Longest time for what an opening asks besides a move, however much
/// time there is.
const LONGEST: Duration = Duration::from_secs(30);
/// Part of the time of a turn of two stones that the first one gets.
const FIRST_STONE: f64 = 0.6;
/// Fifths looked at, besides those to be offered.
const SPARE_FIFTHS: usize = 10;
/// Those looked at again, besides those to be offered.
const SPARE_FINALISTS: usize = 3;
/// A clock of the match gives the choice of a colour, and the stones that the other
/// seat chooses from, so many times the time of a move: they decide the game.
const DECISIVE: f64 = 2.5;
/// The part of the largest time for a move that they may take.
const LARGEST_PART: f64 = 0.9;

/// What a turn is searched for.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Effort {
    /// The move.
    Move,
    /// The move and its score.
    Score,
    /// The score, in a share of what is left for an opening.
    Share(f64),
}

/// A decision in progress.
pub(super) struct DecisionSearch<'a> {
    position: &'a mut dyn AnyPosition,
    engine: &'a mut Engine,
    request: &'a Request,
    /// The time for it, counted from its start; `None` without a clock.
    time: Option<Duration>,
    /// Nodes left for it, if they are bounded.
    nodes: Option<u64>,
    /// A strength below the full one for turns of the game itself, and the seed of its
    /// choices.
    weakness: Option<(Strength, u64)>,
    /// What the last search knew.
    pub(super) info: Info,
    /// What the ways to go on are worth.
    pub(super) why: Vec<Worth>,
}

impl<'a> DecisionSearch<'a> {
    pub(super) fn new(
        position: &'a mut dyn AnyPosition,
        engine: &'a mut Engine,
        request: &'a Request,
        weakness: Option<(Strength, u64)>,
    ) -> DecisionSearch<'a> {
        let budget = request.budget;
        DecisionSearch {
            position,
            engine,
            request,
            time: (budget.soft != Duration::MAX).then_some(budget.soft),
            nodes: request.max_nodes,
            weakness,
            info: Info::NOTHING,
            why: Vec::new(),
        }
    }

    /// Gives a decision that settles the colours its share of the clock.
    pub(super) fn take_a_decisive_share(&mut self) {
        let budget = self.request.budget;
        if budget.saves {
            let most = budget.hard.mul_f64(LARGEST_PART).max(budget.soft);
            self.time = Some(budget.soft.mul_f64(DECISIVE).min(most));
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

    /// For how many searches of at least some time or nodes there is enough; `None` if
    /// neither is limited.
    pub(super) fn room(&self, time: Duration, nodes: u64) -> Option<usize> {
        let by_time = self.left(true).map(|left| left.as_micros() / time.as_micros().max(1));
        let by_nodes = self.nodes.map(|left| u128::from(left / nodes.max(1)));
        let least = by_time.into_iter().chain(by_nodes).min()?;
        Some(usize::try_from(least).unwrap_or(usize::MAX))
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
        self.position.set(root);
        let answer = search(self.engine, &*self.position, request, report);
        self.note(answer)
    }

    /// Searches for a stone to be placed, at the strength to play at.
    fn search_stone(
        &mut self,
        root: &RootPosition,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        let Some((strength, seed)) = self.weakness else {
            return self.search(root, request, report);
        };
        self.position.set(root);
        let answer = strength.think(seed, &*self.position, self.engine, request, report);
        self.note(answer)
    }

    fn note(&mut self, answer: Answer) -> Answer {
        self.nodes = self.nodes.map(|nodes| nodes.saturating_sub(answer.info.nodes));
        self.info = answer.info.clone();
        answer
    }

    /// The best turn of the game itself, within its zone and without some cells.
    pub(super) fn best_turn(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        avoid: &[Cell],
        effort: Effort,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Action> {
        let [Choice::Stones { colors, zone, .. }] = &pending.choices[..] else { return None };
        let mut placed: Vec<Cell> = Vec::new();
        for left in (1..=colors.len()).rev() {
            let root_moves: Vec<Cell> = match zone {
                Zone::Anywhere if avoid.is_empty() => self.request.root_moves.clone(),
                _ if colors.len() == 1 => {
                    let wanted = &self.request.root_moves;
                    let fits = |cell: &Cell| {
                        !avoid.contains(cell) && (wanted.is_empty() || wanted.contains(cell))
                    };
                    game_state.placements().into_iter().filter(fits).collect()
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
            let stone = if left > 1 { FIRST_STONE } else { 1.0 };
            let request = match effort {
                Effort::Share(share) => self.share(true, share * stone),
                _ if colors.len() == 1 && avoid.is_empty() => self.request.clone(),
                _ => self.share(false, stone),
            };
            let root = RootPosition::of(game_state, &placed, pending.color, left);
            let move_only = self.request.move_only && effort == Effort::Move;
            let request = Request { root_moves, move_only, ..request };
            let answer = self.search_stone(&root, &request, report);
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
        let request = self.part(parts);
        self.search(&game_state.into(), &request, &mut |_| {}).info.searched().unwrap_or(0)
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
        let mut fifths: Vec<(Cell, Score)> = distinct.into_iter().map(|cell| (cell, 0)).collect();
        // All of them in one half of the time; in the other those that matter, once more.
        self.see_fifths(game_state, &mut fifths, 2 * parts);
        fifths.truncate(count + SPARE_FINALISTS);
        self.see_fifths(game_state, &mut fifths, parts);
        fifths
    }

    /// Searches the answers to fifths in one of `parts` parts of what is left, and sorts
    /// them, the best for Black first. Those for which no time is left keep their scores.
    fn see_fifths(&mut self, game_state: &GameState, fifths: &mut [(Cell, Score)], parts: usize) {
        let number = fifths.len();
        for (i, (cell, score)) in fifths.iter_mut().enumerate() {
            if self.is_spent() {
                break;
            }
            // The part shrinks as it is used up.
            let request = self.part(parts * number - i);
            let answer = self.answer_to_fifth(game_state, *cell, &request);
            *score = answer.info.searched().map_or(*score, |score| -score);
        }
        fifths.sort_by_key(|&(cell, score)| (-score, cell));
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

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::{Contest, Variant};
    use goren_engine::{WeightSet, new_position};

    /// The time of a decision with such a budget, in milliseconds, before and after it
    /// takes its share.
    fn shares(soft: u64, hard: u64, saves: bool) -> [u128; 2] {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let mut position = new_position(&contest, &WeightSet::default());
        let ms = Duration::from_millis;
        let budget = Budget { soft: ms(soft), hard: ms(hard), saves };
        let request = Request { budget, ..Request::default() };
        let mut engine = Engine::default();
        let mut search = DecisionSearch::new(&mut *position, &mut engine, &request, None);
        let before = search.time.unwrap().as_millis();
        search.take_a_decisive_share();
        [before, search.time.unwrap().as_millis()]
    }

    #[test]
    fn the_clock_of_the_match_gives_decisions_more_than_moves() {
        assert_eq!(shares(100, 1000, true), [100, 250]);
        assert_eq!(shares(500, 1000, true), [500, 900]);
        // What a clock of each move gives is lost if it is not used.
        assert_eq!(shares(900, 1000, false), [900, 900]);
    }
}
