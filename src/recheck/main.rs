//! `goren-recheck`: checks files of winning trees.

#![deny(clippy::print_stderr)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use goren_recheck::{Options, Verdict, check};

const HELP: &str = "goren-recheck [--threads N] [--reply NAME] [--claim TEXT] FILE...

Checks winning trees (GORENPK2, GORENPK3, GORENPF1, GORENPF2) by the rules of the
game alone; nobody passes. The exit status is 0 if all that was checked is proven, else 1.

  --threads N    replies to check at a time, each with up to 3 GiB of memory (1)
  --reply NAME   only the part of this reply, such as a15
  --claim TEXT   the claim to be proven, as this program prints it
";

struct Call {
    options: Options,
    claim: Option<String>,
    files: Vec<String>,
}

fn arguments() -> Result<Option<Call>, String> {
    let mut call =
        Call { options: Options { threads: 1, reply: None }, claim: None, files: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--threads" => {
                let text = value()?;
                let threads = text.parse().ok().filter(|&threads| threads > 0);
                call.options.threads = threads.ok_or(format!("not a number of threads: {text}"))?;
            }
            "--reply" => call.options.reply = Some(value()?),
            "--claim" => call.claim = Some(value()?),
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            file => call.files.push(file.to_owned()),
        }
    }
    if call.files.is_empty() { Err("no file given".to_owned()) } else { Ok(Some(call)) }
}

fn report(verdict: &Verdict) {
    let Verdict { answers, moves, positions, .. } = verdict;
    let reply = if verdict.reply.is_empty() { "root" } else { &verdict.reply };
    let outcome = verdict.flaw.as_deref().unwrap_or("answered");
    let (seconds, memory) = (verdict.time.as_secs_f64(), verdict.bytes >> 20);
    println!(
        "{reply}: {outcome}; {answers} answers, {moves} moves, {positions} positions, \
         {seconds:.1} s, {memory} MiB"
    );
}

/// Whether a file proves its claim.
fn run(file: &str, call: &Call) -> Result<bool, String> {
    let start = Instant::now();
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let (claim, verdicts) =
        check(&bytes, call.claim.as_deref(), &call.options, &report).map_err(|e| e.to_string())?;
    let sum = |of: fn(&Verdict) -> u64| verdicts.iter().map(of).sum::<u64>();
    let proven = verdicts.iter().filter(|v| v.flaw.is_none()).count();
    let all = verdicts.len();
    println!(
        "{file}: {proven} of {all} answered; {} answers, {} moves, {} positions, {:.1} s ({:.1} s of threads)",
        sum(|v| v.answers),
        sum(|v| v.moves),
        sum(|v| v.positions),
        start.elapsed().as_secs_f64(),
        verdicts.iter().map(|v| v.time).sum::<Duration>().as_secs_f64(),
    );
    let outcome = match (proven == all, &call.options.reply) {
        (false, _) => "NOT proven",
        (true, None) => "proven",
        (true, Some(_)) => "one reply only, proven",
    };
    println!("{outcome}: {claim}");
    Ok(proven == all)
}

/// Prints a line to standard error, which may be full or closed.
fn complain(text: &str) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

fn main() -> ExitCode {
    let call = match arguments() {
        Ok(Some(call)) => call,
        Ok(None) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            complain(&format!("goren-recheck: {error}\n\n{HELP}"));
            return ExitCode::from(2);
        }
    };
    let mut proven = true;
    for file in &call.files {
        proven &= run(file, &call).unwrap_or_else(|error| {
            complain(&format!("{file}: {error}"));
            false
        });
    }
    if proven { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
