//! The generalised sequential probability ratio test on pairs.
//!
//! After Wald (1945) and, for multinomial results, M. Van den Bergh, "A
//! practical introduction to the GSPRT" and "Comments on normalized Elo":
//! under each hypothesis the unknown distribution of the pairs is replaced by
//! its maximum-likelihood estimate among those of the mean score that the
//! hypothesis states; the test then is Wald's with that likelihood ratio.

use super::Pentanomial;
use super::elo::{POINTS, score_of_elo};

/// A sequential probability ratio test between two hypotheses in (logistic)
/// Elo.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Sprt {
    /// Elo under H0.
    pub elo0: f64,
    /// Elo under H1.
    pub elo1: f64,
    /// Probability of accepting H1 although H0 holds.
    pub alpha: f64,
    /// Probability of accepting H0 although H1 holds.
    pub beta: f64,
}

/// The verdict of a test.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// The first engine is no better than `elo0`.
    H0,
    /// It is at least `elo1` better.
    H1,
    /// More games are needed.
    Open,
}

/// Why the numbers of a test are invalid.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSprt {
    /// The hypotheses are not in order.
    #[error("elo0 must be less than elo1, and both at most 1,000 from 0")]
    Hypotheses,
    /// A probability of error outside 0 to 0.5.
    #[error("alpha and beta must lie between 0 and 0.5")]
    Chances,
}

/// Pairs that an empty cell counts as, so that every distribution is possible.
const EMPTY_CELL: f64 = 1e-3;

impl Sprt {
    /// A test with these numbers.
    ///
    /// # Errors
    /// `elo0 < elo1` does not hold, or one lies beyond 1,000; `alpha` or
    /// `beta` lies outside 0 to 0.5, both ends excluded.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, BadSprt> {
        if !(elo0 < elo1 && elo0 >= -1000.0 && elo1 <= 1000.0) {
            return Err(BadSprt::Hypotheses);
        }
        let chance = |p: f64| p > 0.0 && p < 0.5;
        if !chance(alpha) || !chance(beta) {
            return Err(BadSprt::Chances);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Log-likelihood ratio of the results (generalised SPRT over pairs); 0
    /// without any. Empty cells count as a thousandth of a pair.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|n| if n == 0 { EMPTY_CELL } else { n as f64 });
        let (s0, s1) = (score_of_elo(self.elo0), score_of_elo(self.elo1));
        log_likelihood(&counts, s1) - log_likelihood(&counts, s0)
    }

    /// The verdict of the test on the results.
    pub fn verdict(&self, pairs: &Pentanomial) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => SprtVerdict::H0,
            llr if llr >= high => SprtVerdict::H1,
            _ => SprtVerdict::Open,
        }
    }
}

/// Log-likelihood of the counts under the likeliest distribution with mean
/// `score`, less that under their own frequencies.
///
/// Lagrange's condition gives `p_i = f_i / (1 + t (a_i - score))` for the
/// frequencies `f` and points `a`, with `t` such that the mean is `score`.
fn log_likelihood(counts: &[f64; 5], score: f64) -> f64 {
    let t = multiplier(counts, score);
    counts.iter().zip(POINTS).map(|(n, a)| -n * (t * (a - score)).ln_1p()).sum()
}

/// The root `t` of `sum n_i (a_i - score) / (1 + t (a_i - score))`, which
/// falls from plus to minus infinity between its poles. Newton's method,
/// with bisection where it would leave the bracket.
fn multiplier(counts: &[f64; 5], score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let mut t = 0.0;
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (n, a) in counts.iter().zip(POINTS) {
            let part = (a - score) / (1.0 + t * (a - score));
            value += n * part;
            slope -= n * part * part;
        }
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - t).abs() <= 1e-13 * t.abs().max(1.0) {
            return next;
        }
        t = next;
    }
    t
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

    /// The likeliest distribution with the given mean.
    fn constrained(counts: [u64; 5], score: f64) -> [f64; 5] {
        let counts = counts.map(|n| n as f64);
        let total: f64 = counts.iter().sum();
        let t = multiplier(&counts, score);
        let mut p = [0.0; 5];
        for i in 0..5 {
            p[i] = counts[i] / total / (1.0 + t * (POINTS[i] - score));
        }
        p
    }

    #[test]
    fn the_constrained_distribution_has_the_mean_and_no_likelier_neighbour() {
        let counts = [7, 30, 100, 55, 21];
        for score in [0.2, 0.5, 0.515, 0.9] {
            let p = constrained(counts, score);
            let mean: f64 = p.iter().zip(POINTS).map(|(p, a)| p * a).sum();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean - score).abs() < 1e-9);
            let likelihood =
                |p: [f64; 5]| (0..5).map(|i| counts[i] as f64 * p[i].ln()).sum::<f64>();
            // Steps that keep the sum and the mean.
            for step in [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, -1.0, 1.0]] {
                for size in [-1e-4, 1e-4] {
                    let mut q = p;
                    for i in 0..5 {
                        q[i] += size * step[i];
                    }
                    assert!(likelihood(q) < likelihood(p));
                }
            }
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_normal_approximation_for_small_differences() {
        // LLR = N (s1 - s0) (2 mean - s0 - s1) / (2 var), to first order.
        let counts = Pentanomial([200, 800, 1800, 900, 300]);
        let n = counts.pairs() as f64;
        let mean = counts.score();
        let variance = counts.0.iter().zip(POINTS);
        let variance = variance.map(|(&k, a)| k as f64 * (a - mean).powi(2)).sum::<f64>() / n;
        let test = Sprt { elo0: 0.0, elo1: 3.0, ..TEST };
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(3.0));
        let approximate = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let exact = test.llr(&counts);
        assert!((exact - approximate).abs() < 0.01 * approximate.abs(), "{exact} {approximate}");
    }

    #[test]
    fn bounds_are_walds() {
        let (low, high) = TEST.bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
        let lopsided = Sprt { alpha: 0.01, beta: 0.1, ..TEST }.bounds();
        assert!((lopsided.0 - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        assert!((lopsided.1 - (0.9f64 / 0.01).ln()).abs() < 1e-12);
    }

    #[test]
    fn the_ratio_is_antisymmetric_and_finite_for_any_counts() {
        let mirrored = Sprt { elo0: -10.0, elo1: 0.0, ..TEST };
        for counts in
            [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 500, 0, 0], [3, 0, 0, 0, 4], [1, 2, 3, 4, 5]]
        {
            let mut back = counts;
            back.reverse();
            let llr = TEST.llr(&Pentanomial(counts));
            assert!(llr.is_finite());
            assert!((llr + mirrored.llr(&Pentanomial(back))).abs() < 1e-9);
        }
        assert_eq!(TEST.llr(&Pentanomial::default()), 0.0);
        assert!(TEST.llr(&Pentanomial([0, 0, 0, 0, 9])) > 0.0);
        let huge = Pentanomial([1 << 40, 0, 1 << 50, 0, 1 << 41]);
        assert!(TEST.llr(&huge).is_finite());
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        assert_eq!(TEST.verdict(&Pentanomial::default()), SprtVerdict::Open);
        assert_eq!(TEST.verdict(&Pentanomial([100, 0, 900, 0, 200])), SprtVerdict::H1);
        assert_eq!(TEST.verdict(&Pentanomial([200, 0, 900, 0, 100])), SprtVerdict::H0);
    }

    #[test]
    fn invalid_numbers_of_a_test_are_refused() {
        assert_eq!(Sprt::new(0.0, 10.0, 0.05, 0.05), Ok(TEST));
        assert_eq!(Sprt::new(10.0, 0.0, 0.05, 0.05), Err(BadSprt::Hypotheses));
        assert_eq!(Sprt::new(f64::NAN, 0.0, 0.05, 0.05), Err(BadSprt::Hypotheses));
        assert_eq!(Sprt::new(0.0, 1e9, 0.05, 0.05), Err(BadSprt::Hypotheses));
        assert_eq!(Sprt::new(0.0, 10.0, 0.0, 0.05), Err(BadSprt::Chances));
        assert_eq!(Sprt::new(0.0, 10.0, 0.05, f64::NAN), Err(BadSprt::Chances));
    }
}
