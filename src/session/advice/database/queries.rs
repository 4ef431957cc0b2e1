//! Commands that print the record of a position.

use goren_protocol::{DatabaseQuery, Point, Reply};

use super::context::Context;
use super::listed::Listed;
use super::state::DatabaseState;
use crate::out::Out;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, Stone};
use goren_database::{Database, Place, Record, branch, text};

/// Answers a query about a position.
pub(super) fn query(
    database: &Database,
    context: &Context,
    kind: DatabaseQuery,
    listed: &Listed,
    out: Out,
) {
    let place = &listed.place;
    match kind {
        DatabaseQuery::One => out(Reply::Message(one(database, place))),
        DatabaseQuery::Text => out(Reply::DatabaseText(comment(database, place))),
        DatabaseQuery::All | DatabaseQuery::AllText => {
            out(Reply::Message("DATABASE REFRESH".into()));
            for (cell, record, words) in rows(database, listed) {
                let at = context.axes.point(cell);
                out(Reply::Message(row(at, record.as_ref(), &words)));
            }
            out(Reply::Message("DATABASE DONE".into()));
            if kind == DatabaseQuery::AllText {
                out(Reply::DatabaseText(comment(database, place)));
            }
        }
    }
}

/// Adds the position of a query to the database, so that GUIs show the path to the positions
/// that the user has looked at. The user did not ask for it, so a failure is not reported.
pub(super) fn visit(state: &mut DatabaseState, kind: DatabaseQuery, listed: &Listed) {
    let lists_children = matches!(kind, DatabaseQuery::All | DatabaseQuery::AllText);
    let Some(database) = &mut state.open else { return };
    if lists_children
        && !state.read_only
        && listed.place.count() > 0
        && let Some(key) = listed.place.key()
        && !database.store().contains(&key)
    {
        drop(database.set(&key, &Record::default()));
    }
}

/// The children that a query lists: with a record, a text, or both; without forbidden
/// points.
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
    if place.setup().rule.card().fouls[place.to_move().index()].any() {
        let mut referee = FiveReferee::new(place.setup());
        for color in Color::ALL {
            for cell in place.stones(color) {
                // An error means that the game is over; then fouls do not matter.
                let _ = referee.set_up(cell, Stone::Of(color));
            }
        }
        rows.retain(|(cell, ..)| !referee.fouls(place.to_move(), *cell).any());
    }
    rows
}

/// The line of a child: coordinates, label (up to four characters packed in a number;
/// -1 for none), value, depth, bound, whether there is a comment (1 or 0), text on the
/// board.
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

/// The line of the record of the position itself.
pub(super) fn one(database: &Database, place: &Place) -> String {
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

/// The comment on a position.
fn comment(database: &Database, place: &Place) -> String {
    let record = place.key().and_then(|key| database.store().get(&key));
    record.map_or(String::new(), |record| text::comment(&record.text))
}
