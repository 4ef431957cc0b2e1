//! Statistics of a tree: moves by depth, and the longest win.

use std::path::Path;

use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, read_point};

use crate::support::{files, goren, has, text};

/// Reads the cells of a text.
fn cells(text: &str) -> Vec<Cell> {
    let cells = text.split_whitespace().map(|text| {
        let (x, row) = read_point(text.trim_matches(['(', ')'])).unwrap();
        Cell::new(x, 15 - row)
    });
    cells.collect()
}

/// The longest line of an output, from the position on.
fn longest(output: &str) -> (usize, Vec<Cell>) {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("Longest win "));
    let plies = lines.next().unwrap().split(' ').rev().nth(1).unwrap().parse().unwrap();
    (plies, cells(lines.next().unwrap()))
}

/// The stones of the position of an output, in the order in which they were placed.
fn position(output: &str) -> Vec<Cell> {
    let own = |name: &str| cells(output.lines().find_map(|line| line.strip_prefix(name)).unwrap());
    let (black, white) = (own("Black: "), own("White: "));
    assert_eq!(black.len(), white.len());
    black.into_iter().zip(white).flat_map(|(black, white)| [black, white]).collect()
}

/// The longest win of all replies in the table of an output.
fn longest_in_table(output: &str) -> usize {
    let mut lines = output.lines().skip_while(|line| !line.starts_with("Statistics of "));
    let column = |line: &str, at: usize| line.split_whitespace().nth(at).unwrap().to_owned();
    let head = lines.nth(1).unwrap();
    let at = head.split_whitespace().position(|name| name == "longest").unwrap();
    let all = lines.find(|line| column(line, 0) == "all").unwrap();
    column(all, at).parse().unwrap()
}

/// The longest win of all replies in a report.
fn longest_in_report(path: &str) -> usize {
    let report = std::fs::read_to_string(path).unwrap();
    let plies = report.lines().filter_map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        Some(line["longest"].as_str()?.split(' ').count())
    });
    plies.max().unwrap()
}

#[test]
fn statistics_of_a_tree_have_its_moves_and_a_game() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/trees");
    for (name, rule, root) in
        [("standard", RuleId::Standard, 6), ("rapfi-issue-32", RuleId::Freestyle, 16)]
    {
        let tree = folder.join(format!("{name}.packed")).display().to_string();
        let (_folder, [report, svg]) = files();
        let args = ["check", &tree, "--statistics", "--plot", &svg, "--report", &report];
        let check = goren(&args);
        let printed = text(&check);
        assert!(check.status.success() && has(&check, "Result: proven"), "{printed}");
        let plain = text(&goren(&["check", &tree]));
        let needed = plain.lines().find_map(|line| line.strip_prefix("Needed: ")).unwrap();
        let needed: u64 = needed.split(' ').next().unwrap().parse().unwrap();
        // The moves by depth are all moves.
        let depths = printed.lines().skip_while(|line| *line != "Moves by depth:").skip(1);
        let depths = depths.take_while(|line| line.ends_with('%'));
        let moves = depths.map(|line| line.split_whitespace().nth(1).unwrap());
        assert_eq!(moves.map(|moves| moves.parse::<u64>().unwrap()).sum::<u64>(), needed);
        // The position and the line are a game that Black wins with its last ply.
        let (before, (plies, line)) = (position(&printed), longest(&printed));
        assert_eq!((before.len(), plies), (root, line.len()), "{printed}");
        assert!(plies >= 5 && plies % 2 == 1, "{printed}");
        assert_eq!(
            [longest_in_table(&printed), longest_in_report(&report)],
            [plies; 2],
            "{printed}"
        );
        let cells = [before, line].concat();
        let mut referee = FiveReferee::new(Setup::new(rule, 15, 15).unwrap());
        // The stones of the position are printed in the order in which they were placed.
        for (number, &cell) in cells.iter().enumerate() {
            let color = Color::ALL[number % 2];
            let outcome = referee.place(color, cell).unwrap();
            let last = number + 1 == cells.len();
            assert_eq!(outcome, last.then_some(Outcome::Win(Color::Black)), "{printed}");
        }
        assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"));
        // `merge` prints the statistics of a report.
        let joined = format!("{report}-joined");
        let merge = goren(&["merge", &joined, &report]);
        assert!(
            merge.status.success() && text(&merge).contains("Longest win "),
            "{}",
            text(&merge)
        );
    }
}
