//! The open database of positions: its records of the position shown, and changes.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::book::{Book, Databases};
use super::{Change, Model};
use crate::schema::{Database, Event, Known, KnownBranch, KnownMove};
use goren_core::opening::{Action, GameState};
use goren_core::types::{Cell, Color, Stone};
use goren_database::{Bound, Label, Place, Record, Store, branch, text};
use goren_notation::words::capital;

/// Maximum number of characters of a text on a point.
const MAX_TEXT: usize = 200;
/// Maximum number of bytes of a comment.
const MAX_COMMENT: usize = 20_000;

impl Model {
    /// Adds databases to open.
    #[must_use]
    pub fn with_databases(self, databases: Box<dyn Databases>) -> Model {
        Model { databases: Some(databases), ..self }
    }

    fn known_databases(&self) -> Result<&dyn Databases> {
        match &self.databases {
            Some(databases) => Ok(&**databases),
            None => bail!(
                "databases are files of a folder: start the program with goren board --folder \
                 FOLDER"
            ),
        }
    }

    /// Lists the databases.
    pub(super) fn list_databases(&self, events: &mut Vec<Event>) -> Result<Change> {
        events.push(Event::Databases { names: self.known_databases()?.names()? });
        Ok(Change::Nothing)
    }

    pub(super) fn open_database(
        &mut self,
        name: &str,
        new: bool,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let (positions, lines) = self.known_databases()?.open(name, new)?;
        for line in lines {
            events.push(Event::Message { text: format!("{name}: {line}.") });
        }
        self.book = Some(Book { name: name.to_owned(), positions });
        events.push(self.database_view());
        Ok(Change::Nothing)
    }

    /// Closes the database. Unsaved changes stay in its journal, or are saved when the last page
    /// closes it.
    pub(super) fn close_database(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        self.book.take().context("no database is open")?;
        events.push(self.database_view());
        Ok(Change::Nothing)
    }

    pub(super) fn save_database(&mut self, events: &mut Vec<Event>) -> Result<Change> {
        let book = self.book.as_mut().context("no database is open")?;
        book.positions.save().with_context(|| book.name.clone())?;
        book.report_found(events);
        events.push(Event::Message { text: format!("Saved as {}.", book.name) });
        events.push(self.database_view());
        Ok(Change::Nothing)
    }

    /// Writes the record of a position. Fields that are as the page has `seen` them are left
    /// alone: another page may have changed them since. The game may have gone on while the user
    /// was typing, so the position is given by its node.
    pub(super) fn set_record(
        &mut self,
        node: usize,
        (known, seen): (&Known, Option<&Known>),
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let label = label(&known.label)?;
        let seen_label = seen.map_or("", |seen| &seen.label);
        let seen_value = seen.and_then(|seen| seen.value);
        let seen_comment = seen.map_or("", |seen| &seen.comment);
        ensure!(
            known.comment.len() <= MAX_COMMENT,
            "a comment in a database has at most {MAX_COMMENT} bytes"
        );
        self.edit(node, events, |record, _| {
            if known.label != seen_label {
                record.label = label;
            }
            match known.value {
                value if value == seen_value => {}
                None => {
                    record.value = 0;
                    record.set_depth(0, Bound::None);
                }
                Some(value) => {
                    record.value = value;
                    record.set_depth(known.depth.into(), Bound::Exact);
                }
            }
            if known.comment != seen_comment {
                record.text = text::with_comment(&record.text, &known.comment);
            }
        })
    }

    /// Puts a text on a point of a position, or removes the text there if it is empty.
    pub(super) fn set_point_text(
        &mut self,
        node: usize,
        cell: Cell,
        text: &str,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let contest = self.tree.beginning().contest();
        let on_board = cell.x() < contest.width && cell.y() < contest.height;
        ensure!(on_board, "the point is outside the board");
        ensure!(
            text.chars().count() <= MAX_TEXT,
            "a text on a point has at most {MAX_TEXT} characters"
        );
        let cell_text = text::for_cell(text);
        self.edit(node, events, |record, place| {
            let mut texts = text::on_cells(&record.text);
            // In a symmetric position several cells of the key are this point.
            let places = place.in_key(cell);
            places.iter().for_each(|at| drop(texts.remove(at)));
            if let (Some(&first), false) = (places.first(), cell_text.is_empty()) {
                texts.insert(first, cell_text);
            }
            record.text = text::with_cells(&record.text, &texts);
        })
    }

    /// Removes the record of a position.
    pub(super) fn forget_record(&mut self, node: usize, events: &mut Vec<Event>) -> Result<Change> {
        let key = self.filed_at(node)?.key().context(NO_KEY)?;
        let book = self.book.as_mut().context("no database is open")?;
        let mut known = false;
        book.positions.look(&mut |store| known = store.contains(&key));
        ensure!(known, "the database has no record of this position");
        book.positions.set(&key, None).with_context(|| book.name.clone())?;
        book.report_found(events);
        events.push(self.database_view());
        Ok(Change::Nothing)
    }

    fn edit(
        &mut self,
        node: usize,
        events: &mut Vec<Event>,
        change: impl FnOnce(&mut Record, &Place),
    ) -> Result<Change> {
        let place = self.filed_at(node)?;
        let key = place.key().context(NO_KEY)?;
        let book = self.book.as_mut().context("no database is open")?;
        let mut record = None;
        book.positions.look(&mut |store| record = store.get(&key));
        let mut record = record.unwrap_or_default();
        if record.label == Label::NULL {
            record.label = Label::NONE;
        }
        change(&mut record, &place);
        book.positions.set(&key, Some(&record)).with_context(|| book.name.clone())?;
        book.report_found(events);
        events.push(self.database_view());
        Ok(Change::Nothing)
    }

    /// Returns the place of a node's position in databases.
    ///
    /// # Errors
    /// Databases cannot hold it, or there is no such node.
    fn filed_at(&self, node: usize) -> Result<Place> {
        filed(&self.tree.game_at(node)?)
    }

    /// Returns the known positions of the line shown, and of the branches off it.
    fn branches(&self, store: &Store) -> Vec<KnownBranch> {
        let line = self.tree.line();
        let mut children: BTreeMap<usize, Vec<(usize, &Action)>> =
            line.iter().map(|&node| (node, Vec::new())).collect();
        for (node, parent, action) in self.tree.in_order() {
            let siblings = parent.and_then(|parent| children.get_mut(&parent));
            if let (Some(siblings), Some(action)) = (siblings, action) {
                siblings.push((node, action));
            }
        }
        let mut game_state = self.tree.beginning().clone();
        let mut found = Vec::new();
        for node in line {
            let before = game_state.clone();
            for &(child, action) in &children[&node] {
                let mut after = before.clone();
                if after.apply(action).is_err() {
                    continue;
                }
                let key = filed(&after).ok().and_then(|place| place.key());
                let shown = key.and_then(|key| store.get(&key)).map(|record| record.shown());
                if let Some(shown) = shown.filter(|shown| !shown.is_empty()) {
                    found.push(KnownBranch { node: child, shown });
                }
                if children.contains_key(&child) {
                    game_state = after;
                }
            }
        }
        found
    }

    /// Describes the open database, and its knowledge of the position shown.
    pub(super) fn database_view(&self) -> Event {
        let node = self.tree.current();
        let mover = !self.game_state().to_move();
        let mut view = Database {
            name: None,
            records: 0,
            unsaved: false,
            locked: String::new(),
            node,
            mover,
            foreign: String::new(),
            here: None,
            moves: Vec::new(),
            branches: Vec::new(),
        };
        let Some(Book { name, positions }) = &self.book else {
            return Event::Database(Box::new(view));
        };
        view.name = Some(name.clone());
        view.unsaved = positions.is_unsaved();
        view.locked = positions.locked();
        let place = filed(self.game_state());
        positions.look(&mut |store| {
            view.records = store.len();
            if let Ok(place) = &place {
                let record = place.key().and_then(|key| store.get(&key));
                view.moves = moves(store, place, record.as_ref());
                view.here = record.as_ref().map(known);
            }
            view.branches = self.branches(store);
        });
        if let Err(error) = place {
            view.foreign = capital(&format!("{error:#}."));
        }
        Event::Database(Box::new(view))
    }

    /// Whether a database is open.
    pub(super) fn has_database(&self) -> bool {
        self.book.is_some()
    }
}

/// Returns the place of a position in databases.
///
/// # Errors
/// Databases cannot hold it.
fn filed(game_state: &GameState) -> Result<Place> {
    let contest = game_state.contest();
    let setup = contest.setup().with_context(|| {
        format!("databases hold positions of five in a row, not of {}", contest.variant)
    })?;
    let walls = game_state.placed().iter().any(|(_, stone)| *stone == Stone::Wall);
    ensure!(!walls, "databases cannot hold walls");
    let place = Place::of(setup, &game_state.stones(), game_state.to_move());
    place.key().context(NO_KEY)?;
    Ok(place)
}

const NO_KEY: &str = "databases cannot hold this position: one side has too many stones";

/// Reads a label.
fn label(text: &str) -> Result<Label> {
    match text.as_bytes() {
        [] => Ok(Label::NONE),
        &[letter] if letter.is_ascii_graphic() => Ok(Label(letter.to_ascii_lowercase() as i8)),
        _ => bail!("a label is one letter or sign, such as w, l, d, x or !"),
    }
}

/// Describes a record for the page.
fn known(record: &Record) -> Known {
    let letter = u8::try_from(record.label.0).ok().filter(|letter| letter.is_ascii_graphic());
    let bound = match record.bound() {
        Bound::None => "",
        Bound::Upper => "upper",
        Bound::Lower => "lower",
        Bound::Exact => "exact",
    };
    Known {
        label: letter.map_or(String::new(), |letter| char::from(letter).to_string()),
        value: (record.bound() != Bound::None).then_some(record.value),
        depth: record.depth(),
        bound: bound.into(),
        comment: text::comment(&record.text),
    }
}

/// Returns the known moves from a position.
fn moves(store: &Store, place: &Place, record: Option<&Record>) -> Vec<KnownMove> {
    let texts = record.map_or_else(BTreeMap::new, |record| text::on_cells(&record.text));
    let text_on = |cell: Cell| {
        let places = place.in_key(cell);
        let text = places.iter().find_map(|at| texts.get(at));
        text.map_or(String::new(), |text| String::from_utf8_lossy(text).into_owned())
    };
    let children: BTreeMap<Cell, Record> = branch::children(store, place).into_iter().collect();
    let mut cells: Vec<Cell> = place.empty_cells();
    for color in Color::ALL {
        // Stones can have texts too.
        cells.extend(place.stones(color));
    }
    let known = |cell: Cell| {
        let (child, text) = (children.get(&cell), text_on(cell));
        let shown = child.map_or(String::new(), Record::shown);
        let commented = child.is_some_and(|child| !text::comment(&child.text).is_empty());
        let any = !shown.is_empty() || !text.is_empty() || commented;
        any.then_some(KnownMove { cell, shown, text, commented })
    };
    cells.into_iter().filter_map(known).collect()
}
