//! The database of positions: what the commands of the GUIs do with it.
//!
//! `INFO usedatabase 1` or `yxsetdatabase` opens one; without one all commands
//! are consumed without a word, as Yixin-Board sends them to any engine. The
//! lists of these commands are positions of their own: they change nothing in
//! the game and may come during thought.
//!
//! The search knows nothing of databases. What one says of the first moves
//! becomes exclusions and a choice of move; what is proven deeper
//! (`goren_database`, `below.rs`, bounded in positions, plies and time) is
//! handed to the search as `Request::known`. A result that a search proves of
//! its position is written back, unless a label stands there.

mod files;
mod known;
mod probe;

use std::path::{Path, PathBuf};
use std::time::Instant;

use goren_protocol::{DatabaseCommand, DatabaseQuery, Point, Reply};

use super::axes::turned;
use super::{Out, Session, State};
use goren_core::rules::Setup;
use goren_core::rules::referee::Referee;
use goren_core::types::{Cell, Color, Stone};
use goren_database::branch::{self, Filter};
use goren_database::write::behind;
use goren_database::{Bound, Database, EditError, Label, Place, Record, text};

pub(super) use known::Proves;

/// The folder of ours below the one that `INFO folder` names, which other
/// engines may have as well.
const OWN_FOLDER: &str = "goren";

/// The database, and what commands about it need to know.
#[derive(Default)]
pub struct Shelf {
    /// What `INFO usedatabase 1` opens.
    usual: Option<PathBuf>,
    /// The folder that `INFO folder` has named.
    folder: Option<PathBuf>,
    open: Option<Database>,
    /// Whether `INFO database_readonly 1` holds.
    read_only: bool,
    /// The variant and board of the game that is thought about.
    setup: Option<Setup>,
    /// The position named last.
    shown: Option<Vec<Option<Cell>>>,
    /// Whether it says something else than when a search was told of it last.
    changed: bool,
}

/// Why a command about the database is not obeyed.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    /// A list that is no position.
    #[error("{0} is outside the board")]
    Outside(Point),
    /// Likewise.
    #[error("the list is no position: {0}")]
    Moves(#[from] goren_database::BadMove),
    /// Records have no place for such a position.
    #[error("the database cannot hold a position after so many passes")]
    Passes,
    /// A number that does not fit.
    #[error("{0} is no tag")]
    Tag(i64),
    /// What is no filter.
    #[error(transparent)]
    Filter(#[from] branch::BadFilter),
    /// A change that is not made.
    #[error("nothing was changed: {0}")]
    Edit(#[from] EditError),
}

/// Where a database lies.
pub(super) struct Whereabouts {
    path: PathBuf,
    /// The folder that was named, if it lies in one of our own below.
    below: Option<PathBuf>,
}

impl Whereabouts {
    fn at(path: &Path) -> Whereabouts {
        Whereabouts { path: path.to_path_buf(), below: None }
    }
}

impl Shelf {
    /// Where the database lies that `INFO usedatabase 1` opens.
    fn usual_place(&self) -> Option<Whereabouts> {
        let usual = self.usual.as_deref()?;
        // A whole path stays what it is.
        let Some(folder) = self.folder.as_ref().filter(|_| usual.is_relative()) else {
            return Some(Whereabouts::at(usual));
        };
        let (own, shared) = (folder.join(OWN_FOLDER).join(usual), folder.join(usual));
        // Where there is one from before we had a folder of our own it goes on.
        let there = |path: &Path| path.exists() || behind(path, ".journal").exists();
        Some(match there(&shared) && !there(&own) {
            true => Whereabouts::at(&shared),
            false => Whereabouts { path: own, below: Some(folder.clone()) },
        })
    }

    /// Reads the position named last in the other order of coordinates.
    pub(super) fn turn(&mut self) {
        let cells = self.shown.iter_mut().flatten().flatten();
        cells.for_each(|cell| *cell = turned(*cell));
    }
}

/// A position of a list, and its moves.
struct Listed {
    place: Place,
    moves: Vec<Option<Cell>>,
}

/// Whether a command is done in a moment: it may be during thought.
pub(super) fn is_quick(command: &DatabaseCommand) -> bool {
    use DatabaseCommand as Db;
    matches!(
        command,
        Db::Query { .. }
            | Db::EditTvd { .. }
            | Db::EditText { .. }
            | Db::EditLabel { .. }
            | Db::SetBestMove(_)
            | Db::ClearBestMove(_)
            | Db::DeleteOne(_)
    )
}

impl Session {
    /// Names the database that `INFO usedatabase 1` opens; without a name it
    /// opens none.
    pub fn set_usual_database(&mut self, path: PathBuf) {
        self.shelf.usual = Some(path);
    }

    /// `INFO usedatabase`.
    pub(super) fn use_database(&mut self, on: bool, out: Out) {
        if !on {
            // Unsaved changes are saved on the way.
            self.shelf.changed |= self.shelf.open.take().is_some();
        } else if self.shelf.open.is_none()
            && let Some(place) = self.shelf.usual_place()
        {
            self.open_database(&place, out);
        }
    }

    /// `INFO folder`: where engines may keep files, each in a folder of its name.
    /// Nothing is made there before something is saved.
    pub(super) fn keep_files_in(&mut self, folder: &Path) {
        self.shelf.folder = Some(folder.to_path_buf());
    }

    /// `INFO database_readonly`.
    pub(super) fn keep_database(&mut self, read_only: bool) {
        self.shelf.read_only = read_only;
    }

    /// Notes the variant and board that lists are about during thought.
    pub(super) fn look_up_meanwhile(&mut self, setup: Option<Setup>) {
        self.shelf.setup = setup;
    }

    /// The variant and board that lists are about.
    fn listed_setup(&self) -> Option<Setup> {
        match &self.state {
            State::Idle(game) => {
                let rule = self.settings.variant().ok()?.rule;
                Some(Setup { rule, ..game.setup() })
            }
            State::Thinking(_) => self.shelf.setup,
            _ => None,
        }
    }

    fn listed(&mut self, list: &[Point], setup: Setup) -> Result<Listed, Refusal> {
        let cell = |&at: &Point| match at.is_pass() {
            true => Ok(None),
            false => self.axes().cell(at, &setup).map(Some).ok_or(Refusal::Outside(at)),
        };
        let moves = list.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        let place = Place::after(setup, &moves)?;
        self.shelf.shown = Some(moves.clone());
        Ok(Listed { place, moves })
    }

    /// Obeys a command about the database.
    pub(super) fn database(&mut self, command: &DatabaseCommand, out: Out) {
        if let DatabaseCommand::Set(path) = command {
            // Wherever `INFO folder` points later.
            let whole = std::path::absolute(path);
            self.shelf.usual = Some(whole.unwrap_or_else(|_| path.into()));
            self.open_database(&Whereabouts::at(Path::new(path)), out);
            return;
        }
        if self.shelf.open.is_none() {
            return;
        }
        if let Err(refusal) = self.serve(command, out) {
            out(Reply::Message(refusal.to_string()));
        }
    }

    fn serve(&mut self, command: &DatabaseCommand, out: Out) -> Result<(), Refusal> {
        use DatabaseCommand as Db;
        let position = match command {
            Db::Query { position, .. }
            | Db::EditTvd { position, .. }
            | Db::EditText { position, .. }
            | Db::EditLabel { position, .. }
            | Db::DeleteAll { position, .. }
            | Db::SetBestMove(position)
            | Db::ClearBestMove(position)
            | Db::DeleteOne(position) => position,
            _ => {
                self.serve_files(command, out);
                return Ok(());
            }
        };
        let Some(setup) = self.listed_setup() else { return Ok(()) };
        let mut listed = self.listed(position, setup)?;
        if let Db::Query { kind, .. } = command {
            self.query(*kind, &listed, out);
            self.visit(*kind, &listed);
            return Ok(());
        }
        let axes = self.axes();
        let Some(database) = &mut self.shelf.open else { return Ok(()) };
        if self.shelf.read_only {
            return Err(EditError::ReadOnly.into());
        }
        self.shelf.changed |= !matches!(command, Db::EditText { .. } | Db::EditLabel { .. });
        let place = &mut listed.place;
        match command {
            Db::EditTvd { mask, tag, value, depth, .. } => {
                edit(database, place, |record| apply(record, *mask, *tag, *value, *depth))?;
                out(Reply::Message(one(database, place)));
            }
            Db::EditText { text: words, .. } => edit(database, place, |record| {
                record.text = text::with_comment(&record.text, words);
                Ok(())
            })?,
            Db::EditLabel { at, label, .. } => {
                let (mut place, cell) = match at {
                    Some(at) => {
                        let cell = axes.cell(*at, &setup).ok_or(Refusal::Outside(*at))?;
                        (listed.place, cell)
                    }
                    // Yixin-Board 2.1 means the last stone of the list.
                    None => match listed.moves.split_last() {
                        Some((Some(cell), before)) => (Place::after(setup, before)?, *cell),
                        _ => return Ok(()),
                    },
                };
                if place.is_empty_at(cell) {
                    branch::set_text(database, &mut place, cell, label)?;
                }
            }
            Db::SetBestMove(_) => {
                if let Some((Some(_), before)) = listed.moves.split_last() {
                    clear_best(database, &Place::after(setup, before)?)?;
                    edit(database, &listed.place, |record| {
                        record.label = Label::BEST;
                        Ok(())
                    })?;
                }
            }
            Db::ClearBestMove(_) => {
                let own = listed.place.key().and_then(|key| database.store().get(&key));
                if own.is_some_and(|record| record.label == Label::BEST) {
                    edit(database, &listed.place, |record| {
                        record.label = Label::NONE;
                        Ok(())
                    })?;
                } else {
                    clear_best(database, &listed.place)?;
                }
            }
            Db::DeleteOne(_) => drop(branch::delete(database, place)?),
            Db::DeleteAll { filter, .. } => {
                let filter: Filter = filter.parse()?;
                out(Reply::Message("Deleting child records, this might take a while...".into()));
                let begun = Instant::now();
                let deleted = branch::delete_below(database, place, &filter)?;
                out(Reply::Message(format!(
                    "Done deleting {deleted} records using {} ms.",
                    begun.elapsed().as_millis()
                )));
                database.sync()?;
                self.query(DatabaseQuery::All, &listed, out);
                self.visit(DatabaseQuery::All, &listed);
                return Ok(());
            }
            _ => {}
        }
        if let Some(database) = &self.shelf.open {
            database.sync()?;
        }
        Ok(())
    }

    /// Prints what is known of a position.
    fn query(&mut self, kind: DatabaseQuery, listed: &Listed, out: Out) {
        let Some(database) = &self.shelf.open else { return };
        let place = &listed.place;
        match kind {
            DatabaseQuery::One => out(Reply::Message(one(database, place))),
            DatabaseQuery::Text => out(Reply::DatabaseText(comment(database, place))),
            DatabaseQuery::All | DatabaseQuery::AllText => {
                out(Reply::Message("DATABASE REFRESH".into()));
                for (cell, record, words) in rows(database, listed) {
                    let at = self.axes().point(cell);
                    out(Reply::Message(row(at, record.as_ref(), &words)));
                }
                out(Reply::Message("DATABASE DONE".into()));
                if kind == DatabaseQuery::AllText {
                    out(Reply::DatabaseText(comment(database, place)));
                }
            }
        }
    }

    /// Positions that a user has looked at are in the database from then on,
    /// so that the way to them is shown. Nobody asked for it, so that nobody is
    /// told where it cannot be done.
    fn visit(&mut self, kind: DatabaseQuery, listed: &Listed) {
        let looked = matches!(kind, DatabaseQuery::All | DatabaseQuery::AllText);
        let Some(database) = &mut self.shelf.open else { return };
        if looked
            && !self.shelf.read_only
            && listed.place.count() > 0
            && let Some(key) = listed.place.key()
            && !database.store().contains(&key)
        {
            drop(database.set(&key, &Record::default()));
        }
    }
}

/// Changes the record of a position, or a new one.
fn edit(
    database: &mut Database,
    place: &Place,
    change: impl FnOnce(&mut Record) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let key = place.key().ok_or(Refusal::Passes)?;
    let mut record = database.store().get(&key).unwrap_or_default();
    if record.label == Label::NULL {
        record.label = Label::NONE;
    }
    change(&mut record)?;
    Ok(database.set(&key, &record)?)
}

/// Applies `yxedittvddatabase`.
fn apply(record: &mut Record, mask: i64, tag: i64, value: i64, depth: i64) -> Result<(), Refusal> {
    if mask & 1 != 0 {
        record.label = match u8::try_from(tag) {
            // What is a result is one in either case; small letters are shared.
            Ok(letter @ (b'W' | b'L' | b'D' | b'X')) => Label(letter.to_ascii_lowercase() as i8),
            Ok(letter @ 0..=127) => Label(letter as i8),
            _ if tag == -1 => Label::NONE,
            _ => return Err(Refusal::Tag(tag)),
        };
    }
    if mask & 2 != 0 {
        record.value = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
    if mask & 4 != 0 {
        record.set_depth(depth, Bound::Exact);
    }
    Ok(())
}

/// Takes the mark of the best move off all children.
fn clear_best(database: &mut Database, place: &Place) -> Result<(), Refusal> {
    let marked = branch::children(database.store(), place);
    for (cell, _) in marked.into_iter().filter(|(_, record)| record.label == Label::BEST) {
        let mut child = place.clone();
        child.play(cell);
        edit(database, &child, |record| {
            record.label = Label::NONE;
            Ok(())
        })?;
    }
    Ok(())
}

/// The cells that a query tells of: with a record, or a text, or both. None
/// that Black may not play.
fn rows(database: &Database, listed: &Listed) -> Vec<(Cell, Option<Record>, String)> {
    let place = &listed.place;
    let mut rows: Vec<(Cell, Option<Record>, String)> = branch::children(database.store(), place)
        .into_iter()
        .map(|(cell, record)| (cell, Some(record), String::new()))
        .collect();
    for (cell, words) in branch::texts(database.store(), place) {
        match rows.iter_mut().find(|(at, ..)| *at == cell) {
            Some((_, _, at)) => *at = words,
            None => rows.push((cell, None, words)),
        }
    }
    rows.sort_by_key(|(cell, ..)| *cell);
    if place.setup().rule.card().fouls && place.to_move() == Color::Black {
        let mut referee = Referee::new(place.setup());
        for color in Color::ALL {
            for cell in place.stones(color) {
                // After the end of a game no foul matters.
                let _ = referee.set_up(cell, Stone::Of(color));
            }
        }
        rows.retain(|(cell, ..)| !referee.fouls(*cell).any());
    }
    rows
}

/// The line of a cell: its place, the label as a number of up to four letters,
/// value, depth, bound, whether there is a comment, the text on it.
fn row(at: Point, record: Option<&Record>, words: &str) -> String {
    let blank = Record::read(&[]);
    let record = record.unwrap_or(&blank);
    let shown = record.shown();
    let tag = match shown.len() {
        0 => -1,
        _ => shown.bytes().take(4).fold(0, |tag, byte| tag << 8 | i32::from(byte)),
    };
    let commented = u8::from(!text::comment(&record.text).is_empty());
    format!(
        "DATABASE {} {} {tag} {} {} {} {commented} {words}",
        at.x,
        at.y,
        record.value,
        record.depth(),
        record.bound() as u8
    )
}

fn one(database: &Database, place: &Place) -> String {
    match place.key().and_then(|key| database.store().get(&key)) {
        None => "DATABASE ONE 0 0 0 0".into(),
        Some(record) => format!(
            "DATABASE ONE {} {} {} {} {}",
            record.label.0,
            record.value,
            record.depth(),
            record.bound() as u8,
            record.shown()
        ),
    }
}

fn comment(database: &Database, place: &Place) -> String {
    let record = place.key().and_then(|key| database.store().get(&key));
    record.map_or(String::new(), |record| text::comment(&record.text))
}
