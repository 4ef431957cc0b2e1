//! Records that a search leaves in the database: the value of its position and of those
//! after the first move of each PV, and proven results.
//!
//! A proven result may depend on a label of the user; it remains when the user deletes that
//! label.

use super::probe::place_of;
use super::proves::{Proves, is_deep};
use super::state::DatabaseState;
use crate::state::five_position::FivePosition;
use goren_database::{Key, Label, Record};
use goren_engine::Info;

/// The records to write after a search of the position of a game. `lines`: the newest report
/// of each PV, the best first. Records with a label stay as they are, and of two values the
/// deeper one stays.
pub fn records(
    state: &DatabaseState,
    game: &FivePosition,
    proves: Proves,
    lines: &[Info],
) -> Vec<(Key, Record)> {
    // The user may have deleted what a result depends on since the search began.
    let writable = !state.read_only && !state.changed;
    let Some(database) = state.open.as_ref().filter(|_| writable) else { return Vec::new() };
    let Some(mut place) = place_of(game) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(best) = lines.first().filter(|best| proves.counts(best) && place.count() > 0) {
        found.push((place.key(), Record::searched(best.score, best.depth)));
    }
    for line in lines.iter().filter(|line| proves.value && is_deep(line)) {
        let first = line.pv.first().map(|m| m.cell());
        if let Some(cell) = first.filter(|&cell| place.is_empty_at(cell)) {
            found.push((place.child_key(cell), Record::after_best(line.score, line.depth)));
        }
    }
    let better = |(key, mut record): (Option<Key>, Record)| {
        let key = key?;
        let known = database.store().get(&key).unwrap_or_default();
        let free = known.label == Label::NONE || known.label == Label::NULL;
        if !free || !known.yields_to(&record) {
            return None;
        }
        record.text = known.text;
        Some((key, record))
    };
    found.into_iter().filter_map(better).collect()
}
