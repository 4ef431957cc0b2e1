//! The review of a game. It belongs to nodes of the tree, and stays while the game goes on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::line::stones_of_turn;
use super::reviewed::{Making, Reviewed, misses, side, winner};
use super::running::{Purpose, Running};
use super::{Change, Model, puzzles};
use crate::clock::LONGEST_MS;
use crate::schema::{Event, PuzzleInfo, ReviewState, ReviewView};
use crate::search::Task;
use goren_core::opening::GameState;
use goren_core::rules::Contest;
use goren_core::types::{Cell, Move};
use goren_engine::{Request, RootPosition};
use goren_notation::words::capital;
use goren_review::maker::puzzles;
use goren_review::puzzle::Puzzle;
use goren_review::review::Review;
use goren_review::tally::LossCount;
use goren_review::work::{self, Needed, Search, Step};

/// Minimum time of a search for the line after a move.
const WHY_TIME: Duration = Duration::from_secs(1);

impl Model {
    /// Begins the review of the line shown.
    pub(super) fn begin_review(&mut self, time_ms: u64, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(
            (1..=LONGEST_MS).contains(&time_ms),
            "the time of a search in a review must be 1 to {LONGEST_MS} milliseconds"
        );
        ensure!(self.exercise.is_none(), "leave the exercise first");
        let nodes = self.tree.line()[1..].to_vec();
        let last = nodes.last().copied().context("no move was played in this game")?;
        let game_state = self.tree.game_at(last)?;
        if self.review.as_ref().is_some_and(|review| !review.plies.is_empty()) {
            // The old review may have taken long: the page stores it.
            events.extend(self.replaced(true));
        }
        self.review = Some(Reviewed {
            work: Some(Review::new(&game_state)),
            winner: winner(&game_state, self.tree.heading.end_at(last)),
            opening_plies: self.tree.opening_plies(last),
            game_state,
            nodes,
            time: Duration::from_millis(time_ms),
            plies: Vec::new(),
            state: ReviewState::Running,
            making: None,
        });
        self.forget_background();
        self.study(events);
        // The review would wait for the analysis for ever.
        if std::mem::take(&mut self.play.lines) > 0 {
            events.push(self.setting());
        }
        if !self.acts() {
            self.search_again(false, events);
        }
        events.push(self.review_view());
        Ok(Change::Nothing)
    }

    /// Describes the review.
    pub(super) fn review_view(&self) -> Event {
        let in_tree = |node: usize| self.tree.contains(node);
        let view = self.review.as_ref().map(|review| review.view(&in_tree));
        Event::Review(view.unwrap_or_else(|| ReviewView {
            state: ReviewState::None,
            done: 0,
            of: 0,
            plies: Vec::new(),
            sides: [LossCount::default(); 2].map(side),
            losing: None,
            decision: String::new(),
            misses: 0,
        }))
    }

    /// Returns the time of a search of the review.
    pub(super) fn review_time(&self) -> Duration {
        self.review.as_ref().map_or(Duration::ZERO, |review| review.time)
    }

    /// Returns the game of the background searches.
    pub(super) fn background_contest(&self) -> Contest {
        match &self.review {
            Some(review) if self.exercise.is_none() => *review.game_state.contest(),
            _ => *self.game_state().contest(),
        }
    }

    /// Returns the search that the review needs next.
    pub(super) fn next_review_search(&mut self, events: &mut Vec<Event>) -> Option<Search> {
        if self.exercise.is_some() {
            return None;
        }
        let review = self.review.as_mut()?;
        let work = review.work.as_mut()?;
        let search = work.wanted();
        if search.is_none() {
            review.plies = work.judged();
            review.work = None;
            review.state = ReviewState::Done;
            events.push(self.review_view());
            events.extend(self.kept().ok());
        }
        search
    }

    pub(super) fn review_found(&mut self, found: work::Found, events: &mut Vec<Event>) {
        let Some(review) = &mut self.review else { return };
        let (Some(work), work::Found::Line { info, .. }) = (&mut review.work, found) else {
            return;
        };
        work.found(*info);
        // Asking for the next search also judges the plies that need none.
        let _ = work.wanted();
        let judged = work.judged();
        if judged.len() > review.plies.len() {
            review.plies = judged;
            events.push(self.review_view());
        }
    }

    pub(super) fn stop_review(&mut self, events: &mut Vec<Event>) {
        let Some(review) = &mut self.review else { return };
        if review.work.take().is_some() {
            review.state = ReviewState::Stopped;
            events.push(self.review_view());
            events.extend(self.kept().ok());
        }
    }

    /// Ends the review; other searches continue.
    pub(super) fn end_review(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        self.stop_review(events);
        let reviews = |running: &mut Running| running.purpose == Purpose::Review;
        if self.running.take_if(reviews).is_some() {
            self.searcher.stop();
            events.push(self.searching());
        }
        Ok(Change::Nothing)
    }

    /// Adds a line to the tree: the best line instead of a ply, or the line after it. Searches
    /// for it if the review has none.
    pub(super) fn why(
        &mut self,
        node: usize,
        better: bool,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        self.ensure_user_may_act()?;
        let review = self.review.as_ref().context("there is no review of this game")?;
        let in_tree = |node: usize| self.tree.contains(node);
        let found = review.plies_in_tree(&in_tree).find(|(at, _)| *at == node);
        let (_, ply) = found.context("that position is not in the review")?;
        let judgement = ply.judgement.as_ref().context("that ply was not judged")?;
        let line: Vec<Cell> = if better { judgement.line.clone() } else { judgement.reply.clone() };
        let start = if better {
            self.tree.parent_of(node).context("no move leads to the beginning")?
        } else {
            node
        };
        let before = self.tree.game_at(start)?;
        stones_of_turn(&before)?;
        if line.is_empty() {
            self.tree.go(start)?;
            self.show(Change::Moved, events);
            self.search_why(before, events);
            return Ok(Change::Nothing);
        }
        self.show_line(start, &line, events)
    }

    /// Searches for the line after a position.
    fn search_why(&mut self, game_state: GameState, events: &mut Vec<Event>) {
        let time = self.review_time().max(WHY_TIME);
        let request = Request { threads: self.play.threads, ..Request::per_move(time) };
        let root = RootPosition::from(&game_state);
        let task = Task::Answer { contest: *game_state.contest(), root: root.clone() };
        self.run(Purpose::Why, root, task, request, events);
    }

    /// Handles the result of that search.
    pub(super) fn why_found(
        &mut self,
        node: usize,
        line: &[Move],
        events: &mut Vec<Event>,
    ) -> Change {
        let cells: Vec<Cell> = line.iter().filter(|m| m.is_some()).map(|m| m.cell()).collect();
        match self.show_line(node, &cells, events) {
            Ok(change) => change,
            Err(error) => {
                events.push(Event::Refused { text: capital(&format!("{error:#}.")) });
                self.resume_search(events);
                Change::Nothing
            }
        }
    }

    /// Adds a line to the tree for the page to show.
    fn show_line(&mut self, at: usize, line: &[Cell], events: &mut Vec<Event>) -> Result<Change> {
        ensure!(!line.is_empty(), "no line was found there: let the engine analyse the position");
        let nodes = self.tree.add_line(at, line)?;
        events.push(Event::Shown { nodes });
        Ok(Change::Moved)
    }

    /// Begins to make puzzles from the misses.
    pub(super) fn make_puzzles(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        ensure!(self.exercise.is_none(), "leave the exercise first");
        let review = self.review.as_mut().context("there is no review of this game")?;
        ensure!(review.work.is_none(), "the review is still running");
        let misses = misses(&review.game_state, review.own_plies());
        ensure!(!misses.is_empty(), "the review found no missed win and no missed only defence");
        let total = misses.len();
        let results: Arc<Mutex<(Vec<Puzzle>, usize)>> = Arc::default();
        let shared_results = results.clone();
        let work = puzzles(misses, move |puzzle| {
            let mut results = shared_results.lock().unwrap_or_else(PoisonError::into_inner);
            results.0.extend(puzzle);
            results.1 += 1;
        });
        review.making = Some(Making { work, results, total });
        if std::mem::take(&mut self.play.lines) > 0 {
            events.push(self.setting());
            // A decision of the engine comes first.
            if !self.acts() {
                self.search_again(false, events);
            }
        }
        events.push(Event::Puzzles { shipped: false, puzzles: Vec::new(), left: total });
        Ok(Change::Nothing)
    }

    /// Returns the search that making puzzles needs next.
    pub(super) fn next_puzzle_search(&mut self, events: &mut Vec<Event>) -> Option<Needed> {
        if self.exercise.is_some() {
            return None;
        }
        let review = self.review.as_mut()?;
        let making = review.making.as_mut()?;
        let step = making.work.step();
        let (made, done) = {
            let mut results = making.results.lock().unwrap_or_else(PoisonError::into_inner);
            (std::mem::take(&mut results.0), results.1)
        };
        let left = making.total.saturating_sub(done);
        let needed = match step {
            Some(Step::Wants(needed)) => Some(needed),
            Some(Step::Done(())) | None => None,
        };
        if needed.is_none() {
            review.making = None;
        }
        if needed.is_none() || !made.is_empty() {
            let puzzles: Vec<PuzzleInfo> = made.iter().map(puzzles::info).collect();
            events.push(Event::Puzzles { shipped: false, puzzles, left });
        }
        needed
    }

    pub(super) fn puzzle_found(&mut self, found: work::Found) {
        if let Some(making) = self.review.as_mut().and_then(|review| review.making.as_mut()) {
            making.work.found(found);
        }
    }

    pub(super) fn stop_puzzles(&mut self) {
        if let Some(review) = &mut self.review {
            review.making = None;
        }
    }

    /// Drops a background search that belongs to a game or an exercise that is gone.
    pub(super) fn forget_background(&mut self) {
        if self.running.as_ref().is_some_and(|running| running.purpose.is_background()) {
            self.searcher.stop();
            self.running = None;
        }
    }
}
