//! The board without a server: its model and its searches as a WebAssembly module.
//!
//! A page has two instances of the module, each in its own worker: one holds the model and
//! answers every command at once (`page`), the other searches (`search`). They read their
//! input from the standard input and write lines of JSON to the standard output:
//!
//! | function | reads | writes |
//! |---|---|---|
//! | `goren_page` | nothing; parameter: maximum number of search threads | nothing |
//! | `goren_command` | a command of the page | events, and searches to begin or to end |
//! | `goren_found` | a line of `goren_search`; parameter: its age in milliseconds | the same |
//! | `goren_search` | a search | its results, with its number |
//! | `goren_search_briefly` | a search | the same, after 15 ms |
//! | `goren_stop` | nothing | nothing: the running search ends soon |
//! | `goren_bench` | nothing | the bench signature and nodes per second |
//!
//! The module is a WASI reactor (preview 1), so that the engine is compiled unchanged: clock,
//! random numbers, input and output come from the host, which may call `goren_stop` when the
//! module asks for the time. If the browser lets workers share memory, further instances run
//! the threads of a search (`threads`); else it has one thread.
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
