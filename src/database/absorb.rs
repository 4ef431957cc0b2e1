//! Adds records of other files to a database. Texts are converted first, as all texts of a
//! file must have the same encoding.

use super::code_page::{Converted, all_to_utf8, in_utf8};
use super::store::Store;
use super::{Database, EditError};

/// Result of adding records to a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Absorbed {
    /// Number of records added or changed.
    pub changed: usize,
    /// Summaries of the texts that were converted to UTF-8.
    pub converted: Vec<Converted>,
}

impl Database {
    /// Adds records of another store with the function `how`, which returns the number of
    /// records added or changed. Call [`Database::save`] afterwards. Texts of `from` that are
    /// not UTF-8 are converted first, and those of the database too if `from` has any text
    /// beyond ASCII.
    ///
    /// # Errors
    /// Changes are not allowed.
    pub fn absorb(
        &mut self,
        from: &Store,
        how: impl FnOnce(&Store, &mut Store) -> usize,
    ) -> Result<Absorbed, EditError> {
        let (own, store) = if from.is_ascii() {
            (None, self.change_many()?)
        } else {
            let (store, own) = self.change_texts()?;
            (own, store)
        };
        let (from, others) = in_utf8(from);
        let from: &Store = &from;
        let changed = how(from, store);
        Ok(Absorbed { changed, converted: own.into_iter().chain(others).collect() })
    }

    /// As [`Database::change_many`], for changes of texts: converts all texts that are not
    /// UTF-8 first, and returns a summary of them.
    ///
    /// # Errors
    /// Changes are not allowed.
    pub fn change_texts(&mut self) -> Result<(&mut Store, Option<Converted>), EditError> {
        let store = self.change_many()?;
        let converted = all_to_utf8(store);
        Ok((store, converted))
    }
}
