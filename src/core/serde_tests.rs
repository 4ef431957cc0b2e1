//! What is written in a format of serde is read back, and what is no value is
//! refused.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use crate::opening::Event;
use crate::rules::{RuleId, Setup, Variant};
use crate::types::{Cell, CellSet, Color, MAX_SIDE, Move};

/// The value is written as `form`, which is read as the value.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, form: Value) {
    assert_eq!(to_value(&value).unwrap(), form);
    assert_eq!(from_value::<T>(form).unwrap(), value);
}

/// Why `form` is no value.
fn refused<T: DeserializeOwned + Debug>(form: Value) -> String {
    from_value::<T>(form).unwrap_err().to_string()
}

#[test]
fn cells_are_pairs_of_column_and_row() {
    for y in 0..MAX_SIDE {
        for x in 0..MAX_SIDE {
            round_trip(Cell::new(x, y), json!([x, y]));
            round_trip(Move::at(Cell::new(x, y)), json!([x, y]));
        }
    }
    round_trip(Move::NONE, json!(null));
}

#[test]
fn cells_on_no_board_are_refused() {
    for form in [json!([26, 0]), json!([0, 26]), json!([31, 31]), json!([7, usize::MAX])] {
        for why in [refused::<Cell>(form.clone()), refused::<Move>(form.clone())] {
            assert!(why.ends_with("is no cell: columns and rows are 0 to 25"), "{why}");
        }
        assert!(refused::<CellSet>(json!([[7, 7], form])).contains("is no cell"));
    }
    for form in [json!([-1, 0]), json!([1.5, 0]), json!([7]), json!([7, 7, 7]), json!("h8")] {
        refused::<Cell>(form.clone());
        refused::<Move>(form);
    }
    refused::<Cell>(json!(null));
}

#[test]
fn sets_are_lists_of_cells() {
    let cells = [Cell::new(3, 0), Cell::new(25, 25)];
    round_trip(CellSet::EMPTY, json!([]));
    round_trip(cells.into_iter().collect::<CellSet>(), json!([[3, 0], [25, 25]]));
    round_trip(CellSet::board(26, 26), to_value(CellSet::board(26, 26)).unwrap());
    let doubled: CellSet = from_value(json!([[25, 25], [3, 0], [25, 25]])).unwrap();
    assert_eq!(doubled, cells.into_iter().collect());
}

#[test]
fn colours_and_events_are_words() {
    round_trip(Color::ALL, json!(["black", "white"]));
    let stone = Event::Stone(Cell::new(7, 8), Color::White);
    round_trip(vec![stone, Event::Pass], json!([{ "stone": [[7, 8], "white"] }, "pass"]));
    refused::<Color>(json!("red"));
    refused::<Event>(json!({ "stone": [[7, 30], "white"] }));
}

#[test]
fn rules_and_variants_are_names() {
    for rule in RuleId::ALL {
        round_trip(rule, json!(rule.name()));
    }
    for variant in Variant::all() {
        round_trip(variant, json!(variant.to_string()));
    }
    assert_eq!(refused::<RuleId>(json!("chess")), "there is no rule \"chess\"");
    assert!(refused::<Variant>(json!("pente+chess")).contains("no option"));
}

#[test]
fn setups_are_of_boards_that_are_played() {
    let setup = Setup::new(RuleId::Renju, 15, 12).unwrap();
    round_trip(setup, json!({ "rule": "renju", "width": 15, "height": 12 }));
    let why = refused::<Setup>(json!({ "rule": "renju", "width": 15, "height": 27 }));
    assert!(why.contains("15x27"), "{why}");
    refused::<Setup>(json!({ "rule": "renju", "width": 15 }));
    refused::<Setup>(json!({ "rule": "renju", "width": 15, "height": 15, "depth": 3 }));
}
