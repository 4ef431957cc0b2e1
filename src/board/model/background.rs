//! Background work, which runs whenever no other search does: judging an answer, the review,
//! making puzzles.

use std::time::Duration;

use super::running::{Purpose, Running};
use super::{Change, Model};
use crate::schema::Event;
use crate::search::{Found, Job, Task};
use goren_core::types::Cell;
use goren_engine::{Budget, Request, RootPosition};
use goren_review::work::{self, Needed, Search};

/// Time of a plain search for puzzles and answers.
const USUAL: Duration = Duration::from_millis(400);

impl Model {
    /// Begins the next background search, if no search is running.
    pub(super) fn run_background(&mut self, events: &mut Vec<Event>) {
        while self.running.is_none() {
            if let Some(needed) = self.next_check_search(events) {
                self.run_background_search(Purpose::Check, &needed, USUAL, events);
            } else if let Some(search) = self.next_review_search(events) {
                let time = self.review_time();
                self.run_background_search(Purpose::Review, &Needed::Search(search), time, events);
            } else if let Some(needed) = self.next_puzzle_search(events) {
                self.run_background_search(Purpose::Puzzles, &needed, USUAL, events);
            } else {
                return;
            }
        }
    }

    /// Whether background work is waiting for a search.
    pub(super) fn has_background_work(&self) -> bool {
        let review = self.review.as_ref();
        let reviews = review.is_some_and(|it| it.work.is_some() || it.making.is_some());
        reviews || self.exercise.as_ref().is_some_and(|training| training.work.is_some())
    }

    fn run_background_search(
        &mut self,
        purpose: Purpose,
        needed: &Needed,
        usual: Duration,
        events: &mut Vec<Event>,
    ) {
        let (task, request) = self.task(needed, usual);
        self.searches += 1;
        let number = self.searches;
        self.running = Some(Running {
            number,
            purpose,
            node: self.tree.current(),
            root: RootPosition::from(self.game_state()),
            halted: false,
            last_lines: None,
        });
        self.searcher.begin(Job { number, task, request });
        events.push(self.searching());
    }

    fn task(&self, needed: &Needed, usual: Duration) -> (Task, Request) {
        let threads = self.play.threads;
        let begin = |root_moves: Vec<Cell>, times: u32| {
            // The budget travels with the request to another instance; limits of the control
            // do not.
            let budget = Budget::per_move(usual.saturating_mul(times));
            Request { budget, threads, root_moves, ..Request::default() }
        };
        match needed {
            Needed::Search(search) => {
                let contest = self.background_contest();
                let request = search.request(&begin);
                let Search { root, .. } = search.clone();
                (Task::Answer { contest, root }, request)
            }
            Needed::Fours { setup, stones, color } => {
                let task = Task::Vcf { setup: *setup, stones: stones.clone(), color: *color };
                (task, begin(Vec::new(), 1))
            }
            Needed::Threats { contest, root } => {
                let task = Task::Vct { contest: *contest, root: root.clone() };
                (task, begin(Vec::new(), 1))
            }
        }
    }

    /// Handles a result of a background search.
    pub(super) fn take_background_result(
        &mut self,
        purpose: Purpose,
        found: Found,
        events: &mut Vec<Event>,
    ) -> Change {
        let found = match found {
            Found::Answer(info, lost) => work::Found::Line { info, lost },
            Found::Fours(line, _) => work::Found::Fours(line),
            Found::Threats(found, _) => work::Found::Threats(found.map(|(_, plies)| plies)),
            // Background searches give no other result.
            _ => return Change::Nothing,
        };
        match purpose {
            Purpose::Check => self.check_found(found),
            Purpose::Review => self.review_found(found, events),
            Purpose::Puzzles => self.puzzle_found(found),
            _ => {}
        }
        events.push(self.searching());
        Change::Nothing
    }

    /// Ends all background work.
    pub(super) fn stop_background(&mut self, events: &mut Vec<Event>) {
        self.stop_review(events);
        self.stop_puzzles();
        self.stop_check(events);
        self.running = self.running.take().filter(|running| !running.purpose.is_background());
    }
}
