//! `goren selfplay`: training games of the engine against itself.
//!
//! A game depends on nothing but its seed. `ordered_jobs.rs` runs the seeds on all
//! threads and passes the results on in order, so that a file does not depend
//! on the number of threads, and an interrupted run continues where its file
//! ends.

mod args;
mod chance;
mod family;
mod five;
mod game;
pub(super) mod record;

use std::fs;

use anyhow::{Context, Result, ensure};

pub use args::Args;
pub(super) use chance::jittered;
use goren_core::rules::{Setup, Variant};

/// Plays games until there are enough.
///
/// # Errors
/// Settings that contradict each other, a file of another run or one that
/// cannot be written, no memory for the searches.
pub fn run(args: &Args) -> Result<bool> {
    let contest = args.game.contest()?;
    ensure!(!args.game.is_opened(), "training games begin with random stones, not by --opening");
    let stones = (args.min_stones, args.max_stones);
    ensure!(stones.0 <= stones.1, "at least {} and at most {} stones", stones.0, stones.1);
    let area = contest.width * contest.height;
    ensure!(stones.1 * 4 <= area, "{} stones are too many for this board", stones.1);
    if let Some(folder) = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    match contest.variant {
        Variant::Five(rule) => five::run(args, Setup::new(rule, contest.width, contest.height)?),
        _ => family::run(args, contest),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::data::{Game, Reader, Writer};
    use crate::test_args::parse;

    pub fn args(line: &str) -> Args {
        parse(line).unwrap()
    }

    #[test]
    fn an_interrupted_run_goes_on_and_shards_make_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let play = |name: &str, more: &str| {
            run(&args(&format!("--out {} --nodes 40 --max-score 500 {more}", at(name).display())))
        };
        let bytes = |name: &str| fs::read(at(name)).unwrap();
        play("whole", "--games 6 --threads 2").unwrap();
        play("parts", "--games 2 --threads 1").unwrap();
        let cut = bytes("parts").len() - 5;
        fs::write(at("parts"), &bytes("parts")[..cut]).unwrap();
        play("parts", "--games 6 --threads 3").unwrap();
        assert_eq!(bytes("parts"), bytes("whole"));

        play("odd", "--games 3 --shard 1/2").unwrap();
        play("even", "--games 3 --shard 2/2").unwrap();
        let games = |name: &str| -> Vec<Game> {
            let reader = Reader::open(&at(name)).unwrap();
            reader.map(Result::unwrap).collect()
        };
        let (odd, even) = (games("odd"), games("even"));
        let woven: Vec<Game> = odd.into_iter().zip(even).flat_map(|(a, b)| [a, b]).collect();
        assert_eq!(woven, games("whole"));

        let other = play("whole", "--games 9 --seed 2").unwrap_err();
        assert!(other.to_string().contains("another run"), "{other}");
        let other = play("whole", "--games 9 --astray 0.9").unwrap_err();
        assert!(other.to_string().contains("other settings"), "{other}");
        assert_eq!(games("whole").len(), 6);
        let lock = Writer::resume(&at("whole"), |_| Ok(())).unwrap();
        let other = play("whole", "--games 9").unwrap_err();
        assert!(other.to_string().contains("another run writes"), "{other}");
        drop(lock);
    }
}
