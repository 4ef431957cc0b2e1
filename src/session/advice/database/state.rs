//! Database state: the open database, its path, and the settings about it.

use std::path::{Path, PathBuf};

use crate::dialect::axes::turned;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::{Database, Key, OpenError, Record, Report};
use goren_files::behind;

/// Our subfolder of the one that `INFO folder` names, which other engines may use as
/// well.
const OWN_FOLDER: &str = "goren";

/// The memory of a database is counted in steps, as the transposition table has what is left:
/// if that shrank with every new record, its entries would be lost each time.
const STEP: usize = 4 << 20;

/// The open database, if any, and the settings about it.
#[derive(Default)]
pub struct DatabaseState {
    /// What `INFO usedatabase 1` opens.
    usual: Option<PathBuf>,
    /// Whether it is to be open.
    wanted: bool,
    /// The folder that `INFO folder` named.
    folder: Option<PathBuf>,
    pub(super) open: Option<Database>,
    /// The place of the open one.
    pub(super) place: Option<DatabasePath>,
    /// The value of `INFO database_readonly`.
    pub(super) read_only: bool,
    /// Rule and board of the last search.
    setup: Option<Setup>,
    /// The last position named in a database command.
    shown: Option<ShownMoves>,
    /// Whether its results may have changed since the last search.
    pub(super) changed: bool,
}

/// The moves of a position named in a database command.
struct ShownMoves {
    /// The number of the game in which it was.
    game: u64,
    moves: Vec<Option<Cell>>,
}

/// The place of a database.
#[derive(Clone)]
pub(super) struct DatabasePath {
    pub(super) path: PathBuf,
    /// The folder that `INFO folder` named, if the database lies in our subfolder of it.
    below: Option<PathBuf>,
}

impl DatabasePath {
    pub(super) fn at(path: &Path) -> DatabasePath {
        DatabasePath { path: path.to_path_buf(), below: None }
    }

    /// Opens the database, or creates an empty one in memory if the file does not exist.
    pub(super) fn open(&self) -> Result<(Database, Report), OpenError> {
        match (&self.below, self.path.file_name()) {
            (Some(above), Some(name)) => {
                Database::open_below(above, Path::new(OWN_FOLDER), Path::new(name))
            }
            _ => Database::open(&self.path),
        }
    }
}

impl DatabaseState {
    /// The place of the database that `INFO usedatabase 1` opens.
    pub(super) fn usual_place(&self) -> Option<DatabasePath> {
        let usual = self.usual.as_deref()?;
        // An absolute path is used as it is.
        let Some(folder) = self.folder.as_ref().filter(|_| usual.is_relative()) else {
            return Some(DatabasePath::at(usual));
        };
        let (own, shared) = (folder.join(OWN_FOLDER).join(usual), folder.join(usual));
        // A database from a version without subfolder stays in use.
        let there = |path: &Path| path.exists() || behind(path, ".journal").exists();
        Some(if there(&shared) && !there(&own) {
            DatabasePath::at(&shared)
        } else {
            DatabasePath { path: own, below: Some(folder.clone()) }
        })
    }

    /// Exchanges columns and rows of the last position named.
    pub fn swap_axes(&mut self) {
        let cells = self.shown.iter_mut().flat_map(|shown| shown.moves.iter_mut().flatten());
        cells.for_each(|cell| *cell = turned(*cell));
    }

    /// Remembers the position that a database command has named in a game.
    pub(super) fn show(&mut self, game: u64, moves: Vec<Option<Cell>>) {
        self.shown = Some(ShownMoves { game, moves });
    }

    /// The moves of the last position named in this game.
    pub(super) fn shown_in(&self, game: u64) -> Option<&[Option<Cell>]> {
        self.shown.as_ref().filter(|shown| shown.game == game).map(|shown| &shown.moves[..])
    }

    /// Sets the database that `INFO usedatabase 1` opens.
    pub fn set_usual(&mut self, path: PathBuf) {
        self.usual = Some(path);
    }

    /// `INFO folder`: where engines may keep files, each in a subfolder. Nothing is
    /// created before something is saved. Returns whether the usual database is to be open,
    /// and belongs elsewhere now.
    pub fn set_folder(&mut self, folder: &Path) -> bool {
        let before = self.folder.replace(folder.to_path_buf());
        let moves = self.usual.as_deref().is_some_and(Path::is_relative);
        self.wanted && moves && before.as_deref() != Some(folder)
    }

    /// `INFO usedatabase`: whether the usual database is to be open.
    pub(super) fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// Memory that the open database takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |database| database.store().bytes().next_multiple_of(STEP))
    }

    /// `INFO database_readonly`.
    pub fn set_read_only(&mut self, read_only: bool) {
        self.read_only = read_only;
    }

    /// Records rule and board of a search, which lists refer to meanwhile.
    pub fn note_board(&mut self, setup: Option<Setup>) {
        self.setup = setup;
    }

    /// Rule and board of the last search.
    pub fn setup(&self) -> Option<Setup> {
        self.setup
    }

    /// Whether the results may have changed since the last call. If so, the
    /// transposition table may hold scores based on the old ones.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Stores what a search has found. The user did not ask for it, so a failure is not
    /// reported.
    pub fn write_back(&mut self, key: &Key, record: &Record) {
        if let Some(database) = &mut self.open {
            drop(database.set(key, record));
        }
    }
}
