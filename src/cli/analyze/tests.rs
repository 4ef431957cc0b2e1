use super::threats::TurnThreat;
use super::*;
use crate::analyze::table::TextStyle;
use crate::json_example;
use crate::test_args::parse;
use goren_core::types::{Cell, Color, Move, Score, loss_in, read_point, win_in};
use goren_engine::Info;
use goren_notation::words::score_text;
use serde_json::Value;

const PLAIN: TextStyle = TextStyle { colors: false, width: None };

/// Reads a position and searches it.
fn found(arguments: &str, text: &str) -> (GivenPosition, Findings) {
    let args: Args = parse(arguments).unwrap();
    let position = args.source.of_text(text).unwrap();
    let findings = with_search_stack(|| {
        search(&args, &position, &WeightSet::default(), &mut Live::new(false))
    });
    (position, findings.unwrap())
}

/// Builds findings from given lines.
fn given_findings(position: &GivenPosition, lines: &[(u32, u32, Score, &str)]) -> Findings {
    let mut findings = Findings::default();
    for (pv_index, &(depth, seldepth, score, line)) in lines.iter().enumerate() {
        let cells = line.split_whitespace().map(|point| cell(position, point));
        let pv = cells.map(Move::at).collect();
        // Nodes and time grow from line to line; the last line has the totals of the search.
        let nodes = 2_200_000 + 10_000 * pv_index as u64;
        let elapsed = Duration::from_millis(1_000 + 100 * pv_index as u64);
        let pv_count = lines.len();
        findings.note(&Info {
            depth,
            seldepth,
            score,
            nodes,
            elapsed,
            pv,
            pv_index,
            pv_count,
            ..Info::NOTHING
        });
    }
    findings
}

fn cell(position: &GivenPosition, point: &str) -> Cell {
    let (x, row) = read_point(point).unwrap();
    Cell::new(x, position.contest.height - row)
}

fn position(game: &str, text: &str) -> GivenPosition {
    let args: Args = parse(&format!("--game {game}")).unwrap();
    args.source.of_text(text).unwrap()
}

/// Returns the printed text.
fn printed(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    findings: &Findings,
) -> String {
    let head = table::head(position, threats, &position.forbidden(), PLAIN);
    let lines = table::lines(position, findings, PLAIN);
    let text = [head, lines].concat().join("\n");
    assert!(!text.contains('\u{1b}'));
    text
}

#[test]
fn a_table_has_a_row_for_each_line() {
    let position = position("renju", "h8i9j8g9i7h6");
    let findings = given_findings(
        &position,
        &[
            (10, 24, 41, "k8 i8 j9 j7 k6"),
            (10, 23, 0, "j9"),
            (9, 22, -116, "h9 g8 g10"),
            (9, 14, loss_in(14), "a1 i8"),
        ],
    );
    insta::assert_snapshot!(printed(&position, &[], &findings));
}

#[test]
fn a_table_lists_wins_and_the_threats_of_both_sides() {
    let position = position("freestyle", "h8h9i8i9j8j9");
    let findings =
        given_findings(&position, &[(2, 1, win_in(3), "g8 k8 f8"), (2, 1, win_in(3), "k8")]);
    let threat = |color, threat, point| (color, threat, cell(&position, point));
    let threats = [
        threat(Color::Black, TurnThreat::Win, "a1"),
        threat(Color::Black, TurnThreat::Open, "g8"),
        threat(Color::Black, TurnThreat::Open, "k8"),
        threat(Color::White, TurnThreat::FourThree, "g9"),
    ];
    insta::assert_snapshot!(printed(&position, &threats, &findings));
}

#[test]
fn a_table_joins_the_stones_of_a_turn() {
    let position = position("connect6", "k10 l10,l11 k11");
    let lines = [(6, 13, 28, "l12 k12 j13 l9 m10 j11"), (6, 13, -4, "l9 k12")];
    let findings = given_findings(&position, &lines);
    let threats = [(Color::White, TurnThreat::Pair, cell(&position, "l12"))];
    insta::assert_snapshot!(printed(&position, &threats, &findings));
}

#[test]
fn a_proven_win_is_found() {
    let (position, findings) = found("--nodes 5000 --multi-pv 2", "h8h9i8i9j8j9");
    let mut first: Vec<(Cell, Score)> =
        findings.lines.iter().map(|line| (findings::cells(line)[0], line.score)).collect();
    first.sort();
    assert_eq!(first, ["g8", "k8"].map(|point| (cell(&position, point), win_in(3))));
}

#[test]
fn a_search_has_the_requested_number_of_lines() {
    for (arguments, text, count) in [
        ("--game renju --nodes 20000 --multi-pv 3", "h8i9j8g9i7h6", 3),
        ("--game connect6 --nodes 3000 --multi-pv 2", "k10 l10,l11 k11", 2),
        // The first line is a five, which needs no search.
        ("--game freestyle --nodes 20000 --multi-pv 3", "h8a1i8o15j8a15k8o1", 3),
    ] {
        let (_, findings) = found(arguments, text);
        assert_eq!(findings.lines.len(), count, "{arguments}");
        assert!(findings.lines.iter().all(|line| line.depth >= 1), "{arguments}");
        let mut first: Vec<Cell> =
            findings.lines.iter().map(|line| findings::cells(line)[0]).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), count, "{arguments}");
    }
}

#[test]
fn a_game_that_is_over_is_not_searched() {
    let (position, findings) = found("--nodes 100", "a1a2b1b2c1c2d1d2e1");
    assert!(findings.lines.is_empty());
    let title = table::title(&position);
    assert_eq!(title, "freestyle 15x15 after 9 stones, Black has won by a line");
    let over = json(&position, &threats(&position), &findings);
    assert_eq!(over["ended"]["winner"], "black");
    assert_eq!((&over["best"], &over["lines"]), (&Value::Null, &Value::Array(Vec::new())));
}

#[test]
fn the_number_of_lines_is_limited_by_the_moves() {
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
        let svg =
            picture::picture(&position, &threats(&position), &position.forbidden(), &findings)
                .svg();
        assert!(svg.contains(&format!("{} ", crate::variant::shown(variant))), "{variant}");
    }
}

fn json(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    findings: &Findings,
) -> Value {
    let text = json::text(position, threats, findings).unwrap();
    assert!(!text.contains('\n'));
    serde_json::from_str(&text).unwrap()
}

#[test]
fn json_is_made_as_documented() {
    // A double three for Black at h8, White to move.
    let position = position("renju", "g8a1i8a15h7o1h9");
    let findings = given_findings(&position, &[(9, 17, -35, "h8 g7"), (9, 15, loss_in(4), "g7")]);
    let threats = [(Color::Black, TurnThreat::Open, cell(&position, "f8"))];
    let seen = json(&position, &threats, &findings);
    insta::assert_snapshot!(serde_json::to_string_pretty(&seen).unwrap());
    json_example::check(include_str!("json.rs"), &[seen]);
}

#[test]
fn json_of_a_search_is_consistent() {
    let (position, findings) = found("--game renju --nodes 3000", "g8a1i8a15h7o1h9");
    let seen = json(&position, &threats(&position), &findings);
    let lines = seen["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(seen["best"], lines[0]["move"]);
    assert!((0.0..=1.0).contains(&lines[0]["win_rate"].as_f64().unwrap()));
}

#[test]
fn pictures_show_the_findings() {
    let (position, findings) = found("--game renju --nodes 3000 --multi-pv 4", "g8a1i8a15h7o1h9");
    let threats = threats(&position);
    let svg = picture::picture(&position, &threats, &position.forbidden(), &findings).svg();
    let best = findings.lines[0].score;
    for text in ["renju 15x15 after 7 stones, White to move", "3×3", "forbidden"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(svg.contains(&format!(", {} (", score_text(best))));
    assert!(crate::picture::png(&svg).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn lines_are_coloured_and_truncated_for_a_terminal() {
    let (position, findings) = found("--nodes 2000", "h8");
    let style = TextStyle { colors: true, width: Some(60) };
    let lines = table::lines(&position, &findings, style);
    assert!(lines.iter().any(|line| line.contains('\u{1b}')));
    assert!(lines.iter().all(|line| console::measure_text_width(line) < 60), "{lines:?}");
}

#[test]
fn first_moves_can_be_chosen_or_excluded() {
    let best = |options: &str| {
        let (position, findings) = found(&format!("--nodes 3000 {options}"), "h8i9j8");
        let first = findings.lines[0].pv[0].cell();
        first.label(position.contest.height)
    };
    assert_eq!(best("--only c3"), "c3");
    let free = best("");
    assert_ne!(best(&format!("--exclude {free}")), free);
    for (options, message) in [
        ("--only h8", "h8 is not a legal move"),
        ("--exclude z1", "z1 is outside the board"),
        ("--only c3,x", "\"x\" is no point"),
    ] {
        let args: Args = parse(&format!("--nodes 100 {options}")).unwrap();
        let position = args.source.of_text("h8i9j8").unwrap();
        let searched = search(&args, &position, &WeightSet::default(), &mut Live::new(false));
        let error = searched.err().unwrap().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn an_excluded_stone_is_no_second_stone_either() {
    // k14 and k15 make six; White holds k9.
    let moves = "k10 a1,k9 k11,k12 a3,c9 k13,r1 s1,s3";
    for options in ["", "--multi-pv 1"] {
        let arguments = format!("--game connect6 --nodes 20000 --exclude k14 {options}");
        let (position, findings) = found(&arguments, moves);
        let best = &findings.lines[0];
        assert!(best.score < goren_core::types::PROVEN, "{best:?}");
        let turn: Vec<Cell> = findings::cells(best).into_iter().take(2).collect();
        assert!(!turn.contains(&cell(&position, "k14")), "{best:?}");
    }
}

#[test]
fn a_column_is_a_first_move_where_pieces_fall() {
    let first = |options: &str| {
        let (position, findings) =
            found(&format!("--game four-in-a-row --nodes 500 {options}"), "d a");
        findings.lines[0].pv[0].cell().label(position.contest.height)
    };
    assert_eq!((first("--only d"), first("--only D")), ("d2".into(), "d2".into()));
    assert_ne!(first("--exclude d,e"), "d2");
}
