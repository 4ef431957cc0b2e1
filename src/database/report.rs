//! What there is to say about a file that was opened.

use super::code_page::Converted;
use super::journal::JournalError;
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
    /// Bytes that could not be made sense of.
    pub lost: u64,
    /// Records merged into another of the same position.
    pub folded: u64,
    /// Texts in another encoding than UTF-8, if there are any.
    pub converted: Option<Converted>,
    /// Changes that a program which was killed had not saved.
    pub recovered: u64,
    /// Why unsaved changes, if there are any, could not be had.
    pub busy: Option<JournalError>,
}

impl Report {
    /// What there is to say about the file, a line each. `may_save`: whether the file may be
    /// written anew.
    pub fn lines(&self, records: usize, may_save: bool) -> Vec<String> {
        let mut lines: Vec<String> =
            self.damage.iter().map(|damage| format!("the file is damaged: {damage}")).collect();
        let more = self.faults.saturating_sub(self.damage.len() as u64);
        if more > 0 {
            lines.push(format!("and {more} more places"));
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
            lines.push(format!("{} records were merged with a twin", self.folded));
        }
        if let Some(Converted { page, texts }) = self.converted {
            lines.push(format!("{texts} texts were read as {}, not UTF-8", page.name()));
        }
        if self.recovered > 0 {
            lines.push(format!("{} unsaved changes of an earlier run are back", self.recovered));
        }
        lines.extend(self.busy.as_ref().map(ToString::to_string));
        lines
    }
}
