//! Inner loops of the evaluation, compiled for several vector extensions (SIMD). All
//! versions do the same operations in the same order and so give the same results.
//!
//! The extension is chosen once, at run time. The incremental update, the window
//! features and the policy net are plain code, auto-vectorised for the baseline of the
//! target, for AVX2 and for AVX-512. The layers of the evaluation network exist twice:
//! as plain code in `net.rs`, and here with intrinsics. Functions compiled for an
//! extension are unsafe to call and are called only if it was detected.
//!
//! An AVX2 vector holds one accumulator; an AVX-512 vector holds everything that a code
//! adds (the embeddings for both colours to move), or half of the first hidden layer.
//!
//! WebAssembly has no run-time detection: compiled with `simd128`, its baseline has
//! vectors of 128 bits.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
use bytemuck::cast;

use super::embedding::{CHANNELS, Embedding};
use super::near::EarlierMove;
use super::net::{EMBEDDING_SCALE, Layers, WIDTH};
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
use super::net::{FIRST, INPUTS, LARGEST, SECOND};
use super::policy::{PolicyNet, State};
use super::sums::Sums;
use super::weights::Weights;
use super::windows;
use crate::board::{Board, Change};
use crate::game::MoveList;
use goren_core::rules::Rule;
use goren_core::types::Color;

/// Vector extensions that the loops are compiled for; each includes those before it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VectorExtension {
    /// None beyond the baseline of the target.
    Baseline,
    /// 256 bits.
    Avx2,
    /// 512 bits: AVX-512 F, BW, DQ and VL.
    Avx512,
}

/// Why a vector extension cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VectorExtensionError {
    /// Unknown name.
    #[error("unknown vector instructions {0}; choose baseline, avx2 or avx512")]
    Unknown(String),
    /// The processor lacks it.
    #[error("this processor does not support {0}")]
    Missing(VectorExtension),
    /// The evaluation uses another extension already.
    #[error("the evaluation already uses {0}")]
    InUse(VectorExtension),
}

impl VectorExtension {
    /// All extensions.
    pub const ALL: [VectorExtension; 3] =
        [VectorExtension::Baseline, VectorExtension::Avx2, VectorExtension::Avx512];

    /// Returns the best extension of this processor.
    pub fn of_processor() -> VectorExtension {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            let has_avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            return if has_avx512 { VectorExtension::Avx512 } else { VectorExtension::Avx2 };
        }
        VectorExtension::Baseline
    }
}

impl fmt::Display for VectorExtension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VectorExtension::Baseline => "baseline",
            VectorExtension::Avx2 => "avx2",
            VectorExtension::Avx512 => "avx512",
        })
    }
}

impl FromStr for VectorExtension {
    type Err = VectorExtensionError;

    fn from_str(name: &str) -> Result<VectorExtension, VectorExtensionError> {
        let named = |vectors: &VectorExtension| vectors.to_string() == name;
        VectorExtension::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| VectorExtensionError::Unknown(name.to_owned()))
    }
}

/// The extension in use. Invariant: the processor has it; unsafe calls rely on that.
static IN_USE: OnceLock<VectorExtension> = OnceLock::new();

/// Makes the evaluation use this extension. Must be called before the first evaluation.
///
/// # Errors
/// The processor lacks it, or another extension is in use already.
pub fn set_vector_extension(vectors: VectorExtension) -> Result<(), VectorExtensionError> {
    if vectors > VectorExtension::of_processor() {
        return Err(VectorExtensionError::Missing(vectors));
    }
    let used = *IN_USE.get_or_init(|| vectors);
    if used == vectors { Ok(()) } else { Err(VectorExtensionError::InUse(used)) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn in_use() -> VectorExtension {
    *IN_USE.get_or_init(VectorExtension::of_processor)
}

/// Returns the result of the version for the extension in use; falls through if that is the
/// baseline.
macro_rules! dispatch {
    ($avx512:ident, $avx2:ident, $arguments:tt) => {
        #[cfg(target_arch = "x86_64")]
        match in_use() {
            // SAFETY: the processor has the extension in use.
            #[allow(unsafe_code)]
            VectorExtension::Avx512 => return unsafe { $avx512 $arguments },
            // SAFETY: the processor has the extension in use.
            #[allow(unsafe_code)]
            VectorExtension::Avx2 => return unsafe { $avx2 $arguments },
            VectorExtension::Baseline => {}
        }
    };
}

/// Compiles a function of plain code for each extension: for AVX-512 and AVX2 under the
/// names in front, and under its own name for the baseline, which dispatches to the others.
macro_rules! for_each_extension {
    (
        $avx512:ident, $avx2:ident,
        $(#[$doc:meta])*
        fn $name:ident $(<$rule:ident: $bound:ident>)? ($($argument:ident: $type:ty),* $(,)?)
        $(-> $result:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[inline]
        pub(super) fn $name $(<$rule: $bound>)? ($($argument: $type),*) $(-> $result)? {
            dispatch!($avx512, $avx2, ($($argument),*));
            $body
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        fn $avx512 $(<$rule: $bound>)? ($($argument: $type),*) $(-> $result)? $body

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2 $(<$rule: $bound>)? ($($argument: $type),*) $(-> $result)? $body
    };
}

for_each_extension! {
    update_sums_avx512, update_sums_avx2,
    /// Updates the sums incrementally by the changes that one stone makes.
    fn update_sums(sums: &mut Sums, weights: &Weights, changes: &[Change]) {
        update_sums_anywhere(sums, weights, changes);
    }
}

#[inline(always)]
fn update_sums_anywhere(sums: &mut Sums, weights: &Weights, changes: &[Change]) {
    sums.change(weights, changes.iter().map(|change| [change.before(), change.after()]));
}

for_each_extension! {
    policy_avx512, policy_avx2,
    /// Adds the output of the policy net to the policy scores of moves.
    fn policy<R: Rule>(
        state: &mut State,
        board: &Board<R>,
        net: &PolicyNet,
        to_move: Color,
        last: [Option<EarlierMove>; 2],
        moves: &mut MoveList,
    ) {
        state.score(board, net, to_move, last, moves);
    }
}

for_each_extension! {
    feature_inputs_avx512, feature_inputs_avx2,
    /// Brings the window features up to date with a board, and returns their inputs of the
    /// first layer.
    fn feature_inputs<R: Rule>(
        state: &mut windows::State,
        board: &Board<R>,
        embedding: &Embedding,
        to_move: Color,
    ) -> [f32; CHANNELS] {
        state.inputs(board, embedding, to_move)
    }
}

/// Returns [`Layers::output`] of a quantised accumulator.
#[inline]
pub(super) fn output(
    layers: &Layers,
    sums: &[i16; WIDTH],
    evaluation: f32,
    threats: usize,
    features: &[f32; CHANNELS],
) -> f32 {
    dispatch!(output_avx512, output_avx2, (layers, sums, evaluation, threats, features));
    #[cfg(target_feature = "simd128")]
    return output_simd128(layers, sums, evaluation, threats, features);
    #[cfg(not(target_feature = "simd128"))]
    layers.output(&inputs(sums), evaluation, threats, features)
}

/// Dequantises an accumulator to inputs of the first layer.
#[inline(always)]
fn inputs(sums: &[i16; WIDTH]) -> [f32; WIDTH] {
    let mut inputs = [0.0; WIDTH];
    for (input, &sum) in inputs.iter_mut().zip(sums) {
        *input = f32::from(sum) / EMBEDDING_SCALE;
    }
    inputs
}

/// [`Layers::output`] with intrinsics. The compiler vectorises the plain code across the
/// partial sums, which is slower than scalar code.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
macro_rules! output_by {
    ($name:ident, $features:literal, $arch:ident, $vector:ident, $splat:ident, $add:ident, $mul:ident, $max:ident) => {
        #[target_feature(enable = $features)]
        fn $name(
            layers: &Layers,
            sums: &[i16; WIDTH],
            evaluation: f32,
            mut threats: usize,
            features: &[f32; CHANNELS],
        ) -> f32 {
            use std::arch::$arch::{$add, $max, $mul, $splat, $vector};
            type First = [$vector; FIRST * size_of::<f32>() / size_of::<$vector>()];
            type Second = [$vector; SECOND * size_of::<f32>() / size_of::<$vector>()];
            let zero = $splat(0.0);
            let mut first: First = cast(layers.first[INPUTS - 1]);
            // One array of a fixed length, so that the loop is unrolled.
            let mut inputs_and_evaluation = [evaluation.clamp(-LARGEST, LARGEST); WIDTH + 1];
            inputs_and_evaluation[..WIDTH].copy_from_slice(&inputs(sums));
            for (row, input) in layers.first.iter().zip(&inputs_and_evaluation) {
                let (row, by): (First, _) = (cast(*row), $splat(*input));
                for (neuron, weight) in first.iter_mut().zip(&row) {
                    *neuron = $add(*neuron, $mul(*weight, by));
                }
            }
            while threats != 0 {
                let row: First = cast(*layers.threat(threats));
                for (neuron, weight) in first.iter_mut().zip(&row) {
                    *neuron = $add(*neuron, *weight);
                }
                threats &= threats - 1;
            }
            if let Some(rows) = &layers.features {
                for (row, input) in rows.0.iter().zip(features) {
                    let (row, by): (First, _) = (cast(*row), $splat(*input));
                    for (neuron, weight) in first.iter_mut().zip(&row) {
                        *neuron = $add(*neuron, $mul(*weight, by));
                    }
                }
            }
            for neuron in &mut first {
                *neuron = $max(*neuron, zero);
            }
            let first: [f32; FIRST] = cast(first);
            let mut parts = [[zero; size_of::<Second>() / size_of::<$vector>()]; 4];
            parts[0] = cast(layers.second[FIRST]);
            for (rows, neurons) in layers.second.chunks_exact(4).zip(first.chunks_exact(4)) {
                for (part, (row, neuron)) in parts.iter_mut().zip(rows.iter().zip(neurons)) {
                    let (row, by): (Second, _) = (cast(*row), $splat(*neuron));
                    for (sum, weight) in part.iter_mut().zip(&row) {
                        *sum = $add(*sum, $mul(*weight, by));
                    }
                }
            }
            let mut second: Second = cast(layers.last);
            for (i, neuron) in second.iter_mut().enumerate() {
                let sum = $add($add(parts[0][i], parts[1][i]), $add(parts[2][i], parts[3][i]));
                *neuron = $mul($max(sum, zero), *neuron);
            }
            layers.sum_output(cast(second))
        }
    };
}
#[cfg(target_arch = "x86_64")]
output_by!(
    output_avx2,
    "avx2",
    x86_64,
    __m256,
    _mm256_set1_ps,
    _mm256_add_ps,
    _mm256_mul_ps,
    _mm256_max_ps
);
#[cfg(target_arch = "x86_64")]
output_by!(
    output_avx512,
    "avx512f,avx512bw,avx512dq,avx512vl",
    x86_64,
    __m512,
    _mm512_set1_ps,
    _mm512_add_ps,
    _mm512_mul_ps,
    _mm512_max_ps
);
#[cfg(target_feature = "simd128")]
output_by!(output_simd128, "simd128", wasm32, v128, f32x4_splat, f32x4_add, f32x4_mul, f32x4_pmax);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::eval::net::FEATURE_LAYER;
    use goren_core::rules::{Freestyle, RuleId, Setup};
    use goren_core::types::{Cell, Color, keys::mix};

    /// Runs [`update_sums`] as on a processor with the extension `vectors`.
    #[allow(unsafe_code)]
    fn update_sums_by(
        vectors: VectorExtension,
        sums: &mut Sums,
        weights: &Weights,
        changes: &[Change],
    ) {
        match vectors {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: called only if the processor has it.
            VectorExtension::Avx512 => unsafe { update_sums_avx512(sums, weights, changes) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: called only if the processor has it.
            VectorExtension::Avx2 => unsafe { update_sums_avx2(sums, weights, changes) },
            _ => update_sums_anywhere(sums, weights, changes),
        }
    }

    #[allow(unsafe_code)]
    fn output_by(
        vectors: VectorExtension,
        layers: &Layers,
        sums: &[i16; WIDTH],
        by: (f32, usize, [f32; CHANNELS]),
    ) -> f32 {
        match vectors {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: called only if the processor has it.
            VectorExtension::Avx512 => unsafe { output_avx512(layers, sums, by.0, by.1, &by.2) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: called only if the processor has it.
            VectorExtension::Avx2 => unsafe { output_avx2(layers, sums, by.0, by.1, &by.2) },
            _ => layers.output(&inputs(sums), by.0, by.1, &by.2),
        }
    }

    fn usable() -> impl Iterator<Item = VectorExtension> {
        VectorExtension::ALL
            .into_iter()
            .filter(|&vectors| vectors <= VectorExtension::of_processor())
    }

    #[test]
    fn names_of_extensions_are_parsed() {
        for vectors in VectorExtension::ALL {
            assert_eq!(vectors.to_string().parse(), Ok(vectors));
        }
        let unknown = VectorExtensionError::Unknown("sse9".to_owned());
        assert_eq!("sse9".parse::<VectorExtension>(), Err(unknown));
    }

    /// Compares the plain code with itself on a processor without vector extensions. Runs
    /// fewer cases under Miri, which is far slower.
    #[test]
    fn every_vector_extension_gives_the_same_results() {
        let (stones, rounds) = if cfg!(miri) { (8, 10) } else { (200, 1000) };
        let weights = Weights::embedded(RuleId::Freestyle);
        let mut board = Board::<Freestyle>::new(Setup::new(RuleId::Freestyle, 20, 20).unwrap());
        let mut sums = Sums::default();
        let mut seed = 5;
        while board.placed() < stones {
            seed = mix(seed);
            let cell = Cell::new(seed as usize % 20, (seed >> 20) as usize % 20);
            if board.is_empty(cell) {
                board.make(cell, Color::ALL[board.placed() % 2]);
                let changes = board.changes(board.placed() - 1);
                let before = sums;
                update_sums(&mut sums, &weights, changes);
                for vectors in usable() {
                    let mut same = before;
                    update_sums_by(vectors, &mut same, &weights, changes);
                    assert_eq!(same, sums, "{vectors}");
                }
            }
        }
        assert!(sums != Sums::default());
        for round in 0..rounds {
            let mut random = |scale: f32| {
                seed = mix(seed);
                (seed as i32 as f32) / (1u32 << 31) as f32 * scale
            };
            let numbers: Vec<f32> =
                (0..crate::eval::net::LAYER_WEIGHTS).map(|_| random(2.0)).collect();
            let sums = std::array::from_fn(|_| random(4.0 * EMBEDDING_SCALE) as i16);
            let feature_layer: [f32; FEATURE_LAYER] = std::array::from_fn(|_| random(2.0));
            let features: [f32; CHANNELS] = std::array::from_fn(|_| random(2.0).max(0.0));
            let layers = Layers::new(&numbers);
            let layers = if round % 4 == 0 { layers } else { layers.with_features(&feature_layer) };
            let evaluation = random(9.0);
            let threats = seed as usize % crate::eval::THREATS;
            let number = layers.output(&inputs(&sums), evaluation, threats, &features).to_bits();
            assert_eq!(output(&layers, &sums, evaluation, threats, &features).to_bits(), number);
            for vectors in usable() {
                let same = output_by(vectors, &layers, &sums, (evaluation, threats, features));
                assert_eq!(same.to_bits(), number, "{vectors}");
            }
        }
    }
}
