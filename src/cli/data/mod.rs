//! Files of training games: looked into, exported, joined and written. What they hold
//! and how it is read is in [`goren_training_data`].

mod command;
mod export;
mod join;
mod npz;
mod writer;

pub use command::{Args, run};
pub(crate) use join::{join, seed_of, write_settings};
pub use writer::Writer;
