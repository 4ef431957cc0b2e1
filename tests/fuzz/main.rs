//! The bodies of the fuzz targets on their seeds and on damaged seeds: the targets
//! stay up to date, and the bugs they have found stay fixed.

mod bodies;

use std::fs;
use std::path::{Path, PathBuf};

use bodies::TARGETS;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Number of damaged inputs made from each seed.
const DAMAGED_INPUTS: usize = 40;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz")
}

/// The seeds of a target with their paths, in order.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder().join("seeds").join(target)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seed = |path: PathBuf| (path.display().to_string(), fs::read(path).unwrap());
    paths.into_iter().map(seed).collect()
}

/// Changes, inserts, removes or copies a few bytes.
fn damaged(seed: &[u8], rng: &mut SmallRng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..rng.random_range(1..5) {
        let at = rng.random_range(0..=bytes.len());
        let end = rng.random_range(at..=bytes.len().min(at + 32));
        match rng.random_range(0..5) {
            0 => bytes.insert(at, rng.random()),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = rng.random_range(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes[at..end].iter_mut().take(2).for_each(|byte| *byte = rng.random()),
        }
    }
    bytes
}

#[test]
fn seeds_and_damaged_seeds_cause_no_panic() {
    for (target, body) in TARGETS {
        let mut rng = SmallRng::seed_from_u64(8);
        let mut is_read = false;
        for (name, seed) in seeds(target) {
            println!("{name}");
            is_read |= body(&seed);
            for _ in 0..DAMAGED_INPUTS {
                let input = damaged(&seed, &mut rng);
                println!("spoilt: {}", input.escape_ascii());
                body(&input);
            }
        }
        assert!(is_read, "{target}: every seed is refused");
    }
}

#[test]
fn every_target_can_be_run_and_has_seeds() {
    let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
    let names = manifest.split("[[bin]]\nname = \"").skip(1);
    let mut listed: Vec<&str> = names.filter_map(|bin| bin.split('"').next()).collect();
    listed.sort_unstable();
    let mut named: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(listed, named);
    assert!(named.iter().all(|target| !seeds(target).is_empty()));
}
