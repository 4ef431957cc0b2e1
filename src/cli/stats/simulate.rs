//! Simulated matches, to predict the behaviour of a test.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::elo::score_of_elo;
use super::{Pentanomial, Sprt, SprtVerdict};
use goren_core::types::keys;

/// Probability of each number of half points of a pair of games.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct PairModel([f64; 5]);

/// Rates that no match can have.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[error("no match of {elo} Elo has {draws} draws a game with a first-move bias of {bias} Elo")]
pub struct BadModel {
    elo: f64,
    draws: f64,
    bias: f64,
}

impl PairModel {
    /// Pairs of two independent games. The expected score of the first engine
    /// is that of `elo`; `draws` is the share of drawn games, 0 to 1; an
    /// opening gives one colour an advantage of `bias` Elo, so that large
    /// values make pairs of one win each.
    ///
    /// # Errors
    /// The score is impossible with a share of `draws` draws.
    pub fn new(elo: f64, draws: f64, bias: f64) -> Result<PairModel, BadModel> {
        let bad = BadModel { elo, draws, bias };
        let is_valid = elo.abs() <= 1000.0 && bias.abs() <= 1000.0 && (0.0..=1.0).contains(&draws);
        if !is_valid {
            return Err(bad);
        }
        // The bias flattens the mean over both colours; find the strength
        // that gives the requested score.
        let scores = |strength: f64| [score_of_elo(strength + bias), score_of_elo(strength - bias)];
        let (mut low, mut high) = (-3000.0, 3000.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if scores(middle).iter().sum::<f64>() < 2.0 * score_of_elo(elo) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let games = scores(low).map(|score| {
            let win = score - 0.5 * draws;
            [1.0 - win - draws, draws, win]
        });
        if games.iter().flatten().any(|&chance| chance < 0.0) {
            return Err(bad);
        }
        let mut cells = [0.0; 5];
        for (i, first) in games[0].iter().enumerate() {
            for (j, second) in games[1].iter().enumerate() {
                cells[i + j] += first * second;
            }
        }
        Ok(PairModel(cells))
    }

    /// Draws the half points of a pair.
    fn draw(&self, rng: &mut SmallRng) -> usize {
        let mut rest: f64 = rng.random();
        for (cell, chance) in self.0.iter().enumerate() {
            rest -= chance;
            if rest < 0.0 {
                return cell;
            }
        }
        // What rounding left over goes to the likeliest cell.
        (0..5).max_by(|&a, &b| self.0[a].total_cmp(&self.0[b])).unwrap_or(2)
    }
}

/// Results of simulated tests.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Simulated {
    /// Tests that accepted H0, H1, and neither within the limit.
    pub verdicts: [u64; 3],
    /// Pairs of all tests.
    pub pairs: u64,
}

/// Runs a test `runs` times on results drawn from a model. Evaluates each test
/// after every pair and breaks it off after `max_pairs`. The same seed gives the
/// same results. Calls `done` after each test, on its thread.
pub fn simulate(
    sprt: &Sprt,
    model: &PairModel,
    runs: u64,
    max_pairs: u64,
    seed: u64,
    done: impl Fn() + Sync,
) -> Simulated {
    (0..runs)
        .into_par_iter()
        .map(|run| {
            let mut rng = SmallRng::seed_from_u64(keys::derive(seed, run));
            let mut pairs = Pentanomial::default();
            let mut verdict = SprtVerdict::Open;
            while verdict == SprtVerdict::Open && pairs.pairs() < max_pairs {
                pairs.add(model.draw(&mut rng));
                verdict = sprt.verdict(&pairs);
            }
            let mut verdicts = [0; 3];
            verdicts[verdict as usize] = 1;
            done();
            Simulated { verdicts, pairs: pairs.pairs() }
        })
        .reduce(Simulated::default, |a, b| Simulated {
            verdicts: std::array::from_fn(|i| a.verdicts[i] + b.verdicts[i]),
            pairs: a.pairs + b.pairs,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elo_of_score;

    const RUNS: u64 = 1000;

    /// Maximum number of tests of `RUNS` that may err at a stated probability: three
    /// standard deviations of the binomial distribution above its mean.
    fn max_errors(chance: f64) -> u64 {
        let runs = RUNS as f64;
        (runs * chance + 3.0 * (runs * chance * (1.0 - chance)).sqrt()) as u64
    }

    /// Wrong verdicts at H0 and at H1 of a test of 0 against 40 Elo.
    fn wrong(model: impl Fn(f64) -> PairModel, alpha: f64, beta: f64) -> [u64; 2] {
        let sprt = Sprt::new(0.0, 40.0, alpha, beta).unwrap();
        let at0 = simulate(&sprt, &model(sprt.elo0), RUNS, 100_000, 1, || {});
        let at1 = simulate(&sprt, &model(sprt.elo1), RUNS, 100_000, 2, || {});
        assert_eq!(at0.verdicts.iter().sum::<u64>(), RUNS);
        assert_eq!([at0.verdicts[2], at1.verdicts[2]], [0, 0], "every test ends");
        [at0.verdicts[1], at1.verdicts[0]]
    }

    #[test]
    fn a_thousand_tests_err_no_more_often_than_stated() {
        // Many draws; none; openings that decide most games.
        for (draws, bias) in [(0.4, 0.0), (0.0, 0.0), (0.05, 300.0)] {
            let model = |elo| PairModel::new(elo, draws, bias).unwrap();
            let [false_h1, false_h0] = wrong(model, 0.05, 0.05);
            assert!(false_h1 <= max_errors(0.05), "draws {draws}, bias {bias}: {false_h1} wrong");
            assert!(false_h0 <= max_errors(0.05), "draws {draws}, bias {bias}: {false_h0} wrong");
            // Nor is the test too conservative.
            assert!(false_h1 + false_h0 >= 15, "draws {draws}, bias {bias}");
        }
    }

    #[test]
    fn unequal_error_rates_hold_separately() {
        let model = |elo| PairModel::new(elo, 0.1, 100.0).unwrap();
        let [false_h1, false_h0] = wrong(model, 0.02, 0.2);
        assert!(false_h1 <= max_errors(0.02), "{false_h1}");
        assert!(false_h0 <= max_errors(0.2) && false_h0 > max_errors(0.05), "{false_h0}");
    }

    #[test]
    fn runs_are_repeatable_and_limited() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).unwrap();
        let model = PairModel::new(2.5, 0.2, 0.0).unwrap();
        let once = simulate(&sprt, &model, 20, 50, 7, || {});
        assert_eq!(once, simulate(&sprt, &model, 20, 50, 7, || {}));
        assert_eq!((once.verdicts[2], once.pairs), (20, 1000));
    }

    #[test]
    fn models_have_the_requested_score_draws_and_bias() {
        for (elo, draws, bias) in [(0.0, 0.0, 0.0), (35.0, 0.3, 0.0), (-60.0, 0.1, 200.0)] {
            let PairModel(cells) = PairModel::new(elo, draws, bias).unwrap();
            let score: f64 = cells.iter().enumerate().map(|(i, p)| 0.25 * i as f64 * p).sum();
            assert!((cells.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((elo_of_score(score) - elo).abs() < 1e-6);
        }
        let PairModel(split) = PairModel::new(0.0, 0.0, 600.0).unwrap();
        assert!(split[2] > 0.9 && split[1] == 0.0);
        assert!(PairModel::new(300.0, 0.9, 0.0).is_err());
        assert!(PairModel::new(f64::NAN, 0.0, 0.0).is_err());
        assert!(PairModel::new(0.0, 1.5, 0.0).is_err());
    }
}
