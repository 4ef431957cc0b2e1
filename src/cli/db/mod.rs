//! `goren db`: databases of positions from the command line.

mod board;
mod file;
mod learn;
mod renlib;
mod sample;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Subcommand;

use self::board::BoardOfRecords;
use self::file::{open, save};
use crate::engine::own_resident;
use crate::forms::{Kind, of_kind};
use crate::point;
use crate::position::name;
use goren_core::rules::Setup;
use goren_core::types::{Cell, Color};
use goren_database::{Absorbed, Database, Place, Record, Store};
use goren_database::{branch, check, csv, text};
use goren_files::{output_path, replace};
use goren_notation::words::plural;

/// Arguments of `goren db`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren db stat goren.db
  goren db get goren.db h8 i9
  goren db from-lib goren.db openings.lib

The files are those of Yixin-Board and Rapfi.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the number of records, load time and memory of a database.
    #[command(after_help = "\
Examples:
  goren db stat goren.db")]
    Stat {
        /// Database file.
        file: PathBuf,
    },
    /// Print what is known of a position and of the moves from it.
    #[command(after_help = "\
Examples:
  goren db get goren.db
  goren db get --game renju goren.db h8 i9

The first line is the position as given, the second the name of its record: one of the symmetric
images, with rows counted from the top. The third line is the record of the position, followed by
its comment; each line after that is about a move:
  label   of the side that has just moved: w13 a win in 13 plies, l* a loss, d a draw, another
          mark of the file, or 57%, its chances by the value
  value   points for the side that moves next; 29993 is a win in 7 plies, -29993 a loss
  depth   plies that the value was searched to; exact, or a lower or upper bound")]
    Get {
        /// Database file.
        file: PathBuf,
        #[command(flatten)]
        board: BoardOfRecords,
        /// Moves that lead to the position, such as `h8i9` or `h8 i9`, or `pass`.
        moves: Vec<String>,
    },
    /// Merge databases. Of two records of one position the better is kept, with the texts of
    /// both, and with the mark of the other if it has none.
    #[command(after_help = "\
Examples:
  goren db merge goren.db other.db third.db

If the two texts together exceed 65530 bytes, the maximum of a file, only the text of the better
record is kept.")]
    Merge {
        /// Database to merge into; created if it does not exist.
        into: PathBuf,
        /// Databases to merge.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the file uncompressed, as the oldest programs need it.
        #[arg(long)]
        plain: bool,
    },
    /// Add the records of a text file, as written by `export` and by Rapfi.
    #[command(after_help = "\
Examples:
  goren db import goren.db records.csv")]
    Import {
        /// Database file; created if it does not exist.
        into: PathBuf,
        /// Text file.
        file: PathBuf,
    },
    /// Write all records as a text file.
    #[command(after_help = "\
Examples:
  goren db export goren.db records.csv")]
    Export {
        /// Database file.
        file: PathBuf,
        /// Text file. An export is replaced; a file that holds something else stays as
        /// it is.
        to: PathBuf,
    },
    /// Add the positions of a RenLib library (.lib).
    FromLib(renlib::From),
    /// Write a RenLib library of the positions that can be reached through stored positions.
    ToLib(renlib::To),
    /// Report damage and contradictions.
    #[command(after_help = "\
Examples:
  goren db check goren.db
  goren db check goren.db --repair repaired.db")]
    Check {
        /// Database file, which is not changed.
        file: PathBuf,
        /// Write what can be read, without contradictions, to this new file. The exit
        /// status is 0 then.
        #[arg(long)]
        repair: Option<PathBuf>,
    },
    /// Learn from games: scores of searched positions, proven results, and
    /// results of games.
    Learn(learn::Args),
    /// Create a database of random positions, to measure with `stat`.
    Sample(sample::Args),
}

/// Runs a command on databases. Returns false if something is damaged.
///
/// # Errors
/// A file cannot be read or written, or is no database.
pub fn run(args: &Args) -> Result<bool> {
    match &args.command {
        Command::Stat { file } => stat(file),
        Command::Get { file, board, moves } => {
            let (database, report) = open(file, true)?;
            print!("{}", describe(database.store(), board.setup(database.store())?, moves)?);
            Ok(report.faults == 0)
        }
        Command::Merge { into, files, plain } => merge(into, files, *plain),
        Command::Import { into, file } => import(into, file),
        Command::Export { file, to } => export(file, to),
        Command::FromLib(args) => renlib::from(args),
        Command::ToLib(args) => renlib::to(args),
        Command::Check { file, repair } => check_records(file, repair.as_deref()),
        Command::Learn(args) => learn::run(args),
        Command::Sample(args) => sample::run(args),
    }
}

fn merge(into: &Path, files: &[PathBuf], plain: bool) -> Result<bool> {
    if let Some(file) = files.iter().find(|file| output_path::same(file, into)) {
        bail!("{}: this is the database to merge into; name only the others", file.display());
    }
    output_path::check_replaced(into, files)?;
    let (mut target, report) = open(into, false)?;
    let mut whole = report.faults == 0;
    // Reads all files before anything changes.
    let mut parts = Vec::new();
    for file in files {
        let (part, report) = open(file, true)?;
        whole &= report.faults == 0;
        parts.push(part);
    }
    for (part, file) in parts.iter().zip(files) {
        println!("{}: {}", file.display(), absorb(part.store(), &mut target)?);
    }
    if plain {
        target.set_packed(false);
    }
    save(&mut target)?;
    let all = plural(target.store().len(), "record", "records");
    println!("{}: {all} now", into.display());
    Ok(whole)
}

fn import(into: &Path, file: &Path) -> Result<bool> {
    let name = file.display();
    output_path::check_replaced(into, &[file])?;
    let text = fs::read(file).with_context(|| format!("cannot read {name}"))?;
    let read = csv::read(&text).with_context(|| format!("cannot import {name}"));
    let (records, notes) = of_kind(file, Kind::Records, read)?;
    for note in notes {
        eprintln!("{name}: {note}");
    }
    let (mut database, report) = open(into, false)?;
    let done = absorb(&records, &mut database)?;
    save(&mut database)?;
    println!("{name}: {done}");
    Ok(report.faults == 0)
}

/// Merges records into a database; describes the result.
fn absorb(records: &Store, into: &mut Database) -> Result<String> {
    let Absorbed { changed, converted } = into.absorb(records, branch::merge)?;
    for converted in converted {
        eprintln!("{}: {converted}", into.path().display());
    }
    let of = plural(records.len(), "record", "records");
    Ok(format!("{of}; added or changed by them: {changed}"))
}

fn export(file: &Path, to: &Path) -> Result<bool> {
    output_path::check_replaced(to, &[file])?;
    output_path::check_kind(to, output_path::FRONT, csv::looks)?;
    let (database, report) = open(file, true)?;
    let mut done = (0, None);
    let written = replace(to, 0, |file| {
        let mut out = BufWriter::new(file);
        done = csv::write(database.store(), None, &mut out)?;
        out.flush()
    });
    written.with_context(|| format!("cannot write {}", to.display()))?;
    let (count, converted) = done;
    if let Some(converted) = converted {
        eprintln!("{}: {converted}", file.display());
    }
    println!("{} written to {}", plural(count, "record", "records"), to.display());
    Ok(report.faults == 0)
}

fn check_records(file: &Path, repair: Option<&Path>) -> Result<bool> {
    if let Some(path) = repair {
        ensure!(!path.exists(), "{} already exists", path.display());
        output_path::check_replaced(path, &[file])?;
    }
    let (database, report) = open(file, true)?;
    let findings = check::findings(database.store());
    for finding in &findings {
        println!("{finding}");
    }
    let records = plural(database.store().len(), "record", "records");
    println!("{records}, {}", plural(findings.len(), "contradiction", "contradictions"));
    if let Some(path) = repair {
        let (mut repaired, _) = open(path, false)?;
        absorb(database.store(), &mut repaired)?;
        check::fix(repaired.change_many()?);
        repaired.set_packed(database.is_packed());
        save(&mut repaired)?;
        let records = plural(repaired.store().len(), "record", "records");
        println!("{records} written to {}", path.display());
    }
    Ok(repair.is_some() || report.faults == 0 && findings.is_empty())
}

/// Formats the records of a position and its children as lines.
fn describe(store: &Store, setup: Setup, moves: &[String]) -> Result<String> {
    let cell = |text: &str| {
        if text.eq_ignore_ascii_case("pass") {
            Ok(None)
        } else {
            point::cell(text, (setup.width, setup.height)).map(Some)
        }
    };
    let typed = moves.iter().flat_map(|text| {
        text.split([',', ' ']).filter(move |word| !word.is_empty() || text.is_empty())
    });
    let moves = typed.flat_map(points);
    let moves = moves.map(cell).collect::<Result<Vec<_>>>()?;
    let place = Place::after(setup, &moves)?;
    let Some(key) = place.key() else { bail!("too many passes for a record") };
    let mut lines = heading(&place);
    match store.get(&key) {
        None => lines += "no record\n",
        Some(record) => {
            lines += &format!("{}\n", words(&record));
            for line in text::comment(&record.text).lines() {
                lines += &format!("  | {line}\n");
            }
        }
    }
    let texts: BTreeMap<Cell, String> = branch::texts(store, &place).into_iter().collect();
    let children: BTreeMap<Cell, Record> = branch::children(store, &place).into_iter().collect();
    for cell in place.empty_cells() {
        let (text, record) = (texts.get(&cell), children.get(&cell));
        if text.is_none() && record.is_none() {
            continue;
        }
        lines += &format!("{:<4}", cell.label(setup.height));
        lines += &record.map_or(String::new(), words);
        lines += &text.map_or(String::new(), |text| format!(" [{text}]"));
        lines = lines.trim_end().to_owned() + "\n";
    }
    Ok(lines)
}

/// Formats a position as requested, and the name under which it is filed.
fn heading(place: &Place) -> String {
    let Setup { rule, width, height } = place.setup();
    let stones = |color| {
        let points: Vec<String> = place.stones(color).map(|cell| cell.label(height)).collect();
        if points.is_empty() { "none".into() } else { points.join(" ") }
    };
    let (black, white) = (stones(Color::Black), stones(Color::White));
    let to_move = name(place.to_move());
    format!(
        "{rule} {width}x{height}, Black: {black}, White: {white}, {to_move} to move\n\
         filed as {} (one of the symmetric images; rows counted from the top)\n",
        csv::name(place)
    )
}

/// Splits a text into points, which need no separator: a letter after a digit begins one.
fn points(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let starts = (1..text.len())
        .filter(|&i| bytes[i - 1].is_ascii_digit() && bytes[i].is_ascii_alphabetic());
    let mut parts = Vec::new();
    let mut from = 0;
    for start in starts {
        parts.push(&text[from..start]);
        from = start;
    }
    parts.push(&text[from..]);
    parts
}

fn words(record: &Record) -> String {
    let shown = record.shown();
    let shown = if shown.is_empty() { "-" } else { &shown };
    format!("{shown:<5} value {} depth {} {:?}", record.value, record.depth(), record.bound())
        .to_lowercase()
}

/// Minimum number of records for which the memory taken from the system is meaningful.
const MIN_MEASURED: usize = 100_000;

fn stat(file: &Path) -> Result<bool> {
    let memory_before = own_resident();
    let begun = Instant::now();
    let (database, report) = open(file, true)?;
    let took = begun.elapsed();
    let memory_after = own_resident();
    let store = database.store();
    let packed = if database.is_packed() { "packed" } else { "plain" };
    let bytes = fs::metadata(file).map_or(0, |about| about.len());
    let records = plural(store.len(), "record", "records");
    println!("{}: {packed}, {bytes} bytes, {records}", file.display());
    let each = |bytes: u64| match store.len() {
        0 => String::new(),
        records => format!(", {:.0} a record", bytes as f64 / records as f64),
    };
    println!("loaded in {} ms", took.as_millis());
    let needed = store.bytes() as u64;
    println!("memory needed: {needed} bytes{}", each(needed));
    // The growth is significant only if it is large.
    let grown = memory_before.zip(memory_after).map(|(before, after)| after.saturating_sub(before));
    if let Some(grown) = grown.filter(|_| store.len() >= MIN_MEASURED) {
        println!("memory taken from the system: {grown} bytes{}", each(grown));
    }
    let mut boards: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for (key, record) in store.iter() {
        let Some(place) = key.place() else { continue };
        let Setup { rule, width, height } = place.setup();
        let counts = boards.entry(format!("{rule} {width}x{height}")).or_default();
        let mut count = |what: &str| *counts.entry(what.to_string()).or_default() += 1;
        count("records");
        match record.label.0 {
            0 => count("empty"),
            -1 => {}
            byte => count(&format!("label {}", char::from(byte.unsigned_abs()))),
        }
        if record.bound() as u8 > 0 {
            count("with a value");
        }
        if !text::comment(&record.text).is_empty() {
            count("with a comment");
        }
        if !text::on_cells(&record.text).is_empty() {
            count("with texts on cells");
        }
    }
    for (board, counts) in boards {
        println!("{board}");
        for (what, count) in counts {
            println!("  {what:<20} {count}");
        }
    }
    Ok(report.faults == 0)
}
