//! Weights files named on the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::forms::{Kind, of_kind};
use goren_core::rules::Variant;
use goren_engine::WeightSet;
use goren_engine::eval::WeightFile;

/// A weights file as an argument.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct WeightsArg {
    /// Weights file for the evaluation; default: the weights of the engine.
    #[arg(id = "weights", long = "weights", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
}

impl WeightsArg {
    /// Loads the file, if one is given.
    ///
    /// # Errors
    /// The file cannot be read, is no weights file, or is not for `game`.
    pub(super) fn load(&self, game: Variant) -> Result<WeightSet> {
        load(self.file.as_slice(), &[game])
    }
}

/// Loads weights files, each for the games that it names.
///
/// # Errors
/// A file cannot be read, is no weights file, or is for none of `games`.
pub(super) fn load(paths: &[impl AsRef<Path>], games: &[Variant]) -> Result<WeightSet> {
    let mut set = WeightSet::default();
    for path in paths {
        let path = path.as_ref();
        let name = || format!("weights {}", path.display());
        let bytes = fs::read(path).with_context(name)?;
        let read = WeightFile::read(&bytes).with_context(name);
        let file = of_kind(path, Kind::Weights, read)?;
        let made_for = file.games();
        let names = || {
            let names: BTreeSet<String> = games.iter().map(Variant::to_string).collect();
            names.into_iter().collect::<Vec<_>>().join(", ")
        };
        ensure!(
            games.iter().any(|&game| made_for.has(game)),
            "{}: they are for {made_for}, not for {}",
            name(),
            names()
        );
        set.insert(file);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::rules::RuleId;
    use goren_engine::eval::Weights;

    #[test]
    fn weights_of_another_game_are_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), Weights::embedded(RuleId::Caro).write()).unwrap();
        let game = |name: &str| Variant::from_name(name).unwrap();
        assert!(load(&[file.path()], &[game("renju"), game("caro-exact")]).is_ok());
        let error = load(&[file.path()], &[game("renju")]).err().unwrap().to_string();
        assert!(error.ends_with("they are for caro, not for renju"), "{error}");
    }
}
