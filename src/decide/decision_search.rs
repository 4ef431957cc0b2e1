//! A decision in progress: its limits and its searches.

use std::mem;
use std::time::{Duration, Instant};

use super::decision_option::OptionValue;
use super::sample::after;
use super::search::search;
use super::strength::Player;
use goren_core::opening::{Action, Choice, Event, GameState, PendingDecision, Zone};
use goren_core::types::{Cell, Color, Move, Score, loss_in, plies_to_end, win_in};
use goren_engine::{
    Answer, AnyPosition, Basis, Budget, Engine, Info, Report, Request, RootPosition,
};

/// Maximum time for a decision of an opening, however much time the clock has.
const LONGEST: Duration = Duration::from_secs(30);
/// Shortest search of one of several stones under a time limit.
const LEAST_TIME: Duration = Duration::from_micros(1200);
/// Shortest search of one of several stones under a node limit.
const LEAST_NODES: u64 = 600;
/// Share of the time of a turn of two stones for the first stone.
const FIRST_STONE: f64 = 0.6;
/// Fifths searched in the first round, beyond the number to be offered.
const SPARE_FIFTHS: usize = 10;
/// Fifths searched in the second round, beyond the number to be offered.
const SPARE_FINALISTS: usize = 3;
/// If match time is saved, a decision about colours, or stones after which the other
/// seat chooses its colour, gets this many times the time of a move, as it decides the
/// game.
const DECISIVE: f64 = 2.5;
/// Limit on that time, as a share of the hard limit of a move.
const LARGEST_PART: f64 = 0.9;

/// Purpose of the search for a turn.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) enum Effort {
    /// Only the move is needed.
    Move,
    /// The score is used as well.
    Score,
    /// Only the score is used; the search gets this share of the time and nodes left for an
    /// opening.
    Share(f64),
}

/// The stones of a turn before the search for the next one, and the nodes and time spent on them.
struct Turn {
    /// The stones of the turn so far.
    stones: Vec<Cell>,
    /// The nodes searched for them.
    nodes: u64,
    /// The time from the start of the decision to the start of the search.
    elapsed: Duration,
}

impl Turn {
    /// Converts the info of a search for the next stone to that of the whole turn: its PV begins
    /// with the earlier stones, and a proven result counts from the start of the turn.
    fn info(&self, info: &Info) -> Info {
        let plies = self.stones.len();
        let score = match plies_to_end(info.score) {
            None => info.score,
            Some(rest) if info.score > 0 => win_in(rest + plies),
            Some(rest) => loss_in(rest + plies),
        };
        let stones = self.stones.iter().map(|&cell| Move::at(cell));
        Info {
            score,
            nodes: self.nodes + info.nodes,
            elapsed: self.elapsed + info.elapsed,
            pv: stones.chain(info.pv.iter().copied()).collect(),
            ..info.clone()
        }
    }

    fn report(&self, report: &Report) -> Report {
        match report {
            Report::Pv(info) => Report::Pv(self.info(info)),
            event @ Report::Root(_) => event.clone(),
        }
    }
}

/// A decision in progress.
pub(super) struct DecisionSearch<'a> {
    position: &'a mut dyn AnyPosition,
    engine: &'a mut Engine,
    request: &'a Request,
    /// Time for the whole decision, from the start of the request; `None` without a
    /// clock.
    time: Option<Duration>,
    /// Nodes left, if limited.
    nodes: Option<u64>,
    /// Nodes searched.
    spent: u64,
    /// Chooses the moves below full strength.
    player: Option<Player>,
    /// Info of the last search.
    pub(super) info: Info,
    /// The options with their values.
    pub(super) why: Vec<OptionValue>,
}

impl<'a> DecisionSearch<'a> {
    pub(super) fn new(
        position: &'a mut dyn AnyPosition,
        engine: &'a mut Engine,
        request: &'a Request,
        player: Option<Player>,
    ) -> DecisionSearch<'a> {
        let budget = request.budget;
        DecisionSearch {
            position,
            engine,
            request,
            time: (budget.soft != Duration::MAX).then_some(budget.soft),
            nodes: request.max_nodes,
            spent: 0,
            player,
            info: Info::NOTHING,
            why: Vec::new(),
        }
    }

    /// Raises the time of a decision about colours if saved time stays on the clock.
    pub(super) fn extend_time_for_colors(&mut self) {
        let budget = self.request.budget;
        if budget.saves {
            let limit = budget.hard.mul_f64(LARGEST_PART).max(budget.soft);
            self.time = Some(budget.soft.mul_f64(DECISIVE).min(limit));
        }
    }

    /// Time left for the decision, or for its part in an opening; `None` without a time limit.
    fn left(&self, opening: bool) -> Option<Duration> {
        let request = self.request;
        let bounded = request.max_nodes.is_some() || request.max_depth.is_some();
        // A decision of an opening without any limit must end too.
        let longest = (opening && (self.time.is_some() || !bounded)).then_some(LONGEST);
        let limit = [self.time, longest].into_iter().flatten().min();
        let left = limit.map(|limit| limit.saturating_sub(request.started.elapsed()));
        [left, request.control.left()].into_iter().flatten().min()
    }

    /// Whether the client has set a clock.
    pub(super) fn has_clock(&self) -> bool {
        self.request.budget.hard != Duration::MAX
    }

    /// Number of shortest searches that the limits allow; `None` without limits.
    pub(super) fn room(&self) -> Option<usize> {
        let by_time = self.left(true).map(|left| left.as_micros() / LEAST_TIME.as_micros());
        let by_nodes = self.nodes.map(|left| u128::from(left / LEAST_NODES));
        let least = by_time.into_iter().chain(by_nodes).min()?;
        Some(usize::try_from(least).unwrap_or(usize::MAX))
    }

    /// Whether `searches` shortest searches fit into one of `parts` equal parts of the time and
    /// nodes left.
    pub(super) fn affords(&self, searches: usize, parts: usize) -> bool {
        self.room().is_none_or(|room| room / parts.max(1) >= searches)
    }

    /// Whether time or nodes are limited, so that searches have to share them.
    pub(super) fn is_limited(&self) -> bool {
        self.nodes.is_some() || self.left(true).is_some()
    }

    /// Whether the decision must be made from what has been searched.
    pub(super) fn is_spent(&self) -> bool {
        self.request.control.stopped() || self.left(true) == Some(Duration::ZERO)
    }

    /// Returns a request for one of `parts` equal parts of the time and nodes left for an opening.
    pub(super) fn part(&self, parts: usize) -> Request {
        self.share(true, 1.0 / parts.max(1) as f64)
    }

    /// Returns a request for a share of the time and nodes left, for a search whose score is used.
    fn share(&self, opening: bool, share: f64) -> Request {
        let left = self.left(opening);
        let part = |left: Duration| Budget::per_move(left.mul_f64(share));
        let budget = left.map_or(Budget::UNLIMITED, part);
        let max_nodes = self.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1));
        let request = self.request.clone();
        Request { budget, started: Instant::now(), max_nodes, move_only: false, ..request }
    }

    /// Searches a position, and charges the nodes.
    pub(super) fn search(
        &mut self,
        root: &RootPosition,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        self.position.set(root);
        let answer = search(self.engine, &*self.position, request, observer);
        self.note(answer)
    }

    /// Searches for a stone at the strength of the decision.
    fn search_stone(
        &mut self,
        root: &RootPosition,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        let Some(player) = &mut self.player else {
            return self.search(root, request, observer);
        };
        self.position.set(root);
        let answer = player.think(root, self.position, self.engine, request, observer);
        self.note(answer)
    }

    /// Returns a seed for random choices of opening stones: `default_seed`, or below full strength
    /// a seed of the player.
    pub(super) fn seed(&mut self, default_seed: u64) -> u64 {
        self.player.as_mut().map_or(default_seed, Player::seed)
    }

    /// Returns a value, below full strength with an error of judgement.
    pub(super) fn judge(&mut self, value: Score) -> Score {
        self.player.as_mut().map_or(value, |player| player.judge(value))
    }

    fn note(&mut self, answer: Answer) -> Answer {
        self.nodes = self.nodes.map(|nodes| nodes.saturating_sub(answer.info.nodes));
        self.spent += answer.info.nodes;
        self.info = answer.info.clone();
        answer
    }

    /// Returns the best turn that begins with `placed`, within the zone of the choice and not on
    /// the cells `avoid`; `None` if there is none, or if the side may pass and only a pass saves
    /// it.
    pub(super) fn best_turn(
        &mut self,
        game_state: &GameState,
        pending: &PendingDecision,
        placed: &[Cell],
        avoid: &[Cell],
        effort: Effort,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Option<Action> {
        let [Choice::Stones { colors, zone, .. }] = &pending.choices[..] else { return None };
        let (before, mut placed) = (placed.len(), placed.to_vec());
        let nodes_before = self.spent;
        for left in (1..=colors.len().saturating_sub(placed.len())).rev() {
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
            let turn = Turn {
                stones: placed[before..].to_vec(),
                nodes: self.spent - nodes_before,
                elapsed: request.started.saturating_duration_since(self.request.started),
            };
            let answer = self.search_stone(&root, &request, &mut |report| {
                observer(&turn.report(report));
            });
            self.info = turn.info(&answer.info);
            if before == 0 && placed.is_empty() && pending.pass && self.info.basis == Basis::Pass {
                // Every stone loses: only a pass saves the side.
                return None;
            }
            let fits = |cell: &Cell| {
                let cells = [&placed[..], &[*cell]].concat();
                left > 1 || after(game_state, &Action::stones(&cells)).is_some()
            };
            let best = answer.best.is_some().then(|| answer.best.cell()).filter(fits);
            // If the first stone wins, any second one completes the turn.
            let any =
                || game_state.empty().into_iter().find(|cell| !placed.is_empty() && fits(cell));
            let cell = best.or_else(any)?;
            placed.push(cell);
        }
        Some(Action::stones(&placed))
    }

    /// Score of a position for the owner of the colour to move; the known score if the
    /// game is over, and 0 if no time is left to search.
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

    /// Returns the best stone for the colour to move that is no image of the stones `avoid`; `None`
    /// if there is none.
    pub(super) fn best_stone(
        &mut self,
        game_state: &GameState,
        avoid: &[Cell],
        parts: usize,
    ) -> Option<Cell> {
        let root = RootPosition::of(game_state, &[], game_state.to_move(), 1);
        let mut request = self.part(parts);
        if !avoid.is_empty() {
            let wanted = mem::take(&mut request.root_moves);
            let fits = |cell: &Cell| {
                let is_new =
                    !avoid.contains(cell) && !game_state.has_twins(&[avoid, &[*cell]].concat());
                is_new && (wanted.is_empty() || wanted.contains(cell))
            };
            request.root_moves = game_state.placements().into_iter().filter(fits).collect();
            if request.root_moves.is_empty() {
                return None;
            }
        }
        let best = self.search(&root, &request, &mut |_| {}).best;
        best.is_some().then(|| best.cell())
    }

    /// Returns fifths that are no images of each other, best for Black first, each with its score
    /// for Black: at least `count`, or all if there are fewer.
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
        // Half of the part for all candidates, the other half for the best ones: what is left of
        // 2 * parts halves is shared by one half fewer.
        self.search_fifths(game_state, &mut fifths, 2 * parts);
        fifths.truncate(count + SPARE_FINALISTS);
        self.search_fifths(game_state, &mut fifths, 2 * parts - 1);
        fifths
    }

    /// Searches White's answer to each fifth in one of `parts` parts of the time and nodes left,
    /// and sorts the fifths, best for Black first. Fifths for which no time is left keep their
    /// scores.
    fn search_fifths(
        &mut self,
        game_state: &GameState,
        fifths: &mut [(Cell, Score)],
        parts: usize,
    ) {
        let number = fifths.len();
        for (i, (cell, score)) in fifths.iter_mut().enumerate() {
            if self.is_spent() {
                break;
            }
            // Each search reduces both the time and nodes left and the number of parts that
            // share them.
            let request = self.part(parts * number - i);
            let answer = self.answer_to_fifth(game_state, *cell, &request);
            *score = answer.info.searched().map_or(*score, |score| -score);
        }
        fifths.sort_by_key(|&(cell, score)| (-score, cell));
    }

    /// Searches White's answer to a fifth.
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

/// Number of searches for [`fifths`](DecisionSearch::fifths).
pub(super) const fn searches_of_fifths(count: usize) -> usize {
    2 * count + SPARE_FIFTHS + SPARE_FINALISTS
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::opening::read;
    use goren_core::rules::{Contest, OpeningId, Variant};
    use goren_engine::{WeightSet, new_position};

    /// Returns the time of a decision in milliseconds under a budget, without and with the
    /// extension for decisions about colours.
    fn shares(soft: u64, hard: u64, saves: bool) -> [u128; 2] {
        let contest = Contest::new(Variant::from_name("freestyle").unwrap());
        let mut position = new_position(&contest, &WeightSet::default());
        let ms = Duration::from_millis;
        let budget = Budget { soft: ms(soft), hard: ms(hard), saves };
        let request = Request { budget, ..Request::default() };
        let mut engine = Engine::default();
        let mut search = DecisionSearch::new(&mut *position, &mut engine, &request, None);
        let before = search.time.unwrap().as_millis();
        search.extend_time_for_colors();
        [before, search.time.unwrap().as_millis()]
    }

    #[test]
    fn fifths_take_their_part_of_the_nodes() {
        let contest = Contest::new(Variant::from_name("renju").unwrap());
        let mut game_state = GameState::new(contest.opened(OpeningId::Yamaguchi).unwrap());
        for text in ["h8,h9,f8,1", "pass", "i7"] {
            game_state.apply(&read(&game_state, text).unwrap()).unwrap();
        }
        let mut position = new_position(game_state.contest(), &WeightSet::default());
        let (mut engine, request) = (Engine::default(), Request::nodes(60_000));
        let mut search = DecisionSearch::new(&mut *position, &mut engine, &request, None);
        for parts in [3, 2] {
            search.fifths(&game_state, 1, parts);
        }
        // Equal parts leave a third.
        assert!((18_000..=22_000).contains(&search.nodes.unwrap()), "{:?}", search.nodes);
    }

    #[test]
    fn a_match_clock_gives_decisions_more_time_than_moves() {
        assert_eq!(shares(100, 1000, true), [100, 250]);
        assert_eq!(shares(500, 1000, true), [500, 900]);
        // With a clock for each move, saved time is lost.
        assert_eq!(shares(900, 1000, false), [900, 900]);
    }
}
