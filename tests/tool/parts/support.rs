//! Runs of the tool, with the variables of a job array, and signals to them.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub use crate::folder::{Folder, engine};

impl Folder {
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_default()
    }
}

/// A run of the tool.
pub struct Run(Command);

/// Prepares a run of `goren` with these words.
pub fn goren(words: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goren"));
    command.args(words.split_whitespace()).stdin(Stdio::null());
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    Run(command)
}

impl Run {
    pub fn args(mut self, args: &[&str]) -> Run {
        self.0.args(args);
        self
    }

    /// Adds more words.
    pub fn more(mut self, words: &str) -> Run {
        self.0.args(words.split_whitespace());
        self
    }

    /// Makes the run a task of a Slurm job array.
    pub fn task(mut self, variables: &[(&str, &str)]) -> Run {
        for (name, value) in variables {
            self.0.env(format!("SLURM_ARRAY_TASK_{name}"), value);
        }
        self
    }

    fn output(mut self) -> (Output, String) {
        let output = self.0.output().unwrap();
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        (output, String::from_utf8(all).unwrap())
    }

    /// Runs the tool, which must succeed. Returns what it prints.
    pub fn runs(self) -> String {
        let (output, text) = self.output();
        assert!(output.status.success(), "{text}");
        text
    }

    /// Runs the tool, which must fail. Returns what it prints.
    pub fn fails(self) -> String {
        let (output, text) = self.output();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{:?}: {text}", output.status);
        text
    }

    /// Runs the tool, which must stop properly with work left. Returns what it prints.
    pub fn stops(self) -> String {
        let (output, text) = self.output();
        assert_eq!(output.status.code(), Some(75), "{text}");
        text
    }

    /// Runs the tool, which may stop with work left or finish. Returns what it prints.
    pub fn stops_or_runs(self) -> String {
        let (output, text) = self.output();
        assert!(matches!(output.status.code(), Some(0 | 75)), "{text}");
        text
    }

    /// Starts the tool as the leader of a process group.
    pub fn starts(mut self) -> Started {
        self.0.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        Started(self.0.spawn().unwrap())
    }

    /// Starts the tool with files of at most `bytes` bytes, until [`Started::lift_limit`].
    pub fn starts_with_limit(self, bytes: u64) -> Started {
        let mut shell = Command::new("sh");
        // The shell's own `ulimit` counts blocks of unknown size.
        let script = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=$limit: \"$@\"";
        shell.args(["-c", script, "sh", &bytes.to_string()]);
        shell.arg(self.0.get_program()).args(self.0.get_args()).stdin(Stdio::null());
        Run(shell).starts()
    }
}

/// A run in progress.
pub struct Started(Child);

impl Started {
    /// Waits until a condition holds.
    pub fn until(&mut self, condition: impl Fn() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !condition() {
            assert!(Instant::now() < end, "it takes too long");
            assert!(self.0.try_wait().unwrap().is_none(), "it ended too early");
            sleep(Duration::from_millis(2));
        }
    }

    /// Sends a signal to all processes of the group, as job systems do.
    pub fn signal(&self, name: &str) {
        let group = format!("-{}", self.0.id());
        assert!(Command::new("kill").args(["-s", name, "--", &group]).status().unwrap().success());
    }

    /// Lifts the limit on the length of files.
    pub fn lift_limit(&self) {
        let pid = self.0.id().to_string();
        let lifted = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited:"]).status();
        assert!(lifted.unwrap().success());
    }

    /// Waits for the end of the run. Returns its exit status, if it has one, and what it printed.
    pub fn ends(self) -> (Option<i32>, String) {
        let output = self.0.wait_with_output().unwrap();
        let all = [&output.stdout[..], &output.stderr[..]].concat();
        (output.status.code(), String::from_utf8(all).unwrap())
    }
}
