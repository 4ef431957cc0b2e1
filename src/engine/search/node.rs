//! [`Node`], the data that the steps of a node share, and functions that they call: solver cutoff,
//! relevance zone, search of a child, history update.

use super::history::{Context, PlayedMove, bonus};
use super::params::ONE;
use super::table_score::to_table;
use super::worker::Worker;
use crate::game::{Position, ThreatLevel};
use crate::tt::{Bound, Entry};
use goren_core::types::{CellSet, Color, Move, Score, loss_in, win_in};

/// A node of the search, as its steps see it.
pub struct Node {
    /// Lower bound of the window.
    pub alpha: Score,
    /// Upper bound of the window.
    pub beta: Score,
    /// Depth, in [`ONE`]ths of a ply, after internal iterative reduction.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether the window is open and the node belongs to no secondary PV.
    pub pv_node: bool,
    /// Whether the node is or was a PV node (the PV mark of the table).
    pub tt_pv: bool,
    /// Entry of the transposition table.
    pub entry: Option<Entry>,
    /// Best move of the entry, or [`Move::NONE`].
    pub table_move: Move,
    /// The move that a singular search skips, or [`Move::NONE`].
    pub excluded_move: Move,
    /// Side to move.
    pub mover: Color,
    /// The moves before the node.
    pub context: Context,
    /// Threat of the opponent.
    pub threat_level: ThreatLevel,
    /// Static evaluation, unless a five must be answered.
    pub eval: Option<Score>,
    /// Whether the evaluation is better than two turns ago, when the same side was to
    /// move.
    pub improving: bool,
    /// Whether a fail high is expected.
    pub cut_node: bool,
    /// Whether the fail high is nearly certain, so that cut-node reduction applies. Set by step 10.
    pub far_above_beta: bool,
    /// Extension of the table move. Set by step 11.
    pub table_extension: i32,
}

impl Node {
    /// Whether the opponent threatens nothing.
    #[inline(always)]
    pub fn no_threat(&self) -> bool {
        self.threat_level == ThreatLevel::None
    }
}

impl<P: Position> Worker<'_, P> {
    /// Runs the solver at a node where a turn begins, in games with
    /// [`Position::SOLVE_IN_TREE`], and stores a win that it finds in the transposition
    /// table. Returns the score of that win.
    #[inline]
    pub fn solver_cutoff(&mut self, key: u64, depth: i32, ply: usize) -> Option<Score> {
        let deep = depth >= self.params.turn_solver_depth * ONE;
        if !P::SOLVE_IN_TREE
            || self.exclusions.is_some()
            || !deep
            || self.by_ply[ply].excluded_move.is_some()
            || !self.position.begins_turn()
        {
            return None;
        }
        let (best, wins) = self.solve(self.params.turn_solver_nodes as u64)?;
        let score = win_in(ply + wins);
        let entry = Entry {
            best,
            score: to_table(score, ply),
            eval: self.evaluate(),
            depth: whole_plies(depth),
            bound: Bound::Lower,
            pv: false,
        };
        self.shared.table.store(key, entry);
        Some(score)
    }

    /// Returns the relevance zone of a VCF that the opponent threatens, if the solver finds one.
    /// Moves outside the zone lose to that VCF, so `best` rises to the score of that loss. They may
    /// lose sooner, so the score may overstate the length of the loss.
    pub fn relevance_zone(&mut self, ply: usize, best: &mut Score) -> Option<CellSet> {
        let (plies, zone) = self.threatened_vcf(self.params.zone_nodes as u64)?;
        *best = (*best).max(loss_in(ply + 1 + plies));
        Some(zone)
    }

    /// Whether all moves of [`GenType::Rest`] lose if those of [`GenType::Main`] do, because there
    /// is a threat that they do not answer. With exclusions this is unknown: the threat may rest on
    /// an excluded move, and if the side to move can win at once, [`GenType::Main`] has only the
    /// winning moves, which may be excluded.
    ///
    /// [`GenType::Main`]: crate::game::GenType::Main
    /// [`GenType::Rest`]: crate::game::GenType::Rest
    pub fn rest_loses(&self, threat_level: ThreatLevel) -> bool {
        threat_level != ThreatLevel::None && self.exclusions.is_none()
    }

    /// Length of a loss, in plies, if no stone stops the opponent from completing a line in its
    /// next turn: the stones left in this turn, and the completing stone. This is an upper bound: a
    /// turn that began outside the search may have fewer stones left.
    pub fn plies_to_five(&self) -> usize {
        let left = if self.position.begins_turn() { P::TURN } else { 1 };
        left + 1
    }

    /// Searches the position after a move; the score is for the side that made the
    /// move. `same_side`: that side is still to move, as its turn has more stones.
    /// `ply` is that of the parent, `depth` and `cut_node` are those of the child.
    #[inline]
    pub fn child<const PV: bool>(
        &mut self,
        same_side: bool,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if same_side {
            self.alpha_beta::<PV>(alpha, beta, depth, ply + 1, cut_node)
        } else {
            -self.alpha_beta::<PV>(-beta, -alpha, depth, ply + 1, cut_node)
        }
    }

    /// As [`Worker::child`], with the null window at `alpha`. Callers choose `cut_node` as if
    /// the opponent were to move, even if `same_side`: giving the child after the first of two
    /// stones the type of its parent gained nothing (`benches/journal/search.md`).
    #[inline]
    pub fn null_window(
        &mut self,
        same_side: bool,
        alpha: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        self.child::<false>(same_side, alpha, alpha + 1, depth, ply, cut_node)
    }

    /// Returns the moves one and two plies before a node.
    #[inline]
    pub fn context(&self, ply: usize) -> Context {
        let played = |back: usize| if ply >= back { self.by_ply[ply - back].played } else { None };
        Context { one_ply_ago: played(1), two_plies_ago: played(2) }
    }

    /// Updates killers, histories and the counter move after `m` failed high and was taken
    /// back. The moves `tried` before it get a history malus.
    pub fn update_histories(
        &mut self,
        node: &Node,
        m: Move,
        played: PlayedMove,
        tried: &[PlayedMove],
    ) {
        let killers = &mut self.by_ply[node.ply].killers;
        if killers[0] != m {
            *killers = [m, killers[0]];
        }
        let bonus = bonus(self.params, whole_plies(node.depth));
        self.history.add(node.mover, played, &node.context, bonus);
        let malus = -bonus * self.params.history_malus / 100;
        for &other in tried {
            self.history.add(node.mover, other, &node.context, malus);
        }
        self.history.set_counter(node.mover, self.position.last(), m);
    }
}

/// Rounds a depth to whole plies, as the transposition table stores it.
#[inline]
pub fn whole_plies(depth: i32) -> i32 {
    (depth + ONE / 2) / ONE
}
