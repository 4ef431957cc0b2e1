//! `goren merge`: joins the parts of a run into the result of one run, and winning trees
//! for one position into one.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::run::journal::without_bom;
use super::trees::TreesArg;
use super::{arena, check, data, input_path, spsa, suite, trees};
use goren_files::output_path;
use goren_proof::is_tree;

/// Maximum length of the first line of a file to join.
const LONGEST_LINE: u64 = 1 << 20;

/// Arguments of `goren merge`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren merge corner.tree part1.tree part2.tree
  goren merge renju.tree renju                  (the table of a shipped tree, by name)
  goren merge --packed all.packed a15.packed b15.packed
  goren merge all part-*                (folders of goren match --shard)
  goren merge all.games part-*.games    (files of goren selfplay --shard)
  goren merge all.jsonl part-*.jsonl    (of suite --json, check --report, spsa --out)

The parts of a run become what a single run would have written, in the same order, and may be
joined while they are still being written. The exit status is 0 if no item between the first and
the last is missing. Files of different runs are refused.")]
pub struct Args {
    /// File or folder to write; its existing content is merged too.
    out: PathBuf,
    /// Join packed trees into a packed tree. Where several have the same reply,
    /// the shortest is kept.
    #[arg(long)]
    packed: bool,
    /// Tree files for the same claim or names of shipped trees, or the outputs of all parts
    /// of a run.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    trees: TreesArg,
}

/// The kind of the files to join.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Tree,
    Match,
    Training,
    Suite,
    Check,
    Tuning,
}

/// Joins files of one kind.
///
/// # Errors
/// The files are of different kinds, or the join of their kind fails.
pub fn run(args: &Args) -> Result<bool> {
    let Args { out, packed, files, trees: named } = args;
    let files = files.iter().map(|file| named.packed(file)).collect::<Result<Vec<_>>>()?;
    input_path::no_pipes(&files, "merge")?;
    let mut found: Option<(&PathBuf, Kind)> = None;
    for path in &files {
        let Some(kind) = kind(path)? else { continue };
        let (first, first_kind) = *found.get_or_insert((path, kind));
        let (one, two) = (first.display(), path.display());
        ensure!(first_kind == kind, "{one} and {two} are of different kinds");
    }
    let (_, kind) = found.context("the files are empty")?;
    ensure!(!packed || kind == Kind::Tree, "--packed is for winning trees");
    match kind {
        Kind::Match => output_path::check_folder(out)?,
        _ => output_path::check_replaced(out, &[] as &[&Path])?,
    }
    match kind {
        Kind::Tree => trees::merge(out, *packed, &files),
        Kind::Match => arena::join(out, &files),
        Kind::Training => data::join(out, &files),
        Kind::Suite => suite::join(out, &files),
        Kind::Check => check::join(out, &files),
        Kind::Tuning => spsa::join(out, &files),
    }
}

/// Why a file of another kind is refused.
const OTHER_KIND: &str = "merge cannot join such files; it joins winning trees, folders of match, \
                    games of selfplay, results of suite --json, reports of check --report, tunings \
                    of spsa --out";

/// Returns the kind of a file, by its beginning; `None` if it is empty.
///
/// # Errors
/// The file cannot be read, or is of no kind that can be joined.
fn kind(path: &Path) -> Result<Option<Kind>> {
    if path.is_dir() {
        return Ok(Some(Kind::Match));
    }
    let place = || path.display().to_string();
    let mut line = Vec::new();
    let file = BufReader::new(File::open(path).with_context(place)?);
    file.take(LONGEST_LINE).read_until(b'\n', &mut line).with_context(place)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.starts_with(&goren_training_data::MAGIC) {
        return Ok(Some(Kind::Training));
    }
    let header: Value = serde_json::from_slice(without_bom(&line)).unwrap_or(Value::Null);
    Ok(Some(match header["format"].as_str() {
        Some(arena::FORMAT) => Kind::Match,
        Some(goren_training_data::FORMAT) => Kind::Training,
        Some(suite::FORMAT) => Kind::Suite,
        Some(check::FORMAT) => Kind::Check,
        Some(spsa::FORMAT) => Kind::Tuning,
        _ if is_tree(&line) => Kind::Tree,
        _ => bail!("{}: {OTHER_KIND}", place()),
    }))
}
