//! The signature gate: the node count of every bench position of every game,
//! checked against the counts in `tests/tool/snapshots`. A commit that changes how a
//! game is played must change its snapshot too, so that no change of play goes unseen:
//! `INSTA_UPDATE=always cargo test -p goren-cli --test signature` rewrites it.

use std::process::Command;

use goren_core::rules::Variant;

/// The games and the depths to which their positions are searched: five in a row to
/// the depth of `goren bench`, whose total is the `Bench` line of a commit message;
/// the others less deeply, to keep the test within seconds.
fn games() -> Vec<(&'static str, Option<u32>)> {
    let others = Variant::games().filter(|game| !matches!(game, Variant::Five(_)));
    let quick = |game: Variant| (game.sheet().name, Some(game.sheet().bench.quick_depth));
    [("", None)].into_iter().chain(others.map(quick)).collect()
}

/// Standard output of `goren bench` without the lines about time, or its standard
/// error if it fails.
fn bench(game: &str, depth: Option<u32>, vectors: &str) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.arg("bench");
    if !game.is_empty() {
        command.args(["--game", game]);
    }
    if let Some(depth) = depth {
        command.args(["--depth", &depth.to_string()]);
    }
    if !vectors.is_empty() {
        command.args(["--vectors", vectors]);
    }
    let output = command.output().unwrap();
    if !output.status.success() {
        return Err(String::from_utf8(output.stderr).unwrap());
    }
    let text = String::from_utf8(output.stdout).unwrap();
    let counts = |line: &&str| !line.starts_with("Time") && !line.starts_with("Speed");
    Ok(text.lines().filter(counts).collect::<Vec<_>>().join("\n"))
}

#[test]
fn node_counts_match_the_snapshots() {
    for (game, depth) in games() {
        let name = if game.is_empty() { "five-in-a-row" } else { game };
        insta::assert_snapshot!(name, bench(game, depth, "").unwrap());
    }
}

#[test]
fn every_vector_path_counts_the_same_nodes() {
    let usual = bench("", None, "").unwrap();
    assert!(usual.contains("Bench: "), "{usual}");
    assert_eq!(bench("", None, "baseline").as_ref(), Ok(&usual));
    for wider in ["avx2", "avx512"] {
        match bench("", None, wider) {
            Ok(same) => assert_eq!(same, usual, "{wider}"),
            Err(error) => assert!(error.contains("this processor does not support"), "{error}"),
        }
    }
    assert!(bench("", None, "sse9").unwrap_err().contains("baseline, avx2 or avx512"));
}
