//! The tunable parameters of the search, each with its range and the step of the
//! tuner. Unless its comment says otherwise, a depth limit is in plies, an extension
//! or a reduction in [`ONE`]ths of a ply, a margin or a bonus in points of the
//! evaluation.
//!
//! `INFO params` and `goren bench --params` set them at run time, `goren spsa`
//! tunes them. `Worker::evaluate` compresses large evaluations (`compress_from`)
//! before the search sees them, so all margins and reported scores refer to
//! compressed evaluations.

use goren_core::types::{PROVEN, SCORE_LIMIT, Score};

/// One ply, the unit of depth in the search.
pub const ONE: i32 = 1024;

/// If the `lmr_*` parameter of a move class is at most this, late move reduction
/// does not apply to moves of that class.
pub const NO_LMR: i32 = -9000;

/// Name, default and range of a parameter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Name of the parameter and of its field in [`Params`].
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// Step of the tuner: a change of about 2 to 3 Elo.
    pub step: i32,
}

/// Why a parameter was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamError {
    /// There is no parameter of this name.
    #[error("there is no parameter {0:?}")]
    Unknown(String),
    /// The value is not a whole number within the range.
    #[error("{name} must be a whole number from {min} to {max}", name = .0.name, min = .0.min, max = .0.max)]
    Value(Spec),
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// Search parameters.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[doc = $doc])+ pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// All parameters, in the order of the fields.
            pub const SPECS: &[Spec] = &[$(Spec {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)*];

            fn field(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// The values, in the order of [`Params::SPECS`].
            pub fn values(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }
        }
    };
}

params! {
    /// Aspiration window: half width at first.
    aspiration: 15, 4..=60, 4;
    /// Aspiration window: least depth.
    aspiration_depth: 4, 2..=8, 1;
    /// Aspiration window: growth after a fail high or fail low, in per cent.
    aspiration_growth: 186, 120..=400, 30;

    /// Evaluation compression: only part of an evaluation beyond this many points
    /// counts. Otherwise, with a large advantage, margins tuned on equal positions
    /// would prune the quiet move that wins.
    compress_from: 600, 100..=20000, 50;
    /// Evaluation compression: part of the points beyond that counts, in per cent.
    compress_percent: 20, 0..=100, 5;

    /// Reverse futility pruning: greatest depth.
    reverse_futility_depth: 8, 0..=20, 1;
    /// Reverse futility pruning: margin.
    reverse_futility_base: 3, -50..=150, 10;
    /// Reverse futility pruning: margin per ply.
    reverse_futility_margin: 23, 5..=100, 5;
    /// Reverse futility pruning: if improving, the margin is that of a depth lower by
    /// this many hundredths of a ply.
    reverse_futility_improving: 112, 0..=300, 30;
    /// Razoring: greatest depth.
    razor_depth: 7, 0..=20, 1;
    /// Razoring: margin.
    razor_base: 50, 0..=200, 10;
    /// Razoring: margin per ply.
    razor_margin: 34, 5..=100, 5;

    /// Late move pruning: `base` of the move limit, `base + factor * depth ^ power`, in
    /// hundredths.
    lmp_base: 477, 100..=1500, 50;
    /// Late move pruning: `factor` of the move limit, in hundredths.
    lmp_factor: 77, 20..=300, 12;
    /// Late move pruning: `power` of the move limit, in hundredths.
    lmp_power: 144, 50..=250, 8;
    /// Late move pruning: per cent of the move limit if not improving.
    lmp_not_improving: 62, 20..=100, 6;
    /// Late move pruning: per cent of the move limit at PV nodes.
    lmp_pv: 207, 50..=3000, 25;
    /// Late move pruning: per cent of the move limit at the root.
    lmp_root: 216, 50..=3000, 40;
    /// Late move pruning: per cent of the move limit for a move that makes or
    /// stops a threat.
    lmp_threat: 150, 100..=9999, 20;
    /// Late move pruning: greatest depth.
    lmp_depth: 20, 0..=40, 2;
    /// Futility pruning of quiet and active moves: greatest depth.
    futility_depth: 9, 0..=20, 1;
    /// Futility pruning: margin.
    futility_base: 34, 0..=200, 10;
    /// Futility pruning: margin per ply.
    futility_margin: 16, 5..=100, 5;
    /// Futility pruning at PV nodes: additional margin; 999 all but disables it.
    futility_pv: 26, 0..=999, 15;
    /// Pruning of plain fours under a threat: greatest depth, in hundredths of a ply.
    delaying_four_depth: 400, 0..=1200, 50;

    /// Internal iterative reduction: least depth.
    iir_depth: 4, 1..=20, 1;
    /// Internal iterative reduction: reduction.
    iir: 936, 0..=3072, 128;
    /// Extension of the answer to a threatened five.
    five_extension: 1070, 0..=2048, 96;

    /// Singular extension: least depth; 127, deeper than any iteration, disables it.
    singular_depth: 6, 3..=127, 1;
    /// Singular extension: plies by which the depth of the table entry may be less
    /// than that of the node.
    singular_table: 2, 0..=6, 1;
    /// Singular extension: margin below the table score per ply, in sixteenths of a
    /// point.
    singular_margin: 42, 4..=160, 8;
    /// Singular extension: depth of the search without the table move, in per cent
    /// of the depth of a child.
    singular_depth_percent: 44, 25..=75, 5;
    /// Singular extension: extension.
    singular_extension: 903, 256..=2048, 128;
    /// Double extension: margin by which the search without the table move must fail
    /// low.
    double_extension_margin: 26, 0..=150, 8;
    /// Double extension: added to the singular extension.
    double_extension: 515, 0..=2048, 128;
    /// Negative extension of a table move that is not singular: reduction.
    negative_extension: 1027, 0..=3072, 128;

    /// Cut-node reduction far above beta: reduction of all moves but fours.
    cut_node_reduction: 1024, 0..=2048, 128;
    /// Cut-node reduction: margin above beta.
    cut_node_reduction_base: 20, -50..=300, 10;
    /// Cut-node reduction: margin per ply.
    cut_node_reduction_margin: 15, 0..=100, 4;
    /// Cut-node reduction: additional margin under a threat.
    cut_node_reduction_threat: 87, 0..=400, 20;

    /// Late move reduction: least depth.
    lmr_depth: 3, 1..=6, 1;
    /// Late move reduction: `base` of `base + factor * ln(depth) * ln(move number)`.
    lmr_base: 423, -1024..=2048, 64;
    /// Late move reduction: `factor` of that formula.
    lmr_factor: 750, 100..=1500, 32;
    /// Late move reduction: subtracted at the root.
    lmr_root: 1009, -512..=3072, 128;
    /// Late move reduction: added at cut nodes.
    lmr_cut_node: 1087, -512..=3072, 128;
    /// Late move reduction: subtracted at PV nodes.
    lmr_pv: 1136, -512..=3072, 128;
    /// Late move reduction: subtracted at nodes that are or were PV nodes (the PV mark
    /// of the table).
    lmr_was_pv: 388, -512..=3072, 128;
    /// Late move reduction: added if not improving.
    lmr_not_improving: 441, -512..=2048, 96;
    /// Late move reduction: added if more than 3 children of this node and of its
    /// siblings failed high.
    lmr_cutoffs: 61, -512..=3072, 128;
    /// Late move reduction: subtracted for each 1,024 points of history.
    lmr_history: 195, 0..=1024, 24;
    /// Late move reduction: added for a quiet move.
    lmr_quiet: -26, -1024..=2048, 96;
    /// Late move reduction: added for an active move.
    lmr_active: 14, -2048..=2048, 96;
    /// Late move reduction: added for a move that makes or stops a threat; at -9,000
    /// or less such moves are not reduced.
    lmr_threat: -600, -9999..=2048, 128;
    /// Late move reduction: added for a plain four; at -9,000 or less plain fours are
    /// not reduced.
    lmr_four: -600, -9999..=2048, 128;
    /// Late move reduction: subtracted under a threat.
    lmr_under_threat: 1155, -512..=3072, 128;
    /// Late move reduction: subtracted for a threat after a threat by the same side,
    /// and for an active move near that earlier threat.
    lmr_attack: 500, -512..=2048, 96;

    /// Relevance zone of a threatened VCF: nodes of the solver; 0 disables the zone.
    zone_nodes: 128, 0..=2000, 32;

    /// Solver inside the tree, in games whose turns have several stones: least
    /// depth.
    turn_solver_depth: 5, 1..=20, 1;
    /// Solver inside the tree, in games whose turns have several stones: nodes
    /// per call.
    turn_solver_nodes: 600, 0..=20000, 100;

    /// Proof-number search: nodes before the first iteration.
    prove_first: 2000, 0..=100000, 500;
    /// Proof-number search: nodes in per cent of all nodes of the thread.
    prove_share: 20, 0..=100, 3;
    /// Proof-number search: plies of the PV examined.
    prove_line: 4, 0..=20, 1;

    /// Root move check: nodes in per cent of all nodes of the thread so far.
    prove_root_move: 12, 0..=50, 3;

    /// History bonus: points per square of the depth in plies.
    history_bonus_square: 17, 0..=64, 3;
    /// History bonus: points per ply of depth.
    history_bonus_ply: 23, 0..=400, 24;
    /// History bonus: maximum.
    history_bonus_max: 2203, 400..=6000, 200;
    /// History malus of the moves tried before a fail high: per cent of the bonus.
    history_malus: 103, 20..=250, 12;
    /// Move ordering: weight of the main history, in 1,024ths.
    order_main: 15, 0..=128, 4;
    /// Move ordering: bonus of a killer move.
    order_killer: 70, 0..=400, 16;
    /// Move ordering: bonus of the counter move.
    order_counter: 57, 0..=400, 16;
    /// Move ordering by the policy net: least depth, in hundredths of a ply.
    policy_depth: 300, 0..=20000, 50;

    /// Quiescence search: plies beyond the horizon in which plain fours are tried.
    quiescence_plain_fours: 0, 0..=20, 1;
    /// Quiescence search: a four after the first must lie on a line with the side's previous
    /// one, at most this many cells away.
    quiescence_reach: 5, 1..=20, 1;
    /// Quiescence search: maximum plies beyond the horizon, except for answers to fives.
    quiescence_plies: 40, 4..=100, 4;
}

impl Params {
    /// Sets the parameter `name` to `value`, a whole number as text.
    ///
    /// # Errors
    /// There is no such parameter, or the value is no whole number in its range.
    /// Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let unknown = || ParamError::Unknown(name.to_owned());
        let spec = *Params::SPECS.iter().find(|s| s.name == name).ok_or_else(unknown)?;
        let value = value.parse().ok().filter(|v| (spec.min..=spec.max).contains(v));
        let value = value.ok_or(ParamError::Value(spec))?;
        *self.field(name).ok_or_else(unknown)? = value;
        Ok(())
    }

    /// Evaluation compression: only `compress_percent` of the points beyond
    /// `compress_from` count.
    #[inline]
    pub fn compress(&self, evaluation: Score) -> Score {
        let beyond = (evaluation.abs() - self.compress_from).max(0);
        let lost = beyond - beyond * self.compress_percent / 100;
        evaluation - lost * evaluation.signum()
    }

    /// The smallest evaluation that [`Params::compress`] maps to `score`. Proven
    /// scores stay as they are.
    pub fn decompress(&self, score: Score) -> Score {
        let beyond = score.abs() - self.compress_from;
        if beyond <= 0 || self.compress_percent == 0 || score.abs() >= PROVEN {
            return score;
        }
        let whole = (100 * beyond + self.compress_percent - 1) / self.compress_percent;
        (self.compress_from + whole).min(SCORE_LIMIT) * score.signum()
    }

    /// Sets parameters by a list `NAME VALUE NAME VALUE ...`.
    ///
    /// # Errors
    /// As [`Params::set`]; nothing changes then.
    pub fn set_all(&mut self, list: &str) -> Result<(), ParamError> {
        let mut changed = self.clone();
        let mut words = list.split_whitespace();
        while let Some(name) = words.next() {
            changed.set(name, words.next().unwrap_or(""))?;
        }
        *self = changed;
        Ok(())
    }
}

/// Largest absolute value of a history entry.
pub const HISTORY_MAX: i32 = 16384;
/// Maximum nodes of the VCF solver at the root, before the first iteration.
pub const ROOT_SOLVER_NODES: u64 = 20_000;
/// Maximum nodes of the solvers before the first iteration, per millisecond of the hard time limit.
pub const ROOT_SOLVER_NODES_PER_MS: u64 = 100;
/// Maximum nodes of one root move check.
pub const ROOT_MOVE_CHECK_NODES: u64 = 5000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_ranges() {
        let values = Params::default().values();
        assert_eq!(values.len(), Params::SPECS.len());
        for (spec, value) in Params::SPECS.iter().zip(values) {
            assert_eq!(spec.default, value, "{}", spec.name);
            assert!((spec.min..=spec.max).contains(&value), "{}", spec.name);
            assert!(spec.step > 0 && spec.step <= spec.max - spec.min, "{}", spec.name);
        }
    }

    #[test]
    fn compression_is_symmetric_and_monotonic() {
        let params = Params { compress_from: 600, compress_percent: 20, ..Params::default() };
        let compressed = [0, 37, 600, 601, 605, 1100, 20_000].map(|e| params.compress(e));
        assert_eq!(compressed, [0, 37, 600, 600, 601, 700, 4480]);
        for evaluation in 0..3000 {
            assert_eq!(params.compress(-evaluation), -params.compress(evaluation));
            assert!(params.compress(evaluation) <= params.compress(evaluation + 1));
        }
    }

    #[test]
    fn decompression_yields_the_least_evaluation_of_a_score() {
        for (compress_from, compress_percent) in [(600, 20), (600, 35), (100, 100), (20_000, 5)] {
            let params = Params { compress_from, compress_percent, ..Params::default() };
            for evaluation in 0..=SCORE_LIMIT {
                let compressed = params.compress(evaluation);
                let least = params.decompress(compressed);
                assert_eq!(
                    (params.compress(least), -params.decompress(-compressed)),
                    (compressed, least)
                );
                assert!(
                    least <= evaluation && (least == 0 || params.compress(least - 1) < compressed)
                );
            }
            for proven in [PROVEN, PROVEN + 700, -PROVEN] {
                assert_eq!(params.decompress(proven), proven);
            }
        }
        let nothing = Params { compress_from: 600, compress_percent: 0, ..Params::default() };
        assert_eq!(nothing.decompress(600), 600);
    }

    #[test]
    fn lists_set_all_or_nothing() {
        let mut params = Params::default();
        params.set_all(" razor_base 40  lmr_base -5").unwrap();
        assert_eq!((params.razor_base, params.lmr_base), (40, -5));
        let before = params.clone();
        let error = params.set_all("razor_base 41 nosuch 3").unwrap_err();
        assert_eq!(error.to_string(), "there is no parameter \"nosuch\"");
        let error = params.set_all("razor_base 41 razor_depth 99").unwrap_err();
        assert_eq!(error.to_string(), "razor_depth must be a whole number from 0 to 20");
        assert!(params.set_all("razor_base").is_err());
        assert_eq!(params, before);
    }
}
