//! Report on the opening of a database, and its messages.

use std::path::PathBuf;

use super::code_page::Converted;
use super::journal::{JournalError, Recovered};
use super::read::Damage;

/// Report on the opening of a database.
#[derive(Debug, Default)]
pub struct Report {
    /// Whether there was a file.
    pub existed: bool,
    /// Damage to the file; the first faults only.
    pub damage: Vec<Damage>,
    /// Number of faults.
    pub faults: u64,
    /// Number of bytes that could not be read as records.
    pub lost: u64,
    /// Number of records merged with another one of the same position.
    pub merged: u64,
    /// Texts in an encoding other than UTF-8, if there are any.
    pub converted: Option<Converted>,
    /// Number of recovered changes that a killed program had not saved.
    pub recovered: u64,
    /// Number of changed records that differed from those of the file, which was saved since;
    /// they were merged.
    pub differed: u64,
    /// Number of records that the killed program had deleted, but that stay, as the file was
    /// saved since.
    pub undeleted: u64,
    /// A copy of the journal, if it could not be read to its end.
    pub journal_copy: Option<PathBuf>,
    /// Why the journal could not be opened, if it could not.
    pub busy: Option<JournalError>,
}

impl Report {
    /// Adds the outcome of unsaved changes, if there were any.
    pub(super) fn recover(&mut self, recovered: Recovered) {
        if recovered == Recovered::default() {
            return;
        }
        let Recovered { changes, differed, undeleted, copy } = recovered;
        (self.recovered, self.differed, self.undeleted) = (changes, differed, undeleted);
        self.journal_copy = copy;
    }

    /// Messages about the file, a line each. `records`: number of records; `may_save`: whether
    /// the caller may save the file.
    pub fn lines(&self, records: usize, may_save: bool) -> Vec<String> {
        let mut lines: Vec<String> =
            self.damage.iter().map(|damage| format!("the file is damaged: {damage}")).collect();
        let more = self.faults.saturating_sub(self.damage.len() as u64);
        if more > 0 {
            lines.push(format!("damaged places that are not listed: {more}"));
        }
        if self.faults > 0 {
            let kept = "; the first save keeps the damaged file beside the new one";
            lines.push(format!(
                "{records} records can be read, {} bytes cannot{}",
                self.lost,
                if may_save { kept } else { "" }
            ));
        }
        if self.merged > 0 {
            let merged = self.merged;
            lines.push(format!("records merged with another one of the same position: {merged}"));
        }
        lines.extend(self.converted.as_ref().map(ToString::to_string));
        if self.recovered > 0 {
            let recovered = self.recovered;
            lines.push(format!("unsaved changes recovered from an earlier run: {recovered}"));
        }
        if self.differed > 0 || self.undeleted > 0 {
            lines.push(format!(
                "another program may have saved the file after an earlier run had changed it; \
                 records that differed and were merged: {}; deleted records that stay: {}",
                self.differed, self.undeleted
            ));
        }
        if let Some(copy) = &self.journal_copy {
            lines.push(format!(
                "the journal of unsaved changes is damaged or cut short: the changes before that \
                 place were applied, and a copy of the whole journal is kept as {}",
                copy.display()
            ));
        }
        lines.extend(self.busy.as_ref().map(ToString::to_string));
        lines
    }
}
