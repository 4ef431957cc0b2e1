//! Consistency check of records.

use std::fmt;

use super::csv;
use super::key::Key;
use super::record::{Bound, Label, MATE, MATES, Record};
use super::store::Store;
use super::text;
use goren_core::types::{Cell, MAX_SIDE};

/// A fault of a record.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RecordFault {
    /// A text on a stone or off the board.
    Text(Cell),
    /// A value beyond that of a mate in 0 plies.
    Value(i16),
    /// A label that contradicts the value.
    Opposite(Label, i16),
}

/// A record with a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The position.
    pub key: Key,
    /// What is wrong.
    pub fault: RecordFault,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.key.place();
        if let Some(place) = &place {
            write!(f, "{}: ", csv::name(place))?;
        }
        match self.fault {
            RecordFault::Text(cell) => {
                let height = place.map_or(MAX_SIDE, |place| place.setup().height);
                write!(f, "a text on {}, which is not empty", cell.label(height))
            }
            RecordFault::Value(value) => write!(f, "the impossible value {value}"),
            RecordFault::Opposite(label, value) => {
                let letter = char::from(label.0.unsigned_abs());
                write!(f, "the label {letter} with the value {value}")
            }
        }
    }
}

fn faults(key: &Key, record: &Record) -> Vec<RecordFault> {
    let mut faults = Vec::new();
    let texts = text::on_cells(&record.text);
    if !texts.is_empty()
        && let Some(place) = key.place()
    {
        let setup = place.setup();
        let outside = |cell: Cell| cell.x() >= setup.width || cell.y() >= setup.height;
        let wrong = |cell: &Cell| outside(*cell) || !place.is_empty_at(*cell);
        faults.extend(texts.into_keys().filter(wrong).map(RecordFault::Text));
    }
    let value = record.value;
    if !(-MATE..=MATE).contains(&value) {
        faults.push(RecordFault::Value(value));
    } else if record.label == Label::WIN && value > MATES
        || record.label == Label::LOSE && value < -MATES
    {
        faults.push(RecordFault::Opposite(record.label, value));
    }
    faults
}

/// All faults of records, in the order of files.
pub fn findings(store: &Store) -> Vec<Finding> {
    let of = |(key, record): (Key, Record)| {
        let found = faults(&key, &record).into_iter();
        found.map(move |fault| Finding { key: key.clone(), fault }).collect::<Vec<_>>()
    };
    store.iter().flat_map(of).collect()
}

/// Removes the faults: texts that no program shows, and impossible values. Returns the
/// number of records changed.
pub fn fix(store: &mut Store) -> usize {
    let found = findings(store);
    let mut fixed = 0;
    for group in found.chunk_by(|a, b| a.key == b.key) {
        let key = &group[0].key;
        let Some(mut record) = store.get(key) else { continue };
        let mut texts = text::on_cells(&record.text);
        for finding in group {
            match finding.fault {
                RecordFault::Text(cell) => drop(texts.remove(&cell)),
                RecordFault::Value(_) | RecordFault::Opposite(..) => {
                    record.value = 0;
                    record.set_depth(0, Bound::None);
                }
            }
        }
        record.text = text::with_cells(&record.text, &texts);
        store.set(key, &record);
        fixed += 1;
    }
    fixed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;
    use goren_core::rules::{RuleId, Setup};

    #[test]
    fn contradictions_are_found_and_removed() {
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let key = |x| {
            let moves = [Some(Cell::new(x, 7)), Some(Cell::new(x, 9))];
            Place::after(setup, &moves).unwrap().key().unwrap()
        };
        let mut store = Store::default();
        let stone = key(3).place().unwrap().stones(goren_core::types::Color::Black).next().unwrap();
        let texts = [(stone, b"a".to_vec()), (Cell::new(0, 0), b"b".to_vec())].into();
        let text = text::with_cells(b"kept", &texts);
        store.set(&key(3), &Record { text, ..Record::default() });
        store.set(&key(4), &Record { value: 31_000, ..Record::labelled(Label::WIN) });
        store.set(&key(5), &Record { value: 29_990, ..Record::labelled(Label::WIN) });
        store.set(&key(6), &Record { value: -29_990, ..Record::labelled(Label::WIN) });
        store.set(&key(7), &Record { value: 29_990, ..Record::default() });
        let mut found: Vec<RecordFault> = findings(&store).into_iter().map(|f| f.fault).collect();
        found.sort_by_key(|fault| format!("{fault:?}"));
        let opposite = RecordFault::Opposite(Label::WIN, 29_990);
        assert_eq!(found, [opposite, RecordFault::Text(stone), RecordFault::Value(31_000)]);
        assert_eq!(fix(&mut store), 3);
        assert_eq!(findings(&store), []);
        let left = store.get(&key(3)).unwrap().text;
        assert_eq!((text::comment(&left), text::on_cells(&left).len()), ("kept".into(), 1));
        assert_eq!(store.get(&key(5)).unwrap().label, Label::WIN);
    }
}
