//! Work that goes on whenever nothing else is searched: an answer that is judged, the
//! review, puzzles that are made.

use std::time::Duration;

use super::running::{Purpose, Running};
use super::{Change, Model};
use crate::schema::Event;
use crate::search::{Found, Job, Task};
use goren_core::types::Cell;
use goren_engine::{Budget, Request, RootPosition};
use goren_review::work::{self, Needed, Search};

/// Time of a usual search for puzzles and answers.
const USUAL: Duration = Duration::from_millis(400);

impl Model {
    /// Goes on with what waits for a search, if nothing is searched.
    pub(super) fn go_on_in_background(&mut self, events: &mut Vec<Event>) {
        while self.running.is_none() {
            if let Some(wanted) = self.check_wanted(events) {
                self.run_wanted(Purpose::Check, &wanted, USUAL, events);
            } else if let Some(search) = self.review_wanted(events) {
                let time = self.review_time();
                self.run_wanted(Purpose::Review, &Needed::Search(search), time, events);
            } else if let Some(wanted) = self.puzzle_wanted(events) {
                self.run_wanted(Purpose::Puzzles, &wanted, USUAL, events);
            } else {
                return;
            }
        }
    }

    /// Whether something waits for a search in the background.
    pub(super) fn works_in_background(&self) -> bool {
        let review = self.review.as_ref();
        let reviews = review.is_some_and(|it| it.work.is_some() || it.making.is_some());
        reviews || self.exercise.as_ref().is_some_and(|training| training.work.is_some())
    }

    fn run_wanted(
        &mut self,
        purpose: Purpose,
        wanted: &Needed,
        usual: Duration,
        events: &mut Vec<Event>,
    ) {
        let (task, request) = self.task(wanted, usual);
        self.searches += 1;
        let number = self.searches;
        self.running = Some(Running {
            number,
            purpose,
            node: self.tree.current(),
            root: RootPosition::from(self.game_state()),
            halted: false,
            newest: None,
        });
        self.searcher.begin(Job { number, task, request });
        events.push(self.searching());
    }

    fn task(&self, wanted: &Needed, usual: Duration) -> (Task, Request) {
        let threads = self.play.threads;
        let begin = |root_moves: Vec<Cell>, times: u32| {
            // A budget travels with the request to another instance; limits of its control
            // would not.
            let budget = Budget::per_move(usual.saturating_mul(times));
            Request { budget, threads, root_moves, ..Request::default() }
        };
        match wanted {
            Needed::Search(search) => {
                let contest = self.contest_of_work();
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

    /// Takes what a search in the background has found.
    pub(super) fn take_in_background(
        &mut self,
        purpose: Purpose,
        found: Found,
        events: &mut Vec<Event>,
    ) -> Change {
        let found = match found {
            Found::Answer(info, lost) => work::Found::Line { info, lost },
            Found::Fours(line, _) => work::Found::Fours(line),
            Found::Threats(found, _) => work::Found::Threats(found.map(|(_, plies)| plies)),
            // What has no end is not searched here.
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

    /// Ends what goes on in the background.
    pub(super) fn stop_background(&mut self, events: &mut Vec<Event>) {
        self.stop_review(events);
        self.stop_puzzles();
        self.stop_check(events);
        self.running = self.running.take().filter(|running| !running.purpose.is_background());
    }
}
