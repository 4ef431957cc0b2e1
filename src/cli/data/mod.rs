//! Shows, exports, joins and writes files of training games. Their format and its reader
//! are in [`goren_training_data`].

mod command;
mod export;
mod join;
mod npz;
mod whole_games;
mod writer;

pub use command::{Args, run};
pub(crate) use join::{join, seed_of, write_settings};
pub(crate) use whole_games::{check_training, hint_whole_games};
pub use writer::PackedWriter;
