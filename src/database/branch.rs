//! Positions that follow from others: children, branches, texts on cells.
//!
//! A branch is whatever can be reached through positions that have records.

use std::collections::HashSet;
use std::str::FromStr;

use super::key::{Key, Place};
use super::record::{Label, MATES, Record};
use super::store::Store;
use super::{Database, EditError, text};
use goren_core::types::{Cell, Color};

/// The records after each stone the side to move can place, row by row.
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
    let on = |cell: Cell| {
        let found = place.in_key(cell).iter().find_map(|at| texts.get(at))?;
        Some((cell, String::from_utf8_lossy(found).into_owned()))
    };
    place.empty_cells().into_iter().filter_map(on).collect()
}

/// Writes a text on a cell of a position, or takes it away if it is empty. The
/// position, and the one after a stone there, get records if they have none.
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

/// The positions before the last stone, whichever stone that was: with the
/// stone.
fn parents(place: &Place) -> Vec<(Place, Cell)> {
    let before = |stone: Cell| {
        let mut parent = place.clone();
        parent.take_back(stone);
        (parent, stone)
    };
    let mover: Color = !place.to_move();
    place.stones(mover).map(before).collect()
}

/// Takes a record out, and the texts on its cell in the positions before.
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

/// Which records below a position to delete.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    kind: Kind,
    /// Whether to look below records that stay.
    recursive: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
enum Kind {
    #[default]
    All,
    /// These results, or all others.
    Results { win: bool, lose: bool, draw: bool, but: bool },
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
    /// N`, each with `recursive` behind the word or not, or nothing.
    fn from_str(text: &str) -> Result<Filter, BadFilter> {
        let bad = || BadFilter(text.to_owned());
        let folded = text.to_ascii_lowercase();
        let mut words = folded.split_whitespace();
        let Some(word) = words.next() else { return Ok(Filter::default()) };
        let plain = word.strip_suffix("recursive");
        let recursive = plain.is_some();
        let results = |letters: &str, but| {
            let has = |letter| letters.contains(letter);
            Kind::Results { win: has('w'), lose: has('l'), draw: has('d'), but }
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
    fn takes(&self, record: &Record) -> bool {
        let is = |label| record.label == label;
        match self.kind {
            Kind::All => true,
            Kind::Results { win, lose, draw, but } => {
                let one =
                    win && is(Label::WIN) || lose && is(Label::LOSE) || draw && is(Label::DRAW);
                one != but
            }
            Kind::NoStep => {
                is(Label::WIN) && record.value >= -MATES || is(Label::LOSE) && record.value <= MATES
            }
            Kind::InStep(most) => record.steps().is_some_and(|steps| steps <= most),
        }
    }
}

/// Deletes what is below a position: the children that the filter takes, with
/// all below them, but nothing that a record elsewhere leads to as well.
/// The position itself stays, without texts on cells. Returns how many records
/// went.
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
        // What is gone by now may have led to records that stayed for it.
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

/// With a filter the position itself has a record that stays; without one it
/// is gone, and so is all below it. `walked`: the positions below that stay and
/// were gone through, by whatever order of moves.
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
            Some(filter) if !filter.takes(&record) => {
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
        } else if !is_led_to(database.store(), place, own.as_ref()) {
            database.remove(&child)?;
            delete_children(database, place, None, walked)?;
        }
        place.take_back(cell);
    }
    Ok(())
}

/// Whether a record leads to a position, other than the one that is known to.
fn is_led_to(store: &Store, place: &Place, known: Option<&Key>) -> bool {
    parents(place).iter().any(|(parent, _)| {
        parent.key().is_some_and(|key| Some(&key) != known && store.contains(&key))
    })
}

/// Copies the records on the way to a position and of the branch below it into
/// another store, where records stay as they are. Returns how many were added.
pub fn copy_branch(from: &Store, moves: &[Option<Cell>], place: &Place, to: &mut Store) -> usize {
    let before = to.len();
    copy_below(from, &mut place.clone(), to);
    for length in 1..=moves.len() {
        let Ok(on_way) = Place::after(place.setup(), &moves[..length]) else { break };
        if let Some(key) = on_way.key()
            && let Some(record) = from.get(&key).filter(|_| !to.contains(&key))
        {
            to.set(&key, &record);
        }
    }
    to.len() - before
}

fn copy_below(from: &Store, place: &mut Place, to: &mut Store) {
    for cell in place.empty_cells() {
        let Some(child) = place.child_key(cell) else { continue };
        // A transposition has copied it already.
        if let Some(record) = from.get(&child).filter(|_| !to.contains(&child)) {
            to.set(&child, &record);
            place.play(cell);
            copy_below(from, place, to);
            place.take_back(cell);
        }
    }
}

/// Merges all records of one store into another: the better stays, with the
/// texts of both and the mark of the other if it has none. Returns how many were
/// added or changed.
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

    /// Programs that leave such a record do not write its text.
    #[test]
    fn a_text_on_a_record_that_says_nothing_gives_it_a_label_for_none() {
        let (_folder, mut database) = database();
        let mut at = place(&[(7, 7)]);
        let key = at.key().unwrap();
        database.set(&key, &Record::read(&[])).unwrap();
        set_text(&mut database, &mut at, Cell::new(3, 4), "here").unwrap();
        let record = database.store().get(&key).unwrap();
        assert_eq!((record.label, record.write()[0]), (Label::NONE, 0xff));
        assert_eq!(text::on_cells(&record.text).len(), 1);
    }

    /// A win to which a deleted one had led as well stayed.
    #[test]
    fn what_only_deleted_records_led_to_is_deleted_too() {
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

    /// Positions that stay were gone through again for every order of the moves to them.
    #[test]
    fn orders_of_moves_do_not_multiply_the_time() {
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
        // By every order there are a million walks more than positions.
        assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
    }
}
