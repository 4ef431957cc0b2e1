//! The evaluation as logistic regression.

use super::encoded::EncodedPositions;
use super::label::TrainingLabel;
use super::train::Problem;
use goren_core::types::{PROVEN, Score};

/// Log-odds of a proven score where a loss is measured.
const CERTAIN: f32 = 12.0;

/// The evaluation as a problem to fit: positions with their targets.
pub(super) struct Evaluation<'a> {
    /// The positions.
    pub positions: &'a EncodedPositions,
    /// By position, the expected result of the side to move, 0 to 1.
    pub targets: &'a [f32],
    /// Points of the evaluation per unit of log-odds.
    pub scale: f32,
}

/// The probability of log-odds.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// Cross-entropy of the probability of log-odds against a target, 0 to 1.
pub(super) fn log_loss(odds: f32, target: f32) -> f32 {
    // The logarithm of 1 + e^x, without overflow.
    let softplus = odds.max(0.0) + (-odds.abs()).exp().ln_1p();
    softplus - target * odds
}

/// Log-odds by the score of the search, at `scale` points a logit.
pub(super) fn search_odds(label: &TrainingLabel, scale: f32) -> f32 {
    if label.score.abs() >= PROVEN {
        CERTAIN * label.score.signum() as f32
    } else {
        (label.score as f32 / scale).clamp(-CERTAIN, CERTAIN)
    }
}

/// The target of each position: its result, if known, with the weight `share`, and with the
/// rest the probability by the score of the search at `scale` points a logit. A proven score
/// alone decides.
pub(super) fn targets(labels: &[TrainingLabel], share: f64, scale: f32) -> Vec<f32> {
    let target =
        |label: &TrainingLabel| mixed(label, share as f32, probability(label.score, scale));
    labels.iter().map(target).collect()
}

/// The target of a position where `search` is the probability by the search that the side
/// to move wins.
pub(super) fn mixed(label: &TrainingLabel, share: f32, search: f32) -> f32 {
    match label.result {
        Some(result) if label.score.abs() < PROVEN => share * result + (1.0 - share) * search,
        _ => search,
    }
}

/// The probability of winning by a score of the search.
pub(super) fn probability(score: Score, scale: f32) -> f32 {
    if score.abs() >= PROVEN { f32::from(score > 0) } else { sigmoid(score as f32 / scale) }
}

/// The points a logit at which the scores of the search fit the results best: golden
/// section over the logarithm. `None` without a result.
pub(super) fn best_scale<'a>(labels: impl Iterator<Item = &'a TrainingLabel>) -> Option<f32> {
    let known: Vec<(f32, f32)> = labels
        .filter(|label| label.score.abs() < PROVEN)
        .filter_map(|label| label.result.map(|result| (label.score as f32, result)))
        .collect();
    if known.is_empty() {
        return None;
    }
    let loss = |log: f64| {
        let scale = log.exp() as f32;
        known.iter().map(|&(score, result)| f64::from(log_loss(score / scale, result))).sum::<f64>()
    };
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (10f64.ln(), 5000f64.ln());
    for _ in 0..25 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    Some(((low + high) / 2.0).exp() as f32)
}

impl Evaluation<'_> {
    /// Log-odds of the side to move.
    #[inline]
    pub fn odds(&self, at: usize, weights: &[f32]) -> f32 {
        let codes = self.positions.codes_at(at);
        let sum: f32 = codes.map(|(code, count)| weights[code] * f32::from(count)).sum();
        (sum + weights[self.positions.state_at(at)]) / self.scale
    }

    /// By position, the points of the evaluation.
    pub fn points(&self, weights: &[f32]) -> Vec<f32> {
        (0..self.positions.len()).map(|at| self.odds(at, weights) * self.scale).collect()
    }
}

impl Problem for Evaluation<'_> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let odds = self.odds(at, weights);
        let slope = (sigmoid(odds) - self.targets[at]) / self.scale;
        for (code, count) in self.positions.codes_at(at) {
            gradient[code] += slope * f32::from(count);
        }
        gradient[self.positions.state_at(at)] += slope;
        log_loss(odds, self.targets[at])
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        log_loss(self.odds(at, weights), self.targets[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::win_in;

    #[test]
    fn losses_and_targets_match_the_formulas() {
        for (odds, target) in [(0.3f32, 1.0f32), (-2.0, 0.25), (4.0, 0.0), (0.0, 0.5)] {
            let p = f64::from(sigmoid(odds));
            let t = f64::from(target);
            let expected = -t * p.ln() - (1.0 - t) * (1.0 - p).ln();
            assert!((f64::from(log_loss(odds, target)) - expected).abs() < 1e-5);
        }
        assert!(log_loss(1e6, 1.0) == 0.0 && log_loss(-1e6, 1.0) == 1e6);
        let label = |score, result| TrainingLabel { score, result, held_out: false };
        let targets = |score, result| targets(&[label(score, result)], 0.6, 200.0)[0];
        assert_eq!(targets(0, Some(1.0)), 0.8);
        assert_eq!(targets(0, None), 0.5);
        assert_eq!(targets(win_in(9), Some(0.0)), 1.0);
        assert_eq!(targets(-win_in(9), None), 0.0);
    }

    #[test]
    fn the_scale_of_the_scores_is_found() {
        // Results in the proportions that the scale 150 predicts.
        let labels: Vec<TrainingLabel> = (-300..=300)
            .step_by(50)
            .flat_map(|score| {
                let wins = (1000.0 * sigmoid(score as f32 / 150.0)).round() as usize;
                let result = move |i| Some(f32::from(i < wins));
                (0..1000).map(move |i| TrainingLabel { score, result: result(i), held_out: false })
            })
            .collect();
        let scale = best_scale(labels.iter()).unwrap();
        assert!((scale - 150.0).abs() < 2.0, "{scale}");
        assert_eq!(best_scale(labels[..0].iter()), None);
    }
}
