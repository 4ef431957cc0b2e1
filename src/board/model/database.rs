//! The open database of positions: what it knows of the position shown, and changes.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::book::{Book, Databases};
use super::{Change, Model};
use crate::schema::{Database, Event, Known, KnownBranch, KnownMove};
use goren_core::opening::{Action, GameState};
use goren_core::types::{Cell, Color, Stone};
use goren_database::{Bound, Label, Place, Record, Store, branch, text};

/// Most characters of a text on a point.
const MOST_TEXT: usize = 200;
/// Most bytes of a comment.
const MOST_COMMENT: usize = 20_000;

impl Model {
    /// The same with databases to open.
    #[must_use]
    pub fn with_databases(self, databases: Box<dyn Databases>) -> Model {
        Model { databases: Some(databases), ..self }
    }

    fn known_databases(&self) -> Result<&dyn Databases> {
        match &self.databases {
            Some(databases) => Ok(&**databases),
            None => bail!(
                "databases are files of a folder: that needs the program, goren board --folder \
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

    /// Closes the database. Changes that its file does not have are kept in its journal, or
    /// saved when the last page has closed it.
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

    /// Says what is known of a position, as far as that differs from what the page has seen:
    /// another page may have filed the rest since. Where it was typed the game may have gone on.
    pub(super) fn set_record(
        &mut self,
        node: usize,
        (said, seen): (&Known, Option<&Known>),
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let label = label(&said.label)?;
        let seen_label = seen.map_or("", |seen| &seen.label);
        let seen_value = seen.and_then(|seen| seen.value);
        let seen_comment = seen.map_or("", |seen| &seen.comment);
        ensure!(
            said.comment.len() <= MOST_COMMENT,
            "a comment of a database has at most {MOST_COMMENT} bytes"
        );
        self.edit(node, events, |record, _| {
            if said.label != seen_label {
                record.label = label;
            }
            match said.value {
                value if value == seen_value => {}
                None => {
                    record.value = 0;
                    record.set_depth(0, Bound::None);
                }
                Some(value) => {
                    record.value = value;
                    record.set_depth(said.depth.into(), Bound::Exact);
                }
            }
            if said.comment != seen_comment {
                record.text = text::with_comment(&record.text, &said.comment);
            }
        })
    }

    /// Puts a text on a point of a position, or takes it away where it is empty.
    pub(super) fn set_point_text(
        &mut self,
        node: usize,
        cell: Cell,
        said: &str,
        events: &mut Vec<Event>,
    ) -> Result<Change> {
        let contest = self.tree.beginning().contest();
        let on_board = cell.x() < contest.width && cell.y() < contest.height;
        ensure!(on_board, "the point is outside the board");
        ensure!(
            said.chars().count() <= MOST_TEXT,
            "a text on a point has at most {MOST_TEXT} characters"
        );
        let said = text::for_cell(said);
        self.edit(node, events, |record, place| {
            let mut texts = text::on_cells(&record.text);
            // A symmetric position has the point in several places of its key.
            let places = place.in_key(cell);
            places.iter().for_each(|at| drop(texts.remove(at)));
            if let (Some(&first), false) = (places.first(), said.is_empty()) {
                texts.insert(first, said);
            }
            record.text = text::with_cells(&record.text, &texts);
        })
    }

    /// Forgets what is known of a position.
    pub(super) fn forget_record(&mut self, node: usize, events: &mut Vec<Event>) -> Result<Change> {
        let key = self.filed_at(node)?.key().context(NO_KEY)?;
        let book = self.book.as_mut().context("no database is open")?;
        let mut known = false;
        book.positions.look(&mut |store| known = store.contains(&key));
        ensure!(known, "the database knows nothing of this position");
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

    /// A position of the tree as databases file it.
    ///
    /// # Errors
    /// They cannot, or there is no such position.
    fn filed_at(&self, node: usize) -> Result<Place> {
        filed(&self.tree.game_at(node)?)
    }

    /// What is known of the positions of the line shown, and of those that branch off it.
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

    /// The open database, and what it knows of the position shown.
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
            view.foreign = super::view::capital(&format!("{error:#}."));
        }
        Event::Database(Box::new(view))
    }

    /// Whether a database is open.
    pub(super) fn has_database(&self) -> bool {
        self.book.is_some()
    }
}

/// A position as databases file it.
///
/// # Errors
/// They cannot.
fn filed(game_state: &GameState) -> Result<Place> {
    let contest = game_state.contest();
    let setup = contest.setup().with_context(|| {
        format!("databases know positions of five in a row, not of {}", contest.variant)
    })?;
    let walls = game_state.placed().iter().any(|(_, stone)| *stone == Stone::Wall);
    ensure!(!walls, "databases know no walls");
    let place = Place::of(setup, &game_state.stones(), game_state.to_move());
    place.key().context(NO_KEY)?;
    Ok(place)
}

const NO_KEY: &str =
    "databases cannot file this position: its stones and turns do not fit together";

/// The label of a text.
fn label(said: &str) -> Result<Label> {
    match said.as_bytes() {
        [] => Ok(Label::NONE),
        &[letter] if letter.is_ascii_graphic() => Ok(Label(letter.to_ascii_lowercase() as i8)),
        _ => bail!("a label is one letter or sign, such as w, l, d, x or !"),
    }
}

/// A record as the page is shown it.
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

/// What is known of the moves from a position.
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
        // Texts may stand on stones too.
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
