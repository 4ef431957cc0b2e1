//! Limited strength: a shorter search and a random choice among good moves,
//! without deliberate blunders. Immediate wins and fives of the opponent are
//! rarely missed, threes now and then.

use std::cmp::Reverse;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::search::search;
use goren_core::opening::GameState;
use goren_core::types::{Score, keys, plies_to_end};
use goren_engine::{Answer, Engine, Info, Report, Request, Searchable};

/// Nodes at strength 0, and points of strength that double them.
const LEAST_NODES: f64 = 10_000.0;
const NODES_DOUBLE: f64 = 9.0;
/// Root moves to choose from at strength 0; just below full strength it is two.
const MOST_LINES: usize = 16;
/// At strength 0, a move that is worse by so many points is played a third as often.
const WIDEST: f64 = 120.0;
/// How often fives are overlooked at strength 0.
const BLINDEST: f64 = 0.02;
/// Points of a proven win or loss, less
/// [`FADES`] for every ply it is away, but no less than [`FAINTEST`].
const SEEN: Score = 560;
const FADES: Score = 30;
const FAINTEST: Score = 150;

/// Strength: 0 to 99, or full.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Strength(u8);

impl Strength {
    /// Full strength.
    pub const FULL: Strength = Strength(100);

    /// From `INFO strength`, clamped.
    pub fn new(number: i64) -> Strength {
        Strength(number.clamp(0, 100) as u8)
    }

    /// Whether it is full strength.
    pub fn is_full(self) -> bool {
        self == Strength::FULL
    }

    /// Weakness, 0 to 1.
    fn lack(self) -> f64 {
        1.0 - f64::from(self.0) / 100.0
    }

    /// The request with the limits of this strength.
    pub fn bounded(self, request: &Request) -> Request {
        if self.is_full() {
            return request.clone();
        }
        let nodes = (LEAST_NODES * (f64::from(self.0) / NODES_DOUBLE).exp2()) as u64;
        let depth = 1 + u32::from(self.0) / 5;
        Request {
            max_nodes: Some(request.max_nodes.map_or(nodes, |most| most.min(nodes))),
            max_depth: Some(request.max_depth.map_or(depth, |most| most.min(depth))),
            ..request.clone()
        }
    }

    /// Chooses a move at this strength, at random by a seed.
    pub fn think(
        self,
        seed: u64,
        position: &dyn Searchable,
        engine: &mut Engine,
        request: &Request,
        report: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        let multi_pv = 2 + ((MOST_LINES - 2) as f64 * self.lack()).round() as usize;
        let request = Request { multi_pv, ..self.bounded(request) };
        let mut lines: Vec<Info> = Vec::new();
        let mut answer = search(engine, position, &request, &mut |told| {
            let Report::Pv(info) = told else { return report(told) };
            if info.pv_index == 0 {
                lines.clear();
                // The others are nobody's business.
                report(&Report::Pv(Info { pv_count: 1, ..info.clone() }));
            }
            lines.push(info.clone());
        });
        if let Some(line) = self.choose(&lines, &mut SmallRng::seed_from_u64(seed)) {
            answer = Answer { best: line.pv[0], info: Info { pv_index: 0, pv_count: 1, ..line } };
        }
        answer
    }

    /// One of the PVs of an iteration.
    fn choose(self, lines: &[Info], rng: &mut SmallRng) -> Option<Info> {
        let mut lines: Vec<&Info> =
            lines.iter().filter(|line| line.pv.first().is_some_and(|m| m.is_some())).collect();
        lines.sort_by_key(|line| Reverse(line.score));
        let best = *lines.first()?;
        let looks = rng.random::<f64>() >= BLINDEST * self.lack();
        if looks {
            if best.score > 0 && plies_to_end(best.score) == Some(1) {
                return Some(best.clone());
            }
            let lost = |line: &Info| {
                line.score < 0 && plies_to_end(line.score).is_some_and(|plies| plies <= 2)
            };
            if !lost(best) {
                lines.retain(|line| !lost(line));
            }
        }
        let spread = WIDEST * self.lack().powf(1.5) + 1.0;
        let top = f64::from(seen(best.score));
        let weight = |line: &Info| {
            if looks { ((f64::from(seen(line.score)) - top) / spread).exp() } else { 1.0 }
        };
        let total: f64 = lines.iter().map(|line| weight(line)).sum();
        let mut luck = rng.random::<f64>() * total;
        for line in &lines {
            luck -= weight(line);
            if luck <= 0.0 {
                return Some((*line).clone());
            }
        }
        Some(best.clone())
    }
}

/// A score as a person sees it: distant wins and losses are not certain.
fn seen(score: Score) -> Score {
    match plies_to_end(score) {
        None => score.clamp(-SEEN, SEEN),
        Some(plies) => {
            let away = Score::try_from(plies).unwrap_or(Score::MAX / FADES);
            (SEEN - FADES.saturating_mul(away)).max(FAINTEST) * score.signum()
        }
    }
}

/// A seed for a position: the same for the same moves of a game, another in every
/// game.
pub fn seed_of(game_state: &GameState, games: u64) -> u64 {
    game_state
        .placed()
        .iter()
        .fold(games, |seed, (cell, _)| keys::mix(seed ^ (cell.index() as u64) << 32))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use goren_core::opening::Action;
    use goren_core::rules::{Contest, RuleId, Setup};
    use goren_core::types::{Cell, Color, Move, loss_in, win_in};
    use goren_engine::{Basis, Hash, WeightSet, new_position, stack};

    fn line(x: usize, score: Score) -> Info {
        Info {
            depth: 3,
            seldepth: 3,
            score,
            basis: Basis::Search,
            nodes: 100,
            elapsed: Duration::ZERO,
            pv: vec![Move::at(Cell::new(x, 0))],
            pv_index: x,
            pv_count: 5,
        }
    }

    /// How often each line is chosen, of a thousand times.
    fn counts(strength: i64, scores: &[Score]) -> Vec<usize> {
        let lines: Vec<Info> = scores.iter().enumerate().map(|(x, &s)| line(x, s)).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let mut rng = SmallRng::seed_from_u64(seed);
            let chosen = Strength::new(strength).choose(&lines, &mut rng).unwrap();
            counts[chosen.pv[0].cell().x()] += 1;
        }
        counts
    }

    #[test]
    fn the_weaker_the_wider_is_the_choice() {
        let best = [0, 20, 50, 80, 99].map(|strength| counts(strength, &[60, 40, 20, 0, -80])[0]);
        assert!(best.is_sorted() && best[0] < 450 && best[4] > 990, "{best:?}");
    }

    #[test]
    fn fives_are_hardly_ever_overlooked_but_threes_are_now_and_then() {
        for strength in [0, 30, 70, 99] {
            assert!(counts(strength, &[90, win_in(1), win_in(3), 80])[1] >= 980);
            let met = counts(strength, &[-40, loss_in(2), loss_in(2), loss_in(2)]);
            assert!(met[0] >= 970, "{strength}: {met:?}");
        }
        let open_three = |strength| counts(strength, &[0, loss_in(4), loss_in(4), loss_in(4)])[0];
        assert!((800..980).contains(&open_three(0)), "{}", open_three(0));
        assert!(open_three(60) >= 990);
        assert_eq!(counts(0, &[loss_in(2)]), [1000]);
        assert!(Strength::FULL.choose(&[], &mut SmallRng::seed_from_u64(1)).is_none());
    }

    /// Points of the first of two strengths in games at few nodes.
    fn points(pair: [i64; 2], games: u64) -> f64 {
        let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let mut position = new_position(&Contest::five(setup), &WeightSet::default());
        let mut points = 0.0;
        for number in 0..games {
            let mut game = GameState::new(Contest::five(setup));
            engine.forget();
            let mut seat = number as usize % 2;
            let first = seat;
            while game.result().is_none() && game.events().len() < 120 {
                let seed = seed_of(&game, number);
                let request = Request::nodes(6_000);
                let strength = Strength::new(pair[seat]);
                position.set(&(&game).into());
                let best =
                    strength.think(seed, &*position, &mut engine, &request, &mut |_| {}).best;
                game.apply(&Action::stone(best.cell())).unwrap();
                seat = 1 - seat;
            }
            points += match game.result().map(|result| &result.colors[..]) {
                Some(&[color]) if (color == Color::Black) == (first == 0) => 1.0,
                Some(&[_]) => 0.0,
                _ => 0.5,
            };
        }
        points
    }

    #[test]
    fn more_strength_wins_more_games() {
        stack::run(|| {
            for pair in [[80, 50], [50, 20], [20, 0]] {
                let points = points(pair, 16);
                assert!(points > 8.5, "{pair:?}: {points} of 16");
            }
        })
        .unwrap();
    }
}
