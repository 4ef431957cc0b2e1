//! Databases of positions as a model has them.

use anyhow::Result;

use crate::schema::Event;
use goren_database::{Key, Record, Store};

/// Databases that a model may open.
pub trait Databases: Send {
    /// Their names, in order.
    ///
    /// # Errors
    /// An I/O error.
    fn names(&self) -> Result<Vec<String>>;
    /// Opens one, or with `new` begins one that is not there yet; and what there is to say
    /// of its file.
    ///
    /// # Errors
    /// There is no database of this name (with `new`: there is one already), or nothing in its file makes sense.
    fn open(&self, name: &str, new: bool) -> Result<(Box<dyn Positions>, Vec<String>)>;
}

/// An open database.
pub trait Positions: Send {
    /// Does something with its records.
    fn look(&self, work: &mut dyn FnMut(&Store));
    /// Files a record, or takes it out; when it returns, the change outlasts the program.
    ///
    /// # Errors
    /// Changes are not allowed, or cannot be kept safe; nothing changes.
    fn set(&mut self, key: &Key, record: Option<&Record>) -> Result<()>;
    /// Writes its file anew.
    ///
    /// # Errors
    /// An I/O error, or another program has changed the file; it stays as it is, and so
    /// do the changes.
    fn save(&mut self) -> Result<()>;
    /// Takes out what there is to say, a line each, of unsaved changes of a killed program
    /// that were found with the last change or save.
    fn take_found(&mut self) -> Vec<String>;
    /// Whether there are changes that its file does not have.
    fn is_unsaved(&self) -> bool;
    /// Why it cannot be changed; empty if it can.
    fn locked(&self) -> String;
}

/// The open database.
pub(super) struct Book {
    pub(super) name: String,
    pub(super) positions: Box<dyn Positions>,
}

impl Book {
    /// Tells what a change or a save has found.
    pub(super) fn report_found(&mut self, events: &mut Vec<Event>) {
        for line in self.positions.take_found() {
            events.push(Event::Message { text: format!("{}: {line}.", self.name) });
        }
    }
}
