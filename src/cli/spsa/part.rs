//! A run in parts: of `n` parts each plays every `n`-th pair of games.
//!
//! A part writes the results of its own pairs and reads those of the others, whose
//! files lie in the same folder. As an iteration begins with the values learnt a
//! fixed number of iterations before it, each part computes the same values as
//! every other, and as a run on one machine. A part waits for missing results of
//! the others: all parts must run at the same time.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{PairPlayer, Results};
use super::learner::Learner;
use super::pipeline::{OwnPairs, Pipeline};
use super::record;
use super::report;
use super::tuner::{Trial, Tuner};
use crate::lock::lock;
use crate::progress::Steps;
use crate::run::journal::RunJournal;
use crate::run::parts::{Parts, hold, write_lines};
use crate::run::shard::Shard;
use crate::run::siblings::{SiblingPlace, Siblings};
use crate::run::stop::{RESUMED, Stop};
use goren_notation::words::plural;

/// The format in the first line of the file of a part.
pub(crate) const FORMAT: &str = "goren spsa part 1";

/// Time between two reads of the files of the other parts.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// Waiting time for another part after which a message names its pair.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause of a thread that has nothing to play at the end.
const PAUSE: Duration = Duration::from_millis(5);

/// A line of the file of a part: the result of a pair of games.
#[derive(Clone, Serialize, Deserialize)]
struct PairLine {
    /// Number of the pair in the whole run, from 0.
    pair: u64,
    /// Games won, lost and drawn by the first side.
    result: Results,
}

impl PairLine {
    fn read(line: &[u8], shard: Shard) -> Result<PairLine> {
        let line: PairLine = serde_json::from_slice(line).context("not the line of a pair")?;
        let Results(won, lost, drawn) = line.result;
        let games = won.saturating_add(lost).saturating_add(drawn);
        ensure!(games == 2 && shard.has(line.pair), "the result of another part or run");
        Ok(line)
    }
}

/// The settings of a part of the run described by `header`.
fn header_of_part(header: &Value, every: u64, shard: Shard) -> Value {
    let mut part = header.clone();
    part["format"] = json!(FORMAT);
    part["every"] = json!(every);
    part["shard"] = shard.header();
    part
}

/// The run of a part.
pub(super) struct PartRun<'a> {
    pub(super) out: &'a Path,
    pub(super) resume: bool,
    /// The settings of the whole run.
    pub(super) header: Value,
    pub(super) shard: Shard,
    pub(super) stop: Stop,
    pub(super) pairs: u64,
    pub(super) every: u64,
    pub(super) threads: usize,
}

impl PartRun<'_> {
    /// Plays the pairs of a part of a run that begins as `tuner`, and learns from
    /// those of all parts; returns the final state.
    ///
    /// # Errors
    /// A file cannot be read or written or is of another run; another file holds
    /// the same part; those of `player` and `play`; the run was stopped.
    pub(super) fn play<'p>(
        &self,
        tuner: Tuner,
        learner: Learner,
        player: impl Fn() -> Result<PairPlayer<'p>> + Sync,
        play: impl Fn(&mut PairPlayer<'p>, u64, &Trial) -> Result<Results> + Sync,
    ) -> Result<(Tuner, Learner)> {
        let header = header_of_part(&self.header, self.every, self.shard);
        let mut known = Vec::new();
        let (mut journal, _) =
            RunJournal::open(self.out, "run", &header, self.resume, |line, _| {
                let line = PairLine::read(line, self.shard)?;
                let due = self.shard.item(known.len() as u64);
                ensure!(line.pair == due, "pair {}, not {due}", line.pair);
                known.push(line);
                Ok(())
            })?;
        let (first, iterations) = (known.len() as u64, tuner.gains().iterations);
        let pipeline = Pipeline::new(tuner);
        let collector = Mutex::new(Collector {
            pipeline: &pipeline,
            learner,
            waiting: BTreeMap::new(),
            due: 0,
            steps: None,
            last_progress: Instant::now(),
        });
        known.into_iter().try_for_each(|line| lock(&collector).add(line))?;
        let mut siblings = Siblings::new(self.out, SiblingPlace::Files, &header, self.shard)?;
        siblings.look(|line| lock(&collector).read(line))?;
        let restored = pipeline.tuner().done();
        lock(&collector).begin(iterations, restored);
        let own = plural(first, "pair", "pairs");
        println!("{}: {own} of {} kept", self.out.display(), self.shard);
        let is_over = AtomicBool::new(restored == iterations);
        let sink = |own: u64, result: Option<Results>| {
            let Some(result) = result else {
                thread::sleep(PAUSE);
                return Ok(!is_over.load(Relaxed));
            };
            let line = PairLine { pair: self.shard.item(own), result };
            journal.append(&format!("{}\n", serde_json::to_string(&line)?))?;
            lock(&collector).add(line)?;
            Ok(true)
        };
        if restored < iterations {
            thread::scope(|scope| {
                let follow = || {
                    let followed = self.follow(&collector, &mut siblings, &is_over);
                    is_over.store(true, Relaxed);
                    pipeline.end();
                    followed
                };
                let reader = scope.spawn(follow);
                let own = OwnPairs { first, shard: self.shard, pairs: self.pairs };
                let played = pipeline.play_own(&own, self.threads, player, play, sink);
                is_over.store(true, Relaxed);
                let followed =
                    reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                played.and(followed)
            })?;
        }
        let Collector { learner, .. } =
            collector.into_inner().unwrap_or_else(PoisonError::into_inner);
        let tuner = pipeline.tuner();
        if tuner.done() < iterations {
            return Err(self.stop.stopped(RESUMED).into());
        }
        Ok((tuner, learner))
    }

    /// Reads the results of the other parts until the run is over or stopped.
    fn follow(
        &self,
        collector: &Mutex<Collector>,
        siblings: &mut Siblings,
        is_over: &AtomicBool,
    ) -> Result<()> {
        while !is_over.load(Relaxed) && !lock(collector).is_over() && self.stop.asked().is_none() {
            siblings.look(|line| lock(collector).read(line))?;
            if let Some(pair) = lock(collector).waits_for() {
                let (number, of) = (pair % self.shard.of + 1, self.shard.of);
                let missing = siblings.missing(number).map(|why| format!(", {why}"));
                eprintln!("waiting for part {number} of {of}{}", missing.unwrap_or_default());
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

/// Puts the pairs of all parts in order and learns from them.
struct Collector<'a> {
    pipeline: &'a Pipeline,
    learner: Learner,
    /// Results of pairs after the next one.
    waiting: BTreeMap<u64, Results>,
    /// The next pair to learn from.
    due: u64,
    steps: Option<Steps>,
    /// Time of the last pair learnt from, or of the last message about waiting.
    last_progress: Instant,
}

impl Collector<'_> {
    /// Shows progress from now on.
    fn begin(&mut self, iterations: u64, restored: u64) {
        self.learner.set_restored(restored);
        self.steps = Some(Steps::new(iterations, restored, "iterations"));
    }

    fn is_over(&self) -> bool {
        let tuner = self.pipeline.tuner();
        tuner.done() == tuner.gains().iterations
    }

    /// Adds a line of another part.
    fn read(&mut self, line: &[u8]) -> Result<()> {
        self.add(PairLine::read(line, Shard::WHOLE)?)
    }

    fn add(&mut self, line: PairLine) -> Result<()> {
        self.waiting.insert(line.pair, line.result);
        while let Some(score) = self.waiting.remove(&self.due) {
            let pair = self.due;
            self.due += 1;
            self.last_progress = Instant::now();
            let learnt = self.learner.take(pair, score, |won| self.pipeline.learn(won));
            if let (Some((line, tuner)), Some(steps)) = (learnt, &self.steps) {
                self.learner.report(steps, &line, &tuner);
            }
        }
        Ok(())
    }

    /// Returns the missing pair, once every [`PATIENCE`] of waiting for it.
    fn waits_for(&mut self) -> Option<u64> {
        let is_long = self.last_progress.elapsed() >= PATIENCE;
        is_long.then(|| {
            self.last_progress = Instant::now();
            self.due
        })
    }
}

/// Joins the files of the parts of a run into that of the whole one.
///
/// # Errors
/// A file cannot be read or written, or is damaged; the files are of different runs;
/// `out` holds something else, or is the file of a part.
pub(crate) fn join(out: &Path, files: &[PathBuf]) -> Result<bool> {
    let _lock = hold(out, out)?;
    let joined = Parts::read(files, "run", |_, shard, line| {
        let line = PairLine::read(line, shard)?;
        Ok((line.pair, line.result))
    })?;
    let (mut header, number) = (joined.header.clone(), |name: &str| joined.header[name].as_u64());
    let (pairs, every) = (number("pairs").context("no pairs")?, number("every").unwrap_or(1));
    let conditions = header["fields"].as_array().map_or(0, Vec::len);
    ensure!(conditions > 0 && pairs > 0 && every > 0, "the settings of a run are damaged");
    let mut tuner = record::tuner(&header)?;
    let mut learner = Learner::new(pairs, every, conditions);
    let mut lines = Vec::new();
    let mut due = 0;
    while let Some((score, _)) = joined.items.get(&due) {
        let learn = |won| {
            tuner.learn(won);
            tuner.clone()
        };
        if let Some((line, _)) = learner.take(due, *score, learn) {
            lines.push(format!("{}\n", serde_json::to_string(&line)?));
        }
        due += 1;
    }
    if let Some(settings) = header.as_object_mut() {
        settings.retain(|name, _| !["format", "every", "shard"].contains(&name.as_str()));
    }
    let name = out.display();
    let existing = match fs::read(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.with_context(|| format!("cannot read {name}"))?,
    };
    let text = format!("{header}\n{}", lines.concat());
    ensure!(
        text.as_bytes().starts_with(&existing),
        "{name} holds something else, and stays as it is"
    );
    write_lines(out, &header, lines.iter().map(String::as_str))?;
    let (done, iterations) = (tuner.done(), tuner.gains().iterations);
    println!("{}", report::table(tuner.axes()));
    println!("{done} of {}", plural(iterations, "iteration", "iterations"));
    let is_whole = joined.report("pair", "pairs") && done == iterations;
    let excess = joined.items.len() as u64 - done * pairs;
    if excess > 0 {
        let pairs = plural(excess, "pair of an iteration that is", "pairs of iterations that are");
        let are = if excess == 1 { "is" } else { "are" };
        println!("{pairs} not complete {are} left out.");
    }
    Ok(is_whole)
}
