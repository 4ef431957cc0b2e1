use super::*;
use crate::analyze::table::Look;
use clap::Parser;
use serde_json::Value;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: Args,
}

const PLAIN: Look = Look { colors: false, width: None };

/// A position and what is found of it, as if within a second.
fn found(arguments: &str, text: &str) -> (Position, Findings) {
    let words = std::iter::once("goren").chain(arguments.split_whitespace());
    let args = Cli::try_parse_from(words).unwrap().args;
    let position = args.source.of_text(text).unwrap();
    let findings = with_search_stack(|| search(&args, &position, &mut Live::new(false)));
    let mut findings = findings.unwrap();
    findings.lines.iter_mut().for_each(|line| line.elapsed = Duration::from_secs(1));
    (position, findings)
}

/// All that is printed.
fn printed(arguments: &str, text: &str) -> String {
    let (position, findings) = found(arguments, text);
    let head = table::head(&position, &threats(&position), PLAIN);
    let lines = match findings.lines.is_empty() {
        true => Vec::new(),
        false => table::lines(&position, &findings, PLAIN),
    };
    let text = [head, lines].concat().join("\n");
    assert!(!text.contains('\u{1b}'));
    text
}

fn json(arguments: &str, text: &str) -> Value {
    let (position, findings) = found(arguments, text);
    let text = json::text(&position, &threats(&position), &findings).unwrap();
    assert!(!text.contains('\n'));
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_table_of_three_lines() {
    insta::assert_snapshot!(printed("--game renju --nodes 20000 --multi-pv 3", "h8i9j8g9i7h6"));
}

#[test]
fn a_proven_win_with_threats_of_both() {
    insta::assert_snapshot!(printed("--nodes 5000 --multi-pv 2", "h8h9i8i9j8j9"));
}

#[test]
fn turns_of_two_stones() {
    insta::assert_snapshot!(printed(
        "--game connect6 --nodes 3000 --multi-pv 2",
        "k10 l10,l11 k11"
    ));
}

#[test]
fn a_game_that_is_over_is_not_searched() {
    let seen = printed("--nodes 100", "a1a2b1b2c1c2d1d2e1");
    assert!(seen.starts_with("freestyle 15x15 after 9 stones, Black has won by a line"), "{seen}");
    assert!(!seen.contains("nodes"));
    let over = json("--nodes 100", "a1a2b1b2c1c2d1d2e1");
    assert_eq!(over["ended"]["winner"], "black");
    assert_eq!((&over["best"], &over["lines"]), (&Value::Null, &Value::Array(Vec::new())));
}

#[test]
fn as_many_lines_as_there_are_moves() {
    let (_, findings) = found("--game four-in-a-row --size 5 --nodes 2000 --multi-pv 99", "c c");
    assert_eq!(findings.lines.len(), 5);
    assert!(findings.lines.is_sorted_by_key(|line| -line.score), "{findings:?}");
}

#[test]
fn every_game_is_analysed() {
    for variant in goren_core::rules::Variant::all() {
        let arguments = format!("--game {variant} --nodes 300 --multi-pv 2");
        let (position, findings) = found(&arguments, "");
        assert!(!findings.lines.is_empty(), "{variant}");
        let svg = picture::picture(&position, &threats(&position), &findings).svg();
        assert!(svg.contains(&format!("{variant} ")), "{variant}");
    }
}

/// What a value is made of: names and types.
fn shape(value: &Value) -> Value {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Array(values) => {
            return Value::Array(values.first().map(shape).into_iter().collect());
        }
        Value::Object(fields) => {
            return fields.iter().map(|(key, value)| (key.clone(), shape(value))).collect();
        }
    };
    name.into()
}

#[test]
fn json_is_made_as_documented() {
    // A double three for Black at H8, White to move, threats of both.
    let seen = json("--game renju --nodes 3000", "g8a1i8a15h7o1h9");
    insta::assert_snapshot!(serde_json::to_string_pretty(&shape(&seen)).unwrap());
    let forbidden = &seen["forbidden"][0];
    assert_eq!((&forbidden["at"], &forbidden["kinds"][0]), (&"h8".into(), &"double three".into()));
    assert_eq!((&seen["to_move"], &seen["game"]), (&"white".into(), &"renju".into()));
    let rate = seen["lines"][0]["win_rate"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&rate));
    assert_eq!(seen["best"], seen["lines"][0]["move"]);
    assert_eq!(seen["lines"].as_array().unwrap().len(), 3);
}

#[test]
fn pictures_show_what_was_found() {
    let (position, findings) = found("--game renju --nodes 3000 --multi-pv 4", "g8a1i8a15h7o1h9");
    let threats = threats(&position);
    let svg = picture::picture(&position, &threats, &findings).svg();
    let best = findings.lines[0].score;
    for text in ["renju 15x15 after 7 stones, White to move", "3×3", "forbidden"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.contains(&format!(", {} (", findings::score_text(best))));
    assert!(draw::png(&svg).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn lines_are_painted_and_cut_for_a_terminal() {
    let (position, findings) = found("--nodes 2000", "h8");
    let look = Look { colors: true, width: Some(60) };
    let lines = table::lines(&position, &findings, look);
    assert!(lines.iter().any(|line| line.contains('\u{1b}')));
    assert!(lines.iter().all(|line| console::measure_text_width(line) < 60), "{lines:?}");
}
