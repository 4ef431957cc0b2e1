//! Compares gradients with differences of the loss.

use crate::tune::train::Problem;

/// Settings of a comparison.
pub(in crate::tune) struct Comparison {
    /// Smaller slopes are not compared.
    pub min_slope: f32,
    /// Change of a weight to either side.
    pub step: f32,
    /// Allowed difference of the slopes, besides a twentieth of them.
    pub tolerance: f64,
}

impl Comparison {
    /// Compares some slopes of each sample; returns how many, and how many are wrong. A slope
    /// may be wrong where a number is clipped on one side of the point.
    pub(in crate::tune) fn count_wrong(
        &self,
        problem: &impl Problem,
        samples: impl Iterator<Item = usize>,
        weights: &[f32],
    ) -> [usize; 2] {
        samples.fold([0; 2], |[compared, wrong], at| {
            let [compared_at, wrong_at] = self.count_wrong_at(problem, at, weights);
            [compared + compared_at, wrong + wrong_at]
        })
    }

    fn count_wrong_at(&self, problem: &impl Problem, at: usize, weights: &[f32]) -> [usize; 2] {
        let Comparison { min_slope, step, tolerance } = *self;
        let mut gradient = vec![0.0; weights.len()];
        let loss = problem.learn(at, weights, &mut gradient);
        assert!((loss - problem.loss(at, weights)).abs() < 1e-5);
        let used: Vec<usize> =
            (0..weights.len()).filter(|&i| gradient[i].abs() > min_slope).collect();
        let (mut compared, mut wrong) = (0, 0);
        for &i in used.iter().step_by(used.len() / 25 + 1) {
            let mut moved = weights.to_vec();
            let mut loss = |step: f32| {
                moved[i] = weights[i] + step;
                f64::from(problem.loss(at, &moved))
            };
            let slope = (loss(step) - loss(-step)) / f64::from(2.0 * step);
            let difference = (slope - f64::from(gradient[i])).abs();
            wrong += usize::from(difference > tolerance + 0.05 * slope.abs());
            compared += 1;
        }
        [compared, wrong]
    }
}
