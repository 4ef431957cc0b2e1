//! Values are read back from serde formats, and invalid values are refused.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value, json, to_value};

use crate::opening::{Action, Event, GameState};
use crate::rules::{Contest, OpeningId, RuleId, Setup, Variant};
use crate::types::{Cell, CellSet, Color, MAX_SIDE, Move, Stone};

/// Checks that the value is written as `form` and read back from it.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, form: Value) {
    assert_eq!(to_value(&value).unwrap(), form);
    assert_eq!(from_value::<T>(form).unwrap(), value);
}

/// Why `form` is refused.
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
fn setups_have_supported_board_sizes() {
    let setup = Setup::new(RuleId::Renju, 15, 12).unwrap();
    round_trip(setup, json!({ "rule": "renju", "width": 15, "height": 12 }));
    let why = refused::<Setup>(json!({ "rule": "renju", "width": 15, "height": 27 }));
    assert!(why.contains("15x27"), "{why}");
    refused::<Setup>(json!({ "rule": "renju", "width": 15 }));
    refused::<Setup>(json!({ "rule": "renju", "width": 15, "height": 15, "depth": 3 }));
}

#[test]
fn contests_have_boards_and_openings_of_their_game() {
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let contest = Contest::new(variant).opened(opening).unwrap();
            for contest in [contest, Contest { tie_break: true, strict: true, ..contest }] {
                round_trip(contest, to_value(contest).unwrap());
            }
        }
    }
    let renju = Contest::new(Variant::Five(RuleId::Renju)).opened(OpeningId::Swap).unwrap();
    let form = json!({
        "variant": "renju", "width": 15, "height": 15, "opening": "swap",
        "tie_break": false, "strict": false,
    });
    round_trip(renju, form.clone());
    for (field, bad) in [
        ("width", json!(27)),
        ("width", json!(-1)),
        ("opening", json!("swap-9")),
        ("opening", json!("pente-pro")),
        ("variant", json!("chess")),
        ("more", json!(1)),
    ] {
        let mut wrong = form.clone();
        wrong[field] = bad;
        refused::<Contest>(wrong);
    }
}

/// The properties that a game must keep when it is written and read.
fn observable(game: &GameState) -> impl PartialEq + Debug {
    let pending = game.pending_decision().map(|pending| (pending.seat, pending.choices));
    let who = (game.to_move(), game.stones_due(), game.first_to_move(), pending);
    (*game.contest(), game.actions().to_vec(), game.placed(), who, game.result().cloned())
}

#[test]
fn games_are_written_with_their_plies() {
    let contest =
        |text, opening| Contest::new(Variant::from_name(text).unwrap()).opened(opening).unwrap();
    let cells = |cells: &[(usize, usize)]| -> Vec<Cell> {
        cells.iter().map(|&(x, y)| Cell::new(x, y)).collect()
    };
    let five = |y| cells(&[(3, y), (4, y), (5, y), (6, y), (7, y)]);
    let first = [Action::stones(&cells(&[(7, 7), (8, 6), (9, 7)])), Action::Swap];
    let games = [
        (contest("gomoku", OpeningId::Swap2), first.to_vec()),
        (contest("connect6", OpeningId::Free), vec![Action::stone(Cell::new(9, 9))]),
        (contest("freestyle", OpeningId::Free), {
            let pairs = five(2).into_iter().zip(five(3)).flat_map(|(a, b)| [a, b]);
            pairs.take(9).map(Action::stone).collect()
        }),
    ];
    for (contest, actions) in games {
        let mut game = GameState::new(contest);
        for action in &actions {
            game.apply(action).unwrap();
            let read: GameState = from_value(to_value(&game).unwrap()).unwrap();
            assert_eq!(observable(&read), observable(&game));
        }
    }
    let stones = [(7, 7, Color::Black), (8, 8, Color::White), (0, 0, Color::Black)];
    let mut laid = stones.map(|(x, y, color)| (Cell::new(x, y), Stone::Of(color))).to_vec();
    laid.push((Cell::new(3, 3), Stone::Wall));
    let freestyle = contest("freestyle", OpeningId::Free);
    let mut game = GameState::from_list(freestyle, &laid, Color::White).unwrap();
    game.apply(&Action::stone(Cell::new(7, 8))).unwrap();
    let form = to_value(&game).unwrap();
    let read: GameState = from_value(form.clone()).unwrap();
    assert_eq!(observable(&read), observable(&game));
    for (field, bad, why) in [
        ("actions", json!([{ "stones": { "cells": [[7, 7]], "count": null } }]), "ply 1: "),
        ("actions", json!(["swap"]), "ply 1: "),
        ("beginning", json!({ "laid": [[[20, 0], "wall"]], "to_move": "black", "left": 1 }), ""),
        ("beginning", json!({ "laid": [], "to_move": "black", "left": 2 }), "a game begins"),
        ("more", json!(1), "unknown field"),
    ] {
        let mut wrong = form.clone();
        wrong[field] = bad;
        let error = refused::<GameState>(wrong);
        assert!(error.starts_with(why), "{error}");
    }
}
