//! What one player of a game keeps from search to search, and the threads that
//! think.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::control::Control;
use super::history::History;
use super::params::Params;
use super::report::{Answer, Report};
use super::request::Request;
use super::root::TimeManager;
use super::worker::{Shared, Worker};
use crate::game::{GenType, MoveList, Position};
use crate::reserve::{self, THREAD_START};
use crate::stack;
use crate::tt::Table;
use goren_core::types::Score;

/// Stones of the position that is searched in a rehearsal, and bounds of the
/// search: so shallow that any thread has stack enough for it.
const REHEARSAL_STONES: usize = 5;
const REHEARSAL_NODES: u64 = 2_000;
const REHEARSAL_DEPTH: u32 = 4;
/// Bytes of its table.
const REHEARSAL_BYTES: usize = 1 << 18;

/// Histories, parameters and the last score.
#[derive(Default)]
pub struct SearchState {
    /// The numbers it searches by.
    pub params: Params,
    histories: Vec<History>,
    /// Score of the last search and the stones it was made with.
    previous: Option<(usize, Score)>,
}

impl SearchState {
    /// Searches a position of so many stones, with as many threads as the request
    /// says.
    pub fn think<P: Position>(
        &mut self,
        position: &P,
        stones: usize,
        table: &Table,
        request: &Request,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        let shared = Shared::new(position, table, request);
        table.new_generation();
        self.histories.resize_with(request.threads.max(1), History::default);
        for history in &mut self.histories {
            history.decay();
        }
        // The score before the opponent's last move, if this is the same game.
        let previous =
            self.previous.filter(|&(then, _)| then + 2 == stones).map(|(_, score)| score);
        let time_manager = TimeManager { budget: request.budget, previous };
        let (first, helpers) = self.histories.split_at_mut(1);
        let params = &self.params;
        let shared = &shared;
        let answer = std::thread::scope(|scope| {
            // All at once: what is tried for one might be missing to another.
            let fit = |&count: &usize| reserve::is_available(count * (stack::BYTES + THREAD_START));
            let room = (1..=helpers.len()).rev().find(fit).unwrap_or(0);
            for (i, history) in helpers.iter_mut().take(room).enumerate() {
                let position = position.clone();
                // Without memory for another thread the search goes on with
                // those there are.
                let _ = stack::spawn_scoped(scope, move || {
                    Worker::new(position, shared, params, history).deepen(request, i + 1, None)
                });
            }
            let mut worker = Worker::new(position.clone(), shared, params, &mut first[0]);
            worker.report = Some(report);
            let answer = worker.deepen(request, 0, Some(time_manager));
            shared.stop.store(true, Relaxed);
            answer
        });
        // Where nothing was searched what was known before is still the best.
        self.previous = answer.info.searched().or(previous).map(|score| (stones, score));
        answer
    }

    /// Searches a little, for at most so long: what searches need, code, tables
    /// and memory, is fetched then, and the first one whose time counts need not
    /// wait for it. Nothing is learnt.
    pub fn rehearse<P: Position>(&mut self, mut position: P, until: Instant) {
        let Ok(table) = Table::with_bytes(REHEARSAL_BYTES) else { return };
        let mut moves = MoveList::new();
        for _ in 0..REHEARSAL_STONES {
            moves.clear();
            position.moves(GenType::Main, &mut moves);
            let best = moves.iter().max_by_key(|entry| (entry.score, entry.m));
            if let Some(best) = best.filter(|_| position.outcome().is_none()) {
                position.make(best.m);
            }
        }
        let request = Request {
            max_nodes: Some(REHEARSAL_NODES),
            max_depth: Some(REHEARSAL_DEPTH),
            control: Arc::new(Control::until(until)),
            ..Request::default()
        };
        self.think(&position, 0, &table, &request, &mut |_| {});
        self.forget();
    }

    /// What one thread searches by.
    pub fn first_history(&mut self) -> (&Params, &mut History) {
        if self.histories.is_empty() {
            self.histories.push(History::default());
        }
        (&self.params, &mut self.histories[0])
    }

    /// Forgets what was learnt from earlier searches.
    pub fn forget(&mut self) {
        self.histories.iter_mut().for_each(History::clear);
        self.previous = None;
    }
}
