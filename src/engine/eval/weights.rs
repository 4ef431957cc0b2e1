//! Weights of a rule of five in a row: values of the codes of empty cells and of the
//! threats on the board, policy values, and the two networks.
//!
//! The files in `game/five/`, embedded by the build, are the only source of values in
//! five in a row: one each for freestyle, standard, renju and Caro (also for Caro with
//! exact five); `file.rs` describes the format. The other games use tuple weights, one
//! file per `TupleFamily` (`tuple_file.rs`). `goren tune` writes both kinds.

use std::sync::Arc;

use super::near::{EarlierMove, NEAR, Near};
use super::net::{Net, NetSide};
use super::policy::{PolicyNet, PolicySide};
use super::table::shared;
use super::threats::THREATS;
use crate::board::CellInfo;
use crate::pattern::{CODES, TABLE_SIZE};
use goren_core::rules::RuleId;
use goren_core::types::{Cell, Color};

/// Quantisation scale of the values of codes and tuples: they are stored in sixteenths of
/// a point.
pub const VALUE_SCALE: i32 = 16;

/// The two values of a code for its colour, or sums of them, in [`VALUE_SCALE`]ths of a
/// point: the low half counts if the colour is to move, the high half if the opponent
/// is. One addition updates both.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Values(i64);

impl Values {
    pub(super) const fn new(to_move: i16, waiting: i16) -> Values {
        Values(to_move as i64 + ((waiting as i64) << 32))
    }

    /// Updates a sum incrementally: a cell's values change from `old` to `new`.
    #[inline(always)]
    pub(super) fn change(&mut self, old: Values, new: Values) {
        self.0 = self.0.wrapping_add(new.0).wrapping_sub(old.0);
    }

    #[inline]
    pub(super) const fn to_move(self) -> i32 {
        self.0 as i32
    }

    #[inline]
    pub(super) const fn waiting(self) -> i32 {
        // A negative low half has borrowed from the high half.
        (self.0.wrapping_sub(self.0 as i32 as i64) >> 32) as i32
    }
}

/// The weights of one colour, as stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Value of an empty cell by the colour's code there, if the colour is to move, in
    /// [`VALUE_SCALE`]ths of a point.
    pub to_move: [i16; CODES],
    /// The same if the opponent is to move.
    pub waiting: [i16; CODES],
    /// Policy value of a move of the colour by its own code on the cell. 100 points are 1
    /// in the log-odds of being the best move.
    pub policy_own: [i16; CODES],
    /// Policy value of an opponent's move by the colour's code on the cell, in the same
    /// unit: the value of denying the cell to the colour.
    pub policy_deny: [i16; CODES],
    /// Policy value of a move of the colour by its place relative to the last two moves
    /// ([`super::near::number`]), in the same unit.
    pub near: [i16; NEAR],
    /// Value of the threats of both sides if the colour is to move, by
    /// [`super::threat_mask`], in [`VALUE_SCALE`]ths of a point.
    pub threats: [i16; THREATS],
}

impl Side {
    /// Zero for all values.
    pub const ZERO: Side = Side {
        to_move: [0; CODES],
        waiting: [0; CODES],
        policy_own: [0; CODES],
        policy_deny: [0; CODES],
        near: [0; NEAR],
        threats: [0; THREATS],
    };
}

/// The weights of a rule, laid out for lookups.
#[derive(Clone, PartialEq)]
pub struct Weights {
    rule: RuleId,
    /// Whether these are the embedded weights.
    embedded: bool,
    /// Values of an empty cell, by colour and the colour's code there.
    pub(super) potential: [Arc<[Values; TABLE_SIZE]>; 2],
    policy_own: [Arc<[i16; TABLE_SIZE]>; 2],
    policy_deny: [Arc<[i16; TABLE_SIZE]>; 2],
    near: Near,
    /// By the colour to move.
    pub(super) threats: [Box<[i16; THREATS]>; 2],
    /// The evaluation network, if there is one.
    pub(super) net: Option<Box<Net>>,
    /// The policy net, if there is one.
    policy: Option<Box<PolicyNet>>,
}

/// Returns the rule whose weights a rule uses.
pub fn weights_rule(rule: RuleId) -> RuleId {
    rule.card().weights
}

/// Whether both colours use Black's weights: White has fouls under this rule, but not
/// under the rule that the weights were fitted for.
pub(super) fn plays_as_black(rule: RuleId) -> bool {
    let fouls = |rule: RuleId| rule.card().fouls[Color::White.index()].any();
    fouls(rule) && !fouls(weights_rule(rule))
}

impl Weights {
    /// Creates the weights of a rule from those of Black and White, without networks.
    pub fn new(rule: RuleId, sides: &[Side; 2]) -> Weights {
        let padded = |entries: &[i16; CODES]| {
            let mut table = Box::new([0; TABLE_SIZE]);
            table[..CODES].copy_from_slice(entries);
            table
        };
        Weights {
            rule: weights_rule(rule),
            embedded: false,
            potential: shared(sides.each_ref().map(|side| {
                let mut table = Box::new([Values::default(); TABLE_SIZE]);
                for (code, values) in table.iter_mut().take(CODES).enumerate() {
                    *values = Values::new(side.to_move[code], side.waiting[code]);
                }
                table
            })),
            policy_own: shared(sides.each_ref().map(|side| padded(&side.policy_own))),
            policy_deny: shared(sides.each_ref().map(|side| padded(&side.policy_deny))),
            near: Near::new(sides.each_ref().map(|side| &side.near)),
            threats: sides.each_ref().map(|side| Box::new(side.threats)),
            net: None,
            policy: None,
        }
    }

    /// Marks these as the embedded weights.
    pub(super) fn marked_embedded(self) -> Weights {
        Weights { embedded: true, ..self }
    }

    /// Whether these are the embedded weights. Only for these is it known which games they
    /// were fitted on, such as the size of the boards.
    pub(super) fn are_embedded(&self) -> bool {
        self.embedded
    }

    /// Adapts the weights to a rule that shares them: unchanged, or with Black's for both
    /// colours.
    pub fn for_variant(self, rule: RuleId) -> Weights {
        if !plays_as_black(rule) {
            return self;
        }
        let both = |side: Side| [side.clone(), side];
        let mut weights = Weights::new(self.rule, &both(self.side(Color::Black)));
        if let Some(net) = self.net_side(Color::Black) {
            weights = weights.with_net(&[net.clone(), net]);
        }
        if let Some(policy) = self.policy_side(Color::Black) {
            weights = weights.with_policy_net(&[policy.clone(), policy]);
        }
        weights
    }

    /// Adds a policy net.
    pub fn with_policy_net(self, sides: &[PolicySide; 2]) -> Weights {
        let policy = PolicyNet::new(self.rule, sides);
        Weights { policy: Some(Box::new(policy)), embedded: false, ..self }
    }

    /// Returns the weights of the policy net for a colour to move, if there is one.
    pub fn policy_side(&self, color: Color) -> Option<PolicySide> {
        self.policy.as_ref().map(|policy| policy.side(self.rule, color))
    }

    /// Returns the policy net, if there is one.
    #[inline]
    pub(super) fn policy(&self) -> Option<&PolicyNet> {
        self.policy.as_deref()
    }

    /// Adds an evaluation network.
    pub fn with_net(self, sides: &[NetSide; 2]) -> Weights {
        Weights { net: Some(Box::new(Net::new(self.rule, sides))), embedded: false, ..self }
    }

    /// Returns the weights of the evaluation network for a colour, if there is one.
    pub fn net_side(&self, color: Color) -> Option<NetSide> {
        self.net.as_ref().map(|net| net.side(self.rule, color))
    }

    /// Returns the rule that these weights were fitted for; Caro's also serve
    /// [`RuleId::CaroExact`].
    pub fn rule(&self) -> RuleId {
        self.rule
    }

    /// Returns the weights of a colour, as stored in a file.
    pub fn side(&self, color: Color) -> Side {
        let i = color.index();
        let truncated = |table: &[i16; TABLE_SIZE]| std::array::from_fn(|code| table[code]);
        Side {
            to_move: std::array::from_fn(|code| self.potential[i][code].to_move() as i16),
            waiting: std::array::from_fn(|code| self.potential[i][code].waiting() as i16),
            policy_own: truncated(&self.policy_own[i]),
            policy_deny: truncated(&self.policy_deny[i]),
            near: self.near.side(i),
            threats: *self.threats[i],
        }
    }

    /// Returns the policy score of a move of `mover` by both colours' codes on its cell.
    #[inline]
    pub fn policy_score(&self, mover: Color, cell: &CellInfo) -> i32 {
        self.policy_scores(mover)(cell)
    }

    /// Returns [`Weights::policy_score`] for many moves: looks the tables up once.
    #[inline]
    pub fn policy_scores(&self, mover: Color) -> impl Fn(&CellInfo) -> i32 + '_ {
        let own = &*self.policy_own[mover.index()];
        let deny = &*self.policy_deny[(!mover).index()];
        move |cell| {
            let own = own[usize::from(cell.code(mover)) % TABLE_SIZE];
            let deny = deny[usize::from(cell.code(!mover)) % TABLE_SIZE];
            i32::from(own) + i32::from(deny)
        }
    }

    /// Returns the policy values of moves of `mover` by their place relative to the opponent's
    /// last move or, with `own_move`, to the mover's own move before it. The caller adds them
    /// to [`Weights::policy_score`].
    #[inline]
    pub fn near(
        &self,
        mover: Color,
        own_move: bool,
        earlier: EarlierMove,
    ) -> impl Fn(Cell) -> i32 + '_ {
        self.near.values(mover.index(), own_move, earlier)
    }

    /// Returns the sum of [`Weights::near`] for the opponent's last move and the mover's own
    /// before it, as far as these are known.
    #[inline]
    pub fn near_both(
        &self,
        mover: Color,
        last: [Option<EarlierMove>; 2],
    ) -> impl Fn(Cell) -> i32 + '_ {
        self.near.values_of_both(mover.index(), last)
    }
}
