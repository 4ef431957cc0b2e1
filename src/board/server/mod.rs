//! The server of `goren board`: a page and its socket, on the loopback address only.
//!
//! Whoever knows the URL can drive the engine, and read and write files of the user's folder.
//! So the URL contains a random token, and `guard` refuses requests that a foreign page could
//! make a browser send, by their `Host` and `Origin`. The server serves only the embedded files
//! of the page (`assets`), and limits the size of messages. Each page has its own model and
//! search thread, which end with it.

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
pub use limits::MAX_PAGES;
pub use listen::{Options, Server, run};
pub use shared::Load;
