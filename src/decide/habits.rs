//! The habits of limited strength: nodes of a search, number of moves compared, error
//! of judgement, and the chance to overlook moves that are hard to see.

use rand::RngExt;
use rand::rngs::SmallRng;

use goren_core::types::{Score, plies_to_end};
use goren_engine::Request;

/// The habits of a player of some strength.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Habits {
    /// Nodes of a search.
    pub(super) nodes: f64,
    /// Number of PVs of which one is chosen (multi-PV).
    pub(super) lines: f64,
    /// Scale of the error of judgement, in points. Of two moves, the one worse by this
    /// much is chosen with probability 1/(1 + e), once in 3.7 times.
    pub(super) spread: f64,
    /// Scale of the chance to overlook a move or a threat, 0 to 1 (`attention.rs`).
    pub(super) blindness: f64,
}

/// Least nodes of a decision that is not a plain move, as it compares several
/// positions.
const DECISION_NODES: f64 = 4_000.0;

/// A proven win or loss counts as `SEEN` points, less a number of points for each ply
/// it is away, but at least [`FAINTEST`]. The number is the first of [`FADES`] at
/// blindness 0, the second at blindness 1.
const SEEN: f64 = 560.0;
const FADES: [f64; 2] = [30.0, 90.0];
const FAINTEST: f64 = 150.0;

/// Habits at heights 0, 0.1, ... 1 of the ladder, the weakest first.
const RUNGS: [Habits; 11] = [
    Habits::of(500.0, 20.0, 400.0, 1.0),
    Habits::of(500.0, 14.0, 180.0, 0.9),
    Habits::of(500.0, 10.0, 110.0, 0.75),
    Habits::of(500.0, 7.0, 65.0, 0.5),
    Habits::of(600.0, 6.0, 45.0, 0.35),
    Habits::of(800.0, 5.0, 33.0, 0.2),
    Habits::of(1_200.0, 4.0, 24.0, 0.1),
    Habits::of(2_000.0, 3.0, 18.0, 0.04),
    Habits::of(4_000.0, 3.0, 12.0, 0.0),
    Habits::of(15_000.0, 2.0, 8.0, 0.0),
    Habits::of(140_000.0, 2.0, 3.0, 0.0),
];

impl Habits {
    const fn of(nodes: f64, lines: f64, spread: f64, blindness: f64) -> Habits {
        Habits { nodes, lines, spread, blindness }
    }

    /// The habits at a height of the ladder, 0 to 1, interpolated.
    pub(super) fn at(height: f64) -> Habits {
        let steps = (RUNGS.len() - 1) as f64;
        let place = height.clamp(0.0, 1.0) * steps;
        let below = (place as usize).min(RUNGS.len() - 2);
        let (low, high, part) = (RUNGS[below], RUNGS[below + 1], place - below as f64);
        let between = |low: f64, high: f64| low + (high - low) * part;
        Habits {
            nodes: between(low.nodes.log2(), high.nodes.log2()).exp2(),
            lines: between(low.lines, high.lines),
            spread: between(low.spread, high.spread),
            blindness: between(low.blindness, high.blindness),
        }
    }

    /// Returns the request for a move.
    pub(super) fn searching(&self, request: &Request) -> Request {
        let multi_pv = self.lines.round() as usize;
        Request { multi_pv, ..bounded(request, self.nodes) }
    }

    /// Returns the request for a decision that is not a plain move.
    pub(super) fn deciding(&self, request: &Request) -> Request {
        bounded(request, self.nodes.max(DECISION_NODES))
    }

    /// Returns the score with a random error of judgement. The error has a Gumbel distribution, so
    /// the chance to choose the better of two moves is a logistic function of their difference.
    pub(super) fn judged(&self, score: Score, rng: &mut SmallRng) -> f64 {
        self.seen(score) + self.spread * gumbel(rng)
    }

    /// Returns the score without the certainty of a proof: the farther away a proven win or loss
    /// and the greater the blindness, the less it counts.
    fn seen(&self, score: Score) -> f64 {
        match plies_to_end(score) {
            None => f64::from(score).clamp(-SEEN, SEEN),
            Some(plies) => {
                let fades = FADES[0] + (FADES[1] - FADES[0]) * self.blindness;
                (SEEN - fades * plies as f64).max(FAINTEST) * f64::from(score.signum())
            }
        }
    }
}

/// Limits a request to `nodes`, on one thread, as several threads are not deterministic.
fn bounded(request: &Request, nodes: f64) -> Request {
    let nodes = nodes as u64;
    let limit = request.max_nodes.map_or(nodes, |limit| limit.min(nodes));
    Request { max_nodes: Some(limit), threads: 1, ..request.clone() }
}

/// Returns a random number with the standard Gumbel distribution.
fn gumbel(rng: &mut SmallRng) -> f64 {
    let uniform: f64 = rng.random::<f64>().max(f64::MIN_POSITIVE);
    -(-uniform.ln()).max(f64::MIN_POSITIVE).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn stronger_players_search_more_and_err_less() {
        let heights = (0..=200).map(|step| Habits::at(f64::from(step) / 200.0));
        let all: Vec<Habits> = heights.collect();
        assert!(all.is_sorted_by(|a, b| a.spread > b.spread && a.nodes < b.nodes + 1e-6));
        assert!(all.is_sorted_by(|a, b| a.blindness >= b.blindness && a.lines >= b.lines));
        for (height, rung) in [(0.0, 0), (0.2, 2), (1.0, 10), (-1.0, 0), (2.0, 10)] {
            let (habits, rung) = (Habits::at(height), RUNGS[rung]);
            assert!((habits.nodes - rung.nodes).abs() < 1e-6, "{habits:?}");
            assert!((habits.spread - rung.spread).abs() < 1e-6, "{habits:?}");
        }
    }

    #[test]
    fn the_better_of_two_moves_is_chosen_by_the_logistic_law() {
        let habits = Habits { spread: 50.0, ..Habits::at(0.0) };
        let mut rng = SmallRng::seed_from_u64(5);
        let mut better = |ahead: Score| {
            let pairs =
                (0..10_000).map(|_| (habits.judged(ahead, &mut rng), habits.judged(0, &mut rng)));
            pairs.filter(|(a, b)| a > b).count()
        };
        for (ahead, expected) in [(0, 5000), (50, 7311), (150, 9526)] {
            let count: usize = better(ahead);
            assert!(count.abs_diff(expected) < 200, "{ahead}: {count}");
        }
    }

    #[test]
    fn the_node_limit_of_the_client_holds_and_one_thread_searches() {
        let limited = Request { threads: 8, ..Request::nodes(70) };
        let habits = Habits::at(0.5);
        for request in [habits.searching(&limited), habits.deciding(&limited)] {
            assert_eq!((request.max_nodes, request.threads), (Some(70), 1));
        }
        let unlimited = Request::default();
        assert_eq!(habits.searching(&unlimited).max_nodes, Some(habits.nodes as u64));
        assert_eq!(habits.deciding(&unlimited).max_nodes, Some(DECISION_NODES as u64));
    }
}
