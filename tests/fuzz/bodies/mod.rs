//! The bodies of the fuzz targets. Each must return without a panic, in memory
//! bounded by the size of the input, whatever the bytes.
//!
//! Where a file has checksums, a target also puts its input into a file with valid
//! ones, or no input would ever get past them.

mod database;
mod games;
mod hash;
mod imports;
mod lab;
mod lines;
mod proof;
mod records;
mod session;
mod transcripts;
mod weights;

use std::fs;
use std::path::PathBuf;

use arbitrary::Unstructured;
use tempfile::{TempDir, tempdir};

/// A body: panics if something is wrong. Returns whether the input, or a file made of it, was
/// accepted rather than refused.
type Body = fn(&[u8]) -> bool;

/// The targets by name.
pub const TARGETS: [(&str, Body); 30] = [
    ("board", records::board),
    ("csv", database::csv),
    ("database", database::database),
    ("forms", lab::forms),
    ("hash", hash::hash),
    ("journal", database::journal),
    ("lines", lines::lines),
    ("list", imports::list),
    ("lookup", proof::lookup),
    ("matches", lab::matches),
    ("openings", lab::openings),
    ("packed", proof::packed),
    ("params", lines::params),
    ("pente_org", imports::pente_org),
    ("pgn", imports::pgn),
    ("plies", games::plies),
    ("pos", imports::pos),
    ("proof", proof::proof),
    ("psq", records::psq),
    ("renlib", records::renlib),
    ("rif", imports::rif),
    ("rules", lab::rules),
    ("samples", lab::samples),
    ("sav", imports::sav),
    ("script", proof::script),
    ("session", transcripts::transcript),
    ("sgf", records::sgf),
    ("text", records::text),
    ("vectors", lab::vectors),
    ("weights", weights::weights),
];

/// The first byte of an input and the rest of it as text.
fn choice_and_text(input: &[u8]) -> (usize, String) {
    let (&choice, text) = input.split_first().unwrap_or((&0, &[]));
    (choice.into(), String::from_utf8_lossy(text).into_owned())
}

/// The input in pieces of any length, the last of which is the rest.
fn pieces(input: &[u8]) -> Vec<&[u8]> {
    let mut source = Unstructured::new(input);
    let mut pieces = Vec::new();
    while !source.is_empty() {
        pieces.push(source.arbitrary().unwrap_or_default());
    }
    pieces
}

/// Writes the bytes to a file in a temporary folder, for readers that need a path.
/// Returns the folder, which is deleted when dropped, and the path.
fn file(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder for temporary files");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("room for a temporary file");
    (folder, path)
}
