//! Files of packed training games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::PackedGame;
use crate::codec::{self, Malformed};

/// First bytes of the frame of a game.
pub const MAGIC: [u8; 4] = *b"GRN1";
/// Size of a frame before the packed game, in bytes.
const HEAD: usize = 12;
/// Maximum length of a game in bytes, packed or not; no game of the largest board is longer.
const MAX_LEN: usize = 1 << 20;

/// Fault of a file of games, and its place.
#[derive(Debug, thiserror::Error)]
#[error("{path}: game {} at byte {byte}: {fault}", .game + 1)]
pub struct DataError {
    /// The file.
    pub path: PathBuf,
    /// Number of whole games before the fault.
    pub game: u64,
    /// Offset of the frame of the faulty game.
    pub byte: u64,
    /// The fault.
    pub fault: FrameFault,
}

impl DataError {
    /// Whether the file does not even begin with a game, and so is of another kind.
    pub fn is_other_kind(&self) -> bool {
        self.game == 0 && matches!(self.fault, FrameFault::NoGame)
    }
}

/// Fault of the frame of a game.
#[derive(Debug, thiserror::Error)]
pub enum FrameFault {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another run writes to the file.
    #[error("another run writes to this file")]
    InUse,
    /// The file ends within the game.
    #[error("the file was cut short here; the games before it are whole")]
    Truncated,
    /// No game begins here.
    #[error("no training game begins here; `goren selfplay` writes such files")]
    NoGame,
    /// The checksum is not that of the bytes.
    #[error("the game is damaged: its checksum is wrong")]
    Checksum,
    /// The bytes are no game.
    #[error("the game is damaged: {0}")]
    Malformed(#[from] Malformed),
}

/// Iterator over the games of a file, in order. Ends after the first fault.
pub struct PackedReader {
    path: PathBuf,
    input: Box<dyn BufRead + Send>,
    games: u64,
    byte: u64,
    ended: bool,
}

impl PackedReader {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path) -> Result<PackedReader, DataError> {
        match File::open(path) {
            Ok(file) => Ok(PackedReader::new(path, BufReader::with_capacity(1 << 16, file))),
            Err(error) => {
                Err(DataError { path: path.to_path_buf(), game: 0, byte: 0, fault: error.into() })
            }
        }
    }

    /// Reads the bytes of an open file; `path` names it in errors.
    pub fn new(path: &Path, input: impl BufRead + Send + 'static) -> PackedReader {
        let (path, input) = (path.to_path_buf(), Box::new(input));
        PackedReader { path, input, games: 0, byte: 0, ended: false }
    }

    /// Returns the number of whole games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the offset of the next frame: the end of the last whole game.
    pub fn byte(&self) -> u64 {
        self.byte
    }

    fn game(&mut self) -> Result<Option<PackedGame>, FrameFault> {
        let head = self.up_to(HEAD)?;
        match head.len() {
            0 => return Ok(None),
            read if !MAGIC.starts_with(&head[..read.min(4)]) => return Err(FrameFault::NoGame),
            HEAD => {}
            _ => return Err(FrameFault::Truncated),
        }
        let word = |i: usize| u32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]);
        let len = word(4) as usize;
        if len > MAX_LEN {
            return Err(FrameFault::NoGame);
        }
        let packed = self.up_to(len)?;
        if packed.len() < len {
            return Err(FrameFault::Truncated);
        }
        if crc32fast::hash(&packed) != word(8) {
            return Err(FrameFault::Checksum);
        }
        let game = codec::decode(&unpack(&packed)?)?;
        self.games += 1;
        self.byte += (HEAD + len) as u64;
        Ok(Some(game))
    }

    /// Reads the next `length` bytes; fewer if the file ends before.
    fn up_to(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        self.input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Iterator for PackedReader {
    type Item = Result<PackedGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let game = self.game();
        self.ended = !matches!(game, Ok(Some(_)));
        match game {
            Ok(game) => game.map(Ok),
            Err(fault) => {
                let (path, game, byte) = (self.path.clone(), self.games, self.byte);
                Some(Err(DataError { path, game, byte, fault }))
            }
        }
    }
}

fn unpack(packed: &[u8]) -> Result<Vec<u8>, FrameFault> {
    let damaged = FrameFault::Malformed(Malformed::Short);
    match lz4_flex::block::uncompressed_size(packed) {
        Ok((size, block)) if size <= MAX_LEN => {
            lz4_flex::block::decompress(block, size).map_err(|_| damaged)
        }
        _ => Err(damaged),
    }
}

/// Encodes a game with its frame, as stored in a file.
pub fn frame(game: &PackedGame) -> Vec<u8> {
    let packed = lz4_flex::block::compress_prepend_size(&codec::encode(game));
    let mut frame = Vec::with_capacity(HEAD + packed.len());
    frame.extend(MAGIC);
    frame.extend((packed.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(&packed).to_le_bytes());
    frame.extend(packed);
    frame
}

#[cfg(test)]
mod tests;
