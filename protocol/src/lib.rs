//! Commands and replies of the Gomocup (piskvork) protocol and of its Yixin-Board extension.
//!
//! Both directions are covered: an engine reads [`Command`]s with a [`Parser`] and prints
//! [`Reply`]s; a match runner prints [`Command`]s and reads [`Reply`]s with [`Reply::parse`].
//!
//! The crate never searches, knows no rules of the game, keeps no board and does no input or
//! output: it turns bytes into values and values into text. The caller judges whether a cell
//! exists, is free, or may be played.
//!
//! ```
//! use goren_protocol::{Command, Parser, Point, Reply};
//!
//! let mut parser = Parser::new();
//! let events = parser.feed(b"TURN 7,8");
//! assert_eq!(events[0], Ok(Command::Turn(Point::new(7, 8))));
//!
//! // A command with a list is complete at its DONE.
//! assert!(parser.feed(b"BOARD").is_empty());
//! assert!(parser.feed(b"7,7,1").is_empty());
//! assert!(matches!(&parser.feed(b"DONE")[0], Ok(Command::Board(list)) if list.len() == 1));
//!
//! assert_eq!(Reply::Move(Point::new(8, 6)).to_wire(), "8,6\n");
//! assert_eq!(Reply::parse(b"8,6")?, Reply::Move(Point::new(8, 6)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod about;
mod command;
mod database;
mod detail;
mod error;
mod head;
mod info;
mod line_buffer;
mod list;
mod parser;
mod placed;
mod ply;
mod point;
mod reason;
mod reply;
mod reply_parse;
mod scan;
mod search_info;
mod text;
mod yixin;

pub use about::About;
pub use command::Command;
pub use database::{DatabaseCommand, DatabaseQuery};
pub use detail::{Detail, Limit, Realtime};
pub use error::{ParseError, ReplyError};
pub use info::Setting;
pub use line_buffer::LineBuffer;
pub use parser::{Event, Events, MAX_LIST, MAX_QUOTED, Parser};
pub use placed::{Owner, Placed};
pub use ply::Ply;
pub use point::Point;
pub use reason::Reason;
pub use reply::Reply;
pub use search_info::{Eval, SearchInfo, abbreviated_count, parse_count};
pub use text::{MAX_LINE, MAX_TEXT};
pub use yixin::YixinCommand;

/// Compiles and runs the example of the crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
