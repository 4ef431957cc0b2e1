//! Databases of positions, their texts and their journals.

use std::io::Cursor;

use goren_core::rules::{RuleId, Setup};
use goren_database::below::{Reach, below};
use goren_database::journal::Journal;
use goren_database::read::{LoadedFile, read};
use goren_database::{Place, Store, branch, check, csv as text, write};

use super::{file, pieces};

/// The variant whose empty board is looked below.
const SETUP: Setup = Setup { rule: RuleId::Freestyle, width: 15, height: 15 };

/// A file: what is saved of it can be gone through, mended, written in both
/// forms and read back without a loss.
pub fn database(input: &[u8]) {
    let LoadedFile { mut store, .. } = read(Cursor::new(input));
    go_through(&store);
    check::fix(&mut store);
    for packed in [false, true] {
        let mut file = Vec::new();
        write::write(&store, &mut file, packed, false).expect("memory takes all");
        let again = read(Cursor::new(&file));
        assert!(again.damage.is_empty(), "{:?}", again.damage);
        assert_eq!(records(&again.store), records(&store));
    }
}

fn go_through(store: &Store) {
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

/// Records as text: what is read is written and read again.
pub fn csv(input: &[u8]) {
    let Ok(store) = text::read(input) else { return };
    let mut written = Vec::new();
    text::write(&store, None, &mut written).expect("memory takes all");
    text::write_positions(&store, SETUP, &mut written.clone()).expect("memory takes all");
    let again = text::read(&written).expect("what was written");
    let mut twice = Vec::new();
    text::write(&again, None, &mut twice).expect("memory takes all");
    assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&written));
}

/// A journal beside a database, as it is and with right checksums.
pub fn journal(input: &[u8]) {
    recover(input);
    let mut sealed = b"GRNJ0001".to_vec();
    for change in pieces(input) {
        sealed.extend((change.len() as u32).to_le_bytes());
        sealed.extend(crc32fast::hash(change).to_le_bytes());
        sealed.extend(change);
    }
    recover(&sealed);
}

fn recover(bytes: &[u8]) {
    let (_folder, path) = file("a.db.journal", bytes);
    let mut store = Store::default();
    let database = path.with_extension("");
    let found = Journal::recover(&database, &mut store).expect("a plain file");
    let (journal, changes) = found.expect("a journal");
    assert!(store.len() as u64 <= changes);
    journal.end();
}
