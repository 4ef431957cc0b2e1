//! `goren db from-lib` and `to-lib`: libraries of RenLib.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};

use super::board::GAME;
use super::file::{open, save};
use crate::forms::{Kind, of_kind};
use crate::variant;
use goren_core::record::lib::{self, SIDE, Tree};
use goren_core::record::text::CodePage;
use goren_core::rules::{RuleId, Setup};
use goren_database::{Store, renlib};
use goren_files::{output_path, replace};

/// Arguments of `goren db from-lib`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren db from-lib goren.db openings.lib
  goren db from-lib --code-page gbk goren.db openings.lib

Marks are counted and left out, as databases have none, and so is the position that RenLib shows
first. A database has one record for all nodes of a position; their comments are joined.")]
pub struct From {
    /// Database file; created if it does not exist.
    into: PathBuf,
    /// RenLib library.
    file: PathBuf,
    #[arg(
        long = "game",
        alias = "rule",
        help = GAME,
        default_value = RuleId::Renju.name(),
        value_parser = variant::rule,
    )]
    rule: RuleId,
    /// Encoding of the texts, such as utf-8, gbk or windows-1251; default: detected.
    #[arg(long)]
    code_page: Option<String>,
}

/// Arguments of `goren db to-lib`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren db to-lib goren.db openings.lib
  goren db to-lib --game renju goren.db openings.lib")]
pub struct To {
    /// Database file.
    file: PathBuf,
    /// RenLib library. A library is replaced; a file that holds something else stays as
    /// it is.
    to: PathBuf,
    #[arg(
        long = "game",
        alias = "rule",
        help = format!("{GAME}; default: the rule of the records"),
        value_parser = variant::rule,
    )]
    rule: Option<RuleId>,
    /// Encoding of the texts, such as utf-8, gbk or windows-1251.
    #[arg(long, default_value = "utf-8")]
    code_page: String,
}

/// Returns the encoding of a name, if texts of a library can be written in it.
fn code_page(name: &str) -> Result<CodePage> {
    let page = CodePage::named(name).filter(|page| page.suits_libraries());
    page.with_context(|| format!("there is no code page {name:?} for libraries"))
}

/// Adds a library to a database; of a damaged library the part before the fault. Returns false
/// if something is damaged.
///
/// # Errors
/// A file cannot be read or written, or is no library or database.
pub fn from(args: &From) -> Result<bool> {
    let name = args.file.display();
    let setup = Setup::new(args.rule, SIDE, SIDE)?;
    let page = args.code_page.as_deref().map(code_page).transpose()?;
    output_path::check_replaced(&args.into, &[&args.file])?;
    let file = File::open(&args.file).with_context(|| format!("cannot read {name}"))?;
    let (tree, whole) = match Tree::read(file) {
        Ok(tree) => (tree, true),
        Err(error) if error.tree.is_empty() => {
            let fault = Err(error).with_context(|| format!("cannot import {name}"));
            return of_kind(&args.file, Kind::Library, fault);
        }
        Err(error) => {
            eprintln!("{name}: damaged: {error}");
            (*error.tree, false)
        }
    };
    if tree.unmet() > 0 {
        eprintln!("{name}: a part of a library, or cut short");
    }
    let page = page.unwrap_or_else(|| tree.code_page());
    let (mut database, report) = open(&args.into, false)?;
    let (store, converted) = database.change_texts()?;
    let done = renlib::import(&tree, setup, page, store)?;
    if let Some(converted) = converted {
        eprintln!("{}: {converted}", args.into.display());
    }
    save(&mut database)?;
    println!("{} nodes imported, texts as {}", tree.len() - done.skipped, page.name());
    println!("{} records are new", done.new);
    if done.skipped > 0 {
        println!("{} nodes left out: they cannot be played", done.skipped);
    }
    if done.left_out > 0 {
        println!("{} texts left out: another text is there, or there is no room", done.left_out);
    }
    if done.marks > 0 {
        println!("{} marks left out: a database cannot store them", done.marks);
    }
    Ok(whole && report.faults == 0)
}

/// Returns the only rule of the records on boards of a library.
///
/// # Errors
/// There are no such records, or records of several rules.
fn only_rule(store: &Store) -> Result<RuleId> {
    let setups = store.iter().filter_map(|(key, _)| Some(key.place()?.setup()));
    let rules: BTreeSet<&str> = setups
        .filter(|setup| (setup.width, setup.height) == (SIDE, SIDE))
        .map(|setup| setup.rule.name())
        .collect();
    let names: Vec<&str> = rules.into_iter().collect();
    match names[..] {
        [name] => RuleId::from_name(name).context("a rule of its own name"),
        [] => bail!("there are no records of a board of {SIDE}x{SIDE}"),
        _ => bail!("there are records of {}; choose one with --game", names.join(" and ")),
    }
}

/// Writes a database as a library. Returns false if the database is damaged.
///
/// # Errors
/// A file cannot be read or written, a text is not in the code page, or no record is of the
/// rule.
pub fn to(args: &To) -> Result<bool> {
    output_path::check_replaced(&args.to, &[&args.file])?;
    output_path::check_kind(&args.to, output_path::FRONT, lib::looks)?;
    let page = code_page(&args.code_page)?;
    let (database, report) = open(&args.file, true)?;
    let rule = args.rule.map_or_else(|| only_rule(database.store()), Ok)?;
    let setup = Setup::new(rule, SIDE, SIDE)?;
    let exported = renlib::export(database.store(), setup, &[], page)?;
    ensure!(exported.records > 0, "no records of {rule} can be reached from the empty board");
    let written = replace(&args.to, 0, |file| exported.tree.write(file));
    written.with_context(|| format!("cannot write {}", args.to.display()))?;
    println!("{} records written to {}", exported.records, args.to.display());
    if exported.apart > 0 {
        println!("{} records left out: no other records lead to them", exported.apart);
    }
    let others = database.store().len() - exported.records - exported.apart;
    if others > 0 {
        println!("{others} records left out: of other rules or boards");
    }
    Ok(report.faults == 0)
}
