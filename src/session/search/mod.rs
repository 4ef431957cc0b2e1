//! The running search: the order of a command, the search thread, its reports, and which
//! commands may overtake it.

pub mod active_search;
pub mod allowance;
pub mod closing;
pub mod job;
pub mod order;
pub mod overtaking;
pub mod progress;
pub mod queue;
pub mod thread;
pub mod verbosity;
