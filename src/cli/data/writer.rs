//! Writes files of packed training games during a run.

use std::io;
use std::path::Path;

use crate::run::run_file::RunFile;
use goren_files::LockedFile;
use goren_training_data::{DataError, FrameFault, PackedGame, PackedReader, frame};

/// Appends games to a file, each immediately.
pub struct PackedWriter {
    output: RunFile,
    games: u64,
}

impl PackedWriter {
    /// Creates a file, or continues an existing one after its last whole game:
    /// `seen` gets each existing game and may refuse it. Drops the rest of a game
    /// that was cut short.
    ///
    /// # Errors
    /// The file cannot be read or written, is being written by another run, or is
    /// damaged before its end; the error of `seen`.
    pub fn resume(
        path: &Path,
        mut seen: impl FnMut(PackedGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<PackedWriter> {
        let (mut games, mut byte) = (0, 0);
        let fault =
            |fault: FrameFault| DataError { path: path.to_path_buf(), game: games, byte, fault };
        let file = LockedFile::open(path).map_err(|error| fault(error.into()))?;
        let file = file.ok_or_else(|| fault(FrameFault::InUse))?;
        {
            let mut reader = PackedReader::open(path)?;
            for game in reader.by_ref() {
                match game {
                    Ok(game) => seen(game)?,
                    Err(DataError { fault: FrameFault::Truncated, .. }) => break,
                    Err(error) => return Err(error.into()),
                }
            }
            (games, byte) = (reader.games(), reader.byte());
        }
        let at = |error: io::Error| DataError {
            path: path.to_path_buf(),
            game: games,
            byte,
            fault: error.into(),
        };
        let output = RunFile::resume(file, path, byte).map_err(at)?;
        Ok(PackedWriter { output, games })
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Bytes in the file.
    pub fn bytes(&self) -> u64 {
        self.output.length()
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written; the games before are whole.
    pub fn write(&mut self, game: &PackedGame) -> anyhow::Result<()> {
        self.output.append(&frame(game))?;
        self.games += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
