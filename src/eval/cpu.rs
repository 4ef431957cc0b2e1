//! The inner loops of the evaluation, compiled for the vectors of the processor
//! at hand: the same steps in the same order, so the same numbers everywhere.
//!
//! Vectors of AVX2 hold all sums of one colour, and a quarter of the first
//! hidden layer. Wider ones are not used: no machine was there to try them on.

#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

use super::Sums;
use super::net::{Layers, WIDTH};
use super::weights::Weights;
use crate::board::Change;

/// Whether the processor has AVX2 and may use it.
#[cfg(target_arch = "x86_64")]
static AVX2: OnceLock<bool> = OnceLock::new();

/// Has the evaluation use nothing but what every processor has. Returns `false`
/// if it is too late: something was evaluated before.
pub fn use_baseline() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !*AVX2.get_or_init(|| false);
    #[cfg(not(target_arch = "x86_64"))]
    true
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn avx2() -> bool {
    *AVX2.get_or_init(|| std::arch::is_x86_feature_detected!("avx2"))
}

/// Brings sums up to date with what one stone changed.
#[inline]
pub(super) fn follow(sums: &mut Sums, weights: &Weights, changes: &[Change]) {
    #[cfg(target_arch = "x86_64")]
    if avx2() {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        return unsafe { follow_avx2(sums, weights, changes) };
    }
    follow_anywhere(sums, weights, changes);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn follow_avx2(sums: &mut Sums, weights: &Weights, changes: &[Change]) {
    follow_anywhere(sums, weights, changes);
}

#[inline(always)]
fn follow_anywhere(sums: &mut Sums, weights: &Weights, changes: &[Change]) {
    // A copy stays in registers.
    let mut copy = *sums;
    for change in changes {
        copy.change(weights, change.before(), change.after());
    }
    *sums = copy;
}

/// [`Layers::output`].
#[inline]
pub(super) fn output(layers: &Layers, sums: &[f32; WIDTH], evaluation: f32, threats: usize) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if avx2() {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        return unsafe { output_avx2(layers, sums, evaluation, threats) };
    }
    layers.output(sums, evaluation, threats)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn output_avx2(layers: &Layers, sums: &[f32; WIDTH], evaluation: f32, threats: usize) -> f32 {
    layers.output(sums, evaluation, threats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::rules::{Freestyle, RuleId, Setup};
    use crate::types::{Cell, Color, keys::mix};

    /// On a processor without AVX2 this compares the same code with itself.
    #[test]
    fn every_processor_finds_the_same_numbers() {
        let weights = Weights::embedded(RuleId::Freestyle);
        let mut board = Board::<Freestyle>::new(Setup::new(RuleId::Freestyle, 20, 20).unwrap());
        let (mut here, mut anywhere) = (Sums::default(), Sums::default());
        let mut seed = 5;
        while board.placed() < 200 {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 20, (seed >> 20) as usize % 20);
            if board.is_empty(cell) {
                board.make(cell, Color::ALL[board.placed() % 2]);
                let changes = board.changes(board.placed() - 1);
                follow(&mut here, &weights, changes);
                follow_anywhere(&mut anywhere, &weights, changes);
                assert_eq!(here, anywhere);
            }
        }
        assert!(here != Sums::default());
        for _ in 0..1000 {
            let mut random = |scale: f32| {
                seed = mix(seed);
                (seed as i32 as f32) / (1u32 << 31) as f32 * scale
            };
            let numbers: Vec<f32> = (0..crate::eval::net::HEAD).map(|_| random(2.0)).collect();
            let sums = std::array::from_fn(|_| random(4.0));
            let (layers, evaluation) = (Layers::new(&numbers), random(9.0));
            let threats = seed as usize % crate::eval::THREATS;
            let number = layers.output(&sums, evaluation, threats);
            assert_eq!(output(&layers, &sums, evaluation, threats).to_bits(), number.to_bits());
        }
    }
}
