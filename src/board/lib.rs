//! The board in the browser: the model behind a page, and the server of `goren board`.
//!
//! - [`schema`]: the messages between page and model, as JSON;
//! - [`model`]: a game with its tree, its players and its searches. It has no threads,
//!   files or sockets: a [`Searcher`](model::Searcher) searches for it, and a
//!   [`Folder`](model::Folder) stores files;
//! - [`clock`], [`players`]: the clock of a game and the names of its players in files, for the
//!   page and for games in a terminal;
//! - [`search`]: runs searches, on a thread or in a web worker; [`guide`]: the interface to
//!   winning trees;
//! - [`server`] (feature `server`): one model per page, over a WebSocket.
//!
//! The game state decides what a seat may do, and all results come from the engine's
//! reports; this crate adds no rule and no search.
//!
//! ```
//! use goren_board::model::{Limits, Model, Searcher};
//! use goren_board::schema::Event;
//! use goren_board::search::Job;
//!
//! /// Two people play: no search is needed.
//! struct Nobody;
//! impl Searcher for Nobody {
//!     fn begin(&mut self, _job: Job) {}
//!     fn stop(&mut self) {}
//! }
//!
//! let mut model = Model::new(Box::new(Nobody), None, Limits::default());
//! model.handle_command(r#"{"do": "players", "players": ["person", "person"]}"#);
//! let events = model.handle_command(r#"{"do": "play", "text": "h8"}"#);
//! let shown = events.iter().find_map(|event| match event {
//!     Event::Position(position) => Some(position.stones.len()),
//!     _ => None,
//! });
//! assert_eq!(shown, Some(1));
//! ```

pub mod clock;
pub mod guide;
pub mod model;
pub mod players;
pub mod schema;
pub mod search;
#[cfg(feature = "server")]
pub mod server;
