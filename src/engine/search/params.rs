//! Every number the search can be tuned by, each with its range and the step
//! that a tuner tries. Depths in plies, fractions of a ply in [`ONE`]ths,
//! margins in points of the evaluation.
//!
//! They can be set at run time (`INFO params`, `goren bench --params`), and
//! `goren spsa` tunes them. The search sees evaluations through
//! `Worker::evaluate`, which compresses great advantages (`tame_from`); the
//! scores it reports are built on those.

use goren_core::types::{PROVEN, SCORE_LIMIT, Score};

/// One ply of depth.
pub const ONE: i32 = 1024;

/// A reduction of at most this means that such moves are never reduced.
pub const NEVER: i32 = -9000;

/// What is known of a parameter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its name, the field of [`Params`].
    pub name: &'static str,
    /// Its value in play.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// A change that ought to be felt, some 2 to 3 Elo.
    pub step: i32,
}

/// A parameter that cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamError {
    /// There is none of this name.
    #[error("there is no parameter {0:?}")]
    Unknown(String),
    /// Not a whole number within the range.
    #[error("{name} must be a whole number from {min} to {max}", name = .0.name, min = .0.min, max = .0.max)]
    Value(Spec),
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident: $default:literal, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// The numbers of a search.
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
            /// All parameters, in order.
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
    /// Half width of the first aspiration window.
    aspiration: 15, 4..=60, 4;
    /// From this depth on aspiration windows are used.
    aspiration_depth: 4, 2..=8, 1;
    /// Growth of the window after a failure, in hundredths.
    aspiration_growth: 186, 120..=400, 30;

    /// Evaluations beyond so many points, on either side, count in part:
    /// where some move keeps a great advantage, margins that are right between
    /// equals leave out the quiet move that wins.
    tame_from: 600, 100..=20000, 50;
    /// Hundredths of what lies beyond that count.
    tame_part: 20, 0..=100, 5;

    /// Reverse futility: deepest.
    reverse_depth: 8, 0..=20, 1;
    /// Reverse futility: margin.
    reverse_base: 3, -50..=150, 10;
    /// Reverse futility: margin a ply.
    reverse_margin: 23, 5..=100, 5;
    /// Reverse futility: plies fewer if improving, in hundredths.
    reverse_improving: 112, 0..=300, 30;
    /// Razoring: deepest.
    razor_depth: 7, 0..=20, 1;
    /// Razoring: margin.
    razor_base: 42, 0..=200, 10;
    /// Razoring: margin a ply.
    razor_margin: 30, 5..=100, 5;

    /// Pruning by number: moves tried at least, in hundredths.
    count_base: 477, 100..=1500, 50;
    /// Pruning by number: factor of the power of depth, in hundredths.
    count_factor: 77, 20..=300, 12;
    /// Pruning by number: power of depth, in hundredths.
    count_power: 144, 50..=250, 8;
    /// Pruning by number: hundredths of the limit left if not improving.
    count_worse: 55, 20..=100, 6;
    /// Pruning by number: hundredths of the limit on a principal variation.
    count_pv: 207, 50..=3000, 25;
    /// Pruning by number: hundredths of the limit at the root.
    count_root: 216, 50..=3000, 40;
    /// Pruning by number: hundredths of the limit for a move that makes or
    /// stops a threat.
    count_threat: 150, 100..=9999, 20;
    /// Pruning by number: deepest.
    count_depth: 20, 0..=40, 2;
    /// Futility of quiet moves: deepest.
    futility_depth: 9, 0..=20, 1;
    /// Futility of quiet moves: margin.
    futility_base: 34, 0..=200, 10;
    /// Futility of quiet moves: margin a ply.
    futility_margin: 19, 5..=100, 5;
    /// Futility on a principal variation: more margin; 999 is never.
    futility_pv: 26, 0..=999, 15;
    /// Plain fours that only delay a threat: deepest depth at which they are
    /// left out, in hundredths of a ply.
    delay_depth: 400, 0..=1200, 50;

    /// Without a table move the depth shrinks from here on.
    iir_depth: 4, 1..=20, 1;
    /// By so much.
    iir: 936, 0..=3072, 128;
    /// Extension of the answer to a five.
    five_answer: 1070, 0..=2048, 96;
    /// Extension of the answer to a lesser threat.
    threat_answer: 5, 0..=1024, 96;

    /// Singular extension: shallowest; above 100 is never.
    singular_depth: 6, 3..=127, 1;
    /// Singular extension: how much shallower the table's search may be.
    singular_table: 2, 0..=6, 1;
    /// Singular extension: margin a ply, in sixteenths of a point.
    singular_margin: 33, 4..=160, 8;
    /// Singular extension: part of the depth searched, in hundredths.
    singular_part: 48, 25..=75, 5;
    /// Singular extension: by so much.
    singular: 903, 256..=2048, 128;
    /// Second extension: points further below.
    double_margin: 26, 0..=150, 8;
    /// Second extension: by so much more.
    double: 515, 0..=2048, 128;
    /// Reduction of a table move that is not singular at a cut node.
    negative: 1027, 0..=3072, 128;

    /// Cut nodes far above beta: by so much less deep is all but fours.
    ahead: 1024, 0..=2048, 128;
    /// Points above beta from which on a cut node is far above it.
    ahead_base: 20, -50..=300, 10;
    /// The same: more a ply.
    ahead_margin: 15, 0..=100, 4;
    /// The same: more under a threat.
    ahead_pressed: 87, 0..=400, 20;

    /// Shallowest reduction of late moves.
    lmr_depth: 3, 1..=6, 1;
    /// Reduction of late moves: base.
    lmr_base: 423, -1024..=2048, 64;
    /// Reduction of late moves: factor of the product of the logarithms of
    /// depth and number.
    lmr_factor: 700, 100..=1500, 32;
    /// Less at the root.
    lmr_root: 1009, -512..=3072, 128;
    /// More at cut nodes.
    lmr_cut: 1087, -512..=3072, 128;
    /// Less on a principal variation.
    lmr_pv: 1136, -512..=3072, 128;
    /// Less where one once was.
    lmr_was_pv: 388, -512..=3072, 128;
    /// More unless improving.
    lmr_worse: 441, -512..=2048, 96;
    /// More if the table move forces.
    lmr_forced: 12, -512..=2048, 96;
    /// More if the children of this node cut off often.
    lmr_cutoffs: 61, -512..=3072, 128;
    /// More after a move has raised alpha.
    lmr_raised: 2, -512..=2048, 96;
    /// Less for each 1,024 points of history.
    lmr_history: 195, 0..=1024, 24;
    /// More for each 100 points of policy score below the best.
    lmr_prior: 2, -64..=512, 24;
    /// More for a quiet move.
    lmr_quiet: -26, -1024..=2048, 96;
    /// More for a lively move.
    lmr_lively: 14, -2048..=2048, 96;
    /// More for a move that makes or stops a threat; below -9,000 is never.
    lmr_threat: -600, -9999..=2048, 128;
    /// More for a plain four; below -9,000 is never.
    lmr_four: -600, -9999..=2048, 128;
    /// Less under a threat.
    lmr_pressed: 1155, -512..=3072, 128;
    /// Less for a threat after a threat of one's own, or a lively move near it.
    lmr_attack: 500, -512..=2048, 96;

    /// Defence against fours that are threatened: stones of the enemy tried to
    /// find them; 0 is never.
    zone_nodes: 128, 0..=2000, 32;

    /// Wins by threats where a turn has more stones than one: least depth of
    /// the nodes that look for one.
    turn_solver_depth: 5, 1..=20, 1;
    /// Wins by threats where a turn has more stones than one: nodes of the
    /// solver at one of them.
    turn_solver_nodes: 600, 0..=20000, 100;

    /// Proofs by threats: nodes before the search.
    prove_first: 2000, 0..=100000, 500;
    /// Proofs by threats: hundredths of the nodes of the search.
    prove_share: 20, 0..=100, 3;
    /// Proofs by threats: plies of the best line looked at.
    prove_line: 4, 0..=20, 1;

    /// Proofs by threats, where rivals are doubted: hundredths of the nodes so
    /// far, spent on the position after a first move that is about to become
    /// the best.
    prove_rival: 12, 0..=50, 3;

    /// Bonus of history: per squared ply.
    bonus_square: 17, 0..=64, 3;
    /// Bonus of history: a ply.
    bonus_ply: 23, 0..=400, 24;
    /// Bonus of history: at most.
    bonus_max: 2203, 400..=6000, 200;
    /// Hundredths of the bonus taken from the moves tried before.
    malus: 103, 20..=250, 12;
    /// History of cells, in 1,024ths into the ordering.
    order_main: 15, 0..=128, 4;
    /// Bonus of a killer move in the ordering.
    order_killer: 70, 0..=400, 16;
    /// Bonus of the counter move in the ordering.
    order_counter: 57, 0..=400, 16;
    /// Least depth at which the policy net orders moves, in hundredths of a ply.
    policy_depth: 200, 0..=20000, 50;

    /// Quiescence: plies after which only strong fours are tried.
    quiet_plain_fours: 0, 0..=20, 1;
    /// Quiescence: deepest.
    quiet_plies: 40, 4..=100, 4;
}

impl Params {
    /// Sets a parameter.
    ///
    /// # Errors
    /// The name is none, or the value is out of range; nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let unknown = || ParamError::Unknown(name.to_owned());
        let spec = *Params::SPECS.iter().find(|s| s.name == name).ok_or_else(unknown)?;
        let value = value.parse().ok().filter(|v| (spec.min..=spec.max).contains(v));
        let value = value.ok_or(ParamError::Value(spec))?;
        *self.field(name).ok_or_else(unknown)? = value;
        Ok(())
    }

    /// An evaluation of which only a part counts beyond some points.
    #[inline]
    pub fn tame(&self, evaluation: Score) -> Score {
        let beyond = (evaluation.abs() - self.tame_from).max(0);
        let lost = beyond - beyond * self.tame_part / 100;
        evaluation - lost * evaluation.signum()
    }

    /// The least evaluation that [`Params::tame`] makes a score of; scores
    /// that are proven stay what they are.
    pub fn untame(&self, score: Score) -> Score {
        let beyond = score.abs() - self.tame_from;
        if beyond <= 0 || self.tame_part == 0 || score.abs() >= PROVEN {
            return score;
        }
        let whole = (100 * beyond + self.tame_part - 1) / self.tame_part;
        (self.tame_from + whole).min(SCORE_LIMIT) * score.signum()
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

/// Bound of history entries.
pub const HISTORY_MAX: i32 = 16384;
/// Nodes of the solver before the search.
pub const ROOT_SOLVER_NODES: u64 = 20_000;
/// Most of them for each millisecond of the longest time the search may take.
pub const ROOT_SOLVER_NODES_PER_MS: u64 = 100;
/// Most nodes of one proof against a first move about to become the best.
pub const RIVAL_NODES: u64 = 5000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_within_their_ranges_and_steps_are_felt() {
        let values = Params::default().values();
        assert_eq!(values.len(), Params::SPECS.len());
        for (spec, value) in Params::SPECS.iter().zip(values) {
            assert_eq!(spec.default, value, "{}", spec.name);
            assert!((spec.min..=spec.max).contains(&value), "{}", spec.name);
            assert!(spec.step > 0 && spec.step <= spec.max - spec.min, "{}", spec.name);
        }
    }

    #[test]
    fn great_advantages_are_tamed_alike_on_both_sides_and_keep_their_order() {
        let params = Params { tame_from: 600, tame_part: 20, ..Params::default() };
        let tamed = [0, 37, 600, 601, 605, 1100, 20_000].map(|e| params.tame(e));
        assert_eq!(tamed, [0, 37, 600, 600, 601, 700, 4480]);
        for evaluation in 0..3000 {
            assert_eq!(params.tame(-evaluation), -params.tame(evaluation));
            assert!(params.tame(evaluation) <= params.tame(evaluation + 1));
        }
    }

    #[test]
    fn scores_are_untamed_to_the_least_evaluation_they_can_be_of() {
        for (tame_from, tame_part) in [(600, 20), (600, 35), (100, 100), (20_000, 5)] {
            let params = Params { tame_from, tame_part, ..Params::default() };
            for evaluation in 0..=SCORE_LIMIT {
                let tamed = params.tame(evaluation);
                let least = params.untame(tamed);
                assert_eq!((params.tame(least), -params.untame(-tamed)), (tamed, least));
                assert!(least <= evaluation && (least == 0 || params.tame(least - 1) < tamed));
            }
            for proven in [PROVEN, PROVEN + 700, -PROVEN] {
                assert_eq!(params.untame(proven), proven);
            }
        }
        let nothing = Params { tame_from: 600, tame_part: 0, ..Params::default() };
        assert_eq!(nothing.untame(600), 600);
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
