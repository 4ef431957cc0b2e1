//! What there is to say about a file that was opened.

use std::path::PathBuf;

use super::code_page::Converted;
use super::journal::{JournalError, Recovered};
use super::read::Damage;

/// Report on the opening of a database.
#[derive(Debug, Default)]
pub struct Report {
    /// Whether there was a file.
    pub existed: bool,
    /// What is wrong with it, if anything; the first faults only.
    pub damage: Vec<Damage>,
    /// Number of faults.
    pub faults: u64,
    /// Bytes that could not be read as records.
    pub lost: u64,
    /// Records merged into another of the same position.
    pub folded: u64,
    /// Texts in another encoding than UTF-8, if there are any.
    pub converted: Option<Converted>,
    /// Changes that a program which was killed had not saved.
    pub recovered: u64,
    /// Records of such changes that differed from those of the file, which was saved since;
    /// they were merged.
    pub differed: u64,
    /// Records that such a program had deleted, but that are kept, as the file was saved since.
    pub undeleted: u64,
    /// A copy of the journal of such changes, if it could not be read to its end.
    pub journal_copy: Option<PathBuf>,
    /// Why the journal of unsaved changes could not be opened, if it could not.
    pub busy: Option<JournalError>,
}

impl Report {
    /// Takes in what came of unsaved changes, if there were any.
    pub(super) fn recover(&mut self, recovered: Recovered) {
        if recovered == Recovered::default() {
            return;
        }
        let Recovered { changes, differed, undeleted, copy } = recovered;
        (self.recovered, self.differed, self.undeleted) = (changes, differed, undeleted);
        self.journal_copy = copy;
    }

    /// What there is to say about the file, a line each. `may_save`: whether the file may be
    /// written anew.
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
        if self.folded > 0 {
            let folded = self.folded;
            lines.push(format!("records merged with another one of the same position: {folded}"));
        }
        lines.extend(self.converted.as_ref().map(ToString::to_string));
        if self.recovered > 0 {
            let recovered = self.recovered;
            lines.push(format!("unsaved changes recovered from an earlier run: {recovered}"));
        }
        if self.differed > 0 || self.undeleted > 0 {
            lines.push(format!(
                "another program may have saved the file after an earlier run had changed it; \
                 records that differed and were merged: {}; that had been deleted and stay: {}",
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
