//! Winning trees by name: folders of trees, each with an index.
//!
//! `index.txt` has a line for each packed tree, of words separated by blanks; what follows
//! `#` is a comment:
//!
//! ```text
//! # name         rule  board opening wins  next  bytes    crc32    answers   moves
//! renju-15x15    renju 15x15 h8      black white 26892241 0123abcd 560052601 41737741
//! ```
//!
//! The tree is in NAME.packed; the table made from it, by which the engine plays, in NAME.tree.
//! The opening is `-` if it is empty. The index identifies the files and proves nothing: a
//! file that differs from its line is refused, and the checkers do not read the index.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Claim;
use crate::file::{Form, MAX_HEAD, ProofError, checksum, is_packed, read_head};
use goren_core::rules::RuleId;

/// Environment variable that names the folder of trees, for all programs.
pub const FOLDER_VARIABLE: &str = "GOREN_TREES";
/// File name of the index of a folder.
const INDEX: &str = "index.txt";
/// Number of bytes of an index that are read.
const MAX_INDEX: u64 = 1 << 20;
/// Folder of the trees in the repository.
const SOURCES: &str = "src/proof/trees";
/// Number of words in a line of the index.
const WORDS: usize = 10;

/// The reason why there is no tree of a name.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// No folder with an index is known.
    #[error(
        "no folder of winning trees with {INDEX} is known: unpack goren-trees.zip beside the program, \
         or name the folder in {FOLDER_VARIABLE}"
    )]
    NoFolder,
    /// The index of a folder cannot be read.
    #[error("{0}: {1}")]
    Unreadable(String, io::Error),
    /// A line of an index is invalid.
    #[error("{0}: line {1} is not a line of an index of winning trees")]
    Index(String, usize),
    /// The name fits no tree, or several.
    #[error("no winning tree is called {0}; there are {1}")]
    Unknown(String, String),
    /// The tree has no table yet.
    #[error(
        "there is no table {0} of this tree yet: `goren merge {0} {1}` makes it, and the engine \
         plays by it"
    )]
    NoTable(String, String),
    /// The file cannot be read.
    #[error("{0}: {1}")]
    File(String, ProofError),
    /// The file is about another claim.
    #[error("{0}: it is about {1}, but the index says {2}")]
    OtherClaim(String, String, String),
    /// The file has another length.
    #[error("{0}: {1} bytes, but the index says {2}: it was cut short or overwritten")]
    Length(String, u64, u64),
    /// The file has another checksum.
    #[error("{0}: damaged, its checksum is {1:08x} and not {2:08x}")]
    Checksum(String, u32, u32),
}

/// A tree in an index.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name of the tree.
    pub name: String,
    /// Rule, board, opening, winner and side to move.
    claim: [String; 5],
    /// Size of the packed file, in bytes.
    pub bytes: u64,
    /// CRC-32 of the packed file.
    crc32: u32,
    /// Number of answers in the scripts.
    pub answers: u64,
    /// Number of moves in the scripts.
    pub moves: u64,
    folder: PathBuf,
}

/// Returns the words of an index line that describe a claim.
fn words(claim: &Claim) -> [String; 5] {
    let Claim { setup, attacker, root } = claim;
    let opening: String = root.stones.iter().map(|(cell, _)| cell.label(setup.height)).collect();
    let opening = if opening.is_empty() { "-".into() } else { opening };
    let color = |color| format!("{color:?}").to_lowercase();
    let rule = setup.rule.name().to_lowercase();
    let board = format!("{}x{}", setup.width, setup.height);
    [rule, board, opening, color(*attacker), color(root.to_move)]
}

impl Entry {
    /// Reads a line of an index.
    fn read(line: &str, folder: &Path) -> Option<Entry> {
        let words: [&str; WORDS] = line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
        let [name, rule, board, opening, wins, next, bytes, crc32, answers, moves] = words;
        let number = |text| u64::from_str(text).ok();
        Some(Entry {
            name: Some(name).filter(|name| is_name(name))?.to_owned(),
            claim: [rule, board, opening, wins, next].map(str::to_lowercase),
            bytes: number(bytes)?,
            crc32: u32::from_str_radix(crc32, 16).ok()?,
            answers: number(answers)?,
            moves: number(moves)?,
            folder: folder.to_path_buf(),
        })
    }

    /// Returns rule, board and opening as in the index.
    pub fn game(&self) -> [&str; 3] {
        let [rule, board, opening, ..] = &self.claim;
        [rule, board, opening]
    }

    /// Returns the winner and the side to move: `black` or `white`.
    pub fn winner(&self) -> [&str; 2] {
        let [.., winner, next] = &self.claim;
        [winner, next]
    }

    /// Returns the path of the packed tree.
    pub fn packed(&self) -> PathBuf {
        self.folder.join(format!("{}.packed", self.name))
    }

    /// Returns the path of the table, which need not exist.
    pub fn table(&self) -> PathBuf {
        self.folder.join(format!("{}.tree", self.name))
    }

    /// Whether a text names the tree: by its name or, with `by_rule`, by its rule.
    fn is_called(&self, text: &str, by_rule: bool) -> bool {
        let rule = RuleId::from_name(text).map(|rule| rule.name().to_lowercase());
        self.name.eq_ignore_ascii_case(text)
            || by_rule && rule.is_some_and(|rule| rule == self.claim[0])
    }

    /// Checks that the head of a file claims what the index says.
    fn has_claim(&self, path: &Path) -> Result<(), NameError> {
        let place = || path.display().to_string();
        let bad = |error| NameError::File(place(), error);
        let mut front = Vec::new();
        let file = File::open(path).map_err(|error| bad(error.into()))?;
        file.take(MAX_HEAD as u64).read_to_end(&mut front).map_err(|error| bad(error.into()))?;
        let form = if is_packed(&front) { Form::Packed } else { Form::Table };
        let (claim, _) = read_head(form, &front).map_err(bad)?;
        let found = words(&claim);
        let text = |words: &[String; 5]| words.join(" ");
        if found == self.claim {
            return Ok(());
        }
        Err(NameError::OtherClaim(place(), text(&found), text(&self.claim)))
    }

    /// Checks that the packed file is the one that the index describes: its claim, length
    /// and checksum.
    ///
    /// # Errors
    /// The file differs or cannot be read.
    pub fn is_sound(&self) -> Result<(), NameError> {
        let path = self.packed();
        self.has_claim(&path)?;
        let place = || path.display().to_string();
        let bytes = fs::read(&path).map_err(|error| NameError::File(place(), error.into()))?;
        let (length, sum) = (bytes.len() as u64, checksum(&bytes));
        if length != self.bytes {
            return Err(NameError::Length(place(), length, self.bytes));
        }
        if sum != self.crc32 {
            return Err(NameError::Checksum(place(), sum, self.crc32));
        }
        Ok(())
    }
}

/// Whether a text can be the name of a tree, which has no characters of paths.
pub fn is_name(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= 100 && text.chars().all(fits)
}

/// Folders of winning trees. Of two trees with the same name the first counts.
#[derive(Clone, Debug)]
pub struct NamedTrees {
    folders: Vec<PathBuf>,
}

impl NamedTrees {
    /// Uses the folder `named`, else the folder of the environment ([`FOLDER_VARIABLE`]), else
    /// `trees` beside the program and, if run from the root of the repository, its trees.
    pub fn locate(named: Option<&Path>) -> NamedTrees {
        let variable = std::env::var_os(FOLDER_VARIABLE).filter(|folder| !folder.is_empty());
        let named = named.map(Path::to_path_buf).or(variable.map(PathBuf::from));
        if let Some(folder) = named {
            return NamedTrees { folders: vec![folder] };
        }
        let program = std::env::current_exe().ok();
        let beside = program.and_then(|program| Some(program.parent()?.join("trees")));
        let folders = beside.into_iter().chain([PathBuf::from(SOURCES)]);
        NamedTrees { folders: folders.filter(|folder| folder.join(INDEX).is_file()).collect() }
    }

    /// Returns the first folder.
    pub fn folder(&self) -> Option<&Path> {
        self.folders.first().map(PathBuf::as_path)
    }

    /// Returns all trees, in the order of the indexes.
    ///
    /// # Errors
    /// There is no folder, or something is wrong with an index.
    pub fn entries(&self) -> Result<Vec<Entry>, NameError> {
        let mut entries: Vec<Entry> = Vec::new();
        if self.folders.is_empty() {
            return Err(NameError::NoFolder);
        }
        for folder in &self.folders {
            let path = folder.join(INDEX);
            let place = || path.display().to_string();
            let mut text = String::new();
            let read =
                File::open(&path).and_then(|file| file.take(MAX_INDEX).read_to_string(&mut text));
            read.map_err(|error| NameError::Unreadable(place(), error))?;
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.split('#').next().unwrap_or_default().trim();
                if line.is_empty() {
                    continue;
                }
                let entry = Entry::read(line, folder);
                let entry = entry.ok_or_else(|| NameError::Index(place(), number))?;
                if !entries.iter().any(|other| other.is_called(&entry.name, false)) {
                    entries.push(entry);
                }
            }
        }
        Ok(entries)
    }

    /// Returns the tree of a name: `renju-15x15`, or `renju` if it is the only one of the rule.
    ///
    /// # Errors
    /// There is none, or several; the error lists the names. As in [`NamedTrees::entries`].
    fn entry(&self, name: &str) -> Result<Entry, NameError> {
        let entries = self.entries()?;
        for by_rule in [false, true] {
            let mut called = entries.iter().filter(|entry| entry.is_called(name, by_rule));
            if let (Some(entry), None) = (called.next(), called.next()) {
                return Ok(entry.clone());
            }
        }
        let names: Vec<&str> = entries.iter().map(|entry| &entry.name[..]).collect();
        Err(NameError::Unknown(name.to_owned(), names.join(", ")))
    }

    /// Returns the packed tree of a name, after comparing all its bytes with the index.
    ///
    /// # Errors
    /// There is none, or the file differs from the index.
    pub fn packed(&self, name: &str) -> Result<PathBuf, NameError> {
        let entry = self.entry(name)?;
        entry.is_sound()?;
        Ok(entry.packed())
    }

    /// Returns the table of a tree, after comparing its claim with the index.
    ///
    /// # Errors
    /// There is no table yet, or it is about another claim.
    pub fn table(&self, name: &str) -> Result<PathBuf, NameError> {
        let entry = self.entry(name)?;
        let path = entry.table();
        if !path.exists() {
            let [table, packed] = [path, entry.packed()].map(|path| path.display().to_string());
            return Err(NameError::NoTable(table, packed));
        }
        entry.has_claim(&path)?;
        Ok(path)
    }
}
