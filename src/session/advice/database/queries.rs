//! Commands that print the database record of a position.

use goren_protocol::{DatabaseQuery, Point, Reply};

use super::context::Context;
use super::listed::Listed;
use super::state::DatabaseState;
use crate::out::Out;
use goren_core::rules::referee::FiveReferee;
use goren_core::types::{Cell, Color, Stone};
use goren_database::{Database, Place, Record, branch, text};

/// Prints what is known of a position.
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

/// Positions that a user has looked at are in the database from then on,
/// so that the way to them is shown. Nobody asked for it, so that nobody is
/// told where it cannot be done.
pub(super) fn visit(state: &mut DatabaseState, kind: DatabaseQuery, listed: &Listed) {
    let looked = matches!(kind, DatabaseQuery::All | DatabaseQuery::AllText);
    let Some(database) = &mut state.open else { return };
    if looked
        && !state.read_only
        && listed.place.count() > 0
        && let Some(key) = listed.place.key()
        && !database.store().contains(&key)
    {
        drop(database.set(&key, &Record::default()));
    }
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
    if place.setup().rule.card().has_fouls() && place.to_move() == Color::Black {
        let mut referee = FiveReferee::new(place.setup());
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

/// The line of one record.
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
