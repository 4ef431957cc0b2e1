//! The running search: the search thread, its reports, and which commands may overtake it.

pub mod active_search;
pub mod closing;
pub mod command_kind;
pub mod job;
pub mod overtaking;
pub mod progress;
pub mod queue;
pub mod thread;
