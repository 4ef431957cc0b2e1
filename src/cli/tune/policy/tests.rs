use super::*;
use crate::tune::replayed::is_choice;
use crate::tune::tests::short_games::short_games;
use crate::tune::tests::slopes::Comparison;
use crate::tune::train::Problem;
use goren_core::rules::{Freestyle, Renju, RuleId};

#[test]
fn the_gradient_is_that_of_the_loss() {
    fn check<R: Rule>() {
        let folder = tempfile::tempdir().unwrap();
        let positions =
            ReplayedPositions::<R>::read(&short_games(R::ID, folder.path()), is_choice).unwrap();
        let (base, layout) = (Weights::embedded(R::ID), PolicyLayout::of::<R>());
        let problem = PolicyProblem::new(&positions, &base, &layout);
        let ties = layout.ties(3);
        let mut weights = vec![0.0; ties.weights()];
        ties.expand(&ties.start(), &mut weights);
        // So that the sums over the board count.
        let end = weights.len();
        weights[end - 256..].iter_mut().enumerate().for_each(|(i, w)| *w = (i % 7) as f32 * 0.01);
        let comparison = Comparison { min_slope: 0.02, step: 5e-4, tolerance: 0.01 };
        let samples = (0..positions.len()).step_by(9);
        let [compared, wrong] = comparison.count_wrong(&problem, samples, &weights);
        assert!(compared > 100 && wrong * 25 < compared, "{wrong} of {compared}");
    }
    check::<Freestyle>();
    check::<Renju>();
}

#[test]
fn the_engine_reads_the_fitted_net() {
    let folder = tempfile::tempdir().unwrap();
    let args = short_games(RuleId::Renju, folder.path());
    let positions = ReplayedPositions::<Renju>::read(&args, is_choice).unwrap();
    let (base, layout) = (Weights::embedded(RuleId::Renju), PolicyLayout::of::<Renju>());
    let problem = PolicyProblem::new(&positions, &base, &layout);
    let all: Vec<u32> = (0..positions.len() as u32).collect();
    let schedule = FitSchedule { epochs: 6, batch: 16, rate: 0.05, seed: 1 };
    let mut none = Checkpoint::default();
    let (ties, parts) = (layout.ties(1), [&all[..]; 2]);
    let fit = fit_stage("net", &problem, &ties, parts, &schedule, &mut none).unwrap();
    let (first, last) = (fit.epochs[0].train, fit.epochs.last().unwrap().valid);
    assert!(last < first - 0.3, "{first} {last}");
    let sides = layout.sides(&fit.weights).unwrap();
    let tuned = Arc::new(Weights::clone(&base).with_policy_net(&sides));
    for &at in &all {
        let loss = f64::from(problem.loss(at as usize, &fit.weights));
        let (engine, _) = positions.loss_and_rank(at as usize, &tuned);
        assert!((loss - engine).abs() < 0.15 + 0.05 * loss, "{at}: {loss} {engine}");
    }
    // A continued fit begins with this net.
    let continued = layout.ties_from(&tuned).unwrap();
    let mut weights = vec![0.0; continued.weights()];
    continued.expand(&continued.start(), &mut weights);
    assert!(layout.sides(&weights).unwrap() == sides);
    let bare = Weights::new(RuleId::Renju, &Color::ALL.map(|color| base.side(color)));
    assert!(layout.ties_from(&bare).is_err());
}
