//! A review in progress.

use std::sync::{Arc, Mutex, PoisonError};

use crate::judge::Judged;
use crate::study::Study;
use crate::work::{Found, Needed, Search, Step, Work};
use goren_core::opening::GameState;
use goren_core::types::Cell;
use goren_engine::{Info, Request, RootPosition};

/// A review of a game: the searches that it needs, and what they tell so far.
pub struct Review {
    work: Work<Vec<Judged>>,
    judged: Arc<Mutex<Vec<Judged>>>,
}

impl Review {
    /// A review of a game, of which nothing has been searched yet.
    pub fn new(whole: &GameState) -> Review {
        let judged: Arc<Mutex<Vec<Judged>>> = Arc::default();
        let reported = judged.clone();
        let observer =
            move |plies| *reported.lock().unwrap_or_else(PoisonError::into_inner) = plies;
        let whole = whole.clone();
        let work = Work::new(|searches| Study::new(&whole, searches, Box::new(observer)).run());
        Review { work, judged }
    }

    /// The search that it waits for; `None` when all plies are judged. Asked again
    /// before [`found`](Review::found) it is the same one.
    pub fn wanted(&mut self) -> Option<Search> {
        loop {
            match self.work.step()? {
                Step::Wants(Needed::Search(search)) => return Some(search),
                // A review wants lines alone.
                Step::Wants(_) => self.work.found(Found::Fours(None)),
                Step::Done(plies) => {
                    *self.judged.lock().unwrap_or_else(PoisonError::into_inner) = plies;
                    return None;
                }
            }
        }
    }

    /// Hands over what the search has found.
    pub fn found(&mut self, info: Info) {
        self.work.found(Found::Line { info: Box::new(info), lost: Vec::new() });
    }

    /// The last plies of the game as they are judged so far: what is found later of
    /// earlier positions may change them.
    pub fn judged(&self) -> Vec<Judged> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many plies are judged so far.
    pub fn count(&self) -> usize {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Searches positions within the bounds of requests.
pub type RunSearch<'a> = dyn FnMut(&RootPosition, &Request) -> Info + Send + 'a;

/// Judges every ply of a game. `begin` gives the request of a search that considers
/// some first stones, or all, and takes a multiple of the usual effort; `told` is called
/// after each ply, the last ply first.
pub fn judge(
    whole: &GameState,
    search: &mut RunSearch,
    begin: &dyn Fn(Vec<Cell>, u32) -> Request,
    reported: &mut dyn FnMut(),
) -> Vec<Judged> {
    let mut review = Review::new(whole);
    let mut count = 0;
    loop {
        let wanted = review.wanted();
        for _ in count..review.count() {
            reported();
        }
        count = review.count();
        let Some(wanted) = wanted else { return review.judged() };
        review.found(search(&wanted.root, &wanted.request(begin)));
    }
}
