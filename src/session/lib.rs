//! Sessions of the Gomocup protocol and its Yixin-Board extension: what each command does
//! and what the engine answers.
//!
//! A session takes commands and the events of the search thread, and sends replies
//! through a function. A command that asks for a decision gets exactly one answer. A
//! session never reads or writes a stream, and never waits for the search.
//!
//! The folders are layers, each of which imports only from those before it: `wire` (points,
//! plies and lists of the protocol), `state` (settings and game), `order` (the search that a
//! command orders), `advice` (additions to it), `search` (the running one), `dialect` (the
//! commands); [`Session`] is above them.
//!
//! Start with a [`Session`]. Feed it the events of a [`Parser`](goren_protocol::Parser),
//! and pass it the events that its search thread sends:
//!
//! ```
//! use std::sync::mpsc;
//!
//! use goren_protocol::{Parser, Reply};
//! use goren_session::{Flow, Session};
//!
//! let (sender, events) = mpsc::channel();
//! let mut session = Session::new(Box::new(move |event| drop(sender.send(event))))?;
//! let (mut parser, mut replies) = (Parser::new(), Vec::new());
//! for line in ["START 15", "INFO timeout_turn 200", "TURN 7,7"] {
//!     for event in parser.feed(line.as_bytes()) {
//!         let flow = session.handle(event, &mut |reply| replies.push(reply));
//!         assert_eq!(flow, Flow::Continue);
//!     }
//! }
//! while session.is_searching() {
//!     let flow = session.search_event(events.recv()?, &mut |reply| replies.push(reply));
//!     assert_eq!(flow, Flow::Continue);
//! }
//! assert_eq!(replies.first(), Some(&Reply::Ok));
//! assert!(matches!(replies.last(), Some(Reply::Move(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod advice;
mod dialect;
mod help;
mod order;
mod out;
#[cfg(test)]
mod overtaking_tests;
mod search;
mod searching;
mod session;
mod state;
pub mod wire;

pub use dialect::yixin::hash;
pub use out::Out;
pub use search::job::SearchEvent;
pub use session::{Flow, Session};
