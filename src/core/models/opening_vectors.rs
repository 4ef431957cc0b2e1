//! Rule vectors of the openings, from the tables of `openings`.

use serde_json::{Value, json};

use super::openings::{Model, OPENINGS, Ply, Point, random_ply};
use super::vectors::{check_or_write, hash, label, picture, sort_key};
use crate::rules::OpeningId;
use crate::types::keys::mix;

const SIDE: usize = 15;
/// Games of each opening.
const GAMES: usize = 6;
/// Maximum number of attempts at a legal ply; the last illegal attempt becomes a case.
const TRIES: usize = 100_000;

fn text(ply: &Ply, model: &Model) -> String {
    let names =
        |points: &[Point]| points.iter().map(|&at| label(at, SIDE)).collect::<Vec<_>>().join(",");
    match ply {
        Ply::Swap => "pass".into(),
        Ply::Choose(fifth, sixth) => names(&[*fifth, *sixth]),
        Ply::Offer(points) => {
            let mut points = points.clone();
            points.sort_by_key(sort_key);
            names(&points)
        }
        Ply::Stones(points, count) => {
            let mut points = points.clone();
            // Black, White, Black: Black's two can be exchanged.
            if points.len() == 3
                && model.may_exchange()
                && sort_key(&points[0]) > sort_key(&points[2])
            {
                points.swap(0, 2);
            }
            count.map_or(names(&points), |count| format!("{},{count}", names(&points)))
        }
    }
}

fn situation(model: &Model, ply: usize) -> Value {
    let stone = |at: (i32, i32)| {
        let found = model.stones().iter().find(|stone| stone.0 == at);
        found.map_or('.', |stone| if stone.1.index() == 0 { 'X' } else { 'O' })
    };
    let board = picture(SIDE, stone);
    let due = if model.offers().is_empty() { model.stones().len() % 2 } else { 1 };
    let mut state = json!({
        "p": ply,
        "seat": ply % 2 + 1,
        "col": if due == 0 { "B" } else { "W" },
        "h": hash(&board),
        "b": board,
    });
    // The tables do not include passes after the opening.
    if !model.is_over() {
        state["pass"] = json!(if model.swap_is_on_offer() { "swap" } else { "no" });
    }
    if !model.offers().is_empty() {
        let mut offers = model.offers().to_vec();
        offers.sort_by_key(sort_key);
        state["tent"] = offers.into_iter().map(|at| label(at, SIDE)).collect();
    }
    if model.declared() > 0 {
        state["tc"] = model.declared().into();
    }
    let side = SIDE as i32;
    let points = (0..side * side).map(|i| (i % side, i / side));
    let singles = points.filter(|&at| model.allows(&Ply::Stones(vec![at], None))).count();
    if singles > 0 && !model.offers_fifths() && !model.is_over() {
        state["n"] = json!(singles + usize::from(model.swap_is_on_offer()));
    }
    state
}

/// Plays a game up to the ply after its opening and returns its record; adds refused plies to
/// `cases`.
fn record(game: &str, opening: OpeningId, number: usize, cases: &mut Vec<Value>) -> Value {
    let mut random = mix(number as u64 + 1000 * opening as u64);
    let mut below = |n: usize| {
        random = mix(random);
        random as usize % n
    };
    let start = json!({
        "game": game,
        "variants": [opening.to_string(), format!("standard-{SIDE}")],
        "board": {"w": SIDE, "h": SIDE},
        "any_orientation": true,
    });
    let id = format!("{game}/{opening}/{number}");
    let mut model = Model::new(opening, SIDE);
    let mut moves: Vec<String> = Vec::new();
    let mut states = vec![situation(&model, 0)];
    let mut plies_left = 1;
    while plies_left > 0 {
        plies_left -= usize::from(model.is_over());
        let mut refused: Option<Ply> = None;
        for _ in 0..TRIES {
            let ply = random_ply(&model, &mut below);
            if model.allows(&ply) {
                if let Some(ply) = refused {
                    let mut case = start.clone();
                    case["id"] = format!("{id}/{}", moves.len()).into();
                    case["moves"] = json!(moves);
                    case["try"] = text(&ply, &model).into();
                    case["legal"] = false.into();
                    cases.push(case);
                }
                moves.push(text(&ply, &model));
                model.apply(&ply);
                break;
            }
            refused = Some(ply);
        }
        states.push(situation(&model, moves.len()));
    }
    let mut record = start;
    record["id"] = id.into();
    record["moves"] = json!(moves);
    record["states"] = states.into();
    record["result"] = json!({
        "gameover": false, "winner": [], "colours": [], "reason": "unfinished", "lines": []
    });
    record
}

#[test]
fn opening_vectors_match_the_tables() {
    let (mut games, mut cases) = (Vec::new(), Vec::new());
    let others = ["gomoku", "pente"].map(|game| (game, OpeningId::Swap));
    let renju = OPENINGS.map(|opening| ("renju", opening));
    for (game, opening) in renju.into_iter().chain(others) {
        games.extend((0..GAMES).map(|number| record(game, opening, number, &mut cases)));
    }
    let swapped = |game: &Value| game["moves"].as_array().unwrap().contains(&json!("pass"));
    assert!(games.iter().any(swapped) && !games.iter().all(swapped));
    check_or_write("openings-games.jsonl", &games);
    check_or_write("openings-cases.jsonl", &cases);
}
