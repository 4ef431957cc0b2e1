//! Database state: the open database, its path, and its settings.

use std::path::{Path, PathBuf};

use crate::wire::turned;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::{Database, Key, OpenError, Record, Report};
use goren_files::with_suffix;

/// Our subfolder of the folder that `INFO folder` names, which other engines may use as
/// well.
const OWN_FOLDER: &str = "goren";

/// Step in which the memory of a database is counted. The transposition table gets the rest of
/// the memory: if it shrank with every new record, its entries would be lost each time.
const STEP: usize = 4 << 20;

/// The open database, if any, and its settings.
#[derive(Default)]
pub struct DatabaseState {
    /// The usual database, which `INFO usedatabase 1` opens.
    usual: Option<PathBuf>,
    /// Whether the usual database is to be open.
    wanted: bool,
    /// The folder that `INFO folder` named.
    folder: Option<PathBuf>,
    pub(super) open: Option<Database>,
    /// The place of the open database.
    pub(super) place: Option<DatabasePath>,
    /// The value of `INFO database_readonly`.
    pub(super) read_only: bool,
    /// Rule and board of the last search.
    setup: Option<Setup>,
    /// The last position named in a database command.
    shown: Option<ShownMoves>,
    /// Whether the results of the database may have changed since the last search.
    pub(super) changed: bool,
}

/// The moves of a position named in a database command.
struct ShownMoves {
    /// The number of the game during which it was named.
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
        // A database from a version without the subfolder stays in use.
        let exists = |path: &Path| path.exists() || with_suffix(path, ".journal").exists();
        Some(if exists(&shared) && !exists(&own) {
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

    /// Stores the position that a database command has named during a game.
    pub(super) fn show(&mut self, game: u64, moves: Vec<Option<Cell>>) {
        self.shown = Some(ShownMoves { game, moves });
    }

    /// The moves of the last position named during this game.
    pub(super) fn shown_in(&self, game: u64) -> Option<&[Option<Cell>]> {
        self.shown.as_ref().filter(|shown| shown.game == game).map(|shown| &shown.moves[..])
    }

    /// Sets the database that `INFO usedatabase 1` opens.
    pub fn set_usual(&mut self, path: PathBuf) {
        self.usual = Some(path);
    }

    /// Obeys `INFO folder`: where engines may keep files, each in a subfolder. Creates nothing
    /// before something is saved. Returns whether the usual database is to be open and now
    /// belongs elsewhere.
    pub fn set_folder(&mut self, folder: &Path) -> bool {
        let before = self.folder.replace(folder.to_path_buf());
        let moves = self.usual.as_deref().is_some_and(Path::is_relative);
        self.wanted && moves && before.as_deref() != Some(folder)
    }

    /// Stores whether the usual database is to be open (`INFO usedatabase`).
    pub(super) fn want(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// Memory that the open database takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.open.as_ref().map_or(0, |database| database.store().bytes().next_multiple_of(STEP))
    }

    /// Obeys `INFO database_readonly`.
    pub fn set_read_only(&mut self, read_only: bool) {
        self.read_only = read_only;
    }

    /// Records rule and board of a search, to which lists refer during it.
    pub fn note_board(&mut self, setup: Option<Setup>) {
        self.setup = setup;
    }

    /// Rule and board of the last search.
    pub fn setup(&self) -> Option<Setup> {
        self.setup
    }

    /// Whether the results may have changed since the last call. If so, the
    /// transposition table may hold scores based on the old results.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Stores a finding of a search. The user did not ask for it, so a failure is not
    /// reported.
    pub fn write_back(&mut self, key: &Key, record: &Record) {
        if let Some(database) = &mut self.open {
            drop(database.set(key, record));
        }
    }
}
