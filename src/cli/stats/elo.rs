//! Elo of paired games.

use super::{Estimate, Pentanomial};

/// Half width of a 95% interval in standard errors.
pub(super) const Z95: f64 = 1.959_963_985;

/// Pairs added to each cell of a pentanomial for its variance: half a pair in
/// all, so that few or equal results do not seem certain.
const PRIOR: f64 = 0.1;

/// Expected score per game, 0 to 1, of an advantage in Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Advantage in Elo that gives an expected score per game, 0 to 1; infinite at
/// the ends.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Points per game of the cells of a pentanomial.
pub(super) const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mean and variance of weighted points.
fn moments(weights: [f64; 5]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let average = |values: [f64; 5]| -> f64 {
        weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>() / total
    };
    let mean = average(POINTS);
    (mean, average(POINTS.map(|p| (p - mean).powi(2))))
}

/// Wilson's interval (1927) in Elo around a score, for as many independent games
/// as would have the variance of the trials.
fn interval(score: f64, mean: f64, variance: f64, trials: f64) -> Estimate {
    // Independent games, each won or lost, with the same information.
    let n = trials * mean * (1.0 - mean) / variance;
    let z2 = Z95 * Z95;
    let centre = (score + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (score * (1.0 - score) / n + z2 / (4.0 * n * n)).sqrt();
    let end = |at: f64| match at {
        _ if at < 1e-12 => f64::NEG_INFINITY,
        _ if at > 1.0 - 1e-12 => f64::INFINITY,
        _ => elo_of_score(at),
    };
    Estimate { value: elo_of_score(score), low: end(centre - half), high: end(centre + half) }
}

/// Elo of wins, losses and draws whose pairs are not known, taken as independent
/// games; the interval is unbounded without games.
pub fn elo_of_games(counts: [u64; 3]) -> Estimate {
    let [wins, losses, draws] = counts.map(|count| count as f64);
    let games = wins + losses + draws;
    if games == 0.0 {
        return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let score = (wins + draws / 2.0) / games;
    let inward = 0.25 / (games + 0.5);
    let value = elo_of_score(score.clamp(inward, 1.0 - inward));
    let (mean, variance) = moments([losses + PRIOR, 0.0, draws + PRIOR, 0.0, wins + PRIOR]);
    Estimate { value, ..interval(score, mean, variance, games) }
}

impl Pentanomial {
    /// Pairs counted.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair in which the first engine made this many half points, 0
    /// to 4; more count as 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Points per game of the first engine, 0 to 1; one half without pairs.
    pub fn score(&self) -> f64 {
        match self.pairs() {
            0 => 0.5,
            _ => moments(self.0.map(|n| n as f64)).0,
        }
    }

    /// Mean and variance of the points per game over pairs, with [`PRIOR`].
    fn regular_moments(&self) -> (f64, f64) {
        moments(self.0.map(|n| n as f64 + PRIOR))
    }

    /// Elo of the first engine over the second.
    ///
    /// The value belongs to the mean score. If all was won or lost, a quarter
    /// of a pair is taken off, so that it stays finite. The interval is
    /// Wilson's (1927) for as many independent games as would have the
    /// variance of the pairs, with a tenth of a pair added to each of the
    /// five cells; unlike the plain normal interval it stays within 0% and
    /// 100% and is accurate with few pairs. Its upper end is infinite if all was
    /// won, its lower end if all was lost, both without pairs.
    pub fn elo(&self) -> Estimate {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return Estimate { value: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let score = self.score();
        let inward = 0.25 / (pairs + 0.5);
        let value = elo_of_score(score.clamp(inward, 1.0 - inward));
        let (mean, variance) = self.regular_moments();
        Estimate { value, ..interval(score, mean, variance, pairs) }
    }

    /// Probability that the first engine is the stronger one: that its mean
    /// score lies above one half, taken as normal with the variance of
    /// [`Pentanomial::elo`].
    pub fn superiority(&self) -> f64 {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return 0.5;
        }
        let (mean, variance) = self.regular_moments();
        let z = (mean - 0.5) / (variance / (pairs + 5.0 * PRIOR)).sqrt();
        0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse_functions() {
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((elo_of_score(0.6) - 70.4365).abs() < 1e-3);
        for elo in [-300.0, -1.0, 0.0, 55.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn games_without_pairs_have_their_elo() {
        let Estimate { value, low, high } = elo_of_games([600, 400, 0]);
        assert!((value - 70.4365).abs() < 1e-3);
        assert!((value - low - 22.0).abs() < 1.0 && (high - value - 22.5).abs() < 1.0);
        // Draws narrow the interval more than wins and losses.
        assert!(elo_of_games([100, 100, 800]).high < elo_of_games([500, 500, 0]).high);
        assert!(elo_of_games([10, 0, 0]).value.is_finite());
        assert_eq!(elo_of_games([10, 0, 0]).high, f64::INFINITY);
        assert_eq!(elo_of_games([0; 3]).low, f64::NEG_INFINITY);
    }

    #[test]
    fn the_interval_becomes_the_normal_one_with_many_pairs() {
        let counts = Pentanomial([100, 400, 900, 500, 200]);
        let (mean, variance) = moments(counts.0.map(|n| n as f64));
        let error = Z95 * (variance / 2100.0).sqrt();
        let elo = counts.elo();
        assert!((elo.value - elo_of_score(mean)).abs() < 1e-9);
        assert!((elo.low - elo_of_score(mean - error)).abs() < 0.1, "{elo}");
        assert!((elo.high - elo_of_score(mean + error)).abs() < 0.1, "{elo}");
    }

    #[test]
    fn balanced_pairs_narrow_the_interval() {
        // The same score in both.
        let even = Pentanomial([0, 0, 100, 0, 0]).elo();
        let wild = Pentanomial([50, 0, 0, 0, 50]).elo();
        assert_eq!((even.value, wild.value), (0.0, 0.0));
        assert!(even.high * 4.0 < wild.high, "{even} {wild}");
    }

    #[test]
    fn extreme_scores_and_few_pairs_give_sane_intervals() {
        let nothing = Pentanomial::default();
        assert_eq!(nothing.elo().value, 0.0);
        assert_eq!(nothing.elo().high, f64::INFINITY);
        assert_eq!(nothing.superiority(), 0.5);
        for n in 1..50 {
            let won = Pentanomial([0, 0, 0, 0, n]).elo();
            assert!(won.value.is_finite() && won.low.is_finite() && won.high == f64::INFINITY);
            assert!(won.low < won.value);
            let lost = Pentanomial([n, 0, 0, 0, 0]).elo();
            assert!((won.value + lost.value).abs() < 1e-6 && (won.low + lost.high).abs() < 1e-6);
            // Half a point less is worth less.
            let nearly = Pentanomial([0, 0, 0, 1, n - 1]).elo();
            assert!(nearly.value < won.value);
        }
        // One drawn pair leaves a wide interval.
        let drawn = Pentanomial([0, 0, 1, 0, 0]).elo();
        assert!(drawn.value == 0.0 && drawn.high > 200.0 && drawn.high.is_finite());
        let one = Pentanomial([0, 0, 0, 0, 1]);
        assert!((0.7..0.97).contains(&one.superiority()), "{}", one.superiority());
    }

    #[test]
    fn superiority_follows_the_normal_law() {
        assert!((Pentanomial([5, 9, 20, 9, 5]).superiority() - 0.5).abs() < 1e-12);
        // 1.96 standard errors above one half.
        let counts = Pentanomial([100, 400, 900, 400 + 53, 100]);
        let (mean, variance) = moments(counts.0.map(|n| n as f64));
        let z = (mean - 0.5) / (variance / counts.pairs() as f64).sqrt();
        let expected = 0.5 * libm::erfc(-z / std::f64::consts::SQRT_2);
        assert!((counts.superiority() - expected).abs() < 1e-3);
        assert!((0.5 * libm::erfc(-Z95 / std::f64::consts::SQRT_2) - 0.975).abs() < 1e-9);
    }

    #[test]
    fn estimates_print_signs() {
        let estimate = Estimate { value: 12.34, low: -4.5, high: f64::INFINITY };
        assert_eq!(estimate.to_string(), "+12.3 [-4.5, +inf]");
        assert_eq!(format!("{estimate:.0}"), "+12 [-4, +inf]");
    }
}
