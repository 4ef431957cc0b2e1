//! Every command explains itself: `--help` has an example and fits a terminal.
#![allow(clippy::unwrap_used)]

use std::process::Command;

/// Columns of the widest line of help.
const WIDTH: usize = 100;

/// What `goren COMMAND --help` prints.
fn help(command: &[String]) -> String {
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    // The width that clap takes where there is no terminal.
    let output = goren.args(command).arg("--help").env_remove("COLUMNS").output().unwrap();
    assert!(output.status.success(), "goren {} --help", command.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

/// The names in the list of commands of a help text.
fn commands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let name = |line: &str| {
        let named = line.starts_with("  ") && !line.starts_with("   ");
        named.then(|| line.split_whitespace().next().unwrap().to_owned())
    };
    list.filter_map(name).filter(|name| name != "help").collect()
}

/// Checks the help of a command and of those below it; how many there are.
fn check(command: &[String]) -> usize {
    let (help, name) = (help(command), format!("goren {}", command.join(" ")));
    for line in help.lines() {
        let width = line.chars().count();
        assert!(width <= WIDTH, "{name} --help: {width} columns: {line}");
    }
    let examples: Vec<&str> =
        help.lines().skip_while(|line| *line != "Examples:").skip(1).collect();
    let example = examples.first().unwrap_or_else(|| panic!("{name} --help has no example"));
    let known = command.is_empty() || example.contains(command.last().unwrap());
    assert!(example.starts_with("  goren ") && known, "{name} --help: {example}");
    let below = |name: String| [command, &[name]].concat();
    1 + commands(&help).into_iter().map(|name| check(&below(name))).sum::<usize>()
}

#[test]
fn every_command_has_an_example_and_fits() {
    assert!(check(&[]) > 30);
}

#[test]
fn old_names_of_commands_and_options_stay() {
    for (old, new) in [("greedy", "baseline"), ("torture", "stress")] {
        // Freezes of processes are known to Linux alone.
        if new == "baseline" || cfg!(target_os = "linux") {
            assert_eq!(help(&[old.into()]), help(&[new.into()]));
        }
    }
    let mut goren = Command::new(env!("CARGO_BIN_EXE_goren"));
    let run = ["selfplay", "--out", "none", "--games", "1", "--astray", "2"];
    let told = String::from_utf8(goren.args(run).output().unwrap().stderr).unwrap();
    assert!(told.contains("--random-moves"), "{told}");
}

#[test]
fn shells_and_manual_know_every_command() {
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
