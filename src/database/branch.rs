//! Children and branches of positions, and texts on cells.
//!
//! A branch consists of the positions reachable through positions that have records.

use std::collections::HashSet;
use std::str::FromStr;

use super::key::{Key, Place};
use super::record::{Label, MATES, Record};
use super::store::Store;
use super::{Database, EditError, text};
use goren_core::types::{Cell, Color};

/// The records after each stone that the side to move can place, row by row.
pub fn children(store: &Store, place: &Place) -> Vec<(Cell, Record)> {
    let mut child = place.clone();
    let record = |cell: Cell| Some((cell, store.get(&child.child_key(cell)?)?));
    place.empty_cells().into_iter().filter_map(record).collect()
}

/// The texts on the empty cells of a position, row by row.
pub fn texts(store: &Store, place: &Place) -> Vec<(Cell, String)> {
    let Some(record) = place.key().and_then(|key| store.get(&key)) else { return Vec::new() };
    let texts = text::on_cells(&record.text);
    if texts.is_empty() {
        return Vec::new();
    }
    let text_on = |cell: Cell| {
        let text = place.in_key(cell).iter().find_map(|at| texts.get(at))?;
        Some((cell, String::from_utf8_lossy(text).into_owned()))
    };
    place.empty_cells().into_iter().filter_map(text_on).collect()
}

/// Sets the text on a cell of a position, or removes it if `words` is empty. The
/// position, and the position after a stone there, get records if they have none.
///
/// # Errors
/// Changes are not allowed.
pub fn set_text(
    database: &mut Database,
    place: &mut Place,
    cell: Cell,
    words: &str,
) -> Result<(), EditError> {
    let (Some(key), Some(child)) = (place.key(), place.child_key(cell)) else { return Ok(()) };
    let mut record = database.store().get(&key).unwrap_or_default();
    let words = text::for_cell(words);
    let mut cells = text::on_cells(&record.text);
    let same = place.in_key(cell);
    cells.retain(|at, _| !same.contains(at));
    if let Some(&first) = same.first().filter(|_| !words.is_empty()) {
        cells.insert(first, words);
        if !database.store().contains(&child) {
            database.set(&child, &Record::default())?;
        }
    }
    record.text = text::with_cells(&record.text, &cells);
    database.set(&key, &record)
}

/// The positions before the last stone, for each stone that may have been the last, with
/// that stone.
fn parents(place: &Place) -> Vec<(Place, Cell)> {
    let before = |stone: Cell| {
        let mut parent = place.clone();
        parent.take_back(stone);
        (parent, stone)
    };
    let mover: Color = !place.to_move();
    place.stones(mover).map(before).collect()
}

/// Deletes a record, and the texts on its cell in the positions before it. Returns whether
/// there was a record.
///
/// # Errors
/// Changes are not allowed.
pub fn delete(database: &mut Database, place: &Place) -> Result<bool, EditError> {
    let Some(key) = place.key() else { return Ok(false) };
    let deleted = database.remove(&key)?;
    for (mut parent, stone) in parents(place) {
        if texts(database.store(), &parent).iter().any(|(cell, _)| *cell == stone) {
            set_text(database, &mut parent, stone, "")?;
        }
    }
    Ok(deleted)
}

/// Filter that selects which records below a position to delete.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    kind: Kind,
    /// Whether to filter the records below records that stay, too.
    recursive: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
enum Kind {
    #[default]
    All,
    /// These results, or with `negated` all other records.
    Results { win: bool, lose: bool, draw: bool, negated: bool },
    /// Results without a number of plies.
    NoStep,
    /// Results within this many plies.
    InStep(i32),
}

/// A text that is not a filter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown filter {0:?}")]
pub struct BadFilter(String);

impl FromStr for Filter {
    type Err = BadFilter;

    /// Reads `w`, `l`, `wl`, `wld`, `nonwl`, `nonwld`, `wlnostep`, `wlinstep
    /// N`, each optionally with `recursive` appended to the word, or nothing.
    fn from_str(text: &str) -> Result<Filter, BadFilter> {
        let bad = || BadFilter(text.to_owned());
        let folded = text.to_ascii_lowercase();
        let mut words = folded.split_whitespace();
        let Some(word) = words.next() else { return Ok(Filter::default()) };
        let plain = word.strip_suffix("recursive");
        let recursive = plain.is_some();
        let results = |letters: &str, negated| {
            let has = |letter| letters.contains(letter);
            Kind::Results { win: has('w'), lose: has('l'), draw: has('d'), negated }
        };
        let kind = match plain.unwrap_or(word) {
            letters @ ("w" | "l" | "wl" | "wld") => results(letters, false),
            "nonwl" => results("wl", true),
            "nonwld" => results("wld", true),
            "wlnostep" => Kind::NoStep,
            "wlinstep" => Kind::InStep(words.next().and_then(|n| n.parse().ok()).ok_or_else(bad)?),
            _ => return Err(bad()),
        };
        Ok(Filter { kind, recursive })
    }
}

impl Filter {
    /// Whether a record is to be deleted.
    fn selects(&self, record: &Record) -> bool {
        let is = |label| record.label == label;
        match self.kind {
            Kind::All => true,
            Kind::Results { win, lose, draw, negated } => {
                let is_listed =
                    win && is(Label::WIN) || lose && is(Label::LOSE) || draw && is(Label::DRAW);
                is_listed != negated
            }
            Kind::NoStep => {
                is(Label::WIN) && record.value >= -MATES || is(Label::LOSE) && record.value <= MATES
            }
            Kind::InStep(max) => record.steps().is_some_and(|steps| steps <= max),
        }
    }
}

/// Deletes records below a position: the children that the filter selects, with all
/// records below them, except records that another record leads to as well. The
/// position itself stays, without texts on cells. Returns the number of deleted
/// records.
///
/// # Errors
/// Changes are not allowed.
pub fn delete_below(
    database: &mut Database,
    place: &Place,
    filter: &Filter,
) -> Result<usize, EditError> {
    let before = database.store().len();
    loop {
        let records = database.store().len();
        delete_children(database, &mut place.clone(), Some(filter), &mut HashSet::new())?;
        // Records that stayed because of a record deleted later may be deletable now.
        if !filter.recursive || database.store().len() == records {
            break;
        }
    }
    if let Some(key) = place.key()
        && let Some(mut record) = database.store().get(&key)
    {
        let bare = text::with_cells(&record.text, &Default::default());
        if bare != record.text {
            record.text = bare;
            database.set(&key, &record)?;
        }
    }
    Ok(before - database.store().len())
}

/// Deletes children of a position. With a filter the record of the position itself
/// stays; without one it is deleted, and so are all records below it. `walked`: the
/// positions below that stay and were already visited, by any order of moves.
fn delete_children(
    database: &mut Database,
    place: &mut Place,
    filter: Option<&Filter>,
    walked: &mut HashSet<Key>,
) -> Result<(), EditError> {
    let own = place.key().filter(|_| filter.is_some());
    for cell in place.empty_cells() {
        let Some(child) = place.child_key(cell) else { continue };
        let Some(record) = database.store().get(&child) else { continue };
        let below = match filter {
            Some(filter) if !filter.selects(&record) => {
                if !filter.recursive || !walked.insert(child.clone()) {
                    continue;
                }
                Some(filter)
            }
            _ => None,
        };
        place.play(cell);
        if below.is_some() {
            delete_children(database, place, below, walked)?;
        } else if !has_other_parent(database.store(), place, own.as_ref()) {
            database.remove(&child)?;
            delete_children(database, place, None, walked)?;
        }
        place.take_back(cell);
    }
    Ok(())
}

/// Whether a record other than the known one leads to a position.
fn has_other_parent(store: &Store, place: &Place, known: Option<&Key>) -> bool {
    parents(place).iter().any(|(parent, _)| {
        parent.key().is_some_and(|key| Some(&key) != known && store.contains(&key))
    })
}

/// Copies the records on the path to a position and of the branch below it to
/// another store, whose own records stay as they are. Returns the number added.
pub fn copy_branch(from: &Store, moves: &[Option<Cell>], place: &Place, to: &mut Store) -> usize {
    let before = to.len();
    copy_below(from, &mut place.clone(), to, &mut HashSet::new());
    for length in 1..=moves.len() {
        let Ok(on_path) = Place::after(place.setup(), &moves[..length]) else { break };
        if let Some(key) = on_path.key()
            && let Some(record) = from.get(&key).filter(|_| !to.contains(&key))
        {
            to.set(&key, &record);
        }
    }
    to.len() - before
}

/// Copies the records below a position. `walked`: the positions below that were already visited,
/// by any order of moves.
fn copy_below(from: &Store, place: &mut Place, to: &mut Store, walked: &mut HashSet<Key>) {
    for cell in place.empty_cells() {
        let Some(child) = place.child_key(cell) else { continue };
        let Some(record) = from.get(&child) else { continue };
        if !walked.insert(child.clone()) {
            continue;
        }
        if !to.contains(&child) {
            to.set(&child, &record);
        }
        place.play(cell);
        copy_below(from, place, to, walked);
        place.take_back(cell);
    }
}

/// Merges all records of one store into another ([`Record::merged`]). Returns the
/// number of records added or changed.
pub fn merge(from: &Store, to: &mut Store) -> usize {
    let mut changed = 0;
    for (key, theirs) in from.iter() {
        let ours = to.get(&key);
        let merged = ours.as_ref().map_or_else(|| theirs.clone(), |ours| ours.merged(&theirs));
        if ours.as_ref() != Some(&merged) {
            to.set(&key, &merged);
            changed += 1;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tempfile::{TempDir, tempdir};

    use super::*;
    use goren_core::rules::{RuleId, Setup};

    const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

    fn database() -> (TempDir, Database) {
        let folder = tempdir().unwrap();
        let (database, _) = Database::open(&folder.path().join("a.db")).unwrap();
        (folder, database)
    }

    fn place(cells: &[(usize, usize)]) -> Place {
        let moves: Vec<_> = cells.iter().map(|&(x, y)| Some(Cell::new(x, y))).collect();
        Place::after(SETUP, &moves).unwrap()
    }

    /// Other programs do not write the text of a record with [`Label::NULL`].
    #[test]
    fn a_text_on_an_empty_record_sets_the_label_none() {
        let (_folder, mut database) = database();
        let mut at = place(&[(7, 7)]);
        let key = at.key().unwrap();
        database.set(&key, &Record::read(&[])).unwrap();
        set_text(&mut database, &mut at, Cell::new(3, 4), "here").unwrap();
        let record = database.store().get(&key).unwrap();
        assert_eq!((record.label, record.write()[0]), (Label::NONE, 0xff));
        assert_eq!(text::on_cells(&record.text).len(), 1);
    }

    /// A win to which a deleted record had led as well stayed.
    #[test]
    fn records_that_only_deleted_records_led_to_are_deleted() {
        let (_folder, mut database) = database();
        let [a, b, c] = [(0, 0), (7, 8), (3, 1)];
        for (line, label) in [
            (&[a][..], Label::NONE),
            (&[c], Label::NONE),
            (&[a, b], Label::NONE),
            (&[c, b], Label::WIN),
            (&[a, b, c], Label::WIN),
        ] {
            let key = place(line).key().unwrap();
            database.set(&key, &Record::labelled(label)).unwrap();
        }
        let filter = "wrecursive".parse().unwrap();
        assert_eq!(delete_below(&mut database, &place(&[]), &filter).unwrap(), 2);
        assert_eq!(database.store().len(), 3);
    }

    /// Positions that stay were visited again for every order of the moves to them.
    #[test]
    fn move_orders_do_not_multiply_the_time() {
        const STONES: usize = 6;
        let (_folder, mut database) = database();
        let store = database.change_many().unwrap();
        for (black, white) in (0..1_usize << (2 * STONES)).map(|bits| (bits >> STONES, bits)) {
            let of = |bits: usize, y, color| {
                let chosen = (0..STONES).filter(move |x| (bits >> x) & 1 != 0);
                chosen.map(move |x| (Cell::new(x, y), color))
            };
            let stones: Vec<_> =
                of(black, 0, Color::Black).chain(of(white, 3, Color::White)).collect();
            if let Some(key) = Place::of(SETUP, &stones, Color::ALL[stones.len() % 2]).key() {
                store.set(&key, &Record::default());
            }
        }
        let filter = "wrecursive".parse().unwrap();
        let begun = Instant::now();
        assert_eq!(delete_below(&mut database, &place(&[]), &filter).unwrap(), 0);
        // By every move order there would be a million more visits than positions.
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }
}
