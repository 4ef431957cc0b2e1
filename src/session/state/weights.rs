//! The weights that games are built with: the embedded ones, or files named by the
//! client.

use std::io::Read;
use std::path::Path;

use goren_core::rules::Variant;
use goren_engine::WeightSet;
use goren_engine::eval::{MAX_FILE, WeightFile, WeightGames, WeightsError};
use goren_files::{FileError, open_plain};

/// The weights for each game, and whether the game at hand already uses them.
#[derive(Default)]
pub struct Loaded {
    set: WeightSet,
    /// The files the weights came from, with the games they are made for, the newest last.
    files: Vec<(String, WeightGames)>,
    /// Whether new weights were loaded since a game was last built.
    fresh: bool,
}

/// Why a weights file is not used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a valid weights file.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl Loaded {
    /// Reads a weights file, to be used by the games built from now on. Weights already in
    /// use change nothing.
    ///
    /// # Errors
    /// The file cannot be read or is invalid; nothing changes.
    pub fn load(&mut self, path: &Path) -> Result<(), LoadError> {
        let file = open_plain(path)?;
        // Read at most one byte more than the largest valid file, to refuse a longer one
        // without reading it to the end.
        let mut bytes = Vec::new();
        file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(FileError::from)?;
        let weights = WeightFile::read(&bytes)?;
        let games = weights.games();
        self.files.retain(|&(_, other)| other != games);
        self.files.push((path.display().to_string(), games));
        if !self.set.holds(&weights) {
            self.set.insert(weights);
            self.fresh = true;
        }
        Ok(())
    }

    /// The weights for each game.
    pub fn set(&self) -> &WeightSet {
        &self.set
    }

    /// Warns at the start of a game if files were loaded but none has weights for it.
    pub fn unused_in(&self, variant: Variant) -> Option<String> {
        let (path, games) = self.files.last()?;
        let unused = !self.files.iter().any(|(_, games)| games.has(variant));
        unused.then(|| format!("weights {path} not used in {variant}: they are for {games}"))
    }

    /// Whether the game at hand was built with the latest weights.
    pub fn in_use(&self) -> bool {
        !self.fresh
    }

    /// Records that the game at hand was built with these weights. Returns whether they
    /// were new.
    pub fn settle(&mut self) -> bool {
        std::mem::take(&mut self.fresh)
    }
}
