//! `goren stress`: short runs with the real engine, and with faulty engines that it
//! must detect.
#![cfg(target_os = "linux")]

#[path = "../support/sibling.rs"]
mod sibling;

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use sibling::sibling;

/// Path of our engine.
fn engine() -> &'static str {
    static ENGINE: LazyLock<String> =
        LazyLock::new(|| sibling(env!("CARGO_BIN_EXE_goren"), "pbrain-goren"));
    &ENGINE
}

/// Runs `goren stress`. Returns what it prints, and whether it found no fault.
fn stress(engine: &str, arguments: &[&str]) -> (String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.args(["stress", "--engine", engine]).args(arguments);
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (String::from_utf8(output.stdout).unwrap(), output.status.success())
}

/// Runs `goren stress`, which must refuse its arguments. Returns the error.
fn refused(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    let output = command.args(["stress", "--engine", engine()]).args(arguments).output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// An engine that is a shell script.
fn script(text: &str) -> String {
    format!("sh -c {}", shlex::try_quote(text).unwrap())
}

/// An engine that runs shell code when a move is due.
fn answering(code: &str) -> String {
    script(&format!(
        "while read -r line; do case \"$line\" in \
         START*|RECTSTART*|RESTART|TAKEBACK*) echo OK;; ABOUT) echo 'name=\"fake\"';; \
         BEGIN|TURN*|DONE|PLIES*) {code};; esac; done"
    ))
}

/// Our engine with shell code that handles each line of its output.
fn filtered(code: &str) -> String {
    script(&format!("{engine} | while read -r line; do {code}; done", engine = engine()))
}

#[test]
fn our_engine_passes() {
    // On a busy machine answers come late through no fault of the engine.
    let arguments = ["--games", "40", "--seed", "3", "--load", "1", "--tolerance", "10000"];
    let (output, good) = stress(engine(), &arguments);
    assert!(good, "{output}");
    assert!(output.contains("\n40 games (") || output.starts_with("40 games ("), "{output}");
    // The run has openings, and games that go on after a win.
    let row = output.lines().find(|line| line.contains("to SWAP2BOARD")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert!(words[0] != "0" && words[4] != "0", "{row}");
    assert!(output.contains("illegal moves 0, losses on time 0, no answer 0"), "{output}");
    let row = output.lines().find(|line| line.starts_with("1-10 ms")).unwrap();
    assert!(row.split_whitespace().nth(2).unwrap().parse::<u32>().unwrap() > 0, "{output}");
}

#[test]
fn each_kind_of_fault_is_found_and_shown() {
    let hog = script(&format!(
        "x=$(head -c 100000000 /dev/zero | tr '\\0' x); cat | {engine}; echo ${{#x}} >&2",
        engine = engine()
    ));
    let cases = [
        ("illegal moves", answering("echo 99,99")),
        ("wrong lines", answering("echo banana")),
        ("wrong lines", answering("echo '1, 1'")),
        ("wrong lines", answering("printf '0,'; sleep 0.2; echo 0")),
        ("wrong lines", answering("echo ERROR no idea")),
        ("wrong lines", filtered("echo \"$line\"; case \"$line\" in *,*) echo 0,0;; esac")),
        ("crashes", answering("exit 3")),
        ("no answer", answering(":")),
        (
            "losses on time",
            filtered("case \"$line\" in MESSAGE*) ;; *) sleep 0.7;; esac; echo \"$line\""),
        ),
        ("too much memory", hog),
    ];
    std::thread::scope(|scope| {
        for (kind, engine) in &cases {
            scope.spawn(move || {
                let games = ["--games", "12", "--faults", "1", "--concurrency", "1"];
                // On a busy machine answers come late through no fault of the engine.
                let late = if *kind == "losses on time" { "300" } else { "10000" };
                let waits = ["--tolerance", late, "--patience", "15000"];
                let (output, good) = stress(engine, &[&games[..], &waits].concat());
                assert!(!good, "{engine}: {output}");
                assert!(output.contains(&format!("FAULT ({kind})")), "{engine}: {output}");
                assert!(
                    output.contains("< START") || output.contains("< RECTSTART"),
                    "{engine}: {output}"
                );
            });
        }
    });
}

/// The end of the process after its last game was once not checked.
#[test]
fn an_engine_that_does_not_end_properly_is_detected() {
    let engine = engine();
    let crashes = script(&format!(
        "while read -r line; do [ \"$line\" = END ] && kill -SEGV $$; \
         printf '%s\\n' \"$line\"; done | {engine}"
    ));
    let stays = script(&format!("{engine}; sleep 1000"));
    for (engine, fault) in [
        (crashes, "FAULT (crashes): ended (signal: 11"),
        (stays, "FAULT (no answer): did not answer END within"),
    ] {
        let games = ["--games", "1", "--concurrency", "1", "--tolerance", "10000"];
        let (output, good) = stress(&engine, &games);
        assert!(!good && output.contains(fault), "{engine}: {output}");
        assert!(output.contains("END\n"), "{engine}: {output}");
        assert!(output.contains("1 game: 1 fault"), "{engine}: {output}");
    }
}

/// An engine must not swap an empty board, nor answer an opening of five stones with
/// two stones.
#[test]
fn wrong_answers_to_openings_are_found() {
    for (answer, due) in
        [("SWAP", "'SWAP' to SWAP2BOARD with 0 stones"), ("7,7 8,8", "to SWAP2BOARD with 5 stones")]
    {
        let games = ["--games", "150", "--faults", "150", "--tolerance", "10000"];
        let (output, good) = stress(&answering(&format!("echo '{answer}'")), &games);
        assert!(!good && output.contains("FAULT (wrong lines)"), "{output}");
        assert!(output.contains(due), "{answer}: {output}");
    }
}

/// Runs the engine in `kib` KiB of address space. Returns its first `count` answers, or as
/// many as come. If the process starts, no signal may end it.
fn answers_within(kib: u64, commands: &str, count: usize) -> Vec<String> {
    let mut engine = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec {engine}", engine = engine())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // If the process has ended already, nobody reads this.
    let _ = engine.stdin.as_mut().unwrap().write_all(commands.as_bytes());
    let lines = BufReader::new(engine.stdout.take().unwrap()).lines().map_while(Result::ok);
    let answers: Vec<String> =
        lines.filter(|line| !line.starts_with("MESSAGE")).take(count).collect();
    drop(engine.stdin.take());
    let mut errors = String::new();
    let _ = engine.stderr.take().unwrap().read_to_string(&mut errors);
    let status = engine.wait().unwrap();
    // The system kills a process that it cannot load or has no stack for; only the engine
    // itself aborts.
    let is_loaded = !answers.is_empty() || status.signal() == Some(ABORT);
    assert!(
        status.code().is_some() || !is_loaded,
        "{kib} KiB: {status} after {commands}: {errors}"
    );
    answers
}

/// SIGABRT, by which a process ends itself.
const ABORT: i32 = 6;

/// With just enough memory to load the program, its heap has no page yet.
#[test]
fn a_process_without_a_heap_answers_with_an_error() {
    let answer = |kib: &u64| answers_within(*kib, "ABOUT\n", 1).pop();
    let enough = (4 << 10..64 << 10).step_by(1 << 10).find(|kib| answer(kib).is_some()).unwrap();
    let first = (enough - (1 << 10)..=enough).step_by(16).find_map(|kib| answer(&kib));
    assert_eq!(first.as_deref(), Some("ERROR not enough memory to start"));
}

/// A lack of memory is answered by an ERROR, whenever it occurs.
#[test]
fn lack_of_memory_does_not_end_the_process() {
    const BOARD: &str = "INFO timeout_turn 20\nSTART 15\nBOARD\n7,7,2\n7,8,1\n8,8,2\nDONE";
    const TABLE: &str = "INFO timeout_turn 20\nINFO variant connect6\nSTART 19\nPLIES j10";
    // Many small blocks, each of which once took a page of its own.
    const BALANCE: &str = "INFO timeout_turn 20\nSTART 15\nYXBALANCETWO 0";
    let cases = [("1", BOARD), ("3", BOARD), ("1", TABLE), ("1", BALANCE)];
    let mut seen = std::collections::HashSet::new();
    for (threads, question) in cases {
        for kib in (20 << 10..80 << 10).step_by(1 << 10) {
            let commands = format!("INFO thread_num {threads}\n{question}\nABOUT\n");
            let answers = answers_within(kib, &commands, 3);
            let first = answers.first().map_or("", String::as_str);
            assert!(first == "OK" || first.starts_with("ERROR"), "{kib}: {first}");
            let words = answers.get(1).and_then(|answer| answer.split_whitespace().next());
            seen.insert(words.map(|word| if word == "ERROR" { "error" } else { "move" }));
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

/// Commands that ask for a move when no table can be allocated, and a question whose
/// answer shows whether the position is unchanged.
#[test]
fn the_position_is_kept_if_a_search_gets_no_memory() {
    const FIVE: &str = "INFO timeout_turn 20\nSTART 15\nYXBOARD\n7,7,1\nDONE\n";
    const TABLE: &str = "INFO timeout_turn 20\nINFO variant connect6\nSTART 19\n";
    let refused = "ERROR";
    for (before, command, question, expected) in [
        (FIVE, "TURN 8,8", "TAKEBACK 7,7", "OK"),
        (FIVE, "BOARD\n5,5,1\n9,9,2\nDONE", "TAKEBACK 7,7", "OK"),
        (FIVE, "SWAP2BOARD\n8,8\n9,9\n6,8\nDONE", "TAKEBACK 7,7", "OK"),
        (FIVE, "INFO rule 4\nSTART 20", "TAKEBACK 7,7", "OK"),
        (TABLE, "TURN 9,9", "TAKEBACK 9,9", refused),
        (TABLE, "PLIES j10", "TAKEBACK 9,9", refused),
    ] {
        let mut count = 0;
        for kib in (24 << 10..48 << 10).step_by(512) {
            let commands = format!("{before}{command}\n{question}\n");
            if let [ok, first, second] = &answers_within(kib, &commands, 3)[..]
                && ok == "OK"
                && first.starts_with(refused)
            {
                count += 1;
                assert!(first.contains("no memory"), "{command}: {first}");
                assert!(second.starts_with(expected), "{command}, {kib} KiB: {second}");
            }
        }
        assert!(count > 0, "{command}");
    }
}

#[test]
fn memory_limits_are_kept_and_a_hog_is_detected() {
    let (output, good) = stress(engine(), &["--memory-test", "24", "--memory-limits", "20,48"]);
    assert!(good, "{output}");
    let peak = |limit: &str| -> f64 {
        let row = output.lines().find(|line| line.trim_start().starts_with(limit)).unwrap();
        row.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    assert!((1.0..20.0).contains(&peak("20 ")) && (1.0..48.0).contains(&peak("48 ")), "{output}");
    assert!(output.contains("ERROR cannot start a thread"), "{output}");
    let hog =
        format!("x=$(head -c 60000000 /dev/zero | tr '\\0' x); {engine}; : $x", engine = engine());
    let (output, good) = stress(&script(&hog), &["--memory-test", "1", "--memory-limits", "48"]);
    assert!(!good && output.contains("but only 50331648 are allowed"), "{output}");
}

#[test]
fn a_leak_is_detected() {
    let arguments = ["--endurance", "80", "--settled", "50"];
    let (output, good) = stress(engine(), &arguments);
    assert!(good && output.contains("80 games in one process"), "{output}");
    let leak = format!(
        "while read -r line; do \
         case \"$line\" in *START*) x=\"$x$(head -c 300000 /dev/zero | tr '\\0' x)\";; esac; \
         printf '%s\\n' \"$line\"; done | {engine}",
        engine = engine()
    );
    let (output, good) = stress(&script(&leak), &arguments);
    assert!(!good && output.contains("NOT FLAT"), "{output}");
}

#[test]
fn a_run_that_cannot_detect_anything_is_refused() {
    for (arguments, why) in [
        (["--endurance", "50", "--settled", "50"], "games to compare"),
        (["--games", "1", "--faults", "0"], "--faults"),
    ] {
        let output = refused(&arguments);
        assert!(output.contains(why), "{output}");
    }
}

#[test]
fn written_files_are_detected() {
    let (output, good) = stress(engine(), &["--folder"]);
    assert!(good && output.contains("a folder and a database: written in it"), "{output}");
    let (output, good) =
        stress(&script(&format!("echo > notes; exec {engine}", engine = engine())), &["--folder"]);
    assert!(!good && output.contains("notes"), "{output}");
    let (output, good) = stress(
        &script(&format!("echo x > /dev/null; exec {engine}", engine = engine())),
        &["--folder"],
    );
    assert!(!good && output.contains("2 bytes were written elsewhere"), "{output}");
}
