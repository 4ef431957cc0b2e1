//! Tests of the serde formats of requests, reports, answers and root positions:
//! values survive a round trip, invalid input is refused.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use super::time::Budget;
use super::{
    Answer, Basis, Exclusions, Info, KnownResult, Report, Request, RootEvent, RootPosition,
};
use goren_core::opening::Event;
use goren_core::types::{Cell, Color, Move, Stone, win_in};

const CELL: Cell = Cell::new(7, 8);

/// Checks that the value is written as `form`, and that `form` is read as the value.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, form: Value) {
    assert_eq!(to_value(&value).unwrap(), form);
    assert_eq!(from_value::<T>(form).unwrap(), value);
}

/// Returns the error of reading `form`.
fn refused<T: DeserializeOwned + Debug>(form: Value) -> String {
    from_value::<T>(form).unwrap_err().to_string()
}

fn info() -> Info {
    Info {
        depth: 9,
        seldepth: 21,
        score: -35,
        basis: Basis::Search,
        nodes: 1_234_567,
        elapsed: Duration::from_millis(1_250),
        pv: vec![Move::at(CELL), Move::NONE],
        pv_index: 1,
        pv_count: 2,
    }
}

fn info_form() -> Value {
    json!({
        "depth": 9,
        "seldepth": 21,
        "score": -35,
        "basis": "search",
        "nodes": 1_234_567,
        "elapsed": 1_250,
        "pv": [[7, 8], null],
        "pv_index": 1,
        "pv_count": 2,
    })
}

#[test]
fn a_request_is_written_without_its_start_and_control() {
    let request = Request {
        budget: Budget {
            soft: Duration::from_millis(4_500),
            hard: Duration::from_millis(5_000),
            saves: true,
        },
        max_depth: Some(12),
        max_nodes: Some(1 << 40),
        threads: 3,
        root_moves: vec![CELL],
        exclusions: Exclusions {
            root_moves: vec![CELL],
            cells: [[CELL].into_iter().collect(), Default::default()],
            sequences: vec![vec![CELL, Cell::new(0, 25)]],
        },
        known_results: vec![KnownResult { path: vec![CELL], score: win_in(7) }],
        multi_pv: 2,
        defend: true,
        move_only: true,
        pondering: true,
        ..Request::default()
    };
    let form = json!({
        "budget": { "soft": 4_500, "hard": 5_000, "saves": true },
        "max_depth": 12,
        "max_nodes": 1u64 << 40,
        "threads": 3,
        "root_moves": [[7, 8]],
        "exclusions": {
            "root_moves": [[7, 8]],
            "cells": [[[7, 8]], []],
            "sequences": [[[7, 8], [0, 25]]],
        },
        "known_results": [{ "path": [[7, 8]], "score": win_in(7) }],
        "multi_pv": 2,
        "defend": true,
        "move_only": true,
        "pondering": true,
    });
    assert_eq!(to_value(&request).unwrap(), form);
    request.control.stop();
    let before = Instant::now();
    let read: Request = from_value(form).unwrap();
    assert!(before <= read.started && read.started <= Instant::now());
    assert!(!read.control.stopped());
    // All other fields are equal.
    let Request { started, control, .. } = request.clone();
    let read = Request { started, control, ..read };
    assert_eq!(format!("{read:?}"), format!("{request:?}"));
}

#[test]
fn former_names_of_fields_are_read() {
    let form = json!({
        "bans": { "here": [[7, 8]], "lines": [[[7, 8], [0, 25]]] },
        "known": [{ "path": [[7, 8]], "score": win_in(7) }],
    });
    let read: Request = from_value(form).unwrap();
    assert_eq!(read.exclusions.root_moves, [CELL]);
    assert_eq!(read.exclusions.sequences, [[CELL, Cell::new(0, 25)]]);
    assert_eq!(read.known_results[0].path, [CELL]);
}

#[test]
fn missing_fields_of_a_request_have_their_defaults() {
    let defaults = Request::default();
    let read = json!({ "exclusions": { "root_moves": [[7, 8]] } });
    let read: Request = from_value(read).unwrap();
    assert_eq!(read.exclusions.root_moves, [CELL]);
    assert!(!read.control.stopped() && read.control.end().is_none());
    // A control stores its time of creation.
    let control = defaults.control.clone();
    let exclusions = Exclusions::default();
    let same = Request { started: defaults.started, control, exclusions, ..read };
    assert_eq!(format!("{same:?}"), format!("{defaults:?}"));
}

#[test]
fn a_request_with_unknown_fields_or_cells_off_the_board_is_refused() {
    for form in [
        json!({ "max_node": 100 }),
        json!({ "started": 0 }),
        json!({ "exclusions": { "cell": [[], []] } }),
        json!({ "budget": { "hard": 100, "saves": false } }),
        json!({ "budget": { "soft": -1, "hard": 100, "saves": false } }),
        json!({ "threads": -1 }),
    ] {
        refused::<Request>(form);
    }
    for form in [
        json!({ "root_moves": [[7, 26]] }),
        json!({ "exclusions": { "root_moves": [[26, 7]] } }),
        json!({ "exclusions": { "cells": [[], [[31, 31]]] } }),
        json!({ "exclusions": { "sequences": [[[7, 7], [7, 30]]] } }),
        json!({ "known_results": [{ "path": [[7, 32]], "score": 0 }] }),
    ] {
        let why = refused::<Request>(form);
        assert!(why.contains("is no cell"), "{why}");
    }
}

#[test]
fn budgets_are_milliseconds_or_null_for_no_limit() {
    let form = json!({ "soft": null, "hard": null, "saves": false });
    round_trip(Budget::UNLIMITED, form);
    let (soft, hard) = (Duration::ZERO, Duration::from_millis(u64::MAX));
    let form = json!({ "soft": 0, "hard": u64::MAX, "saves": true });
    round_trip(Budget { soft, hard, saves: true }, form);
    // Durations are rounded down to whole milliseconds.
    let soft = Duration::from_micros(2_900);
    let form = to_value(Budget { soft, hard, saves: true }).unwrap();
    assert_eq!(form["soft"], json!(2));
}

#[test]
fn reports_are_pvs_or_root_events() {
    round_trip(Report::Pv(info()), json!({ "line": info_form() }));
    for (event, name) in [
        (RootEvent::Begun(CELL), "begun"),
        (RootEvent::Done(CELL), "done"),
        (RootEvent::Best(CELL), "best"),
        (RootEvent::Lost(CELL), "lost"),
    ] {
        round_trip(event, json!({ name: [7, 8] }));
        round_trip(Report::Root(event), json!({ "root": { name: [7, 8] } }));
    }
    assert!(refused::<RootEvent>(json!({ "best": [7, 26] })).contains("is no cell"));
    let bases = [Basis::Static, Basis::Brief, Basis::Search, Basis::Pass];
    round_trip(bases, json!(["static", "brief", "search", "pass"]));
}

#[test]
fn answers_are_a_move_and_its_info() {
    let form = json!({ "best": [7, 8], "info": info_form() });
    round_trip(Answer { best: Move::at(CELL), info: info() }, form);
    let form = json!({ "best": null, "info": to_value(Info::NOTHING).unwrap() });
    round_trip(Answer { best: Move::NONE, info: Info::NOTHING }, form);
    assert!(
        refused::<Answer>(json!({ "best": [31, 31], "info": info_form() })).contains("no cell")
    );
}

#[test]
fn root_positions_are_written_by_field() {
    let root = RootPosition {
        laid: vec![(Cell::new(0, 0), Stone::Of(Color::White)), (Cell::new(3, 0), Stone::Wall)],
        events: vec![Event::Stone(CELL, Color::Black), Event::Pass],
        to_move: Color::White,
        stones_to_place: 2,
        placed: 0,
    };
    let form = json!({
        "laid": [[[0, 0], "white"], [[3, 0], "wall"]],
        "events": [{ "stone": [[7, 8], "black"] }, "pass"],
        "to_move": "white",
        "stones_to_place": 2,
        "placed": 0,
    });
    round_trip(root.clone(), form.clone());
    let mut former = form.clone();
    let object = former.as_object_mut().unwrap();
    let stones = object.remove("stones_to_place").unwrap();
    object.insert("stones".to_owned(), stones);
    assert_eq!(from_value::<RootPosition>(former).unwrap(), root);
    let mut outside = form;
    outside["laid"][0][0] = json!([26, 0]);
    assert!(refused::<RootPosition>(outside).contains("is no cell"));
}
