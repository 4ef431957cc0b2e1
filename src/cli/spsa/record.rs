//! File of a run: a line with its settings, then a line for each iteration with
//! its results. The parameter values follow from these; they are also written now
//! and then for human readers.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::game::{Condition, Results};
use super::tuner::{Gains, TunedValue, Tuner};
use crate::opening_file::{OpeningFormat, write_line};
use crate::run::checksum::{CHECKSUMS, WEIGHTS_CRC32, of_bytes};
use crate::run::journal::RunJournal;
use goren_core::rules::Variant;
use goren_engine::eval::{Weights, write_tuples};
use goren_engine::game::tuple_family;
use goren_engine::{Params, Spec};
use goren_notation::words::plural;

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct IterationLine {
    /// Number of the iteration, from 1.
    pub iteration: u64,
    /// Games won, lost and drawn by its first side, by condition.
    pub results: Vec<Results>,
    /// The values after the iteration, by name, if they are due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Value>,
}

impl IterationLine {
    /// Games won less those lost by the first side.
    pub(super) fn won(&self) -> i64 {
        self.results.iter().map(|score| score.0 as i64 - score.1 as i64).sum()
    }
}

/// The values by name, for [`IterationLine::values`].
pub(super) fn values(axes: &[TunedValue]) -> Value {
    // Three decimals are enough to read.
    let short = |now: f64| (now * 1000.0).round() / 1000.0;
    axes.iter().map(|axis| (axis.spec.name.to_owned(), json!(short(axis.now)))).collect()
}

/// The settings of a run, which must be the same when it is resumed.
pub(super) fn header(
    tuner: &Tuner,
    base: &Params,
    conditions: &[Condition],
    nodes: u64,
    pairs: u64,
    seed: u64,
) -> Value {
    let gains = tuner.gains();
    let condition = |condition: &Condition| {
        let contest = &condition.contest;
        let line = |opening: &Vec<_>| write_line(opening, contest, OpeningFormat::Points);
        let lines: Vec<String> = condition.openings.iter().map(line).collect();
        let crc32 = (!lines.is_empty()).then(|| crc32fast::hash(lines.join("\n").as_bytes()));
        let mut settings = json!({
            "variant": contest.variant.to_string(),
            "opened": contest.opening.name(),
            "width": contest.width,
            "height": contest.height,
            "openings_crc32": crc32,
        });
        if let Some((file, is_embedded)) = weights_file(condition) {
            if !is_embedded {
                // Without the CRC-32 at its end, which makes that of the whole file constant.
                let content = &file[..file.len() - size_of::<u32>()];
                settings[WEIGHTS_CRC32] = json!(crc32fast::hash(content));
            }
            settings[CHECKSUMS] = json!({ "weights_checksum": of_bytes(file) });
        }
        settings
    };
    let base: Value = Params::SPECS
        .iter()
        .zip(base.values())
        .map(|(s, v)| (s.name.to_owned(), json!(v)))
        .collect();
    let axis = |axis: &TunedValue| {
        let spec = &axis.spec;
        json!([spec.name, spec.min, spec.max, spec.step])
    };
    json!({
        "version": 3,
        "iterations": gains.iterations,
        "pairs": pairs,
        "nodes": nodes,
        "seed": seed,
        "rate_end": gains.rate_end,
        "alpha": gains.alpha,
        "gamma": gains.gamma,
        "fields": conditions.iter().map(condition).collect::<Vec<_>>(),
        "tuned": tuner.axes().iter().map(axis).collect::<Vec<_>>(),
        "start": base,
    })
}

/// The initial state of the run that [`header`] describes.
///
/// # Errors
/// The header describes no run, or parameters that are unknown or have changed.
pub(super) fn tuner(header: &Value) -> Result<Tuner> {
    let number = |name: &str| header[name].as_f64().with_context(|| format!("no {name}"));
    let whole = |name: &str| header[name].as_u64().with_context(|| format!("no {name}"));
    let gains = Gains {
        iterations: whole("iterations")?,
        rate_end: number("rate_end")?,
        alpha: number("alpha")?,
        gamma: number("gamma")?,
    };
    let mut base = Params::default();
    for (name, value) in header["start"].as_object().context("no initial values")? {
        base.set(name, &value.to_string())?;
    }
    let spec = |tuned: &Value| {
        let same = |spec: &&Spec| json!([spec.name, spec.min, spec.max, spec.step]) == *tuned;
        let spec = Params::SPECS.iter().find(same).copied();
        spec.with_context(|| format!("this version has no parameter {tuned}"))
    };
    let tuned = header["tuned"].as_array().context("no parameters")?;
    let specs: Vec<Spec> = tuned.iter().map(spec).collect::<Result<_>>()?;
    Ok(Tuner::new(gains, whole("seed")?, base, &specs))
}

/// The file of the weights of a game, and whether they are those of the engine; `None` for a
/// game without weights.
fn weights_file(Condition { contest, weights, .. }: &Condition) -> Option<(Vec<u8>, bool)> {
    match (contest.variant, tuple_family(contest.variant)) {
        (Variant::Five(rule), _) => {
            let weights = weights.of(rule);
            Some((weights.write(), weights == Weights::embedded(rule)))
        }
        (_, Some(family)) => {
            let weights = weights.tuples(family);
            Some((write_tuples(family, &weights), weights == family.weights()))
        }
        (_, None) => None,
    }
}

/// Opens the file of a run. With `resume`, an existing file is continued: its
/// lines are passed to `read` first.
///
/// # Errors
/// Those of [`RunJournal::open`]; an iteration that is not of this run.
pub(super) fn open(
    path: &Path,
    header: &Value,
    conditions: usize,
    pairs: u64,
    resume: bool,
    mut read: impl FnMut(IterationLine),
) -> Result<RunJournal> {
    let iterations = header["iterations"].as_u64().unwrap_or(0);
    let (journal, _) = RunJournal::open(path, "run", header, resume, |bytes, number| {
        let line: IterationLine =
            serde_json::from_slice(bytes).context("not the line of an iteration")?;
        let due = number as u64 - 1;
        ensure!(line.iteration == due, "iteration {}, not {due}", line.iteration);
        ensure!(
            due <= iterations,
            "the run has only {}",
            plural(iterations, "iteration", "iterations")
        );
        let counts = line.results.iter().flat_map(|score| [score.0, score.1, score.2]);
        let games = counts.fold(0, u64::saturating_add);
        ensure!(line.results.len() == conditions && games == 2 * pairs, "results of another run");
        read(line);
        Ok(())
    })?;
    Ok(journal)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::variant::contest_of;
    use goren_core::rules::RuleId;
    use goren_engine::WeightSet;
    use goren_engine::eval::{Side, WeightFile};

    /// A temporary folder for the file of a test.
    struct Run(TempDir);

    impl Run {
        /// Three iterations of two pairs over two rules.
        fn new() -> Run {
            let run = Run::empty();
            let mut journal = run.open(false).unwrap().0;
            for line in lines() {
                journal.append(&format!("{}\n", serde_json::to_string(&line).unwrap())).unwrap();
            }
            run
        }

        fn empty() -> Run {
            Run(tempdir().unwrap())
        }

        fn path(&self) -> PathBuf {
            self.0.path().join("run.jsonl")
        }

        fn open(&self, resume: bool) -> Result<(RunJournal, Vec<IterationLine>)> {
            self.open_as(&settings(), resume)
        }

        fn open_as(
            &self,
            header: &Value,
            resume: bool,
        ) -> Result<(RunJournal, Vec<IterationLine>)> {
            let mut lines = Vec::new();
            let journal = open(&self.path(), header, 2, 2, resume, |line| lines.push(line))?;
            Ok((journal, lines))
        }

        fn write(&self, lines: &[&str]) {
            fs::write(self.path(), lines.join("\n") + "\n").unwrap();
        }

        fn error(&self) -> String {
            format!("{:#}", self.open(true).unwrap_err())
        }
    }

    fn settings() -> Value {
        json!({"version": 3, "iterations": 3, "pairs": 2, "seed": 1})
    }

    fn lines() -> [IterationLine; 3] {
        let line = |iteration, results, values| IterationLine { iteration, results, values };
        [
            line(1, vec![Results(2, 0, 0), Results(0, 1, 1)], None),
            line(2, vec![Results(0, 2, 0), Results(0, 0, 2)], Some(json!({"iir": 936.125}))),
            line(3, vec![Results(1, 1, 0), Results(0, 2, 0)], None),
        ]
    }

    #[test]
    fn games_won_less_lost_are_counted_over_all_rules() {
        assert_eq!(lines().map(|line| line.won()), [1, -2, -2]);
    }

    #[test]
    fn weights_have_checksums_and_only_foreign_ones_a_crc32() {
        let rule = RuleId::Standard;
        let field = |own: Option<Weights>| {
            let mut weights = WeightSet::default();
            own.into_iter().for_each(|own| weights.insert(WeightFile::Five(Box::new(own))));
            let contest = contest_of("standard", None).unwrap();
            let gains = Gains { iterations: 3, rate_end: 0.1, alpha: 0.6, gamma: 0.1 };
            let tuner = Tuner::new(gains, 1, Params::default(), &[]);
            let condition = Condition { contest, weights, openings: Vec::new() };
            header(&tuner, &Params::default(), &[condition], 100, 2, 1)["fields"][0].clone()
        };
        let mut side = Side::ZERO;
        let zero = field(Some(Weights::new(rule, &[side.clone(), side.clone()])));
        side.to_move[1] = 1;
        let one = field(Some(Weights::new(rule, &[side.clone(), side])));
        assert_ne!(zero["weights_crc32"], one["weights_crc32"]);
        assert!(zero["weights_crc32"].is_u64());
        let embedded = field(None);
        assert!(embedded.get("weights_crc32").is_none());
        // Embedded weights have a checksum too, as they change with the engine.
        let sums = [zero, one, embedded].map(|field| field[CHECKSUMS]["weights_checksum"].clone());
        assert!(sums.iter().all(Value::is_u64) && sums[0] != sums[1] && sums[1] != sums[2]);
    }

    #[test]
    fn iterations_are_read_back_and_nothing_is_overwritten() {
        let run = Run::new();
        let before = fs::read(run.path()).unwrap();
        let error = format!("{:#}", run.open(false).unwrap_err());
        assert!(error.contains("holds a run already; continue it with --resume"), "{error}");
        let (journal, found) = run.open(true).unwrap();
        assert_eq!(found, lines());
        assert!(run.error().contains("is in use by another run"));
        drop(journal);
        assert_eq!(fs::read(run.path()).unwrap(), before);
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_complete_lines() {
        let run = Run::new();
        let whole = fs::read(run.path()).unwrap();
        for cut in 0..=whole.len() {
            fs::write(run.path(), &whole[..cut]).unwrap();
            let (mut journal, found) = run.open(true).unwrap();
            let ends = whole[..cut].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(found, lines()[..ends.saturating_sub(1)], "{cut}");
            for line in &lines()[found.len()..] {
                journal.append(&format!("{}\n", serde_json::to_string(line).unwrap())).unwrap();
            }
            drop(journal);
            assert_eq!(fs::read(run.path()).unwrap(), whole, "{cut}");
        }
    }

    #[test]
    fn damaged_lines_are_reported_by_number_and_offset() {
        let run = Run::new();
        let text = fs::read_to_string(run.path()).unwrap();
        let good: Vec<&str> = text.lines().collect();
        let games = "results of another run";
        let huge = format!("{{\"iteration\":2,\"results\":[[{0},{0},{0}],[0,0,6]]}}", u64::MAX);
        for (line, reason) in [
            (&good[2][..30], "not the line of an iteration"),
            ("", "not the line of an iteration"),
            ("[]", "not the line of an iteration"),
            ("{\"iteration\":2}", "not the line of an iteration"),
            (r#"{"iteration":2,"results":[[0,-1,3],[0,0,2]]}"#, "not the line of an iteration"),
            (r#"{"iteration":2,"results":[[0,2],[0,0,2]]}"#, "not the line of an iteration"),
            (good[1], "iteration 1, not 2"),
            (good[3], "iteration 3, not 2"),
            (r#"{"iteration":2,"results":[[0,1,0],[0,0,2]]}"#, games),
            (r#"{"iteration":2,"results":[[0,2,0],[0,0,3]]}"#, games),
            (r#"{"iteration":2,"results":[[0,2,2]]}"#, games),
            (r#"{"iteration":2,"results":[[0,2,0],[0,0,1],[0,0,1]]}"#, games),
            (&huge, games),
        ] {
            run.write(&[good[0], good[1], line, good[3]]);
            let byte = good[0].len() + good[1].len() + 2;
            let place =
                format!("{}: line 3 (byte {byte}) is damaged: {reason}", run.path().display());
            let error = run.error();
            assert!(error.starts_with(&place), "{line}: {error}");
        }
        let fourth = good[3].replace("\"iteration\":3", "\"iteration\":4");
        run.write(&[good[0], good[1], good[2], good[3], &fourth]);
        assert!(run.error().ends_with("is damaged: the run has only 3 iterations"));
    }

    #[test]
    fn other_files_are_refused_and_left_unchanged() {
        let run = Run::empty();
        for (first, reason) in [
            ("hello", "line 1 does not describe a run"),
            ("", "line 1 does not describe a run"),
            ("[]", "its first line does not describe a run"),
            (r#"{"version":3,"rule":"renju"}"#, "begun with other settings: rule was"),
            (r#"{"version":3}"#, "begun with other settings: iterations was nothing, is 3"),
            (r#"{"version":1}"#, "another version of Goren began it (version 1, now 3)"),
        ] {
            run.write(&[first, "something"]);
            let error = run.error();
            assert!(error.contains(&run.path().display().to_string()), "{error}");
            assert!(error.contains(reason), "{first:?}: {error}");
            assert_eq!(fs::read_to_string(run.path()).unwrap(), format!("{first}\nsomething\n"));
        }
        let mut other = settings();
        other["seed"] = json!(2);
        let run = Run::new();
        let error = format!("{:#}", run.open_as(&other, true).unwrap_err());
        assert!(error.ends_with("begun with other settings: seed was 1, is 2"), "{error}");
    }
}
