//! Database state: the open database, its path, and the settings of the database
//! commands.

use std::path::{Path, PathBuf};

use crate::dialect::axes::turned;
use goren_core::rules::Setup;
use goren_core::types::Cell;
use goren_database::write::behind;
use goren_database::{Database, Key, OpenError, Record, Report};

/// The folder of ours below the one that `INFO folder` names, which other
/// engines may have as well.
const OWN_FOLDER: &str = "goren";

/// The database, and what commands about it need to know.
#[derive(Default)]
pub struct DatabaseState {
    /// What `INFO usedatabase 1` opens.
    usual: Option<PathBuf>,
    /// The folder that `INFO folder` has named.
    folder: Option<PathBuf>,
    pub(super) open: Option<Database>,
    /// Whether `INFO database_readonly 1` holds.
    pub(super) read_only: bool,
    /// The variant and board of the game that is thought about.
    setup: Option<Setup>,
    /// The position named last.
    pub(super) shown: Option<Vec<Option<Cell>>>,
    /// Whether it says something else than when a search was told of it last.
    pub(super) changed: bool,
}

/// Where a database lies.
pub(super) struct Whereabouts {
    pub(super) path: PathBuf,
    /// The folder that was named, if it lies in one of our own below.
    below: Option<PathBuf>,
}

impl Whereabouts {
    pub(super) fn at(path: &Path) -> Whereabouts {
        Whereabouts { path: path.to_path_buf(), below: None }
    }

    /// Opens the database.
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
    /// Where the database lies that `INFO usedatabase 1` opens.
    pub(super) fn usual_place(&self) -> Option<Whereabouts> {
        let usual = self.usual.as_deref()?;
        // A whole path stays what it is.
        let Some(folder) = self.folder.as_ref().filter(|_| usual.is_relative()) else {
            return Some(Whereabouts::at(usual));
        };
        let (own, shared) = (folder.join(OWN_FOLDER).join(usual), folder.join(usual));
        // Where there is one from before we had a folder of our own it goes on.
        let there = |path: &Path| path.exists() || behind(path, ".journal").exists();
        Some(if there(&shared) && !there(&own) {
            Whereabouts::at(&shared)
        } else {
            Whereabouts { path: own, below: Some(folder.clone()) }
        })
    }

    /// Reads the position named last in the other order of coordinates.
    pub fn swap_axes(&mut self) {
        let cells = self.shown.iter_mut().flatten().flatten();
        cells.for_each(|cell| *cell = turned(*cell));
    }

    /// Names the database that `INFO usedatabase 1` opens.
    pub fn set_usual(&mut self, path: PathBuf) {
        self.usual = Some(path);
    }

    /// `INFO folder`: where engines may keep files, each in a folder of its name.
    /// Nothing is made there before something is saved.
    pub fn set_folder(&mut self, folder: &Path) {
        self.folder = Some(folder.to_path_buf());
    }

    /// `INFO database_readonly`.
    pub fn set_read_only(&mut self, read_only: bool) {
        self.read_only = read_only;
    }

    /// Notes the variant and board that lists are about during a search.
    pub fn note_board(&mut self, setup: Option<Setup>) {
        self.setup = setup;
    }

    /// The variant and board of the search that was begun last.
    pub fn setup(&self) -> Option<Setup> {
        self.setup
    }

    /// Whether it says something else than when this was asked last: what searches
    /// have learnt since is to be forgotten.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Files what a search has proven. Nobody asked for it, so that nobody is
    /// told where it cannot be done.
    pub fn write_back(&mut self, key: &Key, record: &Record) {
        if let Some(database) = &mut self.open {
            drop(database.set(key, record));
        }
    }
}
