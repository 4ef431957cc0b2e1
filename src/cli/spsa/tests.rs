//! Whole runs: on simulated games, and by the command.

use std::fs;
use std::path::PathBuf;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use tempfile::{TempDir, tempdir};

use super::game::Results;
use super::pipeline::Pipeline;
use super::record::IterationLine;
use super::select::select;
use super::tuner::{Gains, Trial, TunedValue, Tuner};
use super::{Params, keys, report, run};
use crate::test_args::parse;
use goren_core::rules::RuleId;
use goren_engine::eval::{Side, Weights};

/// Part of the games that are drawn, so that pairs have the deviation that the
/// report assumes.
const DRAWN: f64 = 0.28;

/// Result of a simulated game, 1, 0 or -1, for a side that is `advantage` Elo stronger.
fn simulated_game(rng: &mut SmallRng, advantage: f64) -> i64 {
    let expected = 1.0 / (1.0 + 10_f64.powf(-advantage / 400.0));
    match rng.random::<f64>() {
        luck if luck < DRAWN => 0,
        luck if luck < DRAWN / 2.0 + expected => 1,
        _ => -1,
    }
}

/// Tunes parameters by games that are simulated from the Elo of their sides.
fn tune(
    names: &str,
    gains: &Gains,
    pairs: u64,
    threads: usize,
    elo: impl Fn(&Params) -> f64 + Sync,
) -> Vec<TunedValue> {
    let specs = select(names).unwrap();
    let pipeline = Pipeline::new(Tuner::new(gains.clone(), 3, Params::default(), &specs));
    let play_pair = |_: &mut (), pair: u64, trial: &Trial| {
        let mut rng = SmallRng::seed_from_u64(keys::mix(pair));
        let advantage = elo(&trial.sides[0]) - elo(&trial.sides[1]);
        Ok(simulated_game(&mut rng, advantage) + simulated_game(&mut rng, advantage))
    };
    let mut won = 0;
    let sink = |pair: u64, score: i64| {
        won += score;
        if !(pair + 1).is_multiple_of(pairs) {
            return Ok(true);
        }
        Ok(pipeline.learn(std::mem::take(&mut won)).done() < gains.iterations)
    };
    pipeline.play(pairs, threads, || Ok(()), play_pair, sink).unwrap();
    pipeline.tuner().axes().to_vec()
}

const GAINS: Gains = Gains { iterations: 2000, rate_end: 0.002, alpha: 0.602, gamma: 0.101 };

/// How many steps a value is above another.
fn steps(axis: &TunedValue, from: i32) -> f64 {
    (axis.now - f64::from(from)) / f64::from(axis.spec.step)
}

#[test]
fn a_hill_is_climbed_the_same_way_on_any_number_of_threads() {
    // Best values three to five steps from those at the start.
    let hill = |p: &Params| {
        let off = [
            f64::from(p.razor_base - 12) / 10.0,
            f64::from(p.lmp_pv - 332) / 25.0,
            f64::from(p.futility_base - 64) / 10.0,
            f64::from(p.iir - 1448) / 128.0,
            f64::from(p.history_bonus_ply - 95) / 24.0,
            f64::from(p.quiescence_plies - 56) / 4.0,
        ];
        -3.0 * off.iter().map(|off| off * off).sum::<f64>()
    };
    let names = "razor_base,lmp_pv,futility_base,iir,history_bonus_ply,quiescence_plies";
    let axes = tune(names, &GAINS, 8, 1, hill);
    for (axis, best) in axes.iter().zip([12, 332, 64, 1448, 95, 56]) {
        assert!(steps(axis, best).abs() < 1.2, "{axes:?}");
    }
    assert_eq!(tune(names, &GAINS, 8, 3, hill), axes);
}

#[test]
fn values_move_as_far_as_the_prospects_predict() {
    let gains = Gains { iterations: 400, ..GAINS };
    let pairs = 32;
    let (chance, drift) = report::prospects(&gains, pairs);
    // Steps that values moved, without those whose range may stop them.
    let moved = |elo: fn(&Params) -> f64| -> Vec<f64> {
        let specs = select("*").unwrap();
        let run = |seed| {
            let mut tuner = Tuner::new(gains.clone(), seed, Params::default(), &specs);
            let mut rng = SmallRng::seed_from_u64(keys::mix(seed));
            for k in 0..gains.iterations {
                let [first, second] = tuner.trial(k).sides;
                let advantage = elo(&first) - elo(&second);
                tuner.learn((0..2 * pairs).map(|_| simulated_game(&mut rng, advantage)).sum());
            }
            tuner.axes().to_vec()
        };
        let room = |axis: &TunedValue| {
            let (below, above) = (axis.start - axis.spec.min, axis.spec.max - axis.start);
            f64::from(below.min(above)) > (4.0 * chance + drift) * f64::from(axis.spec.step)
        };
        let axes = (0..10).flat_map(run).filter(room);
        axes.map(|axis| steps(&axis, axis.start)).collect()
    };
    let even = moved(|_| 0.0);
    assert!(even.len() > 300, "{}", even.len());
    let squares: f64 = even.iter().map(|steps| steps * steps).sum();
    let deviation = (squares / even.len() as f64).sqrt();
    assert!((deviation / chance - 1.0).abs() < 0.12, "{deviation}, not {chance}");
    // Each step of each value is worth an Elo.
    let better = moved(|params| {
        let values = params.values();
        let steps = Params::SPECS.iter().zip(values).map(|(s, v)| f64::from(v) / f64::from(s.step));
        steps.sum()
    });
    let mean = better.iter().sum::<f64>() / better.len() as f64;
    assert!((mean / drift - 1.0).abs() < 0.12, "{mean}, not {drift}");
}

/// A temporary folder for the runs of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, name: &str, options: &str) -> anyhow::Result<bool> {
        let line = format!(
            "--out '{}' --rule freestyle,renju --nodes 40 --rate 0.2 --every 4 {options}",
            self.path(name).display()
        );
        run(&parse(&line)?)
    }

    fn error(&self, name: &str, options: &str) -> String {
        format!("{:#}", self.run(name, options).unwrap_err())
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let folder = Folder::new();
    let ten = "--params lmr_*,lmp_* --iterations 10 --pairs 3";
    folder.run("whole", &format!("{ten} --concurrency 2")).unwrap();
    let whole = folder.read("whole");
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    assert_eq!(ends.len(), 11);
    // From nothing, after the settings, at an iteration's end, within a line,
    // and at the end of all.
    for (cut, threads) in [(0, 1), (ends[0], 3), (ends[4], 1), (ends[9] - 9, 2), (ends[10], 2)] {
        folder.write("parts", &whole[..cut]);
        folder.run("parts", &format!("{ten} --resume --concurrency {threads}")).unwrap();
        assert_eq!(folder.read("parts"), whole, "{cut}");
    }

    let lines: Vec<IterationLine> =
        whole.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<u64> =
        lines.iter().filter(|line| line.values.is_some()).map(|line| line.iteration).collect();
    assert_eq!(shown, [4, 8, 10]);
    assert!(lines.iter().any(|line| line.won() != 0));
    // Pairs alternate between the rules: two and one, then one and two.
    let games = |line: &IterationLine| {
        line.results.iter().map(|&Results(won, lost, drawn)| won + lost + drawn).collect()
    };
    assert_eq!(lines.iter().map(games).collect::<Vec<Vec<u64>>>()[..2], [[4, 2], [2, 4]]);
    // The values follow from the results.
    let gains = Gains { iterations: 10, rate_end: 0.2, ..GAINS };
    let mut tuner = Tuner::new(gains, 1, Params::default(), &select("lmr_*,lmp_*").unwrap());
    lines.iter().for_each(|line| tuner.learn(line.won()));
    assert_eq!(lines[9].values, Some(super::record::values(tuner.axes())));
}

#[test]
fn runs_with_other_settings_are_not_resumed() {
    let folder = Folder::new();
    let one = "--iterations 1 --pairs 1";
    folder.run("run", one).unwrap();
    let zero = Weights::new(RuleId::Renju, &[Side::ZERO, Side::ZERO]).write();
    fs::write(folder.path("zero"), zero).unwrap();
    let zero = folder.path("zero").display().to_string();
    let before = folder.read("run");
    assert!(folder.error("run", one).contains("holds a run already; continue it with --resume"));
    for (options, reason) in [
        ("--iterations 2 --pairs 1", "iterations was 1, is 2"),
        ("--iterations 1 --pairs 2", "pairs was 1, is 2"),
        (&format!("{one} --seed 2"), "seed was 1, is 2"),
        (&format!("{one} --alpha 0.5"), "alpha was 0.602, is 0.5"),
        (&format!("{one} --size 13"), "height was 15, is 13; width was 15, is 13"),
        (&format!("{one} --weights '{zero}'"), "weights_checksum of field "),
        (&format!("{one} --params !iir"), "tuned was"),
        (&format!("{one} --from 'iir 900'"), "iir was"),
    ] {
        let error = folder.error("run", &format!("--resume {options}"));
        let message = "run cannot be resumed: it was begun with other settings: ";
        assert!(error.contains(&format!("{message}{reason}")), "{error}");
    }
    assert_eq!(folder.read("run"), before);
    // A finished run stays as it is.
    folder.run("run", &format!("{one} --resume -c 3")).unwrap();
    assert_eq!(folder.read("run"), before);
}
