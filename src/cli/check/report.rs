//! Report of a check: a line with the tree, then a line for each checked reply, so that a check
//! can be stopped, done in parts and joined.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::run::journal::RunJournal;
use crate::run::shard::Shard;

/// Format named in the first line.
pub(crate) const FORMAT: &str = "goren check 2";

/// Name of the position itself in place of a reply.
pub(super) const POSITION: &str = "-";

/// Result of a reply to the position, or of the position itself.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ReplyLine {
    /// Number among all replies of the claim, from 0.
    pub(super) number: u64,
    /// The reply; `-` for the position.
    pub(super) reply: String,
    /// Class of its distance from the last stone.
    pub(super) apart: String,
    /// Number of needed moves of the attacker.
    pub(super) moves: usize,
    /// Average depth of these moves, in moves of the attacker.
    pub(super) depth: f64,
    /// Number of these moves at each depth, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) depths: Vec<u64>,
    /// Plies of the longest win with the best defence, from the position of the tree on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) longest: Option<String>,
    /// Size in a packed file.
    pub(super) bytes: Option<usize>,
    /// Number of visited positions.
    pub(super) visits: u64,
    pub(super) seconds: f64,
    /// The first flaw and its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) flaw: Option<String>,
}

/// Returns the header that all parts of a check share, apart from the shard: the `files`, the
/// number of `replies`, and whether the defender can move at all.
///
/// # Errors
/// A file cannot be read.
pub(super) fn header(
    files: &[PathBuf],
    replies: usize,
    can_move: bool,
    shard: Shard,
) -> Result<Value> {
    let tree = |path: &PathBuf| {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        Ok(json!({ "name": path.display().to_string(), "crc32": crc32fast::hash(&bytes) }))
    };
    Ok(json!({
        "format": FORMAT,
        "trees": files.iter().map(tree).collect::<Result<Vec<_>>>()?,
        "replies": replies,
        "can_move": can_move,
        "shard": (!shard.is_whole()).then(|| shard.header()),
    }))
}

/// Report of a run, open for appending.
pub(super) struct ReportFile {
    journal: RunJournal,
    /// Results of the run that is resumed.
    pub(super) known: BTreeMap<u64, ReplyLine>,
}

impl ReportFile {
    /// Opens the report of a check described by `header`; with `resume` an existing
    /// report is continued.
    ///
    /// # Errors
    /// Those of [`RunJournal::open`]; a line that is not of this check.
    pub(super) fn open(path: &Path, header: &Value, resume: bool) -> Result<ReportFile> {
        let mut known = BTreeMap::new();
        let (journal, _) = RunJournal::open(path, "check", header, resume, |line, _| {
            let line: ReplyLine = serde_json::from_slice(line)?;
            let number = line.number;
            ensure!(known.insert(number, line).is_none(), "reply {number} occurs twice");
            Ok(())
        })?;
        Ok(ReportFile { journal, known })
    }

    /// Appends the result of a reply.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn append(&mut self, line: &ReplyLine) -> Result<()> {
        self.journal.append(&format!("{}\n", serde_json::to_string(line)?))
    }
}

/// Prints a row for each reply.
pub(super) fn print_table<'a>(lines: impl Iterator<Item = &'a ReplyLine>) {
    let [reply, apart, moves, depth] = ["reply", "apart", "moves", "depth"];
    let [bytes, visits, seconds] = ["bytes", "visits", "seconds"];
    println!("{reply:>6} {apart:>5} {moves:>10} {depth:>8} {bytes:>10} {visits:>12} {seconds:>8}");
    for line in lines {
        let ReplyLine { reply, apart, moves, depth, visits, seconds, .. } = line;
        let bytes = line.bytes.map_or("-".into(), |bytes| bytes.to_string());
        let open = if line.flaw.is_none() { "" } else { "  open" };
        println!(
            "{reply:>6} {apart:>5} {moves:>10} {depth:>8.3} {bytes:>10} {visits:>12} \
             {seconds:>8.1}{open}"
        );
    }
}
