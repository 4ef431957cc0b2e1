//! A slice of the rule vectors, replayed through the referee and the board, and
//! tests that the replay detects wrong records.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use goren_cli::verify::{Check, FileReport, verify, verify_file};
use serde_json::{Value, json};

/// The files, their numbers of records, and the checks that each of them must have for
/// the referee and for the fast board.
const FILES: [(&str, u64, &[Check], &[Check]); 25] = {
    use Check::*;
    const GAME: &[Check] =
        &[Hash, Board, ToMove, Pass, Legality, Count, Five, Outcome, Result, Lines];
    const RULES: &[Check] = &[Hash, Board, ToMove, Pass, Legality, Result, Lines];
    [
        ("gomocup/lines.jsonl", 168, &[Five, Foul, Outcome], &[Five, Foul, Outcome]),
        ("gomoku/cases.jsonl", 69, &[Legality], &[]),
        ("gomoku/games.jsonl.gz", 16, GAME, &[Hash, Board, Five, Outcome]),
        ("renju/cases.jsonl", 97, &[Legality], &[]),
        ("renju/games.jsonl.gz", 36, GAME, &[Hash, Foul, Overline, DoubleFour, DoubleThree]),
        ("renju/games.jsonl.gz", 36, &[Fifths, Placements, DoubleThree], &[]),
        ("renju/overline.jsonl", 48, &[Five, DoubleFour, DoubleThree], &[DoubleThree, Outcome]),
        ("renju/positions.jsonl", 48, &[Five, Overline, DoubleFour, DoubleThree], &[Outcome]),
        ("renju/quirks.jsonl", 5, &[DoubleThree], &[DoubleThree]),
        ("pente/cases.jsonl", 48, &[Legality], &[]),
        ("pente/games.jsonl.gz", 14, RULES, &[]),
        ("pente/quirks.jsonl", 2, &[Captures, Result], &[]),
        ("connect6/cases.jsonl", 64, &[Legality], &[]),
        ("connect6/games.jsonl.gz", 12, RULES, &[]),
        ("connect6/quirks.jsonl", 1, &[Result], &[]),
        ("fourinarow/cases.jsonl", 49, &[Legality], &[]),
        ("fourinarow/games.jsonl.gz", 14, RULES, &[]),
        ("fourinarow/quirks.jsonl", 1, &[Legality], &[]),
        ("irensei/cases.jsonl", 61, &[Legality], &[]),
        ("irensei/games.jsonl.gz", 8, RULES, &[]),
        ("irensei/quirks.jsonl", 2, &[Legality], &[]),
        (
            "own-rules/games.jsonl",
            150,
            GAME,
            &[Hash, Foul, Overline, DoubleFour, DoubleThree, Outcome],
        ),
        ("own-rules/order-games.jsonl", 4, &[Pass, DoubleThree, Foul, Result], &[Foul, Outcome]),
        ("own-rules/openings-games.jsonl", 60, &[Hash, ToMove, Pass, Fifths], &[]),
        ("own-rules/openings-cases.jsonl", 337, &[Legality], &[]),
    ]
};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn records(name: &str) -> Vec<Value> {
    let text = if name.ends_with(".gz") {
        let file = BufReader::new(File::open(path(name)).unwrap());
        let mut text = String::new();
        flate2::bufread::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        text
    } else {
        fs::read_to_string(path(name)).unwrap()
    };
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn verify_value(record: &Value) -> FileReport {
    verify("record", record.to_string().as_bytes())
}

#[test]
fn rules_and_board_agree_with_the_vectors() {
    for (name, number, of_rules, of_board) in FILES {
        let report = verify_file(&path(name)).unwrap();
        assert!(report.is_clean(), "{report}");
        assert_eq!((report.records, report.skipped.len()), (number, 0), "{report}");
        for (judge, checks) in [of_rules, of_board].into_iter().enumerate() {
            for check in checks {
                let agreed = report.counts[check][judge].agreed;
                assert!(agreed > 0, "{check:?} was not checked: {report}");
            }
        }
    }
}

#[test]
fn the_slice_has_deep_recursions() {
    let depths: Vec<u64> = records("renju/positions.jsonl")
        .iter()
        .map(|record| record["depth"].as_u64().unwrap())
        .collect();
    assert!(depths.iter().filter(|&&depth| depth == 4).count() >= 3);
    assert!(depths.iter().filter(|&&depth| depth == 3).count() >= 10);
}

/// Falsifies a record. Returns `false` if it does not apply to this one.
type Spoil = fn(&mut Value) -> bool;

/// Removes the first point of a list, or puts one into an empty list.
fn spoil_points(points: &mut Value, extra: &Value) -> bool {
    let Some(points) = points.as_array_mut() else { return false };
    if points.is_empty() {
        points.push(extra.clone())
    } else {
        drop(points.remove(0))
    }
    true
}

/// An empty point of a position that is neither forbidden nor a five.
fn plain_point(record: &Value) -> Value {
    let lists = ["black", "white", "five"].map(|key| &record[key]);
    let forbid = ["ol", "f44", "t33"].map(|key| &record["forbid"][key]);
    let taken: Vec<&Value> =
        lists.into_iter().chain(forbid).flat_map(|list| list.as_array().unwrap()).collect();
    (1..=15)
        .map(|row| json!(format!("a{row}")))
        .find(|point| !taken.contains(&point))
        .expect("column a has a plain point")
}

const SPOIL_LINES: &[(&str, Spoil)] = &[
    ("result", |r| {
        r["result"] = json!(if r["result"] == "none" { "win" } else { "none" });
        true
    }),
    ("foul", |r| {
        let was = r["result"] == "foul";
        r["result"] = json!("foul");
        !was
    }),
    ("move", |r| {
        let onto = r["black"][0].clone();
        r["move"] = onto;
        !r["move"].is_null()
    }),
];

const SPOIL_POSITIONS: &[(&str, Spoil)] = &[
    ("overline", |r| {
        let extra = plain_point(r);
        spoil_points(&mut r["forbid"]["ol"], &extra)
    }),
    ("double four", |r| {
        let extra = plain_point(r);
        spoil_points(&mut r["forbid"]["f44"], &extra)
    }),
    ("double three", |r| {
        let extra = plain_point(r);
        spoil_points(&mut r["forbid"]["t33"], &extra)
    }),
    ("fake double three", |r| match r["naive_only"].as_array().and_then(|a| a.first()).cloned() {
        Some(fake) => {
            r["forbid"]["t33"].as_array_mut().unwrap().push(fake);
            true
        }
        None => false,
    }),
    ("five", |r| {
        let extra = plain_point(r);
        spoil_points(&mut r["five"], &extra)
    }),
    ("board string", |r| {
        r["fen"] = json!(r["fen"].as_str().unwrap().replacen('B', "W", 1));
        true
    }),
    ("stone", |r| drop_last(&mut r["white"])),
];

const SPOIL_GAMES: &[(&str, Spoil)] = &[
    ("hash", |r| {
        let last = r["states"].as_array().unwrap().len() - 1;
        r["states"][last]["h"] = json!("00000000");
        true
    }),
    ("board string", |r| {
        r["states"][0]["b"] = json!("14B/15");
        true
    }),
    ("colour to move", |r| {
        r["states"][0]["col"] = json!("W");
        true
    }),
    ("seat to move", |r| {
        r["states"][1]["seat"] = json!(1);
        true
    }),
    ("ply number", |r| {
        r["states"][1]["p"] = json!(2);
        true
    }),
    ("missing state", |r| {
        r["states"].as_array_mut().unwrap().remove(0);
        true
    }),
    ("legal plies", |r| {
        let states = r["states"].as_array_mut().unwrap();
        let state = states.iter_mut().find(|s| s["pass"] == "pass" && s["n"].is_u64());
        state.is_some_and(|state| {
            state["n"] = json!(state["n"].as_u64().unwrap() + 1);
            true
        })
    }),
    ("swap called a pass", |r| {
        let moves = r["moves"].as_array().unwrap().clone();
        let ply = moves.iter().position(|text| text == "pass");
        ply.is_some_and(|ply| {
            let was = r["states"][ply]["pass"].clone();
            r["states"][ply]["pass"] = json!(if was == "swap" { "pass" } else { "swap" });
            true
        })
    }),
    ("occupied point", |r| {
        let single = |text: &Value| !text.as_str().unwrap().contains(',') && text != "pass";
        let moves = r["moves"].as_array_mut().unwrap();
        let first = moves.iter().position(single);
        let last = moves.iter().rposition(single).filter(|&last| Some(last) != first);
        first.zip(last).is_some_and(|(first, last)| {
            moves[last] = moves[first].clone();
            true
        })
    }),
    ("winner", |r| {
        let winner = &r["result"]["winner"];
        r["result"]["winner"] = match winner.as_array().map(Vec::as_slice) {
            Some([one]) => json!([3 - one.as_u64().unwrap()]),
            _ => json!([1]),
        };
        true
    }),
    ("winner's colour", |r| {
        let colours = r["result"]["colours"].as_array().unwrap().len();
        r["result"]["colours"] = match colours {
            1 if r["result"]["colours"][0] == "B" => json!(["W"]),
            _ => json!(["B"]),
        };
        true
    }),
    ("reason", |r| {
        let full = r["result"]["reason"] == "full";
        r["result"]["reason"] = json!(if full { "two_passes" } else { "full" });
        true
    }),
    ("line point", |r| {
        // On a torus parts of lines are accepted.
        let torus = r["variants"].as_array().unwrap().contains(&json!("toroidal-15"));
        !torus && r["result"]["lines"].get_mut(0).is_some_and(drop_last)
    }),
    ("captures", |r| {
        let last = r["states"].as_array().unwrap().len() - 1;
        let captured = &mut r["states"][last]["cap"];
        let known = captured.is_array();
        if known {
            captured[0] = json!(captured[0].as_u64().unwrap() + 2);
        }
        known
    }),
    ("placements", |r| {
        let states = r["states"].as_array_mut().unwrap();
        states.iter_mut().any(|state| drop_last(&mut state["legal"]))
    }),
    ("impossible placements", |r| {
        let states = r["states"].as_array_mut().unwrap();
        states.iter_mut().any(|state| drop_last(&mut state["no"]))
    }),
    ("fifths on offer", |r| {
        let states = r["states"].as_array_mut().unwrap();
        states.iter_mut().any(|state| drop_last(&mut state["tent"]))
    }),
    ("fifths declared", |r| {
        let states = r["states"].as_array_mut().unwrap();
        let state = states.iter_mut().find(|state| state["tc"].is_u64());
        state.is_some_and(|state| {
            state["tc"] = json!(state["tc"].as_u64().unwrap() + 1);
            true
        })
    }),
    ("tie", |r| {
        let states = r["states"].as_array_mut().unwrap();
        let state = states.iter_mut().find(|state| state["tb"].is_u64());
        state.is_some_and(|state| {
            state["tb"] = json!(3 - state["tb"].as_u64().unwrap());
            true
        })
    }),
    ("pairs", |r| {
        let states = r["states"].as_array_mut().unwrap();
        let state = states.iter_mut().find(|state| state["pairs"].is_u64());
        state.is_some_and(|state| {
            state["pairs"] = json!(state["pairs"].as_u64().unwrap() + 1);
            true
        })
    }),
    ("forbidden point", |r| {
        let states = r["states"].as_array_mut().unwrap();
        let with_list = |s: &&mut Value| s["forbid"]["t33"].is_array();
        states
            .iter_mut()
            .rfind(with_list)
            .is_some_and(|state| spoil_points(&mut state["forbid"]["t33"], &json!("a1")))
    }),
];

const SPOIL_CASES: &[(&str, Spoil)] = &[
    ("illegal called legal", |r| {
        let checked = ["occupied", "off_board", "duplicate_point"].map(|reason| json!(reason));
        let applies = checked.contains(&r["reason"]);
        r["legal"] = json!(true);
        r.as_object_mut().unwrap().remove("reason");
        applies
    }),
    ("legal called occupied", |r| {
        let applies = r["legal"] == true;
        r["legal"] = json!(false);
        r["reason"] = json!("occupied");
        applies
    }),
    ("legal called over", |r| {
        let applies = r["legal"] == true;
        r["legal"] = json!(false);
        r["reason"] = json!("game_over");
        applies
    }),
    ("unreadable prefix", |r| {
        r["moves"].as_array_mut().unwrap().insert(0, json!("h8;"));
        true
    }),
    ("board size", |r| {
        r["board"]["w"] = json!(16);
        true
    }),
];

const SPOIL_QUIRKS: &[(&str, Spoil)] = &[
    ("rule", |r| spoil_points(&mut r["rule_forbid"]["t33"], &json!("a1"))),
    ("library's mistake", |r| {
        r["rule_forbid"] = r["gameslib_forbid"].clone();
        true
    }),
];

const SPOIL_DEPARTURES: &[(&str, Spoil)] = &[
    ("winner by the rules", |r| {
        let rule = &mut r["rule"];
        let known = rule.is_object();
        if known {
            rule["winner"] = json!(if rule["winner"] == json!([2]) { [1] } else { [2] });
        }
        known
    }),
    ("plies by the rules", |r| {
        let plies = r["rule"]["plies_played"].as_u64().filter(|&plies| plies > 1);
        // One ply less is no end yet.
        let ends = r["rule"]["gameover"] == true;
        plies.is_some_and(|plies| {
            r["rule"]["plies_played"] = json!(plies - 1);
            ends
        })
    }),
    ("captures by the rules", |r| {
        let known = r["rule"]["cap"].is_array();
        if known {
            r["rule"]["cap"] = json!([99, 0]);
        }
        known
    }),
    ("legal by the rules", |r| {
        let legal = r["rule_legal"].as_bool();
        legal.is_some_and(|legal| {
            r["rule_legal"] = json!(!legal);
            true
        })
    }),
];

fn drop_last(list: &mut Value) -> bool {
    list.as_array_mut().is_some_and(|list| list.pop().is_some())
}

/// Maximum number of records of each file that are falsified in each way.
const ENOUGH: u32 = 6;

#[test]
fn every_falsified_record_is_detected() {
    let mut tried_on = BTreeMap::new();
    for (name, _, _, _) in FILES {
        let kind = name.split(['/', '.']).nth(1).unwrap();
        // Some files have the records of another kind, not all of their fields.
        let kind = kind.rsplit('-').next().unwrap_or(kind);
        let ways = match kind {
            "lines" => SPOIL_LINES,
            "positions" | "overline" => SPOIL_POSITIONS,
            "games" => SPOIL_GAMES,
            "cases" => SPOIL_CASES,
            "quirks" if name.starts_with("renju") => SPOIL_QUIRKS,
            "quirks" => SPOIL_DEPARTURES,
            other => panic!("{other}"),
        };
        let mut in_file = BTreeMap::new();
        for record in records(name) {
            for (what, spoil) in ways {
                let tried: &mut u32 = tried_on.entry((kind, what)).or_default();
                let number = in_file.entry(what).or_insert(0);
                if *number == ENOUGH {
                    continue;
                }
                let mut wrong = record.clone();
                if spoil(&mut wrong) && wrong != record {
                    let report = verify_value(&wrong);
                    assert!(!report.is_clean(), "{what} of {} went unnoticed", record["id"]);
                    *number += 1;
                    *tried += 1;
                }
            }
        }
        assert!(in_file.values().any(|&number| number > 0), "none of {name} was spoilt");
    }
    assert!(tried_on.values().all(|&number| number > 0), "not tried on any record: {tried_on:?}");
}

#[test]
fn unreadable_lines_are_named_and_not_counted() {
    let good = fs::read_to_string(path("gomocup/lines.jsonl")).unwrap();
    let good = good.lines().next().unwrap();
    let cut = &good[..good.len() / 2];
    let strange = good.replace("\"rule\":", "\"sort\":");
    let text = [good, cut, good, &strange, ""].join("\n") + "\n";
    let report = verify("lines", text.as_bytes());
    assert_eq!((report.records, report.unreadable.len()), (2, 3), "{report}");
    for (line, number) in report.unreadable.iter().zip([2, 4, 5]) {
        assert!(line.starts_with(&format!("line {number}: ")), "{line}");
    }
    assert!(!report.is_clean());
}

#[test]
fn a_record_with_fewer_plies_than_it_claims_is_unreadable() {
    let mut record = records("pente/quirks.jsonl").remove(0);
    assert!(verify_value(&record).is_clean());
    record["rule"]["plies_played"] = json!(10_000);
    assert_eq!(verify_value(&record).unreadable.len(), 1);
}

#[test]
fn an_illegal_case_needs_no_reason() {
    let illegal = |record: &Value| record["legal"] == false;
    let mut record = records("gomoku/cases.jsonl").into_iter().find(illegal).unwrap();
    record.as_object_mut().unwrap().remove("reason");
    assert!(verify_value(&record).is_clean());
    record["legal"] = json!(true);
    assert!(!verify_value(&record).is_clean());
}

#[test]
fn skipped_puzzles_are_reported() {
    let report = verify_value(&json!({"tier": "plain", "id": "freestyle/x/0"}));
    assert!(report.is_clean());
    assert_eq!((report.records, report.skipped["puzzles"]), (0, 1));
}
