//! All records, in memory: each takes one allocation for key and record, in the
//! bytes of the file, and a place in a hash table.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::key::Key;
use super::key_bytes::in_order;
use super::record::{HEAD, Record};

/// A stored record: length of the key in two bytes, the key, the record.
#[derive(Clone)]
struct Stored(Box<[u8]>);

impl Stored {
    fn new(key: &[u8], record: &[u8]) -> Stored {
        let mut bytes = Vec::with_capacity(2 + key.len() + record.len());
        bytes.extend((key.len() as u16).to_le_bytes());
        bytes.extend(key);
        bytes.extend(record);
        Stored(bytes.into_boxed_slice())
    }

    fn split(&self) -> (&[u8], &[u8]) {
        let (length, rest) = self.0.split_at(2);
        rest.split_at(usize::from(u16::from_le_bytes([length[0], length[1]])))
    }

    /// Approximate bytes of the allocation: a multiple of 16, with a header of 8.
    fn allocated(&self) -> usize {
        (self.0.len() + 8).next_multiple_of(16).max(32)
    }
}

impl Borrow<[u8]> for Stored {
    fn borrow(&self) -> &[u8] {
        self.split().0
    }
}

impl Hash for Stored {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.split().0.hash(state);
    }
}

impl PartialEq for Stored {
    fn eq(&self, other: &Stored) -> bool {
        self.split().0 == other.split().0
    }
}

impl Eq for Stored {}

/// All records.
///
/// The hash is randomly seeded, so that nobody can make a file whose keys all
/// collide.
#[derive(Clone, Default)]
pub struct Store {
    records: HashSet<Stored>,
    /// The sum of [`Stored::allocated`].
    allocated: usize,
}

impl Store {
    /// Number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether there is a record of a key.
    pub fn contains(&self, key: &Key) -> bool {
        self.records.contains(key.bytes())
    }

    /// The record of a key.
    pub fn get(&self, key: &Key) -> Option<Record> {
        self.records.get(key.bytes()).map(|stored| Record::read(stored.split().1))
    }

    /// Sets a record, replacing an existing one.
    pub fn set(&mut self, key: &Key, record: &Record) {
        self.set_bytes(key, &record.write());
    }

    /// Sets a record, merged with an existing one ([`Record::merged`]). Returns whether there
    /// was one.
    pub(super) fn merge(&mut self, key: &Key, record: &Record) -> bool {
        let old = self.get(key);
        match &old {
            Some(old) => self.set(key, &old.merged(record)),
            None => self.set(key, record),
        }
        old.is_some()
    }

    pub(super) fn set_bytes(&mut self, key: &Key, record: &[u8]) {
        let stored = Stored::new(key.bytes(), record);
        self.allocated += stored.allocated();
        if let Some(old) = self.records.replace(stored) {
            self.allocated -= old.allocated();
        }
    }

    /// Adds a record if there is none of its key. Returns whether it was added.
    pub(super) fn add_bytes(&mut self, key: &Key, record: &[u8]) -> bool {
        let stored = Stored::new(key.bytes(), record);
        let allocated = stored.allocated();
        let is_new = self.records.insert(stored);
        if is_new {
            self.allocated += allocated;
        }
        is_new
    }

    /// Deletes a record. Returns whether there was one.
    pub fn remove(&mut self, key: &Key) -> bool {
        let old = self.records.take(key.bytes());
        self.allocated -= old.as_ref().map_or(0, Stored::allocated);
        old.is_some()
    }

    /// Key and record of all records as bytes, in the order of files.
    pub(super) fn in_order(&self) -> Vec<(&[u8], &[u8])> {
        let mut list: Vec<_> = self.records.iter().map(Stored::split).collect();
        list.sort_unstable_by(|a, b| in_order(a.0, b.0));
        list
    }

    /// All records, in the order of files.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Record)> + '_ {
        let list = self.in_order().into_iter();
        list.map(|(key, record)| (Key::from_own(key), Record::read(record)))
    }

    /// Approximate memory in use, in bytes: the allocations of the records, and the places of
    /// the table with their control bytes.
    pub fn bytes(&self) -> usize {
        let capacity = self.records.capacity();
        let places = if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two() };
        places * (size_of::<Stored>() + 1) + self.allocated
    }

    /// Whether all texts are UTF-8.
    pub(super) fn is_utf8(&self) -> bool {
        self.texts().all(|text| std::str::from_utf8(text).is_ok())
    }

    /// Whether all texts are ASCII, and so the same in every code page.
    pub(super) fn is_ascii(&self) -> bool {
        self.texts().all(<[u8]>::is_ascii)
    }

    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().map(|stored| stored.split().1.get(HEAD..).unwrap_or_default())
    }

    pub(super) fn reserve(&mut self, records: usize) {
        self.records.reserve(records);
    }

    /// Frees memory that was reserved for too many records.
    pub(super) fn shrink(&mut self) {
        if self.records.capacity() > 4 * self.records.len() {
            self.records.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use crate::record::Label;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Cell;

    fn key(x: usize, y: usize) -> Key {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        Place::after(setup, &[Some(Cell::new(x, y))]).unwrap().key().unwrap()
    }

    #[test]
    fn records_are_found_replaced_and_deleted() {
        let mut store = Store::default();
        let win = Record { text: b"won".to_vec(), ..Record::labelled(Label::WIN) };
        store.set(&key(7, 7), &Record::default());
        store.set(&key(3, 4), &win);
        store.set(&key(4, 3), &Record { value: 5, ..win.clone() });
        assert_eq!(store.len(), 2);
        assert_eq!(store.get(&key(10, 3)).unwrap().value, 5);
        assert_eq!(store.get(&key(7, 7)), Some(Record::default()));
        assert_eq!(store.get(&key(7, 6)), None);
        let listed: Vec<Key> = store.iter().map(|(key, _)| key).collect();
        assert_eq!(listed, [key(3, 4), key(7, 7)]);
        assert!(store.remove(&key(4, 11)) && !store.remove(&key(4, 11)));
        assert_eq!(store.len(), 1);
        let in_use: usize = store.records.iter().map(Stored::allocated).sum();
        assert!(!store.add_bytes(&key(7, 7), b"") && store.allocated == in_use);
        assert!(store.remove(&key(7, 7)) && store.allocated == 0);
    }

    #[test]
    fn a_record_of_thirty_stones_takes_less_than_two_hundred_bytes() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut store = Store::default();
        let mut moves: Vec<_> = (0..30).map(|i| Some(Cell::new(i % 15, i / 15))).collect();
        for x in 0..15 {
            for y in 4..15 {
                moves[0] = Some(Cell::new(x, y));
                store.set(&Place::after(setup, &moves).unwrap().key().unwrap(), &Record::default());
            }
        }
        assert!(store.bytes() / store.len() < 200, "{}", store.bytes() / store.len());
    }
}
