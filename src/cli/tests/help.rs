//! Tests of the help: `--help` of every command has an example and fits a terminal.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Maximum width of a line of help, in columns.
const MAX_WIDTH: usize = 100;

/// Returns the output of `goren COMMAND --help`.
fn help(command: &[String]) -> String {
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    // Uses clap's width without a terminal.
    let output = goren.args(command).arg("--help").env_remove("COLUMNS").output().unwrap();
    assert!(output.status.success(), "goren {} --help", command.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the names in the list of commands of a help text.
fn commands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let name = |line: &str| {
        let is_command = line.starts_with("  ") && !line.starts_with("   ");
        is_command.then(|| line.split_whitespace().next().unwrap().to_owned())
    };
    list.filter_map(name).filter(|name| name != "help").collect()
}

/// Checks the help of a command and its subcommands; returns their number.
fn check(command: &[String]) -> usize {
    let (help, name) = (help(command), format!("goren {}", command.join(" ")));
    for line in help.lines() {
        let width = line.chars().count();
        assert!(width <= MAX_WIDTH, "{name} --help: {width} columns: {line}");
    }
    let examples: Vec<&str> =
        help.lines().skip_while(|line| *line != "Examples:").skip(1).collect();
    let example = examples.first().unwrap_or_else(|| panic!("{name} --help has no example"));
    assert!(!help.contains("[default: \"\"]") && !help.contains("[default: ]"), "{name} --help");
    let has_name = command.is_empty() || example.contains(command.last().unwrap());
    assert!(example.starts_with("  goren ") && has_name, "{name} --help: {example}");
    let below = |name: String| [command, &[name]].concat();
    1 + commands(&help).into_iter().map(|name| check(&below(name))).sum::<usize>()
}

#[test]
fn every_command_has_an_example_and_fits() {
    assert!(check(&[]) > 30);
}

/// Runs the example, which needs no file.
#[test]
fn the_example_of_threats_in_another_game_prints_threats() {
    let help = help(&["threats".into()]);
    let example =
        help.lines().find_map(|line| line.strip_prefix("  goren threats --game connect6 "));
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    goren.args(["threats", "--game", "connect6"]).args(example.unwrap().split(' '));
    let output = String::from_utf8(goren.output().unwrap().stdout).unwrap();
    assert!(output.contains("Threats of Black: wins"), "{output}");
}

#[test]
fn commands_that_need_a_game_do_not_offer_forms_without_moves() {
    for (command, is_there) in [
        ("play", false),
        ("review", false),
        ("puzzles", false),
        ("db learn", false),
        ("analyze", true),
    ] {
        let words: Vec<String> = command.split(' ').map(String::from).collect();
        let help = help(&words);
        assert_eq!(help.contains("- board:"), is_there, "{help}");
        assert!(help.contains("- psq:"), "{help}");
    }
}

#[test]
fn the_help_of_review_asks_for_a_game() {
    let help = help(&["review".into()]);
    assert!(help.contains("Moves such as h8i9j8, a file with a game, or - for standard input"));
    assert!(!help.contains("empty board") && !help.contains("--to-move"), "{help}");
}

#[test]
fn every_command_is_in_exactly_one_group_of_the_overview() {
    let help = help(&[]);
    let groups = help.lines().skip_while(|line| *line != "Commands by purpose:").skip(1);
    let groups = groups.take_while(|line| !line.is_empty());
    let list = |line: &str| {
        let (group, commands) = line.trim_start().split_once("  ").unwrap();
        assert!(!group.is_empty());
        commands.trim_start().replace(" (Linux)", "").split(", ").map(String::from).collect()
    };
    let mut named: Vec<String> = groups.flat_map(|line| -> Vec<String> { list(line) }).collect();
    named.retain(|name| cfg!(target_os = "linux") || name != "stress");
    named.sort_unstable();
    let mut all = commands(&help);
    all.sort_unstable();
    assert_eq!(named, all);
}

/// Concurrency has the same option name everywhere, and the same default if results do not
/// depend on it.
#[test]
fn concurrency_has_the_same_option_everywhere() {
    for command in ["match", "stress", "selfplay", "spsa", "puzzles", "suite"] {
        if command != "stress" || cfg!(target_os = "linux") {
            let help = help(&[command.into()]);
            assert!(help.contains("  -c, --concurrency <CONCURRENCY>"), "{help}");
        }
    }
    for command in ["openings", "selfplay", "spsa", "puzzles", "prove", "check", "solve"] {
        assert!(help(&[command.into()]).contains("default: one per core"), "{command}");
    }
}

/// An old name of an option is an alias of the new one, and no help shows it.
#[test]
fn old_names_of_options_are_hidden() {
    for (command, old, new) in [
        ("selfplay", "--threads", "--concurrency"),
        ("spsa", "--threads", "--concurrency"),
        ("puzzles", "--threads", "--concurrency"),
        ("suite", "--jobs", "--concurrency"),
        ("data show", "--game", "--number"),
        ("stress", "--memory", "--memory-test"),
        ("stress", "--limits", "--memory-limits"),
        ("prove", "--glance", "--quick-nodes"),
        ("prove", "--seek", "--vct-nodes"),
        ("prove", "--passed", "--pass-nodes"),
        ("prove", "--search", "--move-nodes"),
        ("db learn", "--plies", "--max-stones"),
        ("db learn", "--games", "--min-games"),
        ("baseline", "--plies", "--draw-after"),
        ("match", "--level-openings", "--balanced-openings"),
        ("puzzles", "--least", "--min-plies"),
        ("puzzles", "--most", "--max-plies"),
        ("puzzles", "--last", "--last-positions"),
    ] {
        if command == "stress" && !cfg!(target_os = "linux") {
            continue;
        }
        let words: Vec<String> = command.split(' ').map(String::from).collect();
        let help = help(&words);
        assert!(help.contains(&format!("{new} <")), "{command}: {help}");
        assert!(!help.contains(&format!("{old} <")), "{command}: {help}");
        let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
        let output = goren.args(&words).args([old, "x"]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(&format!("invalid value 'x' for '{new} <")), "{command}: {stderr}");
    }
}

#[test]
fn prove_accepts_the_time_limit_option_of_other_runs() {
    let help = help(&["prove".into()]);
    assert!(help.contains("[alias: --stop-after]"), "{help}");
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = goren.args(["prove", "--stop-after", "x"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("for '--time <SECONDS>'"), "{stderr}");
}

#[test]
fn the_help_shows_the_default_limits_of_a_memory_test() {
    if cfg!(target_os = "linux") {
        let help = help(&["stress".into()]);
        assert!(help.contains("[default: 16,20,24,"), "{help}");
    }
}

#[test]
fn old_names_of_commands_and_options_still_work() {
    for (old, new) in [("greedy", "baseline"), ("torture", "stress")] {
        // `stress` exists only on Linux.
        if new == "baseline" || cfg!(target_os = "linux") {
            assert_eq!(help(&[old.into()]), help(&[new.into()]));
        }
    }
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    let run = ["selfplay", "--out", "none", "--games", "1", "--astray", "2"];
    let stderr = String::from_utf8(goren.args(run).output().unwrap().stderr).unwrap();
    assert!(stderr.contains("--random-moves"), "{stderr}");
}

#[test]
fn completions_and_manual_cover_every_command() {
    let goren = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_goren")).args(words).output().unwrap();
        assert!(output.status.success(), "goren {words:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let names = commands(&help(&[]));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = goren(&["completions", shell]);
        let missing: Vec<_> = names.iter().filter(|name| !script.contains(*name)).collect();
        assert!(missing.is_empty() && script.contains("threads"), "{shell}: {missing:?}");
    }
    let page = goren(&["man"]);
    assert!(page.contains(".TH goren 1") && page.contains("goren play"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("man1");
    goren(&["man", "--out", inner.to_str().unwrap()]);
    for name in names {
        let page = std::fs::read_to_string(inner.join(format!("goren-{name}.1"))).unwrap();
        assert!(page.contains("SYNOPSIS") && page.contains("Examples:"), "{name}: {page}");
    }
}

#[test]
fn the_help_command_accepts_help_options() {
    let printed = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_goren")).args(words).output().unwrap();
        assert!(output.status.success(), "goren {words:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for option in ["--help", "-h"] {
        assert_eq!(printed(&["help", option]), printed(&["help", "help"]));
        assert_eq!(printed(&["help", "play", option]), printed(&["help", "play"]));
        assert_eq!(printed(&["db", "help", "stat", option]), printed(&["db", "help", "stat"]));
    }
}

/// A negative number is a wrong number, not an unknown option.
#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let refused = |words: &[&str], option: &str, range: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_goren")).args(words).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let is_reported = stderr.contains(&format!("for '{option}")) && stderr.contains(range);
        assert!(!output.status.success() && is_reported, "{words:?}: {stderr}");
    };
    let from_one = "a whole number from 1 to ";
    for (command, option) in [
        ("analyze", "--nodes"),
        ("analyze", "--threads"),
        ("analyze", "--depth"),
        ("analyze", "--multi-pv"),
        ("analyze", "--memory"),
        ("baseline", "--games"),
        ("bench", "--depth"),
        ("selfplay", "--games"),
        ("selfplay", "--concurrency"),
        ("match", "--games"),
        ("solve", "--memory"),
        ("prove", "--threads"),
    ] {
        for number in ["-5", "0"] {
            refused(&[command, option, number], option, from_one);
        }
    }
    refused(&["analyze", "--threads", "70000"], "--threads", "from 1 to 65535");
    refused(&["openings", "--max-score", "-1"], "--max-score", "from 0 to 20000");
    refused(&["perft", "--seed", "-1"], "--seed", "a whole number from 0 to ");
    for command in ["analyze", "play", "solve"] {
        for time in ["-1", "-1s", "-100ms"] {
            refused(&[command, "--time", time], "--time", "a number of seconds");
        }
    }
    refused(&["tune", "--rate", "-0.1"], "--rate", "a number above 0");
    refused(&["selfplay", "--jitter", "-0.1"], "--jitter", "a number from 0 to 1");
}

/// Tests the options listed in the help, so that none is missed.
#[test]
fn every_option_takes_a_negative_number_as_its_value() {
    for command in commands(&help(&[])) {
        let help = help(std::slice::from_ref(&command));
        let options = help.lines().filter_map(|line| line.trim_start().split_once(" <"));
        let options = options.map(|(name, _)| name.rsplit(' ').next().unwrap().to_owned());
        for option in options.filter(|name| name.starts_with("--")) {
            let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
            let output = goren.args([&command, &option, "-5", "--no-such-option"]).output();
            let stderr = String::from_utf8(output.unwrap().stderr).unwrap();
            assert!(!stderr.contains("'-5' found"), "{command} {option}: {stderr}");
        }
    }
}
