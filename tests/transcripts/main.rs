//! Plays transcripts with the real binary: what managers and GUIs send in
//! order, and every trap that has cost an engine a game.

mod clients;
mod database;
mod database_files;
mod database_search;
mod end_of_input;
mod engine;
mod games;
mod known;
mod limits;
mod openings;
mod params;
mod pondering;
mod positions;
mod proof;
mod rules;
mod settings_file;
#[path = "../support/sibling.rs"]
mod sibling;
mod thought;
mod traps;
mod weights;
mod yixin;
mod yixin_openings;
mod yixin_search;
