//! Limited strength: fewer nodes, overlooked moves, random errors of judgement. Choices
//! depend neither on time and machine nor on earlier searches. A win in this turn, or
//! by the opponent in its next one, is never overlooked.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::attention::{Seen, look};
use super::habits::Habits;
use super::search::search;
use goren_core::opening::{Event, GameState};
use goren_core::types::{Cell, Move, Score, keys};
use goren_engine::game::Ladder;
use goren_engine::{Answer, AnyPosition, Engine, Exclusions, Info, Report, Request, RootPosition};

/// Number of last stones near which a player looks.
const LAST: usize = 4;
/// Nodes of the search of a move that wins in this turn.
const WIN_NODES: u64 = 200;
/// After an overlooked threat: chance to skip a move for the next most obvious one.
const WAVERS: f64 = 0.4;

/// Strength: 0 to 99, or full.
///
/// In serde formats it is its number, 100 if it is full.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "u8", from = "u8"))]
pub struct Strength(u8);

impl Strength {
    /// Full strength.
    pub const FULL: Strength = Strength(100);

    /// From `INFO strength`, clamped.
    pub fn new(number: i64) -> Strength {
        Strength(number.clamp(0, 100) as u8)
    }

    /// Its number, 0 to 100.
    pub fn number(self) -> i64 {
        self.0.into()
    }

    /// Whether it is full strength.
    pub fn is_full(self) -> bool {
        self == Strength::FULL
    }

    /// The height on the ladder of a game, 0 to 1.
    fn height(self, ladder: &Ladder) -> f64 {
        let (below, part) = (usize::from(self.0 / 10), f64::from(self.0 % 10) / 10.0);
        let [low, high] = [below, below + 1].map(|rung| ladder[rung.min(ladder.len() - 1)]);
        (f64::from(low) + f64::from(high.saturating_sub(low)) * part) / 1000.0
    }
}

#[cfg(feature = "serde")]
impl From<Strength> for u8 {
    fn from(strength: Strength) -> u8 {
        strength.0
    }
}

#[cfg(feature = "serde")]
impl From<u8> for Strength {
    fn from(number: u8) -> Strength {
        Strength::new(number.into())
    }
}

/// A player below full strength, with the random numbers for one decision.
pub(super) struct Player {
    habits: Habits,
    rng: SmallRng,
}

impl Player {
    /// Creates a player whose random choices depend on `seed`; `None` at full strength.
    pub(super) fn new(strength: Strength, ladder: &Ladder, seed: u64) -> Option<Player> {
        let habits = Habits::at(strength.height(ladder));
        (!strength.is_full()).then(|| Player { habits, rng: SmallRng::seed_from_u64(seed) })
    }

    /// Returns the request for a decision that is not a plain move.
    pub(super) fn deciding(&self, request: &Request) -> Request {
        self.habits.deciding(request)
    }

    /// Draws a seed for the random choices of opening stones.
    pub(super) fn seed(&mut self) -> u64 {
        self.rng.random()
    }

    /// Returns the score with an error of judgement.
    pub(super) fn judge(&mut self, score: Score) -> Score {
        self.habits.judged(score, &mut self.rng).round() as Score
    }

    /// Chooses a move.
    pub(super) fn think(
        &mut self,
        root: &RootPosition,
        position: &mut dyn AnyPosition,
        engine: &mut Engine,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> Answer {
        let mut request = self.habits.searching(request);
        let mut candidates = position.candidates();
        candidates.moves.retain(|candidate| is_allowed(&request, candidate.cell));
        if excludes_more(&request.exclusions) {
            // Only the search knows which moves these exclusions leave.
            candidates.moves.clear();
        }
        if let Some(win) = candidates.moves.iter().find(|candidate| candidate.wins) {
            request.max_nodes = request.max_nodes.map(|nodes| nodes.min(WIN_NODES));
            let request = Request { root_moves: vec![win.cell], multi_pv: 1, ..request };
            return search(engine, &*position, &request, observer);
        }
        match look(&candidates, &last_stones(root), self.habits.blindness, &mut self.rng) {
            Seen::Everything => {}
            Seen::Moves(cells) => request.root_moves = cells,
            Seen::NoThreat(mut cells) => {
                cells.retain(|&cell| !position.lets_opponent_win(cell));
                if let Some(cell) = self.obvious(&cells) {
                    return unsearched(position, cell);
                }
            }
        }
        let (answer, mut lines) = self.compare(&*position, engine, &request, observer);
        lines.retain(|line| !position.lets_opponent_win(line.pv[0].cell()));
        if let Some(line) = self.choose(&lines) {
            let Info { nodes, elapsed, .. } = answer.info;
            let info = Info { nodes, elapsed, pv_index: 0, pv_count: 1, ..line.clone() };
            return Answer { best: info.pv[0], info };
        }
        // Every move compared lets the opponent win in its next turn: take any other move that does
        // not.
        let mut others = candidates.moves.iter().map(|candidate| candidate.cell);
        let safe = others.find(|&cell| !position.lets_opponent_win(cell));
        safe.map_or(answer, |cell| unsearched(position, cell))
    }

    /// Searches; returns the answer and the PVs of the last iteration.
    fn compare(
        &self,
        position: &dyn AnyPosition,
        engine: &mut Engine,
        request: &Request,
        observer: &mut (dyn FnMut(&Report) + Send),
    ) -> (Answer, Vec<Info>) {
        let mut lines: Vec<Info> = Vec::new();
        let answer = search(engine, position, request, &mut |report| {
            let Report::Pv(info) = report else { return observer(report) };
            if info.pv_index == 0 {
                lines.clear();
                // Report the best PV alone: multi-PV is only used internally here.
                observer(&Report::Pv(Info { pv_count: 1, ..info.clone() }));
            }
            lines.push(info.clone());
        });
        if lines.is_empty() {
            lines.push(answer.info.clone());
        }
        lines.retain(|line| line.pv.first().is_some_and(|m| m.is_some()));
        (answer, lines)
    }

    /// Returns the PV that is best after errors of judgement.
    fn choose<'a>(&mut self, lines: &'a [Info]) -> Option<&'a Info> {
        let judged = lines.iter().map(|line| (self.habits.judged(line.score, &mut self.rng), line));
        judged.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, line)| line)
    }

    /// Picks a random one of some moves, which are sorted by how obvious they are; the first is the
    /// most likely.
    fn obvious(&mut self, cells: &[Cell]) -> Option<Cell> {
        let wavers = || self.rng.random::<f64>() < WAVERS;
        let skipped = std::iter::repeat_with(wavers).take(cells.len()).take_while(|&on| on).count();
        cells.get(skipped).or(cells.last()).copied()
    }
}

/// Whether a request allows a root move.
fn is_allowed(request: &Request, cell: Cell) -> bool {
    let Request { root_moves, exclusions, .. } = request;
    (root_moves.is_empty() || root_moves.contains(&cell)) && !exclusions.root_moves.contains(&cell)
}

/// Whether anything but root moves is excluded.
pub(super) fn excludes_more(exclusions: &Exclusions) -> bool {
    !exclusions.sequences.is_empty() || exclusions.cells.iter().any(|cells| !cells.is_empty())
}

/// Returns the last stones placed, the latest first.
fn last_stones(root: &RootPosition) -> Vec<Cell> {
    let stone = |event: &Event| match *event {
        Event::Stone(cell, _) => Some(cell),
        Event::Pass => None,
    };
    root.events.iter().rev().filter_map(stone).take(LAST).collect()
}

/// Returns the answer for a move that was not searched.
fn unsearched(position: &mut dyn AnyPosition, cell: Cell) -> Answer {
    let best = Move::at(cell);
    let info = Info { score: position.evaluate(), pv: vec![best], ..Info::NOTHING };
    Answer { best, info }
}

/// Derives the seed for a position: the same after the same moves.
pub(super) fn seed_of(game_state: &GameState, seed: u64) -> u64 {
    game_state
        .placed()
        .iter()
        .fold(seed, |seed, (cell, _)| keys::mix(seed ^ (cell.index() as u64) << 32))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use goren_core::types::{loss_in, win_in};
    use goren_engine::Basis;

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

    /// Heights of a game whose points are all alike.
    const EVEN: Ladder = [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000];

    fn player(strength: i64, seed: u64) -> Option<Player> {
        Player::new(Strength::new(strength), &EVEN, seed)
    }

    #[test]
    fn points_between_two_rungs_lie_between_their_heights() {
        let ladder: Ladder = [50, 150, 200, 300, 400, 500, 600, 700, 800, 900, 1000];
        let height = |strength| Strength::new(strength).height(&ladder);
        for (strength, expected) in [(0, 0.05), (10, 0.15), (15, 0.175), (99, 0.99), (100, 1.0)] {
            assert!((height(strength) - expected).abs() < 1e-9, "{strength}");
        }
    }

    /// Counts how often each PV is chosen, of a thousand times.
    fn counts(strength: i64, scores: &[Score]) -> Vec<usize> {
        let lines: Vec<Info> = scores.iter().enumerate().map(|(x, &s)| line(x, s)).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let mut player = player(strength, seed).unwrap();
            counts[player.choose(&lines).unwrap().pv[0].cell().x()] += 1;
        }
        counts
    }

    #[test]
    fn weaker_players_choose_more_widely() {
        let best = [0, 20, 40, 60, 99].map(|strength| counts(strength, &[60, 40, 20, 0, -80])[0]);
        assert!(best.is_sorted() && best[0] < 450 && best[4] > 950, "{best:?}");
    }

    #[test]
    fn far_wins_and_losses_count_less_than_near_ones() {
        for strength in [30, 50, 70] {
            let near = counts(strength, &[win_in(3), 100])[0];
            let far = counts(strength, &[win_in(15), 100])[0];
            assert!(near > 950 && near > far, "{strength}: {near} {far}");
        }
        assert!(counts(0, &[0, loss_in(4)])[0] < 1000);
        assert_eq!(counts(0, &[loss_in(2)]), [1000]);
        assert!(player(100, 1).is_none());
    }

    #[test]
    fn the_most_obvious_move_is_taken_most_often() {
        let cells: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
        let mut counts = [0; 4];
        for seed in 0..1000 {
            let mut player = player(0, seed).unwrap();
            counts[player.obvious(&cells).unwrap().x()] += 1;
        }
        assert!(counts[0] > 500 && counts.iter().all(|&count| count > 30), "{counts:?}");
        assert!(player(0, 1).unwrap().obvious(&[]).is_none());
    }
}
