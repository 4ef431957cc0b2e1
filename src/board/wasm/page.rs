//! The model of a page, and the searches that it wants from another instance.

use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use goren_board::model::{Limits, Model, Searcher};
use goren_board::schema::Event;
use goren_board::search::{Found, Job};

/// A line that is written.
#[derive(Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The page is told something.
    Event(Event),
    /// A search begins; the one before has ended.
    Begin {
        /// Its number.
        number: u64,
        /// The threads that it wants.
        threads: usize,
        /// What the searching instance reads.
        job: String,
    },
    /// The newest search ends.
    Stop,
}

/// Hands searches on.
struct Elsewhere(Sender<Line>);

impl Searcher for Elsewhere {
    fn begin(&mut self, job: Job) {
        let (number, threads) = (job.number, job.request.threads);
        // Only maps with keys that are no texts could fail.
        let job = serde_json::to_string(&job).unwrap_or_default();
        // The receiver lives as long as the model.
        let _ = self.0.send(Line::Begin { number, threads, job });
    }

    fn stop(&mut self) {
        let _ = self.0.send(Line::Stop);
    }
}

/// A page.
pub struct Page {
    model: Model,
    searches: Receiver<Line>,
}

impl Page {
    /// With a new model, which searches on at most `threads` threads.
    pub fn new(threads: usize) -> Page {
        let (sender, searches) = mpsc::channel();
        let limits = Limits { threads, ..Limits::default() };
        Page { model: Model::new(Box::new(Elsewhere(sender)), None, limits), searches }
    }

    /// Obeys a command.
    pub fn handle_command(&mut self, command: &str) -> Vec<Line> {
        let events = self.model.handle_command(command);
        self.lines(events)
    }

    /// Takes what a search has found, `age` ago.
    ///
    /// # Errors
    /// The text is no line of a search.
    pub fn found(&mut self, text: &str, age: Duration) -> Result<Vec<Line>> {
        let (number, found): (u64, Found) =
            serde_json::from_str(text).context("not a message of goren_search")?;
        let now = Instant::now();
        let events = self.model.found(number, found, now.checked_sub(age).unwrap_or(now));
        Ok(self.lines(events))
    }

    fn lines(&self, events: Vec<Event>) -> Vec<Line> {
        let observer = events.into_iter().map(Line::Event);
        self.searches.try_iter().chain(observer).collect()
    }
}
