//! The interface between a model and databases of positions.

use anyhow::Result;

use crate::schema::Event;
use goren_database::{Key, Record, Store};

/// Databases that a model may open.
pub trait Databases: Send {
    /// Returns their names, in order.
    ///
    /// # Errors
    /// An I/O error.
    fn names(&self) -> Result<Vec<String>>;
    /// Opens a database, or with `new` creates one; also returns messages about its file.
    ///
    /// # Errors
    /// There is no database of this name (with `new`: it exists already), or its file is not
    /// a database.
    fn open(&self, name: &str, new: bool) -> Result<(Box<dyn Positions>, Vec<String>)>;
}

/// An open database.
pub trait Positions: Send {
    /// Calls `work` with its records.
    fn look(&self, work: &mut dyn FnMut(&Store));
    /// Writes a record, or removes it; the change is durable when this returns.
    ///
    /// # Errors
    /// The database is read-only, or the change cannot be made durable; nothing changes.
    fn set(&mut self, key: &Key, record: Option<&Record>) -> Result<()>;
    /// Writes its file.
    ///
    /// # Errors
    /// An I/O error, or another program has changed the file; the file and the unsaved changes
    /// stay as they are.
    fn save(&mut self) -> Result<()>;
    /// Takes the messages, a line each, about unsaved changes of a killed program that the
    /// last change or save has found.
    fn take_recovery_messages(&mut self) -> Vec<String>;
    /// Whether it has changes that are not saved to its file.
    fn is_unsaved(&self) -> bool;
    /// Returns why it cannot be changed; empty if it can.
    fn locked(&self) -> String;
}

/// The open database.
pub(super) struct Book {
    pub(super) name: String,
    pub(super) positions: Box<dyn Positions>,
}

impl Book {
    /// Reports what a change or a save has found.
    pub(super) fn report_found(&mut self, events: &mut Vec<Event>) {
        for line in self.positions.take_recovery_messages() {
            events.push(Event::Message { text: format!("{}: {line}.", self.name) });
        }
    }
}
