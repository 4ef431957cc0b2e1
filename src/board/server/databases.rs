//! Databases of the user's folder. Pages share an open database, so that no page overwrites
//! changes of another.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use anyhow::{Context, Result, ensure};

use super::folder::NamedFolder;
use crate::model::{Databases, Positions};
use goren_database::{Database, Key, Record, Store};

/// File extensions of databases.
pub(super) const EXTENSIONS: &[&str] = &["db"];

/// An open database, and why it cannot be changed; empty if it can.
struct Opened {
    database: Database,
    locked: String,
}

type Shared = Arc<Mutex<Opened>>;
/// The databases that pages hold, by path.
type Open = Arc<Mutex<HashMap<PathBuf, Weak<Mutex<Opened>>>>>;

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The databases of a folder.
#[derive(Clone)]
pub(super) struct FolderDatabases {
    folder: NamedFolder,
    open: Open,
}

impl FolderDatabases {
    /// Opens the databases of an existing folder.
    ///
    /// # Errors
    /// The path is not a folder.
    pub(super) fn of(path: &Path) -> Result<FolderDatabases> {
        Ok(FolderDatabases { folder: NamedFolder::open(path, EXTENSIONS)?, open: Arc::default() })
    }
}

impl Databases for FolderDatabases {
    fn names(&self) -> Result<Vec<String>> {
        self.folder.list()
    }

    fn open(&self, name: &str, new: bool) -> Result<(Box<dyn Positions>, Vec<String>)> {
        let path = if new {
            let path = self.folder.path_of(name)?;
            ensure!(fs::symlink_metadata(&path).is_err(), "{name} already exists");
            path
        } else {
            self.folder.path_inside(name)?
        };
        let handle = |opened| -> Box<dyn Positions> {
            Box::new(Handle { opened: Some(opened), open: self.open.clone() })
        };
        let mut open = lock(&self.open);
        open.retain(|_, opened| opened.strong_count() > 0);
        if let Some(opened) = open.get(&path).and_then(Weak::upgrade) {
            return Ok((handle(opened), Vec::new()));
        }
        let (mut database, report) = Database::open(&path).with_context(|| name.to_owned())?;
        let lines = report.lines(database.store().len(), true);
        let locked = report.busy.as_ref().map_or(String::new(), ToString::to_string);
        if new {
            // Creates the file at once.
            database.save().with_context(|| format!("cannot write {name}"))?;
        }
        let opened = Arc::new(Mutex::new(Opened { database, locked }));
        open.insert(path, Arc::downgrade(&opened));
        Ok((handle(opened), lines))
    }
}

/// A page's handle of an open database.
struct Handle {
    /// `None` only while the handle is dropped.
    opened: Option<Shared>,
    open: Open,
}

impl Handle {
    fn opened(&self) -> Result<MutexGuard<'_, Opened>> {
        self.opened.as_deref().map(lock).context("the database is closed")
    }
}

impl Drop for Handle {
    /// The last handle saves the database and closes its file. The lock makes a page that opens
    /// it meanwhile wait, as it would find the file locked.
    fn drop(&mut self) {
        let open = lock(&self.open);
        drop(self.opened.take());
        drop(open);
    }
}

impl Positions for Handle {
    fn look(&self, work: &mut dyn FnMut(&Store)) {
        if let Ok(opened) = self.opened() {
            work(opened.database.store());
        }
    }

    fn set(&mut self, key: &Key, record: Option<&Record>) -> Result<()> {
        let mut opened = self.opened()?;
        ensure!(opened.locked.is_empty(), "{}", opened.locked);
        match record {
            Some(record) => opened.database.set(key, record)?,
            None => {
                opened.database.remove(key)?;
            }
        }
        Ok(opened.database.sync()?)
    }

    fn save(&mut self) -> Result<()> {
        let mut opened = self.opened()?;
        ensure!(opened.locked.is_empty(), "{}", opened.locked);
        Ok(opened.database.save()?)
    }

    fn take_recovery_messages(&mut self) -> Vec<String> {
        self.opened()
            .map_or_else(|_| Vec::new(), |mut opened| opened.database.take_recovery_messages())
    }

    fn is_unsaved(&self) -> bool {
        self.opened().is_ok_and(|opened| opened.database.is_dirty())
    }

    fn locked(&self) -> String {
        self.opened().map_or_else(|error| error.to_string(), |opened| opened.locked.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::{Cell, Color};
    use goren_database::{Label, Place};

    fn key(x: usize) -> Key {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        Place::of(setup, &[(Cell::new(x, 3), Color::Black)], Color::White).key().unwrap()
    }

    fn known(positions: &dyn Positions, x: usize) -> bool {
        let mut known = false;
        positions.look(&mut |store| known = store.contains(&key(x)));
        known
    }

    fn databases() -> (FolderDatabases, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        (FolderDatabases::of(folder.path()).unwrap(), folder)
    }

    #[test]
    fn two_pages_share_one_database() {
        let (databases, folder) = databases();
        let mut one = databases.open("a.db", true).unwrap().0;
        let mut other = databases.clone().open("a.db", false).unwrap().0;
        one.set(&key(0), Some(&Record::labelled(Label::WIN))).unwrap();
        assert!(known(&*other, 0));
        other.set(&key(1), Some(&Record::labelled(Label::WIN))).unwrap();
        one.save().unwrap();
        assert!(!other.is_unsaved());
        // The last page saves the unsaved changes.
        one.set(&key(2), Some(&Record::labelled(Label::WIN))).unwrap();
        drop(one);
        assert!(other.is_unsaved());
        drop(other);
        let (read, _) = Database::open(&folder.path().join("a.db")).unwrap();
        assert_eq!(read.store().len(), 3);
    }

    /// Regression: it was taken for open in another program while the last page was saving it.
    #[test]
    fn a_database_that_is_being_closed_can_be_opened_again() {
        let (databases, _folder) = databases();
        let mut positions = databases.open("a.db", true).unwrap().0;
        for x in 0..10 {
            positions.set(&key(x), Some(&Record::labelled(Label::WIN))).unwrap();
            let closing = thread::spawn(move || drop(positions));
            let is_open = |opened: &Weak<_>| opened.strong_count() > 0;
            while lock(&databases.open).values().any(is_open) {
                thread::yield_now();
            }
            positions = databases.open("a.db", false).unwrap().0;
            assert_eq!(positions.locked(), "");
            closing.join().unwrap();
        }
    }

    #[test]
    fn changes_saved_by_another_program_stay() {
        let (databases, folder) = databases();
        let path = folder.path().join("a.db");
        let mut ours = databases.open("a.db", true).unwrap().0;
        let (mut theirs, _) = Database::open(&path).unwrap();
        theirs.change_many().unwrap().set(&key(0), &Record::labelled(Label::WIN));
        theirs.save().unwrap();
        drop(theirs);
        ours.set(&key(1), Some(&Record::labelled(Label::LOSE))).unwrap();
        assert!(ours.save().unwrap_err().to_string().contains("another program"));
        drop(ours);
        let (read, _) = Database::open(&path).unwrap();
        assert!(read.store().contains(&key(0)));
        drop(read);
        // Our changes are recovered from the journal.
        let (both, _) = databases.open("a.db", false).unwrap();
        assert!(known(&*both, 0) && known(&*both, 1));
    }

    #[test]
    fn names_stay_inside_the_folder_and_nothing_is_overwritten() {
        let (databases, folder) = databases();
        drop(databases.open("a.db", true).unwrap());
        assert_eq!(databases.names().unwrap(), ["a.db"]);
        for name in ["a.db", "../a.db", "a.sgf", "", ".db"] {
            assert!(databases.open(name, true).is_err(), "{name}");
        }
        for name in ["b.db", "../a.db", "a.sgf"] {
            assert!(databases.open(name, false).is_err(), "{name}");
        }
        std::fs::write(folder.path().join("broken.db"), "something else, and long enough").unwrap();
        let message = format!("{:#}", databases.open("broken.db", false).err().unwrap());
        assert!(message.contains("broken.db: not a database"), "{message}");
        assert!(folder.path().join("a.db").exists());
    }
}
