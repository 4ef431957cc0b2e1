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

/// Tries in a row without a new position, after which the sampling ends.
const BARREN: u32 = 10_000;

/// Least number of stones that may be asked for.
const LEAST: u64 = 3;
/// Bits by which a number is shifted at most.
const MOST_BITS: u64 = u64::BITS as u64 - 1;

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

/// Makes the database.
///
/// # Errors
/// The file exists or cannot be written, or there are fewer positions than asked for.
pub(super) fn run(args: &Args) -> Result<bool> {
    ensure!(!args.file.exists(), "{} exists already", args.file.display());
    output_path::check_replaced(&args.file, &[] as &[&Path])?;
    let setup = args.board.setup()?;
    let most = setup.area() as u64 / 2;
    ensure!(
        (LEAST..=most).contains(&args.stones),
        "--stones {}: a whole number from {LEAST} to {most} is needed on a board of {}x{}",
        args.stones,
        setup.width,
        setup.height
    );
    let mut store = Store::default();
    let (mut seed, mut barren) = (0, 0);
    while store.len() < args.records {
        let before = store.len();
        // As in a tree of moves, most positions share their first stones.
        let mut place = Place::empty(setup);
        let stones = 2 + mix(seed) % (args.stones - 1);
        for n in 0..stones {
            let empty = place.empty_cells();
            let shared = seed >> (2 * (stones - n)).min(MOST_BITS);
            let drawn = mix(shared ^ n << 40);
            place.play(empty[(drawn % empty.len() as u64) as usize]);
        }
        let mut record = Record { value: (mix(!seed) % 2000) as i16 - 1000, ..Record::default() };
        record.set_depth((mix(seed) >> 32) as i64 % 40, Bound::Exact);
        if let Some(key) = place.key() {
            store.set(&key, &record);
        }
        seed += 1;
        barren = if store.len() > before { 0 } else { barren + 1 };
        ensure!(
            barren < BARREN,
            "only {} found: {BARREN} more tries brought none; allow more stones",
            plural(before, "position", "positions")
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
    fn positions_may_have_as_many_stones_as_half_of_the_board() {
        for stones in ["3", "30", "63", "64", "70", "100", "112"] {
            assert!(sample(stones).unwrap(), "{stones}");
        }
    }

    #[test]
    fn a_number_of_stones_out_of_range_is_refused_with_the_range() {
        for stones in ["0", "1", "2", "113", "225"] {
            let reported = sample(stones).unwrap_err().to_string();
            let range = "a whole number from 3 to 112 is needed on a board of 15x15";
            assert_eq!(reported, format!("--stones {stones}: {range}"));
        }
    }
}
