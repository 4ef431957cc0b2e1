//! Random databases for measurements.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::board::SetupArgs;
use super::file::{open, save};
use crate::number::whole;
use goren_core::types::keys::mix;
use goren_database::{Bound, Place, Record, Store, branch};
use goren_files::output_path;
use goren_notation::words::plural;

/// Number of attempts in a row without a new position after which the sampling ends.
const MAX_FAILURES: u32 = 10_000;

/// Smallest value of `--stones`.
const MIN_STONES: u64 = 3;
/// Maximum shift of a 64-bit number.
const MAX_SHIFT: u64 = u64::BITS as u64 - 1;

/// Arguments of `goren db sample`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  goren db sample random.db --records 100000
  goren db stat random.db")]
pub(super) struct Args {
    /// Database to create.
    file: PathBuf,
    /// Number of records.
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<usize>(0..))]
    records: usize,
    /// Maximum number of stones of a position: from 3 to half of the points of the
    /// board.
    #[arg(long, default_value_t = 30, value_parser = whole::<u64>(0..))]
    stones: u64,
    /// Write the file uncompressed.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    board: SetupArgs,
}

/// Creates the database.
///
/// # Errors
/// The file exists or cannot be written, or there are too few positions.
pub(super) fn run(args: &Args) -> Result<bool> {
    ensure!(!args.file.exists(), "{} already exists", args.file.display());
    output_path::check_replaced(&args.file, &[] as &[&Path])?;
    let setup = args.board.setup()?;
    let max = setup.area() as u64 / 2;
    ensure!(
        (MIN_STONES..=max).contains(&args.stones),
        "--stones {}: a whole number from {MIN_STONES} to {max} is needed on a board of {}x{}",
        args.stones,
        setup.width,
        setup.height
    );
    let mut store = Store::default();
    let (mut seed, mut failures) = (0, 0);
    while store.len() < args.records {
        let positions_before = store.len();
        // As in a tree of moves, most positions share their first stones.
        let mut place = Place::empty(setup);
        let stones = 2 + mix(seed) % (args.stones - 1);
        for n in 0..stones {
            let empty = place.empty_cells();
            let shared = seed >> (2 * (stones - n)).min(MAX_SHIFT);
            let drawn = mix(shared ^ n << 40);
            place.play(empty[(drawn % empty.len() as u64) as usize]);
        }
        let mut record = Record { value: (mix(!seed) % 2000) as i16 - 1000, ..Record::default() };
        record.set_depth((mix(seed) >> 32) as i64 % 40, Bound::Exact);
        if let Some(key) = place.key() {
            store.set(&key, &record);
        }
        seed += 1;
        failures = if store.len() > positions_before { 0 } else { failures + 1 };
        ensure!(
            failures < MAX_FAILURES,
            "only {} found: {MAX_FAILURES} more tries found no other; allow more stones",
            plural(positions_before, "position", "positions")
        );
    }
    let (mut database, _) = open(&args.file, false)?;
    branch::merge(&store, database.change_many()?);
    if args.plain {
        database.set_packed(false);
    }
    save(&mut database)?;
    let records = plural(database.store().len(), "record", "records");
    println!("{records} written to {}", args.file.display());
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        args: Args,
    }

    fn sample(stones: &str) -> Result<bool> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("random.db");
        let words = ["sample", file.to_str().unwrap(), "--records", "5", "--stones", stones];
        run(&Words::parse_from(words).args)
    }

    #[test]
    fn positions_may_have_up_to_half_of_the_points_as_stones() {
        for stones in ["3", "30", "63", "64", "70", "100", "112"] {
            assert!(sample(stones).unwrap(), "{stones}");
        }
    }

    #[test]
    fn a_number_of_stones_out_of_range_is_refused_with_the_range() {
        for stones in ["0", "1", "2", "113", "225"] {
            let error = sample(stones).unwrap_err().to_string();
            let range = "a whole number from 3 to 112 is needed on a board of 15x15";
            assert_eq!(error, format!("--stones {stones}: {range}"));
        }
    }
}
