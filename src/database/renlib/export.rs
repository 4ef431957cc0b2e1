//! Export of records to a library.

use std::collections::{BTreeMap, HashSet};

use super::super::key::{Key, Place};
use super::super::record::Record;
use super::super::store::Store;
use super::super::{branch, text};
use super::{RenlibError, check_board, every_fact, facts, label_of};
use goren_core::record::lib::{AddNodeError, Builder, Limits, Notes, Step, Tree};
use goren_core::record::text::CodePage;
use goren_core::rules::Setup;
use goren_core::types::Cell;

/// The result of an export.
#[derive(Debug)]
pub struct Exported {
    /// The library.
    pub tree: Tree,
    /// Number of records in the library.
    pub records: usize,
    /// Number of records of this rule and board that no records lead to.
    pub apart: usize,
}

/// Exports the records below a position, and the moves to it, as a library. A
/// position that is reached again becomes a node without comment and children.
///
/// # Errors
/// The board is not 15x15, the code page lacks a character, or the library
/// would be too large.
pub fn export(
    store: &Store,
    setup: Setup,
    moves: &[Option<Cell>],
    page: CodePage,
) -> Result<Exported, RenlibError> {
    check_board(setup)?;
    let builder = Builder::new(Limits::default());
    let place = Place::empty(setup);
    let mut export = Export { store, page, builder, place, seen: HashSet::new() };
    let root = export.place.key();
    if let Some(record) = root.as_ref().and_then(|key| store.get(key)) {
        export.seen.extend(root);
        let words = export.words(&record, None, true)?;
        export.builder.annotate_root(&words.notes()).map_err(AddNodeError::from)?;
    }
    for &at in moves {
        match at {
            Some(cell) if !export.place.is_empty_at(cell) => break,
            Some(cell) => export.place.play(cell),
            None => export.place.pass(),
        }
        let step = at.map_or(Step::Pass, Step::Stone);
        let key = export.place.key();
        let record = key.as_ref().and_then(|key| store.get(key));
        if record.is_some() {
            export.seen.extend(key);
        }
        let words = export.words(&record.unwrap_or_default(), None, true)?;
        export.builder.child(step, &words.notes())?;
    }
    export.below()?;
    let of_setup = Place::empty(setup).key();
    let all = store.iter().filter(|(key, _)| {
        of_setup.as_ref().is_some_and(|empty| key.bytes().starts_with(empty.bytes()))
    });
    let records = export.seen.len();
    Ok(Exported { records, apart: all.count() - records, tree: export.builder.finish() })
}

struct Export<'a> {
    store: &'a Store,
    page: CodePage,
    builder: Builder,
    place: Place,
    /// Keys of the records already written.
    seen: HashSet<Key>,
}

/// The texts of a node, as bytes of a file.
struct Words {
    comment: Option<Vec<u8>>,
    board_text: Option<Vec<u8>>,
}

impl Words {
    fn notes(&self) -> Notes<'_> {
        let (comment, board_text) = (self.comment.as_deref(), self.board_text.as_deref());
        Notes { comment, board_text, ..Notes::default() }
    }
}

impl Export<'_> {
    /// Writes the records below the position, as children of the open node. The
    /// recursion is as deep as a game is long.
    fn below(&mut self) -> Result<(), RenlibError> {
        let mut texts: BTreeMap<Cell, String> =
            branch::texts(self.store, &self.place).into_iter().collect();
        let mut written = HashSet::new();
        for cell in self.place.empty_cells() {
            let text = texts.remove(&cell);
            let key = self.place.child_key(cell);
            // Symmetric children share one record and one text: write one of them.
            if key.as_ref().is_some_and(|key| !written.insert(key.clone())) {
                continue;
            }
            match key.and_then(|key| Some((self.store.get(&key)?, key))) {
                Some((record, key)) => self.child(Step::Stone(cell), key, &record, text)?,
                None if text.is_some() => {
                    let words = self.words(&Record::default(), text, false)?;
                    self.builder.child(Step::Label(Some(cell)), &words.notes())?;
                    self.builder.up();
                }
                None => {}
            }
        }
        self.place.pass();
        let passed = self.place.key();
        self.place.pass();
        if let Some(key) = passed.filter(|key| !self.seen.contains(key))
            && let Some(record) = self.store.get(&key)
        {
            self.child(Step::Pass, key, &record, None)?;
        }
        Ok(())
    }

    /// Writes a child, and the records below it if it is new.
    fn child(
        &mut self,
        step: Step,
        key: Key,
        record: &Record,
        text: Option<String>,
    ) -> Result<(), RenlibError> {
        let new = self.seen.insert(key);
        let words = self.words(record, text, new)?;
        self.builder.child(step, &words.notes())?;
        if new {
            match step {
                Step::Stone(cell) => {
                    self.place.play(cell);
                    self.below()?;
                    self.place.take_back(cell);
                }
                _ => {
                    self.place.pass();
                    self.below()?;
                    self.place.pass();
                }
            }
        }
        self.builder.up();
        Ok(())
    }

    fn words(
        &self,
        record: &Record,
        text: Option<String>,
        with_comment: bool,
    ) -> Result<Words, RenlibError> {
        let comment = if with_comment { text::comment(&record.text) } else { String::new() };
        let shown = text.unwrap_or_else(|| record.shown().to_ascii_uppercase());
        // A text of the user must not be read as a label.
        let mut whole = match label_of(&shown) {
            Some(_) => every_fact(record),
            None => facts(record),
        };
        if !comment.is_empty() {
            whole.push('\u{8}');
            whole.push_str(&comment.replace('\n', "\r\n"));
        }
        Ok(Words { comment: self.encoded(whole)?, board_text: self.encoded(shown)? })
    }

    fn encoded(&self, text: String) -> Result<Option<Vec<u8>>, RenlibError> {
        if text.is_empty() {
            return Ok(None);
        }
        match self.page.encode(&text) {
            Some(bytes) => Ok(Some(bytes)),
            None => Err(RenlibError::Letters { page: self.page.name(), text }),
        }
    }
}
