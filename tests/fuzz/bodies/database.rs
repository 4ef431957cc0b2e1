//! Databases of positions, their texts and their journals.

use std::io::Cursor;

use goren_core::rules::{RuleId, Setup};
use goren_database::below::{Reach, below};
use goren_database::journal::Journal;
use goren_database::read::{LoadedFile, read};
use goren_database::{Place, Stamp, Store, branch, check, csv as text, write};

use super::{file, pieces};

/// Rule and board whose empty position the bodies start from.
const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

/// A database file: the records read from it can be traversed, fixed, written in
/// both forms and read back without loss.
pub fn database(input: &[u8]) -> bool {
    let LoadedFile { mut store, faults, .. } = read(Cursor::new(input));
    let is_whole = faults == 0 && !store.is_empty();
    traverse(&store);
    check::fix(&mut store);
    for packed in [false, true] {
        let mut file = Vec::new();
        write::write(&store, &mut file, packed, false).expect("memory takes all");
        let again = read(Cursor::new(&file));
        assert!(again.damage.is_empty(), "{:?}", again.damage);
        assert_eq!(records(&again.store), records(&store));
    }
    is_whole
}

fn traverse(store: &Store) {
    let place = Place::empty(SETUP);
    branch::texts(store, &place);
    below(store, &place, &Reach { positions: 3, plies: 8, until: None });
    check::findings(store);
    let mut other = Store::default();
    branch::copy_branch(store, &[], &place, &mut other);
    branch::merge(store, &mut other);
    for (key, record) in store.iter() {
        record.shown();
        key.place();
    }
}

/// All records as bytes, in order.
fn records(store: &Store) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut records: Vec<_> =
        store.iter().map(|(key, record)| (key.bytes().to_vec(), record.write())).collect();
    records.sort_unstable();
    records
}

/// Records as text: those read are written and read again.
pub fn csv(input: &[u8]) -> bool {
    let Ok((store, _)) = text::read(input) else { return false };
    let mut written = Vec::new();
    text::write(&store, None, &mut written).expect("memory takes all");
    text::write_positions(&store, SETUP, &mut written.clone()).expect("memory takes all");
    let (again, _) = text::read(&written).expect("what was written");
    let mut twice = Vec::new();
    text::write(&again, None, &mut twice).expect("memory takes all");
    assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&written));
    !store.is_empty()
}

/// A journal beside a database: as it is, and with valid checksums in both versions.
pub fn journal(input: &[u8]) -> bool {
    let mut has_changes = recover(input);
    for version in [b"GRNJ0001", b"GRNJ0002"] {
        let mut sealed = version.to_vec();
        for change in pieces(input) {
            sealed.extend((change.len() as u32).to_le_bytes());
            sealed.extend(crc32fast::hash(change).to_le_bytes());
            sealed.extend(change);
        }
        has_changes |= recover(&sealed);
    }
    has_changes
}

/// Whether a journal with these bytes yields changes.
fn recover(bytes: &[u8]) -> bool {
    let (_folder, path) = file("a.db.journal", bytes);
    let mut store = Store::default();
    let database = path.with_extension("");
    let found = Journal::recover(&database, Stamp::default(), &mut store).expect("a plain file");
    let (journal, recovered) = found.expect("a journal");
    assert!(store.len() as u64 <= recovered.changes);
    journal.end();
    recovered.changes > 0
}
