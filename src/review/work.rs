//! Work that waits for searches, whoever runs them.
//!
//! The next search may depend on the results of all searches before. So the work is an
//! `async fn`, which awaits searches as other code awaits a socket. It is polled by hand,
//! without a runtime or a thread, so that the same code serves a command that runs one search
//! after the other and a page that runs them between other searches.

use std::future::poll_fn;
use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use goren_core::rules::{Contest, Setup};
use goren_core::types::{Cell, Color, MAX_PLY, Stone};
use goren_engine::{Info, KnownResult, Request, RootPosition};

/// A search that the work waits for.
#[derive(Clone, Debug)]
pub enum Needed {
    /// The best line of a position.
    Search(Search),
    /// The shortest win by fours, in five in a row.
    Fours {
        /// Rule and board size.
        setup: Setup,
        /// Stones on the board.
        stones: Vec<(Cell, Stone)>,
        /// Attacking side.
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
    /// First stones to consider; all if empty.
    pub root_moves: Vec<Cell>,
    /// Multiple of the usual time or nodes that the search may take.
    pub times: u32,
    /// Maximum depth in plies.
    pub max_depth: Option<u32>,
    /// Proven results of later positions.
    pub known: Vec<KnownResult>,
    /// Whether to find the losing moves as well.
    pub defend: bool,
}

impl Search {
    /// Creates a search with the usual effort.
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

    /// Returns the request to the engine. `begin` returns a request that considers the given
    /// first stones and takes a multiple of the usual effort.
    pub fn request(&self, begin: &dyn Fn(Vec<Cell>, u32) -> Request) -> Request {
        let mut request = begin(self.root_moves.clone(), self.times);
        // Always set a limit: without one, the engine may play a single legal move without a
        // search.
        let deepest = [request.max_depth, self.max_depth, Some(MAX_PLY as u32)];
        request.max_depth = deepest.into_iter().flatten().min();
        request.known_results = self.known.clone();
        request.defend = self.defend;
        request
    }
}

/// Result of a search.
#[derive(Clone, Debug)]
pub enum Found {
    /// Result of [`Needed::Search`].
    Line {
        /// Best line.
        info: Box<Info>,
        /// First stones that are proven to lose, if the search asked for them.
        lost: Vec<Cell>,
    },
    /// Result of [`Needed::Fours`]: the moves of the win, if there is one.
    Fours(Option<Vec<Cell>>),
    /// Result of [`Needed::Threats`]: the plies of the win, if one was found.
    Threats(Option<usize>),
}

/// Progress of a piece of work.
#[derive(Debug)]
pub enum Step<T> {
    /// The work waits for a search.
    Wants(Needed),
    /// The work is done.
    Done(T),
}

/// Exchange between a piece of work and the driver that runs its searches.
#[derive(Default)]
struct Exchange {
    wanted: Option<Needed>,
    found: Option<Found>,
}

/// The work's end of the exchange.
#[derive(Clone, Default)]
pub(crate) struct Searches(Arc<Mutex<Exchange>>);

impl Searches {
    fn exchange(&self) -> MutexGuard<'_, Exchange> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(&self, wanted: Needed) -> Found {
        self.exchange().wanted = Some(wanted);
        poll_fn(|_| match self.exchange().found.take() {
            Some(found) => Poll::Ready(found),
            None => Poll::Pending,
        })
        .await
    }

    /// Returns the best line of a position, and the losing first stones if the search asks for
    /// them.
    pub(crate) async fn line(&self, search: Search) -> (Info, Vec<Cell>) {
        match self.run(Needed::Search(search)).await {
            Found::Line { info, lost } => (*info, lost),
            Found::Fours(_) | Found::Threats(_) => (Info::NOTHING, Vec::new()),
        }
    }

    /// Returns the shortest win by fours of a colour.
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

    /// Returns the plies of a win by threats of the side to move.
    pub(crate) async fn threats(&self, contest: Contest, root: RootPosition) -> Option<usize> {
        match self.run(Needed::Threats { contest, root }).await {
            Found::Threats(plies) => plies,
            Found::Line { .. } | Found::Fours(_) => None,
        }
    }
}

type WorkFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Work that waits for searches.
pub struct Work<T> {
    searches: Searches,
    future: Option<WorkFuture<T>>,
}

impl<T> Work<T> {
    /// Creates work, which begins with the first [`Work::step`].
    pub(crate) fn new<F>(work: impl FnOnce(Searches) -> F) -> Work<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let searches = Searches::default();
        Work { future: Some(Box::pin(work(searches.clone()))), searches }
    }

    /// Continues until a search is needed, or to the end. Until the result is
    /// [handed over](Work::found), it returns the same search. `None` after the end.
    pub fn step(&mut self) -> Option<Step<T>> {
        let future = self.future.as_mut()?;
        let waits = |exchange: &Exchange| exchange.found.is_none() && exchange.wanted.is_some();
        if !waits(&self.searches.exchange())
            && let Poll::Ready(done) = future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        {
            self.future = None;
            return Some(Step::Done(done));
        }
        self.searches.exchange().wanted.clone().map(Step::Wants)
    }

    /// Hands over the result of the search that the work waits for.
    pub fn found(&mut self, found: Found) {
        let mut exchange = self.searches.exchange();
        if mem::take(&mut exchange.wanted).is_some() {
            exchange.found = Some(found);
        }
    }

    /// Runs all searches of the work; `None` after the end.
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

    /// Adds up the lengths that three searches find.
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
    fn work_waits_for_each_search_and_repeats_it_when_asked_again() {
        let mut work = Work::new(sum);
        for plies in [1, 0, 5] {
            for _ in 0..2 {
                assert!(matches!(work.step(), Some(Step::Wants(Needed::Fours { .. }))));
            }
            work.found(Found::Fours(Some(vec![Cell::new(0, 0); plies])));
            // A second result is ignored.
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
