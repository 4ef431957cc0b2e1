//! Sessions of the Gomocup protocol and its Yixin-Board extension: what each
//! command does, and what is answered.
//!
//! Commands and the events of the search thread come in, replies go out through a
//! function; each command that asks for a decision gets exactly one answer, and
//! between answers nothing is said. A session never reads or writes a stream, and
//! never waits for the search.
//!
//! Begin with a [`Session`]. Whoever owns it feeds it the commands of a
//! [`Parser`](goren_protocol::Parser), and hands back what the search thread tells:
//!
//! ```
//! use std::sync::mpsc;
//!
//! use goren_protocol::{Parser, Reply};
//! use goren_session::{Flow, Session};
//!
//! let (tell, thoughts) = mpsc::channel();
//! let mut session = Session::new(Box::new(move |thought| drop(tell.send(thought))))?;
//! let (mut parser, mut replies) = (Parser::new(), Vec::new());
//! for line in ["START 15", "INFO timeout_turn 200", "TURN 7,7"] {
//!     for event in parser.feed(line.as_bytes()) {
//!         let flow = session.handle(event, &mut |reply| replies.push(reply));
//!         assert_eq!(flow, Flow::Continue);
//!     }
//! }
//! while session.is_thinking() {
//!     let flow = session.thought(thoughts.recv()?, &mut |reply| replies.push(reply));
//!     assert_eq!(flow, Flow::Continue);
//! }
//! assert_eq!(replies.first(), Some(&Reply::Ok));
//! assert!(matches!(replies.last(), Some(Reply::Move(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod allowance;
mod axes;
mod balance;
mod closing;
mod database;
pub mod decide;
mod dispatch;
mod end_of_input;
mod gomocup;
mod help;
mod job;
mod out;
mod plain_file;
mod ponder;
mod position;
mod proofs;
mod report;
mod running;
mod settings;
mod start;
mod state;
mod strength;
mod swap2;
mod table;
mod table_game;
mod teller;
mod thinker;
mod thinking;
mod trouble;
mod voice;
mod wanted;
mod weights;
pub mod wire;
mod yixin;

pub use job::Thought;
pub use out::Out;
pub use state::{Flow, Session};
pub use yixin::hash;
