//! Files of packed training games that are written by a run.

use std::io::{self, BufReader};
use std::path::Path;

use crate::run::run_file::RunFile;
use goren_files::LockedFile;
use goren_training_data::{DataError, FrameFault, PackedGame, Reader, frame};

/// Appends games to a file, each at once.
pub struct Writer {
    output: RunFile,
    games: u64,
}

impl Writer {
    /// Makes a file, or goes on after the last whole game of one that exists:
    /// `seen` is told of each game there is and may refuse it. What is left of
    /// a game cut short is dropped.
    ///
    /// # Errors
    /// The file cannot be read or written, is being written by another run,
    /// is damaged other than at its end, or what `seen` returns.
    pub fn resume(
        path: &Path,
        mut seen: impl FnMut(PackedGame) -> anyhow::Result<()>,
    ) -> anyhow::Result<Writer> {
        let (mut games, mut byte) = (0, 0);
        let fault =
            |fault: FrameFault| DataError { path: path.to_path_buf(), game: games, byte, fault };
        let file = LockedFile::open(path).map_err(|error| fault(error.into()))?;
        let file = file.ok_or_else(|| fault(FrameFault::InUse))?;
        {
            // By its own handle: on Windows no other one may read a locked file.
            let own = file.try_clone().map_err(|error| fault(error.into()))?;
            let mut reader = Reader::new(path, BufReader::with_capacity(1 << 16, own));
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
        Ok(Writer { output, games })
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
