//! The game of a page: its tree, its players and its searches.
//!
//! [`Model::handle_command`] takes a command as JSON and returns the events for the page;
//! [`Model::found`] takes the result of a search. A refused command changes nothing. Each
//! page has its own model.

mod background;
mod beginning;
mod book;
mod database;
#[cfg(test)]
mod database_tests;
#[cfg(test)]
mod exercise_tests;
#[cfg(test)]
mod file_tests;
mod files;
mod heading;
#[cfg(test)]
mod heading_tests;
mod keeping;
mod kept_review;
mod left_out;
#[cfg(test)]
mod lesson_tests;
mod libraries;
mod line;
mod link;
mod obey;
mod opened;
mod opening_plies;
mod placing;
mod puzzles;
mod queries;
#[cfg(test)]
mod query_tests;
mod recorded;
mod records;
mod review;
mod reviewed;
mod running;
mod searching;
#[cfg(test)]
mod set_up_tests;
#[cfg(test)]
mod stop_tests;
#[cfg(test)]
mod tests;
mod threats;
mod timing;
#[cfg(test)]
mod timing_tests;
mod trainer;
mod training;
mod tree;
mod tree_files;
#[cfg(test)]
mod turn_tests;
mod view;
mod walk;
#[cfg(test)]
mod walk_tests;
mod walking;

use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

use anyhow::Result;

use crate::clock::GameClock;
use crate::schema::{Catalogue, Command, Event, Player, Setting, TreeView};
use crate::search::{Found, Job};
use book::Book;
use goren_core::opening::{GameState, PendingDecision, Seat};
use goren_core::rules::{Contest, RuleId, Variant};
use goren_decide::{LEVELS, Level};
use goren_notation::words::capital;
use placing::Placing;
use reviewed::Reviewed;
use running::{Purpose, Running};
use training::Training;
use tree::Tree;
use walk::Walking;

pub use book::{Databases, Positions};
pub use walk::TreeList;

/// Maximum number of lines of an analysis.
pub const MAX_LINES: usize = 10;
/// Maximum size of a command in bytes: room for a file of several MiB, a character a byte.
pub const MAX_BYTES: usize = 16 << 20;
/// Maximum number of characters of a refusal.
const MAX_REFUSAL: usize = 400;
/// Maximum size of a tree that is sent for storing with every change, so that a move is
/// stored before it is shown.
const KEPT_AT_ONCE: usize = 400;
/// Default time of the engine for a ply.
const USUAL_MS: u64 = 2_000;

/// Runs searches for a model, one at a time.
pub trait Searcher: Send {
    /// Begins a search, and ends the running one, if any. The host of the model passes its
    /// results to [`Model::found`], with the number of the job and the time of the result.
    fn begin(&mut self, job: Job);
    /// Ends the running search, if any; it still delivers what it has found so far.
    fn stop(&mut self);
}

/// Stores files.
pub trait Folder: Send {
    /// Returns the names of the files, in order.
    ///
    /// # Errors
    /// An I/O error.
    fn names(&self) -> Result<Vec<String>>;
    /// Reads a file.
    ///
    /// # Errors
    /// It is not in the folder, or cannot be read.
    fn read(&self, name: &str) -> Result<Vec<u8>>;
    /// Writes a file atomically.
    ///
    /// # Errors
    /// It exists and may not be overwritten, the name is not allowed, or it cannot be
    /// written.
    fn write(&self, name: &str, bytes: &[u8], over: bool) -> Result<()>;
}

/// Limits of the searches.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of search threads.
    pub threads: usize,
    /// Seed of the random choices of levels below full; `None` for a new one in each game.
    pub seed: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 1, seed: None }
    }
}

/// Who plays, and the settings of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Play {
    players: [Player; 2],
    /// The level of the engine for each seat.
    levels: [Level; 2],
    time_ms: u64,
    threads: usize,
    /// Lines of the running analysis; 0 if it is off.
    lines: usize,
}

impl Play {
    /// Returns who acts for a seat.
    fn player(&self, seat: Seat) -> Player {
        self.players[seat.index()]
    }
}

/// The game of a page.
pub struct Model {
    tree: Tree,
    placing: Placing,
    play: Play,
    limits: Limits,
    searcher: Box<dyn Searcher>,
    folder: Option<Box<dyn Folder>>,
    /// The clock of the game, if it has one.
    clock: Option<GameClock>,
    running: Option<Running>,
    /// The review of the game.
    review: Option<Reviewed>,
    /// The current exercise.
    exercise: Option<Training>,
    /// The databases that can be opened.
    databases: Option<Box<dyn Databases>>,
    /// The open database.
    book: Option<Book>,
    /// The winning trees that can be opened.
    trees: Option<Box<dyn TreeList>>,
    /// Name of the winning tree that is being opened.
    opening: String,
    /// The walk through a winning tree.
    walk: Option<Walking>,
    /// Number of searches so far.
    searches: u64,
    /// Number of games so far.
    games: u64,
    /// Source of the seeds of random choices.
    chance: RandomState,
}

/// What a command has changed, and so what the page is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Change {
    /// Nothing.
    Nothing,
    /// The stones of a turn.
    Turn,
    /// Comments, marks or branches.
    Notes,
    /// Another position of the tree is shown.
    Moved,
    /// A ply was played.
    Played,
    /// Another game is shown.
    Game,
}

impl Model {
    /// Creates a model with a new game of freestyle between a person and the engine.
    pub fn new(
        searcher: Box<dyn Searcher>,
        folder: Option<Box<dyn Folder>>,
        limits: Limits,
    ) -> Model {
        let contest = Contest::new(Variant::Five(RuleId::Freestyle));
        let play = Play {
            players: [Player::Person, Player::Engine],
            levels: [Level::FULL; 2],
            time_ms: USUAL_MS,
            threads: limits.threads,
            lines: 0,
        };
        Model {
            tree: Tree::new(GameState::new(contest)),
            placing: Placing::default(),
            play,
            limits,
            searcher,
            folder,
            clock: None,
            running: None,
            review: None,
            exercise: None,
            databases: None,
            book: None,
            trees: None,
            opening: String::new(),
            walk: None,
            searches: 0,
            games: 0,
            chance: RandomState::new(),
        }
    }

    /// Handles a command as JSON.
    pub fn handle_command(&mut self, text: &str) -> Vec<Event> {
        if text.len() > MAX_BYTES {
            let text = format!("A command has at most {} MiB.", MAX_BYTES >> 20);
            return vec![Event::Refused { text }];
        }
        match serde_json::from_str(text) {
            Ok(command) => self.handle(command),
            Err(error) => {
                let text = format!("This is not a command of the page: {error}.");
                vec![Event::Refused { text }]
            }
        }
    }

    /// Handles a command.
    pub fn handle(&mut self, command: Command) -> Vec<Event> {
        let mut events = Vec::new();
        self.check_clock(Instant::now(), &mut events);
        match self.obey(command, &mut events) {
            Ok(change) => self.show(change, &mut events),
            Err(error) => {
                let mut text = format!("{error:#}");
                // The message may quote input of any length.
                if let Some((end, _)) = text.char_indices().nth(MAX_REFUSAL) {
                    text.truncate(end);
                    text.push_str(" ...");
                }
                events.push(Event::Refused { text: capital(&format!("{text}.")) });
            }
        }
        self.run_background(&mut events);
        self.stop_idle_clock(&mut events);
        events
    }

    /// Handles a result of a search and the time of the result: the clock does not charge the
    /// engine for the time that its ply waits here.
    pub fn found(&mut self, number: u64, found: Found, at: Instant) -> Vec<Event> {
        let mut events = Vec::new();
        self.check_clock(at, &mut events);
        let change = self.handle_found(number, (found, at), &mut events);
        self.show(change, &mut events);
        self.run_background(&mut events);
        self.stop_idle_clock(&mut events);
        events
    }

    /// Whether a search is running.
    pub fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn game_state(&self) -> &GameState {
        self.tree.game_state()
    }

    fn pending(&self) -> Option<PendingDecision> {
        self.game_state().pending_decision()
    }

    /// Adds the events of a change, and begins the search that goes with it.
    fn show(&mut self, change: Change, events: &mut Vec<Event>) {
        if matches!(change, Change::Moved | Change::Played | Change::Game) {
            self.placing = Placing::default();
            self.stop_clock_elsewhere();
        }
        let with_tree = !matches!(change, Change::Nothing | Change::Turn);
        let kept = Some(()).filter(|()| with_tree && self.tree.len() <= KEPT_AT_ONCE);
        let kept = kept.and_then(|()| self.kept().ok());
        let is_kept = kept.is_some();
        events.extend(kept);
        if change == Change::Game {
            events.push(Event::Game(view::game(&self.tree)));
        }
        if !matches!(change, Change::Nothing | Change::Notes) {
            events.push(Event::Position(Box::new(self.position())));
        }
        if self.clock.is_some() && !matches!(change, Change::Nothing | Change::Notes) {
            events.push(self.clock_view());
        }
        if with_tree && self.tree.is_sent() {
            events.push(Event::Line { line: self.tree.line() });
        } else if with_tree {
            events.push(Event::Tree(TreeView { kept: is_kept, ..self.tree.view() }));
            self.tree.set_sent(true);
        }
        if change == Change::Notes {
            events.extend(self.noted());
        }
        // The database labels the branches of the tree.
        if with_tree && self.has_database() {
            events.push(self.database_view());
        }
        if change == Change::Moved {
            self.exercise_moved(events);
        }
        match change {
            Change::Nothing | Change::Notes => {}
            Change::Turn if self.acts() => {}
            Change::Moved | Change::Played if self.ask_tree(false, events) => {}
            Change::Turn | Change::Moved => self.search_again(false, events),
            Change::Played if self.exercise.is_some() => {
                self.search_again(false, events);
                self.judge(events);
            }
            Change::Played | Change::Game => self.search_again(true, events),
        }
    }

    /// Adds the events of everything that the page shows.
    fn show_all(&self, events: &mut Vec<Event>) {
        events.push(Event::Catalogue(Catalogue {
            version: env!("CARGO_PKG_VERSION").into(),
            games: view::games(),
            levels: LEVELS.iter().map(view::level).collect(),
            threads: self.limits.threads,
            lines: MAX_LINES,
            folder: self.folder.is_some(),
            trees: self.trees.is_some(),
            bytes: MAX_BYTES,
        }));
        events.push(Event::Game(view::game(&self.tree)));
        events.push(self.setting());
        events.push(Event::Position(Box::new(self.position())));
        events.push(self.clock_view());
        events.push(Event::Tree(self.tree.view()));
        events.push(self.review_view());
        events.push(self.exercise_view());
        events.push(self.walk_view());
        events.push(self.database_view());
        events.push(self.searching());
    }

    /// Seed of the engine's random choices in this game.
    fn seed(&self) -> u64 {
        self.limits.seed.unwrap_or_else(|| self.chance.hash_one(self.games))
    }

    fn setting(&self) -> Event {
        let Play { players, levels, time_ms, threads, lines } = self.play.clone();
        let levels = levels.map(|level| level.to_string());
        Event::Setting(Setting { players, levels, time_ms, threads, lines })
    }

    fn searching(&self) -> Event {
        Event::Searching { acts: self.acts(), on: self.running.is_some() }
    }

    /// Whether the engine or a winning tree is deciding on a ply to play.
    fn acts(&self) -> bool {
        let acts = |running: &Running| {
            matches!(running.purpose, Purpose::Decide | Purpose::TreeMove | Purpose::OpenTree)
        };
        self.running.as_ref().is_some_and(acts)
    }
}
