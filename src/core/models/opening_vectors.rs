//! Rule vectors of the openings, by the tables of `openings`.

use serde_json::{Value, json};

use super::openings::{Model, OPENINGS, Ply, Point, some_ply};
use super::vectors::{hash, in_order, keep, label, picture};
use crate::rules::OpeningId;
use crate::types::keys::mix;

const SIDE: usize = 15;
/// Games of each opening.
const GAMES: usize = 6;
/// Tries at a ply that is allowed, and one of them at an illegal one as a case.
const TRIES: usize = 100_000;

fn text(ply: &Ply, model: &Model) -> String {
    let names =
        |points: &[Point]| points.iter().map(|&at| label(at, SIDE)).collect::<Vec<_>>().join(",");
    match ply {
        Ply::Swap => "pass".into(),
        Ply::Choose(fifth, sixth) => names(&[*fifth, *sixth]),
        Ply::Offer(points) => {
            let mut points = points.clone();
            points.sort_by_key(in_order);
            names(&points)
        }
        Ply::Stones(points, count) => {
            let mut points = points.clone();
            // Black, White, Black: Black's two can be exchanged.
            if points.len() == 3
                && model.may_exchange()
                && in_order(&points[0]) > in_order(&points[2])
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
    // The tables know nothing of passes after the opening.
    if !model.is_over() {
        state["pass"] = json!(if model.swap_is_on_offer() { "swap" } else { "no" });
    }
    if !model.offers().is_empty() {
        let mut offers = model.offers().to_vec();
        offers.sort_by_key(in_order);
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

/// A game up to the ply after its opening, and plies that were refused on the way.
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
    let mut more = 1;
    while more > 0 {
        more -= usize::from(model.is_over());
        let mut refused: Option<Ply> = None;
        for _ in 0..TRIES {
            let ply = some_ply(&model, &mut below);
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
                model.go(&ply);
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
fn openings_by_the_tables_are_kept() {
    let (mut games, mut cases) = (Vec::new(), Vec::new());
    let others = ["gomoku", "pente"].map(|game| (game, OpeningId::Swap));
    let renju = OPENINGS.map(|opening| ("renju", opening));
    for (game, opening) in renju.into_iter().chain(others) {
        games.extend((0..GAMES).map(|number| record(game, opening, number, &mut cases)));
    }
    let swapped = |game: &Value| game["moves"].as_array().unwrap().contains(&json!("pass"));
    assert!(games.iter().any(swapped) && !games.iter().all(swapped));
    keep("openings-games.jsonl", &games);
    keep("openings-cases.jsonl", &cases);
}
