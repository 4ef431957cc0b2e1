//! Work that waits for searches, whoever runs them.
//!
//! What has to be searched next may depend on all that was found before. Such work is an
//! `async fn` here, which waits for its searches as others wait for a socket: it is
//! driven by hand, without a runtime or a thread, so that the same code serves a command
//! that runs one search after the other and a page whose searches come between others.

use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use goren_core::rules::{Contest, Setup};
use goren_core::types::{Cell, Color, MAX_PLY, Stone};
use goren_engine::{Info, KnownResult, Request, RootPosition};

/// A search that is waited for.
#[derive(Clone, Debug)]
pub enum Needed {
    /// The best line of a position.
    Search(Search),
    /// The shortest win by fours, in five in a row.
    Fours {
        /// The board.
        setup: Setup,
        /// What stands on it.
        stones: Vec<(Cell, Stone)>,
        /// Who attacks.
        color: Color,
    },
    /// A win by threats of the side to move.
    Threats {
        /// The game.
        contest: Contest,
        /// The position.
        root: RootPosition,
    },
}

/// A search for the best line of a position.
#[derive(Clone, Debug)]
pub struct Search {
    /// The position.
    pub root: RootPosition,
    /// The first stones that are considered; all if empty.
    pub root_moves: Vec<Cell>,
    /// How many times the usual time or nodes it may take.
    pub times: u32,
    /// Most plies.
    pub max_depth: Option<u32>,
    /// What is proven of later positions.
    pub known: Vec<KnownResult>,
    /// Whether the moves that lose are to be found as well.
    pub defend: bool,
}

impl Search {
    /// A usual search of a position.
    pub fn new(root: RootPosition) -> Search {
        Search {
            root,
            root_moves: Vec::new(),
            times: 1,
            max_depth: None,
            known: Vec::new(),
            defend: false,
        }
    }

    /// What is asked of the engine, where `begin` gives a request that considers some
    /// first stones and takes a multiple of the usual effort.
    pub fn request(&self, begin: &dyn Fn(Vec<Cell>, u32) -> Request) -> Request {
        let mut request = begin(self.root_moves.clone(), self.times);
        // Some bound in any case: a search without one may play a single move
        // without looking.
        let deepest = [request.max_depth, self.max_depth, Some(MAX_PLY as u32)];
        request.max_depth = deepest.into_iter().flatten().min();
        request.known_results = self.known.clone();
        request.defend = self.defend;
        request
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// Of [`Needed::Search`].
    Line {
        /// The best line.
        info: Box<Info>,
        /// First stones that are proven to lose, where they were to be found.
        lost: Vec<Cell>,
    },
    /// Of [`Needed::Fours`]: the moves of the win, if there is one.
    Fours(Option<Vec<Cell>>),
    /// Of [`Needed::Threats`]: the plies of the win, if one was found.
    Threats(Option<usize>),
}

/// The progress of a piece of work.
#[derive(Debug)]
pub enum Step<T> {
    /// It waits for a search.
    Wants(Needed),
    /// It is over.
    Done(T),
}

/// The exchange between a piece of work and the driver that runs its searches.
#[derive(Default)]
struct Passed {
    wanted: Option<Needed>,
    found: Option<Found>,
}

/// The side of the work.
#[derive(Clone, Default)]
pub(crate) struct Searches(Arc<Mutex<Passed>>);

impl Searches {
    fn passed(&self) -> MutexGuard<'_, Passed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, wanted: Needed) -> Found {
        self.passed().wanted = Some(wanted);
        poll_fn(|_| match self.passed().found.take() {
            Some(found) => Poll::Ready(found),
            None => Poll::Pending,
        })
        .await
    }

    /// The best line of a position, and the first stones that lose, where they are to be
    /// found.
    pub(crate) async fn line(&self, search: Search) -> (Info, Vec<Cell>) {
        match self.run(Needed::Search(search)).await {
            Found::Line { info, lost } => (*info, lost),
            Found::Fours(_) | Found::Threats(_) => (Info::NOTHING, Vec::new()),
        }
    }

    /// The shortest win by fours of a colour.
    pub(crate) async fn fours(
        &self,
        setup: Setup,
        stones: Vec<(Cell, Stone)>,
        color: Color,
    ) -> Option<Vec<Cell>> {
        match self.run(Needed::Fours { setup, stones, color }).await {
            Found::Fours(line) => line,
            Found::Line { .. } | Found::Threats(_) => None,
        }
    }

    /// The plies of a win by threats of the side to move.
    pub(crate) async fn threats(&self, contest: Contest, root: RootPosition) -> Option<usize> {
        match self.run(Needed::Threats { contest, root }).await {
            Found::Threats(plies) => plies,
            Found::Line { .. } | Found::Fours(_) => None,
        }
    }
}

type Rest<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Work that waits for searches.
pub struct Work<T> {
    searches: Searches,
    rest: Option<Rest<T>>,
}

impl<T> Work<T> {
    /// Work that is begun by [`Work::step`].
    pub(crate) fn new<F>(work: impl FnOnce(Searches) -> F) -> Work<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let searches = Searches::default();
        Work { rest: Some(Box::pin(work(searches.clone()))), searches }
    }

    /// Goes on until a search is needed, or to the end. Asked again before the search is
    /// [handed over](Work::found) it wants the same one. `None` after the end.
    pub fn step(&mut self) -> Option<Step<T>> {
        let rest = self.rest.as_mut()?;
        let waits = |passed: &Passed| passed.found.is_none() && passed.wanted.is_some();
        if !waits(&self.searches.passed())
            && let Poll::Ready(done) = rest.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        {
            self.rest = None;
            return Some(Step::Done(done));
        }
        self.searches.passed().wanted.clone().map(Step::Wants)
    }

    /// Hands over what the search that is waited for has found.
    pub fn found(&mut self, found: Found) {
        let mut passed = self.searches.passed();
        if mem::take(&mut passed.wanted).is_some() {
            passed.found = Some(found);
        }
    }

    /// Runs all of it; `None` after the end.
    pub fn finish(mut self, run: &mut dyn FnMut(&Needed) -> Found) -> Option<T> {
        loop {
            match self.step()? {
                Step::Wants(wanted) => self.found(run(&wanted)),
                Step::Done(done) => return Some(done),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;

    /// Adds what three searches find.
    async fn sum(searches: Searches) -> usize {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap_or_else(|_| unreachable!());
        let mut sum = 0;
        for _ in 0..3 {
            let found = searches.fours(setup, Vec::new(), Color::Black).await;
            sum += found.map_or(0, |line| line.len());
        }
        sum
    }

    #[test]
    fn work_waits_for_each_search_and_may_be_asked_again() {
        let mut work = Work::new(sum);
        for plies in [1, 0, 5] {
            for _ in 0..2 {
                assert!(matches!(work.step(), Some(Step::Wants(Needed::Fours { .. }))));
            }
            work.found(Found::Fours(Some(vec![Cell::new(0, 0); plies])));
            // Nobody waits for a second answer.
            work.found(Found::Fours(Some(vec![Cell::new(0, 0); 100])));
        }
        assert!(matches!(work.step(), Some(Step::Done(6))));
        assert!(work.step().is_none());
        let mut runs = 0;
        let all = Work::new(sum).finish(&mut |_| {
            runs += 1;
            Found::Fours(None)
        });
        assert_eq!((all, runs), (Some(0), 3));
    }
}
