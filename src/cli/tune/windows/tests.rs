use super::*;
use crate::tune::tests::short_games::short_games;
use crate::tune::tests::slopes::Comparison;
use crate::tune::tests::without_windows;
use crate::tune::train::Problem;
use goren_core::rules::{Freestyle, Renju, RuleId};
use goren_core::types::Color;

/// Targets that differ from position to position.
fn targets(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i * 7 % 11) as f32 / 10.0).collect()
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    fn check<R: Rule>() {
        let folder = tempfile::tempdir().unwrap();
        let args = short_games(R::ID, folder.path());
        let positions = ReplayedPositions::<R>::read(&args, is_undecided).unwrap();
        let (base, layout) = (without_windows(R::ID), WindowLayout::of::<R>());
        let targets = targets(positions.len());
        let problem = WindowProblem::new(&positions, &base, &layout, &targets, 200.0);
        let ties = layout.ties(&base, 3).unwrap();
        let mut weights = vec![0.0; ties.weights()];
        ties.expand(&ties.start(), &mut weights);
        let comparison = Comparison { min_slope: 0.005, step: 2e-3, tolerance: 0.002 };
        let samples = (0..positions.len()).step_by(7);
        let [compared, wrong] = comparison.count_wrong(&problem, samples, &weights);
        assert!(compared > 60 && wrong * 20 < compared, "{wrong} of {compared}");
    }
    check::<Freestyle>();
    check::<Renju>();
}

#[test]
fn the_engine_reads_the_fitted_features() {
    let folder = tempfile::tempdir().unwrap();
    let args = short_games(RuleId::Renju, folder.path());
    let positions = ReplayedPositions::<Renju>::read(&args, is_undecided).unwrap();
    let (base, layout) = (Weights::embedded(RuleId::Renju), WindowLayout::of::<Renju>());
    let targets = targets(positions.len());
    let problem = WindowProblem::new(&positions, &base, &layout, &targets, 200.0);
    let all: Vec<u32> = (0..positions.len() as u32).collect();
    let schedule = FitSchedule { epochs: 8, batch: 16, rate: 0.05, seed: 1 };
    let (ties, mut none) = (layout.ties(&base, 1).unwrap(), Checkpoint::default());
    let parts = [&all[..]; 2];
    let fit = fit_stage("net", &problem, &ties, parts, &schedule, &mut none).unwrap();
    let (first, last) = (fit.epochs[0].train, fit.epochs.last().unwrap().valid);
    assert!(last < first - 0.05, "{first} {last}");
    let sides = layout.sides(&base, &fit.weights).unwrap();
    let tuned = Arc::new(Weights::clone(&base).with_net(&sides));
    let read = Weights::read(&tuned.write(), RuleId::Renju).unwrap();
    assert!(read == *tuned);
    let odds = all_odds(&positions, &tuned, 200.0);
    for &at in &all {
        let loss = f64::from(problem.loss(at as usize, &fit.weights));
        let (odds, target) = (f64::from(odds[at as usize]), f64::from(targets[at as usize]));
        let engine = odds.exp().ln_1p() - target * odds;
        assert!((loss - engine).abs() < 0.02 + 0.02 * loss, "{at}: {loss} {engine}");
    }
    // A continued fit begins with these features.
    let continued = layout.ties(&tuned, 5).unwrap();
    let mut weights = vec![0.0; continued.weights()];
    continued.expand(&continued.start(), &mut weights);
    assert!(layout.sides(&tuned, &weights).unwrap() == sides);
    // Weights without a network are refused.
    let bare = Weights::new(RuleId::Renju, &Color::ALL.map(|color| base.side(color)));
    assert!(layout.ties(&bare, 1).is_err() && layout.sides(&bare, &weights).is_err());
}
