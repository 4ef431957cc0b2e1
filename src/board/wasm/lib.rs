//! The board without a server: its model and its searches as a WebAssembly module.
//!
//! A page has two instances of the module, each in a worker of its own: one keeps the
//! model and answers every command at once (`page`), the other searches (`search`).
//! What they are asked they read from the standard input, what they have to say they
//! write to the standard output, a line of JSON each:
//!
//! | function | reads | writes |
//! |---|---|---|
//! | `goren_page` | nothing: it is given the most search threads | nothing: the page begins |
//! | `goren_command` | a command of the page | events, and searches to begin or to end |
//! | `goren_found` | a line of `goren_search`: it is given its age in milliseconds | the same |
//! | `goren_search` | a search | what it finds, with its number |
//! | `goren_search_briefly` | a search | the same, after 15 ms |
//! | `goren_stop` | nothing | nothing: the running search ends soon |
//! | `goren_bench` | nothing | the bench signature and nodes per second |
//!
//! The module is a reactor of WASI, preview 1, so that the engine is compiled as it is:
//! clock, random numbers, input and output come from the host, which may call
//! `goren_stop` when it is asked for the time. Where the browser lets workers share memory,
//! other instances run the threads of a search (`threads`); else it has one.
#![cfg_attr(target_os = "wasi", feature(thread_local))]

mod exports;
#[cfg(target_os = "wasi")]
mod libc;
mod page;
mod search;
#[cfg(test)]
mod tests;
#[cfg(target_os = "wasi")]
mod threads;
