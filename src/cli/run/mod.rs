//! Long runs: their parts, journals, files and orderly end.

pub(crate) mod checksum;
pub(crate) mod journal;
pub(crate) mod ordered_jobs;
pub(crate) mod parts;
pub(crate) mod run_file;
pub(crate) mod shard;
pub(crate) mod siblings;
pub mod stop;
