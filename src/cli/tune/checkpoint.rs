//! Checkpoints, from which an interrupted `goren tune` continues.
//!
//! After each epoch the state of the fit is written beside the weights file, to a file
//! of its name with `.checkpoint` appended. A finished run removes it. The file is a
//! line of JSON (settings, then name and lengths of each stage of the fit), the
//! numbers of the stages (little-endian: two `f64` for each epoch, then four vectors
//! of `f32`), and the CRC-32 of all that.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::args::Args;
use super::train::{Epoch, FitProgress};
use crate::run::checksum::{CHECKSUMS, of_embedded, of_file};
use crate::run::journal::same_settings;
use goren_files::{output_path, with_suffix};

/// The number in `version`; any other is refused.
const VERSION: u32 = 1;

/// Bytes of a file that are hashed at a time.
const CHUNK: u64 = 1 << 20;

/// The states of the stages of a fit that have begun, in order.
#[derive(Default)]
pub(super) struct Checkpoint {
    /// `None`: nothing is written.
    path: Option<PathBuf>,
    settings: Value,
    stages: Vec<(String, FitProgress)>,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Header {
    settings: Value,
    stages: Vec<Stage>,
}

/// A stage, such as the ordering, and how many of its numbers follow.
#[derive(Serialize, Deserialize)]
struct Stage {
    name: String,
    epochs: usize,
    steps: i32,
    parameters: usize,
    weights: usize,
}

impl Checkpoint {
    /// The checkpoint of a run. With `--resume` it takes over the file of an
    /// interrupted run, if there is one.
    ///
    /// # Errors
    /// A file that is there without `--resume`, was written with other settings or
    /// from other data, is damaged, or cannot be read.
    pub(super) fn open(args: &Args) -> Result<Checkpoint> {
        let path = path_of(&args.out);
        let settings = settings(args)?;
        let mut checkpoint = Checkpoint { path: Some(path), settings, stages: Vec::new() };
        let Some(path) = checkpoint.path.as_deref().filter(|path| path.exists()) else {
            return Ok(checkpoint);
        };
        let name = path.display();
        ensure!(
            args.resume,
            "{name} is left over from an interrupted run; continue it with --resume, or delete it"
        );
        let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
        let (found, stages) = parse(&bytes).with_context(|| format!("{name} is damaged"))?;
        same_settings(&found, &checkpoint.settings, "checkpoint")
            .with_context(|| format!("{name} cannot be resumed"))?;
        if found.get(CHECKSUMS).is_none() {
            // Written by a former version.
            let assumed = "its initial weights; the same as now are assumed";
            eprintln!("note: {name} does not record {assumed}");
        }
        for (stage, progress) in &stages {
            println!("{name}: {stage}, {} epochs kept", progress.epochs.len());
        }
        checkpoint.stages = stages;
        Ok(checkpoint)
    }

    /// The state of a stage, if it has begun.
    pub(super) fn progress(&self, stage: &str) -> Option<&FitProgress> {
        self.stages.iter().find(|(name, _)| name == stage).map(|(_, progress)| progress)
    }

    /// Saves the state of a stage.
    ///
    /// # Errors
    /// The file cannot be written; the previous one stays.
    pub(super) fn save(&mut self, stage: &str, progress: &FitProgress) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        self.stages.retain(|(name, _)| name != stage);
        self.stages.push((stage.to_owned(), progress.clone()));
        Ok(output_path::replace(path, &serialize(&self.settings, &self.stages)?)?)
    }

    /// Removes the file of a finished run.
    ///
    /// # Errors
    /// An I/O error.
    pub(super) fn remove(self) -> Result<()> {
        match self.path.filter(|path| path.exists()) {
            Some(path) => {
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))
            }
            None => Ok(()),
        }
    }
}

/// Path of the checkpoint of a weights file.
fn path_of(out: &Path) -> PathBuf {
    with_suffix(out, ".checkpoint")
}

/// The settings that the weights depend on. Data and `--base` are identified by length and
/// CRC-32. Weights files end with their own CRC-32, so that the CRC-32 of the whole file is
/// always the same; a second checksum, of the bytes in reverse, distinguishes them.
fn settings(args: &Args) -> Result<Value> {
    // All fields by name, so that a new one must be added here.
    let Args {
        data,
        game,
        size,
        base,
        learn_on,
        epochs,
        batch,
        net_epochs,
        net_rate,
        window_epochs,
        window_rate,
        policy_epochs,
        policy_rate,
        rate,
        lambda,
        td_lambda,
        scale,
        fit_scale,
        valid,
        positions,
        seed,
        whole_games,
        out: _,
        plot: _,
        threads: _,
        resume: _,
    } = args;
    let identity = |path: &PathBuf| -> Result<Value> {
        let (length, crc) =
            length_and_crc(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(json!({ "bytes": length, "crc32": crc }))
    };
    Ok(json!({
        "format": "goren tune checkpoint",
        "version": VERSION,
        "game": game.to_string(),
        "data": data.iter().map(identity).collect::<Result<Vec<_>>>()?,
        "base": base.as_ref().map(identity).transpose()?,
        "size": size.0,
        "learn_on": learn_on,
        "epochs": epochs,
        "batch": batch,
        "net_epochs": net_epochs,
        "net_rate": net_rate,
        "window_epochs": window_epochs,
        "window_rate": window_rate,
        "policy_epochs": policy_epochs,
        "policy_rate": policy_rate,
        "rate": rate,
        "lambda": lambda,
        "td_lambda": td_lambda,
        "scale": scale,
        "fit_scale": fit_scale,
        "valid": valid,
        "positions": positions,
        "seed": seed,
        "whole_games": whole_games,
        CHECKSUMS: { "base_checksum": base_checksum(args) },
    }))
}

/// The length and the CRC-32 of a file, which may not fit into memory.
fn length_and_crc(path: &Path) -> io::Result<(u64, u32)> {
    let mut file = File::open(path)?;
    let (mut hasher, mut length, mut chunk) = (crc32fast::Hasher::new(), 0, Vec::new());
    loop {
        chunk.clear();
        let count = file.by_ref().take(CHUNK).read_to_end(&mut chunk)?;
        if count == 0 {
            return Ok((length, hasher.finalize()));
        }
        hasher.update(&chunk);
        length += count as u64;
    }
}

/// The checksum of the weights that the fit begins from: those of `--base`, or the embedded
/// ones.
fn base_checksum(args: &Args) -> Option<u32> {
    match &args.base {
        Some(path) => of_file(path),
        None => of_embedded(args.game),
    }
}

/// The bytes of a checkpoint file.
fn serialize(settings: &Value, stages: &[(String, FitProgress)]) -> Result<Vec<u8>> {
    let header = Header {
        settings: settings.clone(),
        stages: stages
            .iter()
            .map(|(name, progress)| Stage {
                name: name.clone(),
                epochs: progress.epochs.len(),
                steps: progress.steps,
                parameters: progress.parameters.len(),
                weights: progress.best.len(),
            })
            .collect(),
    };
    let mut bytes = serde_json::to_vec(&header)?;
    bytes.push(b'\n');
    for (_, progress) in stages {
        for epoch in &progress.epochs {
            bytes.extend(epoch.train.to_le_bytes());
            bytes.extend(epoch.valid.to_le_bytes());
        }
        let FitProgress { parameters, mean, square, best, .. } = progress;
        for vector in [parameters, mean, square, best] {
            bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        }
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

/// Parses the bytes of a checkpoint file into settings and stages.
fn parse(bytes: &[u8]) -> Result<(Value, Vec<(String, FitProgress)>)> {
    let (content, sum) = bytes.split_last_chunk::<4>().context("it is too short")?;
    ensure!(crc32fast::hash(content) == u32::from_le_bytes(*sum), "its checksum is wrong");
    let end = content.iter().position(|&byte| byte == b'\n').context("it has no header")?;
    let header: Header = serde_json::from_slice(&content[..end])?;
    let mut numbers = Numbers(&content[end + 1..]);
    let mut stages = Vec::new();
    for stage in header.stages {
        let mut epochs = Vec::new();
        for _ in 0..stage.epochs {
            let (train, valid) = (numbers.double()?, numbers.double()?);
            epochs.push(Epoch { train, valid });
        }
        let progress = FitProgress {
            epochs,
            steps: stage.steps,
            parameters: numbers.vector(stage.parameters)?,
            mean: numbers.vector(stage.parameters)?,
            square: numbers.vector(stage.parameters)?,
            best: numbers.vector(stage.weights)?,
        };
        stages.push((stage.name, progress));
    }
    if !numbers.0.is_empty() {
        bail!("it is too long");
    }
    Ok((header.settings, stages))
}

/// The bytes of the numbers still to read.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn double(&mut self) -> Result<f64> {
        let (first, rest) = self.0.split_first_chunk().context("it is too short")?;
        self.0 = rest;
        Ok(f64::from_le_bytes(*first))
    }

    fn vector(&mut self, length: usize) -> Result<Vec<f32>> {
        let size = length.checked_mul(4).context("it is too short")?;
        let (part, rest) = self.0.split_at_checked(size).context("it is too short")?;
        self.0 = rest;
        let (numbers, _) = part.as_chunks();
        Ok(numbers.iter().map(|&number| f32::from_le_bytes(number)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::tests::short_games::arguments;
    use goren_core::rules::RuleId;
    use goren_engine::eval::{Side, Weights};

    fn progress(epochs: usize, seed: f32) -> FitProgress {
        let vector = |length: usize, by: f32| (0..length).map(|i| i as f32 * by + seed).collect();
        FitProgress {
            epochs: (0..epochs)
                .map(|i| Epoch { train: 1.0 / (i as f64 + 3.0), valid: 0.1 * i as f64 })
                .collect(),
            steps: 17 * epochs as i32,
            parameters: vector(5, 0.1),
            mean: vector(5, 1e-7),
            square: vector(5, 1e-30),
            best: vector(7, -3.3),
        }
    }

    #[test]
    fn checkpoints_are_read_back() {
        let stages =
            vec![("evaluation".into(), progress(3, 0.7)), ("net".into(), progress(1, 0.1))];
        let settings = json!({ "seed": 1 });
        let bytes = serialize(&settings, &stages).unwrap();
        assert_eq!(parse(&bytes).unwrap(), (settings, stages));
    }

    /// A rate has up to 17 digits as JSON; a run must recognise its own settings.
    #[test]
    fn rates_are_read_back_exactly() {
        let rates: Vec<f32> = (1..1000_u16).map(|k| f32::from(k) / 1000.0).collect();
        let settings = json!({ "rates": rates });
        let (found, _) = parse(&serialize(&settings, &[]).unwrap()).unwrap();
        same_settings(&found, &settings, "checkpoint").unwrap();
    }

    #[test]
    fn damage_anywhere_is_detected() {
        let bytes = serialize(&json!({}), &[("net".into(), progress(2, 0.3))]).unwrap();
        for at in 0..bytes.len() {
            assert!(parse(&bytes[..at]).is_err(), "cut at {at}");
            let mut flipped = bytes.clone();
            flipped[at] ^= 4;
            assert!(parse(&flipped).is_err(), "flipped at {at}");
        }
    }

    /// All weights files of one length have the same CRC-32, as they end with their own.
    #[test]
    fn other_base_weights_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [data, base, out] =
            ["data", "base.bin", "out.bin"].map(|name| folder.path().join(name));
        fs::write(&data, "games").unwrap();
        let write_base = |value: i16| {
            let mut side = Side::ZERO;
            side.to_move[1] = value;
            let weights = Weights::new(RuleId::Freestyle, &[side.clone(), side]);
            fs::write(&base, weights.write()).unwrap();
        };
        write_base(1);
        let mut args = arguments("freestyle", &data);
        (args.base, args.out) = (Some(base.clone()), out);
        Checkpoint::open(&args).unwrap().save("net", &progress(1, 0.1)).unwrap();
        args.resume = true;
        assert!(Checkpoint::open(&args).is_ok());
        write_base(2);
        let error = format!("{:#}", Checkpoint::open(&args).err().unwrap());
        assert!(error.contains("base_checksum was"), "{error}");
        // A former version wrote no checksum.
        let mut former = settings(&args).unwrap();
        former.as_object_mut().unwrap().remove(CHECKSUMS);
        fs::write(path_of(&args.out), serialize(&former, &[]).unwrap()).unwrap();
        assert!(Checkpoint::open(&args).is_ok());
        // The embedded weights have a checksum too.
        for game in ["freestyle", "renju", "pente"] {
            let settings = settings(&arguments(game, &data)).unwrap();
            assert!(settings[CHECKSUMS]["base_checksum"].is_u64(), "{game}");
        }
    }

    #[test]
    fn large_files_are_hashed_in_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        for length in [0, 1, CHUNK as usize, CHUNK as usize + 1] {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            fs::write(&path, &bytes).unwrap();
            let expected = (length as u64, crc32fast::hash(&bytes));
            assert_eq!(length_and_crc(&path).unwrap(), expected);
        }
    }
}
