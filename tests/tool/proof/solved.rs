//! Wins that `solve` finds and prints.

use std::path::Path;

use crate::support::{files, goren, has, text};

#[test]
fn wins_are_found_by_the_goals_that_cover_them() {
    let (_folder, [tree]) = files();
    // A four and a three, an open three, and nothing.
    for (position, goal, plies) in [
        ("h8a1i8a3j8a5h9a7h10a9", "vcf", Some(3)),
        ("h8a1i9b1h9a15", "vcf", None),
        ("h8a1i9b1h9a15", "vct", Some(5)),
        ("h8a1i9b1h9a15", "win", Some(5)),
        ("", "vct", None),
    ] {
        // `solve` would not overwrite a tree of another claim.
        drop(std::fs::remove_file(&tree));
        let args = ["solve", "--goal", goal, "--time", "2", "--memory", "64", "--proof", &tree];
        let output = goren(&[&args[..], &[position]].concat());
        let text = text(&output);
        assert_eq!(output.status.success(), plies.is_some(), "{position} {goal}: {text}");
        let found = text.lines().find_map(|line| line.strip_prefix("Plies of the line: "));
        let found: Option<usize> = found.map(|number| number.parse().unwrap());
        assert!(found >= plies && found.is_some() == plies.is_some(), "{position} {goal}: {text}");
        if plies.is_some() {
            assert!(goren(&["check", &tree]).status.success());
        }
    }
}

#[test]
fn positions_are_read_from_the_files_that_other_commands_read() {
    let (_folder, [game, columns]) = files();
    // A four and a three, and a move after them.
    let moves = ";B[hh];W[ao];B[ih];W[am];B[jh];W[ak];B[hg];W[ai];B[hf];W[ag];B[aa]";
    std::fs::write(&game, format!("(;GM[4]RU[0]SZ[20]{moves})")).unwrap();
    let output = goren(&["solve", "--goal", "vcf", "--memory", "16", "--plies", "10", &game]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(has(&output, "freestyle on 20x20"), "{}", text(&output));
    assert!(has(&output, "Result: Black, to move: wins"), "{}", text(&output));
    let output = goren(&["solve", "--plies", "99", &game]);
    assert!(!output.status.success() && text(&output).contains("the game has only 11 plies"));
    std::fs::write(&columns, "a b a b a b\n").unwrap();
    let four = ["solve", "--game", "four-in-a-row", "--size", "7x6", "--memory", "16"];
    for more in [&[&columns[..]][..], &["a", "b", "a", "b", "a", "b"]] {
        let output = goren(&[&four[..], more].concat());
        let value = "Value: the first player, to move, wins in 1 ply";
        assert!(has(&output, value) && has(&output, "Best: a4"), "{}", text(&output));
    }
    let output = goren(&[&four[..], &["--file", &columns]].concat());
    assert!(has(&output, "a b a b a b: +M1 a4") && has(&output, "Positions: 1"));
}

#[test]
fn comments_among_positions_are_skipped() {
    let (_folder, [list]) = files();
    let comment = "# goren openings 2: rows count from the bottom";
    std::fs::write(&list, format!("{comment}\nh8a1i8a3j8a5h9a7h10a9\n")).unwrap();
    let output = goren(&["solve", "--goal", "vcf", "--memory", "16", "--file", &list]);
    let text = text(&output);
    assert!(output.status.success() && text.lines().count() == 1, "{text}");
}

#[test]
fn four_in_a_row_is_solved_within_the_time_limit() {
    let four = ["solve", "--game", "four-in-a-row", "--size", "8x8", "--memory", "16"];
    let output = goren(&[&four[..], &["--time", "1ms", "--threads", "1"]].concat());
    let late = has(&output, "Value: not found within the time allowed");
    assert!(!output.status.success() && late, "{}", text(&output));
    let output = goren(&[&four[..], &["--threads", "2"]].concat());
    assert!(!output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("four-in-a-row is solved by one thread"), "{}", text(&output));
}

#[test]
fn any_number_of_threads_finds_a_long_win_by_threats() {
    let (_folder, [tree]) = files();
    for threads in ["1", "2", "3"] {
        let args = ["solve", "--goal", "vct", "--threads", threads, "--proof", &tree];
        let output = goren(&[&args[..], &["h5i6g3k2i7f5f7j5j9h7k4"]].concat());
        assert!(output.status.success(), "{threads}: {}", text(&output));
        assert!(goren(&["check", &tree]).status.success(), "{threads}");
    }
    // Where there is no win, the search is exhausted at once.
    let args = ["solve", "--goal", "vct", "--threads", "3", "--time", "1000", "h8i9"];
    let none = "Result: Black, to move: no win found, nothing is left to try";
    assert!(has(&goren(&args), none));
}

#[test]
fn the_shortest_win_by_fours_is_found_on_request() {
    let (_folder, [tree, list]) = files();
    // The first win found takes twelve stones, but nine are enough.
    let position = "g8c6d7h3h5d5k4f3e4e3d3f5f4c5e5d4b6c7c4i5g3h2i4g6h8h7i8f8j4h4j7g1f2g4m4l4";
    let vcf = ["solve", "--goal", "vcf", "--memory", "16"];
    let plies = |more: &[&str]| -> usize {
        let output = goren(&[&vcf, more, &[position]].concat());
        let text = text(&output);
        text.lines()
            .find_map(|line| line.strip_prefix("Plies of the line: "))
            .unwrap()
            .parse()
            .unwrap()
    };
    let any = plies(&[]);
    assert_eq!(plies(&["--shortest", "--proof", &tree]), 17);
    assert!(any > 17, "{any}");
    assert!(goren(&["check", &tree]).status.success());
    // For a win that the checker finds itself no tree is made, and nothing is searched.
    let output = goren(&[&vcf[..], &["--shortest", "h8a1i9b1j10c1"]].concat());
    assert!(has(&output, "Tree: no move is needed: the checker finds these fours itself"));
    assert!(output.status.success() && !self::text(&output).contains("Nodes:"));
    let output = goren(&["solve", "--shortest", position]);
    assert!(!output.status.success() && text(&output).contains("--goal vcf"));
    // A file of positions: each has its own line of output.
    std::fs::write(&list, format!("{position}\nh8i9\n")).unwrap();
    let output = goren(&[&vcf[..], &["--shortest", "--file", &list]].concat());
    let text = text(&output);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with(position) && lines[0].contains("wins in 17 plies"), "{text}");
    assert!(
        lines[1].starts_with("h8i9: ") && lines[1].ends_with("nothing is left to try"),
        "{text}"
    );
    assert!(!output.status.success());
    // An invalid position is reported, and the others are solved.
    std::fs::write(&list, format!("h8h8\n\n{position}\n")).unwrap();
    let output = goren(&[&vcf[..], &["--file", &list]].concat());
    let text = self::text(&output);
    assert!(!output.status.success() && text.contains("tree-1:1: "), "{text}");
    assert!(text.contains("wins by a line of "), "{text}");
    std::fs::write(&list, "\n").unwrap();
    let output = goren(&[&vcf[..], &["--file", &list]].concat());
    assert!(!output.status.success() && self::text(&output).contains("no position"));
}

/// The position that issue 32 of dhbloo/rapfi asks about: Black wins, though
/// not as was claimed there (i14 k12 g12, after which White has k13).
#[test]
fn the_position_of_rapfi_issue_32_is_won() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    let tree = folder.join("rapfi-issue-32.packed").display().to_string();
    let check = goren(&["check", &tree]);
    assert!(check.status.success() && has(&check, "Result: proven"), "{}", text(&check));
    for line in [
        "Black: h13 j13 i12 i10 g11 l11 l10 g9",
        "White: h11 i13 j11 i11 k11 j12 h10 j10",
        "Claim: Black wins, Black to move",
    ] {
        assert!(has(&check, line), "{}", text(&check));
    }
    let (_folder, [table]) = files();
    let merge = goren(&["merge", &table, &tree]);
    assert!(merge.status.success(), "{}", text(&merge));
    let walk = goren(&["walk", &table]);
    assert!(has(&walk, "Black: l12"), "{}", text(&walk));
}
