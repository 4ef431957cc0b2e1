//! Whole runs over a few puzzles, some with a shell script as the second
//! engine.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::engine::Terms;
use crate::test_args::parse;
use goren_core::opening::GameState;
use goren_core::rules::{RuleId, Setup};
use goren_engine::{Engine, TableHandle};

/// Three wins, three traps.
const SIX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/puzzles/six.jsonl");

/// Never reached unless the machine stands still.
const LONG: Duration = Duration::from_secs(60);

fn suite(nodes: u64) -> Suite {
    let budget = PuzzleLimit::Nodes(nodes);
    let resources = Resources { budget, threads: 1, memory: 64 << 20, patience: LONG };
    let puzzles = puzzle::read_file(Path::new(SIX), usize::MAX).unwrap();
    Suite {
        files: vec![("six".into(), puzzles)],
        rival: None,
        resources,
        concurrency: 1,
        json: None,
        resume: false,
        shard: Shard::WHOLE,
        stop: Stop::after(None),
    }
}

/// The script of an engine that answers each line by the arms of a `case`.
fn script(arms: &str) -> String {
    let arms =
        format!("{arms} START*) echo OK;; ABOUT) echo 'name=\"fake\", version=\"7 (sh)\"';;");
    format!("while read -r line; do case \"$line\" in {arms} END) exit;; esac; done")
}

/// A suite with such an engine as the second one.
fn against(nodes: u64, arms: &str) -> Suite {
    let command = format!("sh -c {}", shlex::try_quote(&script(arms)).unwrap());
    Suite { rival: Some(EngineSpec { command, folder: None }), ..suite(nodes) }
}

/// The words of the line of a tier and an engine in the first table.
fn line<'a>(report: &'a str, tier: &str, engine: &str) -> Vec<&'a str> {
    let lines = report.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut lines = lines.filter(|words| words.starts_with(&[tier, engine]));
    // Tier, name, version.
    lines.next().expect(report).split_off(3)
}

#[test]
fn our_engine_solves_short_wins_and_falls_into_no_trap() {
    let results = suite(20_000).run().unwrap();
    assert_eq!(results.ours_wrong, 0);
    assert_eq!(line(&results.report, "plain", "goren")[..4], ["3", "0", "0", "-"]);
    assert_eq!(line(&results.report, "trap", "goren")[..3], ["3", "0", "0"]);
    assert_eq!(line(&results.report, "all", "goren")[..3], ["6", "0", "0"]);
    assert!(results.report.starts_with("six: 6 positions, 20000 nodes each\n"));
    assert!(!results.report.contains("WRONG"), "{}", results.report);
}

#[test]
fn concurrency_and_files_change_no_count() {
    let nodes = |report: &str| line(report, "plain", "goren")[5].to_string();
    let one = suite(4000).run().unwrap().report;
    let mut suite = suite(4000);
    suite.concurrency = 3;
    suite.files.push(suite.files[0].clone());
    let two = suite.run().unwrap().report;
    assert_eq!(nodes(&one), nodes(&two));
    let (_, total) = two.split_once("all files: 12 positions").unwrap();
    assert_eq!(nodes(total), nodes(&one));
    assert_eq!(line(total, "trap", "goren")[0], "6");
}

#[test]
fn a_win_is_found_in_time() {
    let mut suite = suite(1);
    suite.files[0].1.retain(|puzzle| puzzle.is_win());
    suite.resources.budget = PuzzleLimit::Time(LONG);
    let puzzle = &suite.files[0].1[0];
    let mut engine = Engine::with_hash(TableHandle::up_to(suite.resources.memory));
    let attempt = solver::own_attempt(puzzle, &suite.resources, &mut engine).unwrap();
    let win = attempt.claims.win.unwrap();
    assert!(win.plies > 0 && win.nodes > 0 && win.after <= attempt.elapsed);
    // The search ends with the claim.
    assert!(attempt.elapsed < LONG / 2, "{:?}", attempt.elapsed);
    suite.resources.budget = PuzzleLimit::Time(Duration::from_millis(20));
    let empty = GameState::new(puzzle.terms.contest());
    let unsolvable = SuitePuzzle { game_state: empty, ..puzzle.clone() };
    let attempt = solver::own_attempt(&unsolvable, &suite.resources, &mut engine).unwrap();
    assert!(attempt.elapsed < LONG / 2, "{:?}", attempt.elapsed);
    assert_eq!(attempt.verdict(&unsolvable), verdict::AttemptVerdict::Unsolved);
}

#[test]
fn false_claims_of_a_win_are_counted_and_shown() {
    let fake = "DONE) echo MESSAGE Depth 9-9 '|' Eval +M5 '|' Node 77; echo 0,0;;";
    let results = against(20_000, fake).run().unwrap();
    let report = &results.report;
    // The wrong claim is the other engine's.
    assert_eq!(results.ours_wrong, 0);
    let plain = line(report, "plain", "fake");
    assert_eq!((&plain[..4], plain[5]), (&["3", "0", "0", "-"][..], "77"));
    assert_eq!((plain[6], plain[8]), ("3", "77"), "{report}");
    assert_eq!(line(report, "plain", "goren")[6], "3");
    assert_eq!(line(report, "trap", "fake")[..4], ["0", "3", "0", "0"]);
    assert_eq!(report.matches("\nWRONG: six line ").count(), 3);
    let wrong = "WRONG: six line 2: fake 7 claims a win in 5 plies after ";
    assert!(report.contains(wrong), "{report}");
    assert!(report.contains("a loss: freestyle 15x15 k6j8j5i6k4i4i3h7h5k5j3i7l5\n"), "{report}");
}

#[test]
fn a_withdrawn_claim_still_counts() {
    let fake = "DONE) echo MESSAGE depth 3 ev +M5; echo MESSAGE depth 4 ev 10; echo 0,0;;";
    let report = against(100, fake).run().unwrap().report;
    assert_eq!(line(&report, "all", "fake")[..3], ["3", "3", "0"]);
}

#[test]
fn claims_of_a_loss_are_wrong_where_there_is_a_win() {
    let fake = "DONE) echo MESSAGE depth 9 ev -M12; echo 0,0;;";
    let report = against(100, fake).run().unwrap().report;
    assert_eq!(line(&report, "plain", "fake")[..3], ["0", "3", "0"]);
    assert_eq!(line(&report, "trap", "fake")[..4], ["3", "0", "0", "3"]);
    assert!(report.contains("claims a loss in 12 plies"), "{report}");
}

#[test]
fn a_false_claim_of_ours_fails_the_run() {
    let mut suite = suite(20_000);
    suite.files[0].1[0].tier = puzzle::Tier::Trap;
    let results = suite.run().unwrap();
    assert_eq!(results.ours_wrong, 1);
    assert!(results.report.contains("WRONG: six line 1: goren "), "{}", results.report);
}

#[test]
fn an_engine_that_dies_or_hangs_is_restarted() {
    // The rule says what to do: answer, hang, die.
    let fake = "INFO*rule*) rule=${line##* };; \
        DONE) case $rule in 0) echo MESSAGE ev +M5; echo 0,0;; 4) exit 3;; esac;;";
    let mut suite = against(100, fake);
    suite.resources.patience = Duration::from_millis(900);
    // Answered, hung, died, answered.
    let puzzles = std::mem::take(&mut suite.files[0].1);
    suite.files[0].1 = [0, 2, 5, 0].map(|i| puzzles[i].clone()).to_vec();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fails.jsonl");
    suite.json = Some(file.clone());
    let report = suite.run().unwrap().report;
    assert_eq!(line(&report, "all", "fake")[..3], ["2", "0", "2"]);
    assert!(report.contains("(2 unsolved by a failure)"), "{report}");
    let json = fs::read_to_string(&file).unwrap();
    let values: Vec<serde_json::Value> =
        json.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values.len(), 8);
    assert_eq!(values[1]["engine"], "fake 7");
    assert_eq!((&values[1]["verdict"], &values[1]["win"]["plies"]), (&"solved".into(), &5.into()));
    assert!(values[1]["nodes"].is_null());
    assert_eq!(values[3]["failure"], "did not answer a request for a move within 1.0 s");
    assert_eq!(values[5]["failure"], "ended (exit status: 3)");
    assert_eq!(values[7]["line"], 1);
    assert_eq!(values[0]["engine"], concat!("goren ", env!("CARGO_PKG_VERSION")));
}

/// Regression: claims made under one rule or tier were judged by another.
#[test]
fn a_run_resumes_with_the_same_puzzles_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.jsonl");
    let run = |change: &dyn Fn(&mut SuitePuzzle)| {
        let json = Some(file.clone());
        let mut suite = Suite { json, resume: file.exists(), ..suite(100) };
        change(&mut suite.files[0].1[0]);
        suite.run().map(drop)
    };
    run(&|_| {}).unwrap();
    run(&|_| {}).unwrap();
    let renju = Terms::Gomocup(Setup::new(RuleId::Renju, 15, 15).unwrap());
    let changes: [&dyn Fn(&mut SuitePuzzle); 2] =
        [&|puzzle| puzzle.terms = renju, &|puzzle| puzzle.tier = puzzle::Tier::Hard];
    for change in changes {
        let error = format!("{:#}", run(change).unwrap_err());
        assert!(error.contains("settings: puzzles_checksum of file 1 was "), "{error}");
    }
    // Former versions wrote no checksums.
    let text = fs::read_to_string(&file).unwrap();
    let (first, lines) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(first).unwrap();
    header["files"][0].as_object_mut().unwrap().remove(CHECKSUMS);
    fs::write(&file, format!("{header}\n{lines}")).unwrap();
    run(&|_| {}).unwrap();
}

/// Regression: two programs of the same name were taken for one.
#[test]
fn a_run_resumes_with_the_same_second_engine_only() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let file = at("run.jsonl");
    let program = |name: &str, eval: &str| {
        let arms = format!("DONE) echo MESSAGE ev {eval}; echo 0,0;;");
        let text = format!("#!/bin/sh\n{}\n", script(&arms));
        // Written by another process, as a file that this one has open may not be run.
        let write = r#"printf %s "$1" > "$0" && chmod +x "$0""#;
        let written = Command::new("sh").arg("-c").arg(write).arg(at(name)).arg(text).status();
        assert!(written.unwrap().success());
    };
    let run = |name: &str| {
        let command = at(name).display().to_string();
        let rival = Some(EngineSpec { command, folder: None });
        let json = Some(file.clone());
        Suite { rival, json, resume: file.exists(), ..suite(100) }.run().map(drop)
    };
    program("one", "+M5");
    program("two", "10");
    run("one").unwrap();
    run("one").unwrap();
    let error = format!("{:#}", run("two").unwrap_err());
    assert!(error.contains("settings: command was ") && error.contains("checksum was "), "{error}");
    program("one", "10");
    let error = format!("{:#}", run("one").unwrap_err());
    assert!(error.contains("settings: program_checksum was "), "{error}");
    // Former versions wrote no checksums.
    let text = fs::read_to_string(&file).unwrap();
    let (first, lines) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(first).unwrap();
    header.as_object_mut().unwrap().remove(CHECKSUMS);
    fs::write(&file, format!("{header}\n{lines}")).unwrap();
    run("one").unwrap();
}

/// Regression: a failure on a busy machine stayed a result.
#[test]
fn failed_attempts_are_retried() {
    let folder = tempfile::tempdir().unwrap();
    let [file, before, all, works] =
        ["run.jsonl", "before.jsonl", "all.jsonl", "works"].map(|name| folder.path().join(name));
    let fake = format!("DONE) test -e {} || exit 3; echo 0,0;;", works.display());
    let run = || {
        let json = Some(file.clone());
        Suite { json, resume: file.exists(), ..against(100, &fake) }.run().unwrap().report
    };
    let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    assert!(run().contains("(6 unsolved by a failure)"));
    assert_eq!(lines(&file), 13);
    fs::copy(&file, &before).unwrap();
    fs::write(&works, "").unwrap();
    // Our engine's attempts are not written again.
    for _ in 0..2 {
        assert!(!run().contains("failure"));
        assert_eq!(lines(&file), 19);
    }
    for files in [&[&file][..], &[&before, &file], &[&file, &before]] {
        let files: Vec<PathBuf> = files.iter().copied().cloned().collect();
        assert!(join(&all, &files).unwrap());
        assert_eq!(lines(&all), 13);
        assert!(!fs::read_to_string(&all).unwrap().contains("exit status"));
        fs::remove_file(&all).unwrap();
    }
}

/// Regression: an engine that was still starting was named by its command.
#[test]
fn an_engine_is_asked_for_its_name_after_it_has_started() {
    let fake = "START*) begun=1; echo OK;; \
        ABOUT) test \"$begun\" && echo 'name=\"late\", version=\"2\"';;";
    assert_eq!(against(1, fake).engines().unwrap()[1], "late 2");
    // An engine that refuses the game of the first puzzle keeps its name.
    let fake = "START*) echo ERROR size;;";
    assert_eq!(against(1, fake).engines().unwrap()[1], "fake 7");
}

#[test]
fn an_engine_that_cannot_be_run_is_named() {
    let command = "/nowhere/pbrain-none".to_string();
    let suite = Suite { rival: Some(EngineSpec { command, folder: None }), ..suite(1) };
    let error = format!("{:#}", suite.run().err().unwrap());
    assert!(error.starts_with("engine /nowhere/pbrain-none: cannot be run"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named() {
    let suite = Suite { json: Some("/dev/full".into()), concurrency: 2, ..suite(1) };
    let error = format!("{:#}", suite.run().err().unwrap());
    assert!(error.starts_with("cannot write /dev/full: "), "{error}");
}

#[test]
fn exactly_one_budget_is_required() {
    let budget = |more: &str| {
        let args: Args = parse(&format!("file {more}")).ok()?;
        args.budget.budget()
    };
    assert_eq!(budget("--nodes 7"), Some(PuzzleLimit::Nodes(7)));
    assert_eq!(budget("--time 7"), Some(PuzzleLimit::Time(Duration::from_secs(7))));
    assert_eq!(budget("--time 7ms"), Some(PuzzleLimit::Time(Duration::from_millis(7))));
    for bad in ["", "--nodes 7 --time 7", "--nodes 0", "--time -1", "--time 0", "--time 4000"] {
        assert_eq!(budget(bad), None, "{bad}");
    }
}
