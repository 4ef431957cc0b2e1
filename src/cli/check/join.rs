//! Joins the reports of the parts of a check.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::report::{ReplyLine, print_table};
use super::statistics;
use crate::run::parts::{Parts, hold, with_target};
use crate::run::shard::Shard;

/// Joins the reports of the parts of a check, and prints the result. Returns whether the tree
/// proves its claim.
///
/// # Errors
/// A file cannot be read or written, or is damaged; the reports are of different trees; the
/// output file is the report of a part.
pub(crate) fn join(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let _held = hold(out, out)?;
    let joined = Parts::read(&with_target(files, out), "check", |_, shard: Shard, line| {
        let line: ReplyLine = serde_json::from_slice(line)?;
        ensure!(shard.has(line.number), "reply {} is of another part", line.number);
        Ok((line.number, line))
    })?;
    joined.write(out)?;
    let lines = || joined.items.values().map(|(line, _)| line);
    print_table(lines());
    statistics::print(&lines().collect::<Vec<_>>());
    if let Some(flaw) = lines().find_map(|line| line.flaw.as_ref()) {
        println!("Flaw: {flaw}");
    }
    let replies = joined.header["replies"].as_u64().unwrap_or(u64::MAX);
    let all = joined.report("reply", "replies") && joined.items.len() as u64 == replies;
    let holds = joined.header["can_move"] == true && lines().all(|line| line.flaw.is_none());
    match (all, holds) {
        (true, true) => println!("Result: proven"),
        (true, false) => println!("Result: not proven"),
        (false, _) => println!("Result: not all of {replies} replies are checked"),
    }
    Ok(all && holds)
}
