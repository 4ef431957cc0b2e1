//! The path of our engine, and temporary folders, for tests that run the tool.

use std::fs;
use std::sync::LazyLock;

use tempfile::{TempDir, tempdir};

#[path = "sibling.rs"]
mod sibling;

/// Path of our engine.
pub fn engine() -> &'static str {
    static ENGINE: LazyLock<String> =
        LazyLock::new(|| sibling::sibling(env!("CARGO_BIN_EXE_goren"), "pbrain-goren"));
    &ENGINE
}

/// A temporary folder of a test, removed when dropped.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// The text of a file; empty if it does not exist.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }
}
