//! Conversion of RenLib libraries ([`goren_core::record::lib`]) to records and back.
//!
//! A library annotates paths to positions, a database annotates positions. So
//! each node becomes a record; nodes of the same position, symmetric or reached
//! by other moves, become one record. Comments are joined line by line. The text
//! of a cell belongs to the position above the node.
//!
//! The fields of a record beside its texts are written in the first line of the
//! comment, such as `label w, value -29993, depth 12, exact`, and the text that
//! GUIs show for it on the cell (`W8`), unless the cell has a text. Libraries of
//! other programs lack that line: there, `W` or `L` with a number or a star on a
//! cell becomes a label of the move. The number stays in the text only, since
//! some programs count plies from the empty board and some from the position.
//!
//! Marks and the node at which an editor opens a library are dropped; marks are counted.

mod export;
#[cfg(test)]
mod tests;

pub use export::{Exported, export};

use super::key::{Key, Place};
use super::record::{Bound, Label, MAX_TEXT, Record};
use super::store::Store;
use super::text;
use goren_core::record::lib::{AddNodeError, NodeRef, SIDE, Step, Tree};
use goren_core::record::text::CodePage;
use goren_core::rules::Setup;
use goren_core::types::Cell;

/// Reason why nothing can be imported or exported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RenlibError {
    /// A board of a size that libraries do not have.
    #[error("a library has a board of 15x15, not {0}x{1}")]
    Board(usize, usize),
    /// A text that the code page cannot encode.
    #[error("{page} cannot encode {text:?}")]
    Letters {
        /// The code page.
        page: &'static str,
        /// The text.
        text: String,
    },
    /// The library would be too large.
    #[error(transparent)]
    Full(#[from] AddNodeError),
}

/// The result of an import.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImportResult {
    /// Number of new records.
    pub new: usize,
    /// Number of nodes left out: those on an occupied point, with all below them, and
    /// those after more passes than a key can express.
    pub skipped: usize,
    /// Number of texts left out: the cell had another one, there was no room, or no record.
    pub left_out: usize,
    /// Number of marks left out: records have none.
    pub marks: usize,
}

fn check_board(setup: Setup) -> Result<(), RenlibError> {
    let Setup { width, height, .. } = setup;
    if (width, height) == (SIDE, SIDE) { Ok(()) } else { Err(RenlibError::Board(width, height)) }
}

/// Imports a library into the records of a rule and board, whose own texts on
/// cells stay.
///
/// # Errors
/// The board is not 15x15.
pub fn import(
    tree: &Tree,
    setup: Setup,
    page: CodePage,
    store: &mut Store,
) -> Result<ImportResult, RenlibError> {
    check_board(setup)?;
    let before = store.len();
    let mut import =
        Import { place: Place::empty(setup), page, store, result: ImportResult::default() };
    // The steps from the root to the current node, to be undone on the way back.
    let mut steps: Vec<Step> = Vec::new();
    let mut walk = tree.walk();
    while let Some(node) = walk.next() {
        while steps.len() + 1 > walk.path().len().max(1) {
            match steps.pop() {
                Some(Step::Stone(cell)) => import.place.take_back(cell),
                Some(Step::Pass) => import.place.pass(),
                _ => {}
            }
        }
        if !import.node(node) {
            import.result.skipped += 1 + node.below();
            walk.skip_below();
            // Nothing to undo, as for the root.
            steps.push(Step::Root);
        } else if node.step() != Step::Root {
            steps.push(node.step());
        }
    }
    let result = import.result;
    Ok(ImportResult { new: store.len() - before, ..result })
}

struct Import<'a> {
    place: Place,
    page: CodePage,
    store: &'a mut Store,
    result: ImportResult,
}

impl Import<'_> {
    /// Imports a node and plays its step. Returns whether the step can be played.
    fn node(&mut self, node: NodeRef) -> bool {
        let step = node.step();
        let (one_line, multi_line) = node.comment_parts();
        let (one_line, multi_line) = (self.page.decode(one_line), self.page.decode(multi_line));
        let facts = read_facts(&one_line);
        let shown = node.board_text().map(|text| self.page.decode(text)).unwrap_or_default();
        let is_label =
            facts.as_ref().is_some_and(|facts| facts.shown().to_ascii_uppercase() == shown);
        match step {
            Step::Stone(cell) | Step::Label(Some(cell)) => {
                if !self.place.is_empty_at(cell) {
                    return false;
                }
                if !is_label {
                    self.text(cell, &shown);
                }
            }
            Step::Root | Step::Pass | Step::Label(None) => {}
        }
        self.result.marks += usize::from(node.is_marked());
        match step {
            Step::Stone(cell) => self.place.play(cell),
            Step::Pass => self.place.pass(),
            Step::Root | Step::Label(_) => {}
        }
        let comment =
            if facts.is_some() { multi_line } else { format!("{one_line}\n{multi_line}") };
        let facts = facts.or_else(|| label_of(&shown));
        // The empty board gets a record only if the library has facts about it.
        if matches!(step, Step::Stone(_) | Step::Pass) || step == Step::Root && facts.is_some() {
            self.record(&facts.unwrap_or_default());
        }
        self.comment(&comment);
        true
    }

    /// Stores a record of the position, merged with an existing one.
    fn record(&mut self, facts: &Record) {
        let Some(key) = self.place.key() else {
            self.result.skipped += 1;
            return;
        };
        let merged = match self.store.get(&key) {
            Some(old) if *facts == Record::default() => old,
            Some(old) => old.merged(facts),
            None => facts.clone(),
        };
        self.store.set(&key, &merged);
    }

    /// Returns key and record of the position; without a key, counts a text as left out.
    fn known(&mut self) -> Option<(Key, Record)> {
        let key = self.place.key();
        self.result.left_out += usize::from(key.is_none());
        let key = key?;
        let record = self.store.get(&key).unwrap_or_default();
        Some((key, record))
    }

    /// Adds to the comment on the position, unless it has these lines already.
    fn comment(&mut self, words: &str) {
        let words = words.replace("\r\n", "\n").replace('\u{8}', "\n");
        let words = words.trim();
        if words.is_empty() {
            return;
        }
        let Some((key, mut record)) = self.known() else { return };
        let old = text::comment(&record.text);
        if format!("\n{old}\n").contains(&format!("\n{words}\n")) {
            return;
        }
        let joined = if old.is_empty() { words.to_string() } else { format!("{old}\n{words}") };
        record.text = text::with_comment(&record.text, &joined);
        self.store_record(&key, &record);
    }

    /// Adds a text on a cell of the position, unless the cell has one.
    fn text(&mut self, cell: Cell, words: &str) {
        let words = text::for_cell(words);
        if words.is_empty() {
            return;
        }
        let Some((key, mut record)) = self.known() else { return };
        let mut cells = text::on_cells(&record.text);
        let same = self.place.in_key(cell);
        if let Some(old) = same.iter().find_map(|at| cells.get(at)) {
            self.result.left_out += usize::from(*old != words);
            return;
        }
        cells.extend(same.first().map(|&first| (first, words)));
        record.text = text::with_cells(&record.text, &cells);
        self.store_record(&key, &record);
    }

    fn store_record(&mut self, key: &Key, record: &Record) {
        if record.text.len() > MAX_TEXT {
            self.result.left_out += 1;
        } else {
            self.store.set(key, record);
        }
    }
}

/// Reads a result that other programs write on a cell.
fn label_of(shown: &str) -> Option<Record> {
    let (label, rest) = match shown.split_at_checked(1)? {
        ("W", rest) => (Label::WIN, rest),
        ("L", rest) => (Label::LOSE, rest),
        _ => return None,
    };
    let counted = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    (counted || rest == "*").then(|| Record::labelled(label))
}

/// The fields of a record beside its texts, in words; empty for a default record.
fn facts(record: &Record) -> String {
    if (Record { text: Vec::new(), ..record.clone() }) == Record::default() {
        return String::new();
    }
    every_fact(record)
}

/// The fields of a record beside its texts, in words, even for a default record.
fn every_fact(record: &Record) -> String {
    let label = match u8::try_from(record.label.0) {
        Ok(letter) if letter.is_ascii_graphic() && !letter.is_ascii_digit() => {
            char::from(letter).to_string()
        }
        _ => record.label.0.to_string(),
    };
    let bound = Bound::NAMES.iter().find(|(bound, _)| *bound == record.bound());
    let (value, depth) = (record.value, record.depth());
    format!(
        "label {label}, value {value}, depth {depth}, {}",
        bound.map_or("none", |(_, word)| word)
    )
}

/// Reads a record from the words of [`facts`].
fn read_facts(words: &str) -> Option<Record> {
    let mut parts = words.trim().split(", ");
    let label = parts.next()?.strip_prefix("label ")?;
    let value = parts.next()?.strip_prefix("value ")?.parse().ok()?;
    let depth: i16 = parts.next()?.strip_prefix("depth ")?.parse().ok()?;
    let bound = parts.next()?;
    let (bound, _) = Bound::NAMES.into_iter().find(|(_, word)| *word == bound)?;
    let label = match label.as_bytes() {
        &[letter] if letter.is_ascii_graphic() && !letter.is_ascii_digit() => letter as i8,
        _ => label.parse().ok()?,
    };
    let mut record = Record { label: Label(label), value, ..Record::default() };
    record.set_depth(depth.into(), bound);
    parts.next().is_none().then_some(record)
}
