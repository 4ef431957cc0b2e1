//! Fit of the policy scores as a choice among candidates: softmax and
//! cross-entropy.

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::encoded::EncodedPositions;
use super::train::Problem;
use goren_core::types::MAX_SIDE;

/// Policy score per unit of log-odds, in five in a row.
pub(super) const FIVE_SCALE: f32 = 100.0;

/// The choice of the best move as a problem to fit.
pub(super) struct Ordering<'a> {
    /// The positions, of which only those with candidates are samples.
    pub positions: &'a EncodedPositions,
    /// Policy score per unit of log-odds.
    pub scale: f32,
}

type Odds = ArrayVec<f32, { MAX_SIDE * MAX_SIDE }>;

impl Ordering<'_> {
    fn odds(&self, at: usize, weights: &[f32]) -> Odds {
        let candidates = self.positions.candidates_at(at).iter();
        let value = |&weight: &u16| weights[weight as usize];
        candidates.map(|c| c.iter().map(value).sum::<f32>() / self.scale).collect()
    }

    /// Fractions of `samples` with the best move among the first `n` candidates,
    /// for each `n` of `firsts`. Ties count against it.
    pub fn among_first<const N: usize>(
        &self,
        samples: &[u32],
        weights: &[f32],
        firsts: [usize; N],
    ) -> [f64; N] {
        let ranks: Vec<usize> = samples
            .par_iter()
            .map(|&at| {
                let odds = self.odds(at as usize, weights);
                let best = odds[self.positions.best_at(at as usize)];
                odds.iter().filter(|&&other| other >= best).count()
            })
            .collect();
        let part = |n| ranks.iter().filter(|&&rank| rank <= n).count() as f64;
        firsts.map(|n| part(n) / samples.len().max(1) as f64)
    }
}

/// Replaces log-odds by probabilities; returns the logarithm of the sum of their exponentials.
fn softmax(odds: &mut Odds) -> f32 {
    let max = odds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for entry in odds.iter_mut() {
        *entry = (*entry - max).exp();
        sum += *entry;
    }
    for entry in odds.iter_mut() {
        *entry /= sum;
    }
    max + sum.ln()
}

impl Problem for Ordering<'_> {
    fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
        let mut odds = self.odds(at, weights);
        let best = self.positions.best_at(at);
        let chosen = odds[best];
        let loss = softmax(&mut odds) - chosen;
        odds[best] -= 1.0;
        for (slope, candidate) in odds.iter().zip(self.positions.candidates_at(at)) {
            for &weight in candidate {
                gradient[weight as usize] += slope / self.scale;
            }
        }
        loss
    }

    fn loss(&self, at: usize, weights: &[f32]) -> f32 {
        let mut odds = self.odds(at, weights);
        let chosen = odds[self.positions.best_at(at)];
        softmax(&mut odds) - chosen
    }
}
