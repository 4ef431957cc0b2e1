//! The model of a page, and the searches that it requests from another instance.

use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use goren_board::model::{Limits, Model, Searcher};
use goren_board::schema::Event;
use goren_board::search::{Found, Job};

/// A line of the output.
#[derive(Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// An event for the page.
    Event(Event),
    /// Begins a search; the one before has ended.
    Begin {
        /// Its number.
        number: u64,
        /// Number of threads requested.
        threads: usize,
        /// The input of the searching instance.
        job: String,
    },
    /// Ends the last search.
    Stop,
}

/// Forwards searches to another instance.
struct Forwarder(Sender<Line>);

impl Searcher for Forwarder {
    fn begin(&mut self, job: Job) {
        let (number, threads) = (job.number, job.request.threads);
        // Only maps with keys other than strings could fail.
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
    /// Creates a page with a new model, which searches on at most `threads` threads.
    pub fn new(threads: usize) -> Page {
        let (sender, searches) = mpsc::channel();
        let limits = Limits { threads, ..Limits::default() };
        Page { model: Model::new(Box::new(Forwarder(sender)), None, limits), searches }
    }

    /// Handles a command.
    pub fn handle_command(&mut self, command: &str) -> Vec<Line> {
        let events = self.model.handle_command(command);
        self.lines(events)
    }

    /// Handles a result that a search has found `age` ago.
    ///
    /// # Errors
    /// The text is no result of a search.
    pub fn found(&mut self, text: &str, age: Duration) -> Result<Vec<Line>> {
        let (number, found): (u64, Found) =
            serde_json::from_str(text).context("not a message of goren_search")?;
        let now = Instant::now();
        let events = self.model.found(number, found, now.checked_sub(age).unwrap_or(now));
        Ok(self.lines(events))
    }

    fn lines(&self, events: Vec<Event>) -> Vec<Line> {
        let events = events.into_iter().map(Line::Event);
        self.searches.try_iter().chain(events).collect()
    }
}
