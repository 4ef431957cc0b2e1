//! Long runs: parts, journals, locks, how they end.

pub(crate) mod append_file;
pub(crate) mod journal;
pub(crate) mod locked_file;
pub(crate) mod ordered_jobs;
pub(crate) mod parts;
pub(crate) mod shard;
pub(crate) mod siblings;
pub mod stop;
