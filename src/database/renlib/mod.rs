//! RenLib libraries ([`goren_core::record::lib`]) into records and back.
//!
//! A library says something on the way to a position, a database of the
//! position itself. So each node becomes a record; nodes of the same position,
//! turned or reached by other moves, become one. Comments are joined line by
//! line. The text of a cell belongs to the position above the node.
//!
//! What a record has beside its texts is written in the first line of the
//! comment, such as `label w, value -29993, depth 12, exact`, and what GUIs
//! show of it on the cell (`W8`), unless there is a text. Libraries of others
//! lack that line: of theirs, `W` or `L` with a number or a star on a cell
//! becomes a label for whoever moves there. The number is left in the text,
//! since some count plies from the empty board and some from the position.
//!
//! Marks and where an editor begins to show a library are not kept; marks are counted.

mod export;
#[cfg(test)]
mod tests;

pub use export::{Exported, export};

use super::key::{Key, Place};
use super::record::{Bound, Label, MAX_TEXT, Record};
use super::store::Store;
use super::text;
use goren_core::record::lib::{BadStep, NodeRef, SIDE, Step, Tree};
use goren_core::record::text::CodePage;
use goren_core::rules::Setup;
use goren_core::types::Cell;

/// The reason why nothing can be imported or exported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RenlibError {
    /// A board that no library has.
    #[error("a library is about boards of 15x15, not {0}x{1}")]
    Board(usize, usize),
    /// A text that cannot be written.
    #[error("{page} cannot encode {text:?}")]
    Letters {
        /// The code page.
        page: &'static str,
        /// The text.
        text: String,
    },
    /// Too much for a library.
    #[error(transparent)]
    Full(#[from] BadStep),
}

/// The result of an import.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ImportResult {
    /// Records that are new.
    pub new: usize,
    /// Nodes left out: those upon another stone, with all below them, and those
    /// after more passes than a key can tell.
    pub skipped: usize,
    /// Texts left out: the cell had another, there was no room, or no record.
    pub left_out: usize,
    /// Marks left out: records have none.
    pub marks: usize,
}

fn check_board(setup: Setup) -> Result<(), RenlibError> {
    let Setup { width, height, .. } = setup;
    if (width, height) == (SIDE, SIDE) { Ok(()) } else { Err(RenlibError::Board(width, height)) }
}

/// Adds what a library says to the records of a variant, whose own texts on
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
        Import { place: Place::empty(setup), page, store, done: ImportResult::default() };
    // The steps from the root to the current node, to be undone on the way back.
    let mut way: Vec<Step> = Vec::new();
    let mut walk = tree.walk();
    while let Some(node) = walk.next() {
        while way.len() + 1 > walk.path().len().max(1) {
            match way.pop() {
                Some(Step::Stone(cell)) => import.place.take_back(cell),
                Some(Step::Pass) => import.place.pass(),
                _ => {}
            }
        }
        if !import.node(node) {
            import.done.skipped += 1 + node.below();
            walk.skip_below();
            // Nothing to undo, as for the root.
            way.push(Step::Root);
        } else if node.step() != Step::Root {
            way.push(node.step());
        }
    }
    let done = import.done;
    Ok(ImportResult { new: store.len() - before, ..done })
}

struct Import<'a> {
    place: Place,
    page: CodePage,
    store: &'a mut Store,
    done: ImportResult,
}

impl Import<'_> {
    /// Takes a node in and makes its step. False if it cannot be made.
    fn node(&mut self, node: NodeRef) -> bool {
        let step = node.step();
        let (one, many) = node.comment_parts();
        let (one, many) = (self.page.decode(one), self.page.decode(many));
        let facts = read_facts(&one);
        let shown = node.board_text().map(|text| self.page.decode(text)).unwrap_or_default();
        let own = facts.as_ref().is_some_and(|facts| facts.shown().to_ascii_uppercase() == shown);
        match step {
            Step::Stone(cell) | Step::Label(Some(cell)) => {
                if !self.place.is_empty_at(cell) {
                    return false;
                }
                if !own {
                    self.text(cell, &shown);
                }
            }
            Step::Root | Step::Pass | Step::Label(None) => {}
        }
        self.done.marks += usize::from(node.is_marked());
        match step {
            Step::Stone(cell) => self.place.play(cell),
            Step::Pass => self.place.pass(),
            Step::Root | Step::Label(_) => {}
        }
        let comment = if facts.is_some() { many } else { format!("{one}\n{many}") };
        let facts = facts.or_else(|| label_of(&shown));
        // The empty board gets a record only if something is said of it.
        if matches!(step, Step::Stone(_) | Step::Pass) || step == Step::Root && facts.is_some() {
            self.record(&facts.unwrap_or_default());
        }
        self.comment(&comment);
        true
    }

    /// Has a record for the position, at least as good as another.
    fn record(&mut self, facts: &Record) {
        let Some(key) = self.place.key() else {
            self.done.skipped += 1;
            return;
        };
        let merged = match self.store.get(&key) {
            Some(old) if *facts == Record::default() => old,
            Some(old) => old.merged(facts),
            None => facts.clone(),
        };
        self.store.set(&key, &merged);
    }

    /// The position's key and record; a text on a position without a key is left
    /// out.
    fn known(&mut self) -> Option<(Key, Record)> {
        let key = self.place.key();
        self.done.left_out += usize::from(key.is_none());
        let key = key?;
        let record = self.store.get(&key).unwrap_or_default();
        Some((key, record))
    }

    /// Adds to the comment on the position, unless it says so already.
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
        let whole = if old.is_empty() { words.to_string() } else { format!("{old}\n{words}") };
        record.text = text::with_comment(&record.text, &whole);
        self.file(&key, &record);
    }

    /// Has a text on a cell of the position, unless there is one.
    fn text(&mut self, cell: Cell, words: &str) {
        let words = text::for_cell(words);
        if words.is_empty() {
            return;
        }
        let Some((key, mut record)) = self.known() else { return };
        let mut cells = text::on_cells(&record.text);
        let same = self.place.in_key(cell);
        if let Some(old) = same.iter().find_map(|at| cells.get(at)) {
            self.done.left_out += usize::from(*old != words);
            return;
        }
        cells.extend(same.first().map(|&first| (first, words)));
        record.text = text::with_cells(&record.text, &cells);
        self.file(&key, &record);
    }

    fn file(&mut self, key: &Key, record: &Record) {
        if record.text.len() > MAX_TEXT {
            self.done.left_out += 1;
        } else {
            self.store.set(key, record);
        }
    }
}

/// A result that others write on a cell.
fn label_of(shown: &str) -> Option<Record> {
    let (label, rest) = match shown.split_at_checked(1)? {
        ("W", rest) => (Label::WIN, rest),
        ("L", rest) => (Label::LOSE, rest),
        _ => return None,
    };
    let counted = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    (counted || rest == "*").then(|| Record::labelled(label))
}

/// What a record has beside its texts, in words; nothing of one that has
/// nothing.
fn facts(record: &Record) -> String {
    if (Record { text: Vec::new(), ..record.clone() }) == Record::default() {
        return String::new();
    }
    every_fact(record)
}

/// The same, of a plain record too.
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

/// A record of what [`facts`] wrote.
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
