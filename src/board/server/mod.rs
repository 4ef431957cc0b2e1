//! The server of `goren board`: a page and its socket, on the loopback address alone.
//!
//! Whoever knows the address may drive the engine and read and write files of the named
//! folder. So it holds a random token, and requests are refused that a page elsewhere
//! could make a browser send: by their `Host` and `Origin` (`guard`). Nothing is served
//! but the files of the page that are part of the program (`assets`); a message has a
//! largest size; a page has a model and a search thread of its own, which end with it.

mod assets;
mod browser;
mod databases;
mod folder;
mod guard;
mod limits;
mod listen;
mod shared;
mod socket;
#[cfg(test)]
mod tests;
mod thread;
mod trees;

pub use browser::show;
pub use limits::MOST_PAGES;
pub use listen::{Options, Server, run};
pub use shared::Load;
