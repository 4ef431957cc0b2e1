//! Search state: data kept between the searches of a game. It also starts the search threads (Lazy
//! SMP).

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::control::Control;
use super::history::History;
use super::params::Params;
use super::report::{Answer, Report};
use super::request::Request;
use super::root::TimeInfo;
use super::sampler::Sampler;
use super::worker::{Shared, Worker};
use crate::game::{GenType, MoveList, Position};
use crate::reserve::{self, THREAD_START};
use crate::stack;
use crate::tt::Table;
use goren_core::types::{Color, Score};

/// Warm-up search: stones placed before it.
const WARM_UP_STONES: usize = 5;
/// Warm-up search: node limit.
const WARM_UP_NODES: u64 = 2_000;
/// Warm-up search: depth limit, so low that the stack of any thread suffices.
const WARM_UP_DEPTH: u32 = 4;
/// Warm-up search: bytes of the transposition table.
const WARM_UP_BYTES: usize = 1 << 18;

/// Parameters, histories of all threads, and the score of the last search.
#[derive(Default)]
pub struct SearchState {
    /// Search parameters.
    pub params: Params,
    /// One per search thread.
    histories: Vec<History>,
    /// The last search that gave a score.
    previous: Option<Previous>,
    /// Samples positions that the first thread evaluates, if set.
    pub sampler: Option<Sampler>,
}

/// The previous search, as the time manager of the next one uses it.
#[derive(Copy, Clone)]
struct Previous {
    /// Stones on the board.
    stones: usize,
    to_move: Color,
    /// For the side to move.
    score: Score,
}

impl Previous {
    /// Returns its score, if a position with `stones` stones probably follows in the same game,
    /// with the same side to move and no other search of that side in between. `turn` is the number
    /// of stones in a turn.
    fn score_for(self, stones: usize, to_move: Color, turn: usize) -> Option<Score> {
        let placed = stones.saturating_sub(self.stones);
        let follows = self.to_move == to_move && (1..=turn + 1).contains(&placed);
        follows.then_some(self.score)
    }
}

impl SearchState {
    /// Searches a position with `stones` stones on the board, on the threads that the
    /// request asks for, or on fewer if memory is short. The calling thread is the
    /// first and sends the reports. `passed`: a pass led to the position.
    pub fn think<P: Position>(
        &mut self,
        position: &P,
        stones: usize,
        passed: bool,
        table: &Table,
        request: &Request,
        observer: &mut dyn FnMut(&Report),
    ) -> Answer {
        let shared = Shared::new(position, table, request);
        table.new_generation();
        self.histories.resize_with(request.threads.max(1), History::default);
        for history in &mut self.histories {
            history.decay_main();
        }
        let to_move = position.to_move();
        let previous =
            self.previous.and_then(|previous| previous.score_for(stones, to_move, P::TURN));
        let time = TimeInfo { budget: request.budget, previous };
        let (first, helpers) = self.histories.split_at_mut(1);
        let params = &self.params;
        let shared = &shared;
        if let Some(sampler) = &mut self.sampler {
            sampler.begin(position);
        }
        let sampler = self.sampler.as_mut();
        let answer = std::thread::scope(|scope| {
            // Check the memory of all threads together: each alone might fit, but not
            // all of them.
            let fit = |&count: &usize| reserve::is_available(count * (stack::BYTES + THREAD_START));
            let helper_count = (1..=helpers.len()).rev().find(fit).unwrap_or(0);
            for (i, history) in helpers.iter_mut().take(helper_count).enumerate() {
                let position = position.clone();
                // If a thread cannot start, the search continues without it.
                let _ = stack::spawn_scoped(scope, move || {
                    Worker::new(position, shared, params, history).iterative_deepening(
                        request,
                        i + 1,
                        None,
                    )
                });
            }
            let mut worker = Worker::new(position.clone(), shared, params, &mut first[0]);
            worker.observer = Some(observer);
            worker.sampler = sampler;
            worker.passes.led_to = passed.then_some(0);
            let answer = worker.iterative_deepening(request, 0, Some(time));
            shared.stop.store(true, Relaxed);
            answer
        });
        // A ponder search is for the opponent, whose score the time manager does not use.
        // If nothing was searched, keep the previous score.
        if !request.pondering {
            let score = answer.info.searched().or(previous);
            self.previous = score.map(|score| Previous { stones, to_move, score });
        }
        answer
    }

    /// Warm-up: a short search that loads code, lookup tables and memory, so that the
    /// first timed search does not spend its time on that. Clears the histories
    /// ([`SearchState::forget`]); the transposition table is a temporary one.
    pub fn warm_up<P: Position>(&mut self, mut position: P, until: Instant) {
        let Ok(table) = Table::with_bytes(WARM_UP_BYTES) else { return };
        let mut moves = MoveList::new();
        for _ in 0..WARM_UP_STONES {
            moves.clear();
            position.moves(GenType::Main, &mut moves);
            let best = moves.iter().max_by_key(|entry| (entry.score, entry.m));
            if let Some(best) = best.filter(|_| position.outcome().is_none()) {
                position.make(best.m);
            }
        }
        let request = Request {
            max_nodes: Some(WARM_UP_NODES),
            max_depth: Some(WARM_UP_DEPTH),
            control: Arc::new(Control::until(until)),
            ..Request::default()
        };
        self.think(&position, 0, false, &table, &request, &mut |_| {});
        self.forget();
    }

    /// Parameters, and histories of the first thread.
    pub fn first_history(&mut self) -> (&Params, &mut History) {
        if self.histories.is_empty() {
            self.histories.push(History::default());
        }
        (&self.params, &mut self.histories[0])
    }

    /// Clears the histories and the previous score.
    pub fn forget(&mut self) {
        self.histories.iter_mut().for_each(History::clear);
        self.previous = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Five;
    use Color::{Black, White};
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::{Cell, Move};

    #[test]
    fn a_ponder_search_keeps_the_previous_score() {
        let mut position = Five::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        let table = Table::with_bytes(WARM_UP_BYTES).unwrap();
        let mut state = SearchState::default();
        let mut think = |x, stones, pondering| {
            position.make(Move::at(Cell::new(x, 7)));
            let request = Request { pondering, ..Request::nodes(500) };
            state.think(&position, stones, false, &table, &request, &mut |_| {});
            state.previous.map(|previous| (previous.stones, previous.to_move))
        };
        assert_eq!(think(7, 1, false), Some((1, White)));
        assert_eq!(think(8, 2, true), Some((1, White)));
        assert_eq!(think(9, 3, false), Some((3, White)));
    }

    #[test]
    fn the_previous_score_is_of_the_same_side_in_its_last_turn() {
        let previous = Previous { stones: 7, to_move: Black, score: 30 };
        let score = |stones, to_move, turn| previous.score_for(stones, to_move, turn).is_some();
        // One stone a turn: two stones later.
        assert!(score(9, Black, 1) && !score(8, White, 1) && !score(11, Black, 1));
        assert!(!score(7, Black, 1) && !score(5, Black, 1), "not later in the game");
        // Two stones a turn: the second stone of the same turn, or the first stone of
        // the side's next turn; never a search for the opponent.
        assert!(score(8, Black, 2) && score(10, Black, 2));
        assert!(!score(9, White, 2) && !score(12, Black, 2));
    }
}
