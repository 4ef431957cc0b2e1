//! Weights files named on the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use goren_engine::WeightSet;
use goren_engine::eval::WeightFile;

/// The weights of some files, each for the games it says.
///
/// # Errors
/// A file that cannot be read or is none of weights.
pub(super) fn load(paths: &[impl AsRef<Path>]) -> Result<WeightSet> {
    let mut set = WeightSet::default();
    for path in paths {
        let path = path.as_ref();
        let name = || format!("weights {}", path.display());
        let bytes = fs::read(path).with_context(name)?;
        set.insert(WeightFile::read(&bytes).with_context(name)?);
    }
    Ok(set)
}
