//! Output for the examples of the paper, as text, JSON and pictures.

use serde_json::Value;

use super::by_search::{ColorFindings, Spatial, Virtual};
use super::fours::{FourSequence, SequenceStone};
use super::*;
use crate::json_example;
use crate::test_args::parse;
use goren_core::types::{Cell, Direction, read_point};

fn args(arguments: &str) -> Result<Args, clap::Error> {
    parse(arguments)
}

/// Surveys a board and returns the result of `show`.
fn of<T>(arguments: &str, board: &str, show: impl FnOnce(&Survey, bool) -> T) -> Result<T> {
    let args = args(arguments)?;
    let position = args.source.of_text(board)?;
    let scope = args.scope(&position)?;
    let survey = Survey::of(&position, &scope)?;
    Ok(show(&survey, !scope.cells.is_empty()))
}

/// Returns the printed text.
fn printed(arguments: &str, board: &str) -> String {
    let plain = TextStyle { colors: false, width: None };
    of(arguments, board, |survey, details| table::lines(survey, details, plain).join("\n")).unwrap()
}

fn json_of(arguments: &str, board: &str) -> Value {
    let text = of(arguments, board, |survey, _| json::text(survey).unwrap()).unwrap();
    assert!(!text.contains('\n'));
    serde_json::from_str(&text).unwrap()
}

/// "Is square 1 a fall or not?" The blanks of the text are lost; here its four rows `xx`,
/// `x32x`, `x41x` and `xx` are aligned so that each side of the square 1234 has two stones.
/// Then row, column and antidiagonal cross in cell 1 (G5), and the cells 4 (F5), 3 (F6) and
/// 2 (G6) depend on each other as the text says.
const RIDDLE: &str = "
    ............
    ............
    ............
    .....XX.....
    ....X..X....
    ....X..X....
    .....XX.....
    ............
    ............
    ............
    Black to move";

#[test]
fn cell_1_of_the_riddle_is_no_foul() {
    let seen = printed("--game renju --color black --cell g5 --nodes 0", RIDDLE);
    insta::assert_snapshot!(seen);
}

#[test]
fn the_riddle_needs_a_recursion_of_depth_4() {
    let seen = json_of("--game renju --cell g5 --nodes 0", RIDDLE);
    let foul = &seen["falls"][0];
    assert_eq!((&foul["at"], &foul["depth"]), (&"g5".into(), &4.into()));
    assert_eq!(foul["kinds"], Value::Array(Vec::new()));
    // Row and column are no real threes, by fouls at 4 and 2; the antidiagonal is one.
    let rows = foul["rows"].as_array().unwrap();
    let real = |row: &Value| (row["direction"].clone(), row["real"].clone());
    let expected = [("row", false), ("column", false), ("antidiagonal", true)];
    assert_eq!(
        rows.iter().map(real).collect::<Vec<_>>(),
        expected.map(|(name, real)| (name.into(), real.into()))
    );
    for (row, cell) in rows.iter().zip(["f5", "g6"]) {
        assert_eq!(row["points"].as_array().unwrap().len(), 1);
        assert_eq!(row["points"][0]["at"], cell);
        assert_eq!(row["points"][0]["kinds"][0], "double three");
    }
    let lines = seen["sides"][0]["squares"][0]["lines"].as_array().unwrap();
    let threats: Vec<&Value> = lines.iter().map(|line| &line["threat"]).collect();
    assert_eq!(threats, ["P22", "P22", "P01", "P21"]);
    assert_eq!((&lines[0]["spoilt"][0], &lines[1]["spoilt"][0]), (&"f5".into(), &"g6".into()));
}

/// Section 3 of the paper, as printed in the text: A is F6, 1 is F8, 2 is H8.
const SPATIAL: &str = "
    ...............
    ...............
    ...............
    ...............
    .....O....O....
    .....X...X.....
    .....X..X......
    ........X......
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    ...............
    Black to move";

#[test]
fn the_spatial_fork_of_the_paper() {
    // "P22xP22 threat in A makes a virtual threat in point (2)."
    let seen = json_of("--color black", SPATIAL);
    let search = &seen["sides"][0]["search"];
    let spatial = search["spatial"].as_array().unwrap();
    for by in ["f8", "h8"] {
        assert!(spatial.iter().any(|fork| fork["at"] == "f6" && fork["by"] == by), "{spatial:?}");
    }
    let threats = search["virtual"].as_array().unwrap();
    assert!(threats.iter().any(|threat| threat["at"] == "h8" && threat["fork"].is_null()));
}

/// The diagrams of the paper's virtual threats are lost. In this one G7 makes neither a four
/// nor an open three, and White has no answer to it.
const VIRTUAL: &str = "
    .............
    .............
    .............
    ...O...XO....
    ....X........
    ...X.........
    ....X........
    .......X.....
    ...O.........
    ...X...X.....
    .............
    .............
    .............
    Black to move";

#[test]
fn a_virtual_fork_without_fours_and_open_threes_is_found() {
    let seen = json_of("--game renju --cell g7", VIRTUAL);
    let black = &seen["sides"][0];
    let weak = |line: &Value| ["P22", "P11", "P01"].iter().any(|weak| line["threat"] == *weak);
    assert!(black["squares"][0]["lines"].as_array().unwrap().iter().all(weak));
    let virtuals = black["search"]["virtual"].as_array().unwrap();
    let fork = virtuals.iter().find(|threat| threat["at"] == "g7").unwrap();
    assert!(fork["fork"].as_array().unwrap().len() >= 6);
}

fn at(point: &str) -> Cell {
    let (x, row) = read_point(point).unwrap();
    Cell::new(x, 15 - row)
}

/// Reads the stones of both sides alternately; a point in brackets would be a foul.
fn stones(line: &str) -> FourSequence {
    let ply = |word: &str| {
        let point = word.trim_matches(['(', ')']);
        SequenceStone { cell: at(point), forbidden: point != word }
    };
    line.split(' ').map(ply).collect()
}

/// Shows Black's threats in SPATIAL with the given findings instead of those of a search.
fn with_findings<T>(found: ColorFindings, show: impl FnOnce(&Survey) -> T) -> T {
    let args = args("--color black --nodes 0 --min p21").unwrap();
    let position = args.source.of_text(SPATIAL).unwrap();
    let mut survey = Survey::of(&position, &args.scope(&position).unwrap()).unwrap();
    survey.sides[0].found = Some(found);
    show(&survey)
}

fn table_of(found: ColorFindings) -> String {
    let plain = TextStyle { colors: false, width: None };
    with_findings(found, |survey| table::lines(survey, false, plain).join("\n"))
}

/// Returns a fork, threats, a spatial fork and undecided cells.
fn findings_by_hand() -> ColorFindings {
    let threat = |point, is_plain, line, fork: Option<&str>| Virtual {
        at: at(point),
        is_plain,
        line: stones(line),
        fork: fork.map(stones),
    };
    let arms =
        vec![(Direction::Row, LinearShape::P(2, 2)), (Direction::Diagonal, LinearShape::P(1, 1))];
    ColorFindings {
        virtuals: vec![
            threat("f8", false, "f6 f7 h8", None),
            threat("g9", true, "e9", Some("h9 e9 (d9) k9")),
            threat("h8", false, "f6 (g7) f8", None),
        ],
        spatial: vec![Spatial { crossing: at("g10"), arms, second: at("h8") }],
        undecided: vec![at("i5"), at("i6")],
        ..ColorFindings::default()
    }
}

#[test]
fn a_table_lists_what_search_found() {
    insta::assert_snapshot!(table_of(findings_by_hand()));
}

#[test]
fn json_lists_what_search_found() {
    let text = with_findings(findings_by_hand(), |survey| json::text(survey).unwrap());
    let seen: Value = serde_json::from_str(&text).unwrap();
    let search = &seen["sides"][0]["search"];
    insta::assert_snapshot!(serde_json::to_string_pretty(search).unwrap());
    let fall = json_of("--game renju --cell h8 --nodes 0", "h9k9i8g10j8g7h10i10");
    json_example::check(include_str!("json.rs"), &[seen, fall]);
}

#[test]
fn a_win_by_fours_and_a_lack_of_nodes_are_reported() {
    let vcf = Some(stones("g9 e9 h9 (k9) j9"));
    let won = table_of(ColorFindings { vcf, ..ColorFindings::default() });
    let last = won.lines().last();
    assert_eq!(last, Some("Black to move wins by fours: g9 (e9) h9 (k9 forbidden) j9"));
    let unknown = table_of(ColorFindings { vcf_unknown: true, ..ColorFindings::default() });
    let expected = "The nodes ran out before a win by fours was found or ruled out.";
    assert_eq!(unknown.lines().last(), Some(expected));
}

#[test]
fn a_win_by_fours_replaces_virtual_threats() {
    let seen = printed("--nodes 100 --min p32", "h8a1h9a3h10a5i8a7i9a9j7a11");
    assert!(seen.contains("Black to move wins by fours: "), "{seen}");
    assert!(!seen.contains("Virtual"), "{seen}");
    let over = printed("", "a1a2b1b2c1c2d1d2e1");
    assert_eq!(over, "freestyle 15x15 after 9 stones, Black has won by a line");
}

/// If the only answer to a four is a foul, no stone is placed there.
#[test]
fn a_forbidden_answer_is_no_stone_of_a_line() {
    let board = "
        ...............
        ...............
        ...............
        ...............
        .......X.......
        .......X.......
        .......X.......
        ..XOOO.........
        .......X.......
        .......X.......
        ...............
        ...............
        ...............
        ...............
        ...............
        White to move";
    let seen = json_of("--game renju", board);
    let search = &seen["sides"][0]["search"];
    assert_eq!(search["by_fours"], serde_json::json!(["g8", null, "h8"]));
    let text = printed("--game renju", board);
    assert!(text.contains("White to move wins by fours: g8 (h8 forbidden) h8"), "{text}");
    // No line has a point twice.
    let twice = |line: &Value| {
        let points: Vec<&Value> =
            line.as_array().unwrap().iter().filter(|p| !p.is_null()).collect();
        (1..points.len()).any(|i| points[..i].contains(&points[i]))
    };
    for side in seen["sides"].as_array().unwrap() {
        let search = &side["search"];
        assert!(search["by_fours"].is_null() || !twice(&search["by_fours"]));
        for threat in search["virtual"].as_array().unwrap() {
            let fork = &threat["fork"];
            assert!(!twice(&threat["threat"]) && (fork.is_null() || !twice(fork)));
        }
    }
}

#[test]
fn fouls_of_each_kind_have_their_reasons() {
    let board = "
        ...............
        ...............
        ...............
        ...............
        .....X.........
        .....X.........
        .....X.........
        .XXX...........
        ...............
        ......XX.......
        ........X......
        ........X......
        ...............
        ..XXX.XX.......
        ...............
        White to move";
    insta::assert_snapshot!(printed("--game renju --color black --nodes 0 --min p42", board));
}

#[test]
fn few_or_all_cells_are_listed() {
    let listed = |arguments: &str| {
        let seen = json_of(&format!("--nodes 0 {arguments}"), "h8i9j10a1b1");
        let sides = seen["sides"].as_array().unwrap().clone();
        sides.iter().map(|side| side["squares"].as_array().unwrap().len()).collect::<Vec<_>>()
    };
    // White to move; two black stones with a gap, and a third one beyond.
    let (default, all) = (listed(""), listed("--all"));
    assert!(default[1] < all[1] && all[1] < 15 * 15, "{default:?} {all:?}");
    assert_eq!(listed("--cell h9,o15"), [2, 2]);
    assert_eq!(listed("--cell h9 --color white"), [1]);
    assert_eq!(listed("--min p42"), [0, 0]);
}

#[test]
fn no_forbidden_hides_forbidden_points() {
    let marks = |arguments: &str| {
        let args = args(arguments).unwrap();
        let position = args.source.of_text(RIDDLE).unwrap();
        let forbidden = args.files.marked(|| position.forbidden());
        let svg = of(arguments, RIDDLE, |survey, _| picture::picture(survey, &forbidden).svg());
        let text = printed(arguments, RIDDLE);
        (text.contains("* foul"), text.contains("double three"), svg.unwrap().contains("3×3"))
    };
    assert_eq!(marks("--game renju --nodes 0"), (true, true, true));
    assert_eq!(marks("--game renju --nodes 0 --no-forbidden"), (false, false, false));
    // JSON has them all the same.
    let count = |arguments: &str| json_of(arguments, RIDDLE)["falls"].as_array().unwrap().len();
    let all = count("--game renju --nodes 0");
    assert!(all > 0 && count("--game renju --nodes 0 --json --no-forbidden") == all);
}

#[test]
fn fouls_are_distinguished_by_colour() {
    let white = RIDDLE.replace('X', "O").replace("Black", "White");
    let seen = printed("--game renju+fouls-both --nodes 0", &white);
    assert!(seen.contains(" (White): double three"), "{seen}");
    assert!(!printed("--game renju --nodes 0", &white).contains("double three"));
    let json = json_of("--game renju+fouls-both --nodes 0", &white);
    let fouls = json["falls"].as_array().unwrap();
    assert!(!fouls.is_empty() && fouls.iter().all(|foul| foul["color"] == "white"), "{fouls:?}");
}

#[test]
fn pictures_show_threats_and_lines() {
    let svg = of("--color black", SPATIAL, |survey, _| {
        picture::picture(survey, &survey.position.forbidden()).svg()
    })
    .unwrap();
    for text in ["22v", "21", "virtual threat h8, then", "strongest threat", "v virtual threat"] {
        assert!(svg.contains(text), "{text}");
    }
    assert!(crate::picture::png(&svg).unwrap().starts_with(b"\x89PNG"));
    let fouls = of("--game renju --nodes 0", RIDDLE, |survey, _| {
        picture::picture(survey, &survey.position.forbidden()).svg()
    });
    assert!(fouls.unwrap().contains("3×3"));
}

/// Returns the output for games other than five in a row, as lines and as JSON.
fn of_game(arguments: &str, board: &str) -> anyhow::Result<(Vec<String>, serde_json::Value)> {
    let args = args(arguments)?;
    let position = args.source.of_text(board)?;
    let threats = args.next_turn(&position)?;
    let style = TextStyle { colors: false, width: None };
    Ok((threats.lines(style), serde_json::from_str(&threats.json()?)?))
}

#[test]
fn other_games_list_the_threats_of_the_next_turn() {
    // Black has five in a row with one free end, White nothing.
    let six = "k10 a1,a3 l10,m10 a5,a7 n10,o10 j10,a9";
    let (lines, json) = of_game("--game connect6", six).unwrap();
    assert!(lines.iter().any(|line| line.contains("Threats of Black: wins at p10")), "{lines:?}");
    assert_eq!((&json["to_move"], &json["left"]), (&"black".into(), &2.into()));
    assert_eq!(json["threats"][0], serde_json::json!({"color":"black","kind":"wins","at":"p10"}));
    let (lines, json) = of_game("--game connect6 --color white", six).unwrap();
    assert!(json["threats"].as_array().unwrap().is_empty(), "{json}");
    assert_eq!(lines.last().unwrap(), "No threats.");
    let (_, json) = of_game("--game connect6 --cell p10", six).unwrap();
    assert_eq!(json["threats"].as_array().unwrap().len(), 1);
    // In games where pieces fall a column means the point where the next piece lands.
    let (_, json) = of_game("--game four-in-a-row --cell d", "d a d a d h").unwrap();
    assert_eq!(json["threats"][0], serde_json::json!({"color":"black","kind":"wins","at":"d4"}));
    for (arguments, why) in [
        ("--game connect6 --cell k10", "k10 is not empty"),
        (
            "--game connect6 --all",
            "--all is for freestyle, gomoku, renju, caro, caro-exact, not for connect6",
        ),
        (
            "--game pente --min p31",
            "--min is for freestyle, gomoku, renju, caro, caro-exact, not for pente",
        ),
        (
            "--game pente --nodes 5",
            "--nodes is for freestyle, gomoku, renju, caro, caro-exact, not for pente",
        ),
    ] {
        let board = if arguments.contains("pente") { "k10" } else { six };
        assert_eq!(of_game(arguments, board).unwrap_err().to_string(), why);
    }
}

#[test]
fn invalid_positions_and_options_are_refused() {
    let refused = |arguments: &str, board: &str| match of(arguments, board, |_, _| ()) {
        Ok(()) => panic!("{arguments} {board}"),
        Err(error) => format!("{error:#}"),
    };
    assert_eq!(refused("--cell h8", "h8"), "h8 is not empty");
    assert_eq!(refused("--cell p1", "h8"), "--cell: p1 is outside the board");
    assert!(refused("--cell 8h", "h8").contains("no point"));
    assert!(refused("--game pente", "k10").contains("of five in a row without captures"));
    assert!(refused("--min p41", "h8").contains("the threats are P42, P31"));
    assert!(refused("--all --min p21", "h8").contains("cannot be used with"));
    assert!(refused("--color red", "h8").contains("black or white"));
    assert!(refused("--game renju", "h8h8").contains("move 2"));
}
