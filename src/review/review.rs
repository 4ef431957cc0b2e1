//! A review in progress.

use std::sync::{Arc, Mutex, PoisonError};

use crate::judge::Judged;
use crate::study::Study;
use crate::work::{Found, Needed, Search, Step, Work};
use goren_core::opening::GameState;
use goren_core::types::Cell;
use goren_engine::{Info, Request, RootPosition};

/// A review of a game: the searches that it needs, and the judgements so far.
pub struct Review {
    work: Work<Vec<Judged>>,
    judged: Arc<Mutex<Vec<Judged>>>,
}

impl Review {
    /// Creates a review of a game, before any search.
    pub fn new(game: &GameState) -> Review {
        let judged: Arc<Mutex<Vec<Judged>>> = Arc::default();
        let shared = judged.clone();
        let observer = move |plies| *shared.lock().unwrap_or_else(PoisonError::into_inner) = plies;
        let game = game.clone();
        let work = Work::new(|searches| Study::new(&game, searches, Box::new(observer)).run());
        Review { work, judged }
    }

    /// Returns the search that the review waits for; `None` when all plies are judged. Until
    /// [`found`](Review::found) is called, it is the same search.
    pub fn wanted(&mut self) -> Option<Search> {
        loop {
            match self.work.step()? {
                Step::Wants(Needed::Search(search)) => return Some(search),
                // A review needs nothing but lines.
                Step::Wants(_) => self.work.found(Found::Fours(None)),
                Step::Done(plies) => {
                    *self.judged.lock().unwrap_or_else(PoisonError::into_inner) = plies;
                    return None;
                }
            }
        }
    }

    /// Hands over the result of the search.
    pub fn found(&mut self, info: Info) {
        self.work.found(Found::Line { info: Box::new(info), lost: Vec::new() });
    }

    /// Returns the last plies of the game as judged so far. Later searches of earlier positions
    /// may change the judgements.
    pub fn judged(&self) -> Vec<Judged> {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of plies judged so far.
    pub fn count(&self) -> usize {
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Callback that searches a position within the limits of a request.
pub type RunSearch<'a> = dyn FnMut(&RootPosition, &Request) -> Info + Send + 'a;

/// Judges every ply of a game. `begin` returns the request of a search that considers the given
/// first stones (all if empty) and takes a multiple of the usual effort. `on_ply` is called
/// after each ply, the last ply first.
pub fn judge(
    game: &GameState,
    search: &mut RunSearch,
    begin: &dyn Fn(Vec<Cell>, u32) -> Request,
    on_ply: &mut dyn FnMut(),
) -> Vec<Judged> {
    let mut review = Review::new(game);
    let mut count = 0;
    loop {
        let wanted = review.wanted();
        for _ in count..review.count() {
            on_ply();
        }
        count = review.count();
        let Some(wanted) = wanted else { return review.judged() };
        review.found(search(&wanted.root, &wanted.request(begin)));
    }
}
