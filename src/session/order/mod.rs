//! The search that a command orders: its task, limits and time.

pub mod allowance;
pub mod limits;
pub mod search_order;
pub mod task;
pub mod verbosity;
