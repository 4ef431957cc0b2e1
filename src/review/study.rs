//! Searches of the positions of a game.
//!
//! A game is studied in two passes. The first goes from the last position to the first: it
//! searches each position, and the played turn to the same depth as the best one, with the
//! proven result of the next position as a known result. The second pass goes forward and
//! carries each proof over to the later positions that it covers, as their own searches may
//! have missed it.
//!
//! The study is an `async fn` that awaits each search, so the caller decides when to run the
//! searches: one after the other, or between other work.

use crate::distance::{earlier, later};
use crate::game_position::{Fact, GamePosition, Transition};
use crate::judge::{Judged, judged};
use crate::work::{Search, Searches};
use goren_core::opening::GameState;
use goren_core::types::{Cell, PROVEN, Score, plies_to_end, win_rate};
use goren_engine::{KnownResult, RootPosition};

/// Maximum multiple of the usual effort for following a proof.
const PATIENCE: u32 = 4;

/// Deficit of a turn that was not compared with the best one: the largest possible, so that the
/// whole drop between the searches before and after the turn counts.
const UNKNOWN_DEFICIT: f64 = 1.0;

/// Result of a search, with its line as cells.
struct SearchedLine {
    score: Score,
    line: Vec<Cell>,
    depth: u32,
}

impl SearchedLine {
    fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// Whether the score is proven or that of a completed iteration.
    fn has_score(&self) -> bool {
        self.is_proven() || self.depth > 0
    }

    /// Whether the effort was used up before `depth`, but after an iteration.
    fn ends_before(&self, depth: u32) -> bool {
        !self.is_proven() && (1..depth).contains(&self.depth)
    }
}

/// Callback with the last plies as judged so far.
pub(crate) type Observer = Box<dyn FnMut(Vec<Judged>) + Send>;

/// A study of a game, which searches its positions.
pub(crate) struct Study {
    game: GameState,
    positions: Vec<GamePosition>,
    searches: Searches,
    observer: Observer,
}

impl Study {
    /// Creates a study, before any search.
    pub(crate) fn new(game: &GameState, searches: Searches, observer: Observer) -> Study {
        Study { game: game.clone(), positions: GamePosition::of(game), searches, observer }
    }

    /// Runs the study and returns all plies judged. After each position of the first pass, the
    /// observer gets the plies judged so far.
    pub(crate) async fn run(mut self) -> Vec<Judged> {
        for at in (0..self.positions.len()).rev() {
            if self.needs_fact(at) {
                self.examine(at).await;
            }
            if at < self.positions.len() - 1 {
                (self.observer)(judged(&self.game, &self.positions, at));
            }
        }
        for at in 0..self.positions.len() - 1 {
            self.carry_proof(at).await;
        }
        judged(&self.game, &self.positions, 0)
    }

    /// Whether a position is before or after a turn, with swaps between them skipped.
    fn needs_fact(&self, at: usize) -> bool {
        self.positions[at].turn().is_some()
            || at > 0
                && match self.positions[at - 1].transition {
                    Transition::Turn(_) => true,
                    Transition::Swap => self.needs_fact(at - 1),
                    Transition::Other => false,
                }
    }

    fn fact(&self, at: usize) -> Fact {
        self.positions.get(at).and_then(|position| position.fact.clone()).unwrap_or_default()
    }

    /// Whether the same side is to move in the next position.
    fn same_side_next(&self, at: usize) -> bool {
        self.positions[at].color() == self.positions[at + 1].color()
    }

    /// Searches a position after all later ones.
    async fn examine(&mut self, at: usize) {
        let position = &self.positions[at];
        if position.transition == Transition::Swap && self.positions[at + 1].fact.is_some() {
            self.positions[at].fact = self.positions[at + 1].fact.clone();
            return;
        }
        if let Some(score) = position.result() {
            self.positions[at].fact = Some(Fact { score, ..Fact::default() });
            return;
        }
        self.positions[at].fact = Some(Fact::default());
        let SearchedLine { score, line, depth } = self.search_best(at, Vec::new(), 1).await;
        let nodes = self.fact(at).nodes;
        self.positions[at].fact = Some(Fact { score, line, depth, nodes, deficit: 0.0 });
        if let Some(turn) = self.positions[at].turn().map(<[Cell]>::to_vec) {
            self.compare(at, &turn).await;
        }
    }

    /// Compares the played turn with the best one.
    async fn compare(&mut self, at: usize, turn: &[Cell]) {
        let fact = self.fact(at);
        if !fact.is_proven() && !self.fact(at + 1).is_proven() && !fact.begins_with(turn) {
            self.measure_deficit(at, turn).await;
        }
        let after = self.fact(at + 1);
        let fact = self.fact(at);
        if !after.is_proven() || fact.is_won() {
            return;
        }
        let played = earlier(after.score, turn.len(), self.same_side_next(at));
        let line = [turn, &after.line].concat();
        if played >= PROVEN {
            self.set(at, played, line);
        } else if !fact.is_proven() && fact.begins_with(turn) {
            // The best turn of the search loses: search the others.
            let mut others = self.positions[at].legal();
            others.retain(|cell| !turn.contains(cell));
            if !others.is_empty() {
                let found = self.search_best(at, others, 1).await;
                if found.score > played {
                    return self.set(at, found.score, found.line);
                }
            }
            self.set(at, played, line);
        }
    }

    /// Searches the best turn and the played one to the same depth, as far as the effort allows
    /// both.
    async fn measure_deficit(&mut self, at: usize, turn: &[Cell]) {
        let Fact { score: mut best, line, depth, .. } = self.fact(at);
        let best_turn = line.get(..turn.len()).unwrap_or_default().to_vec();
        if best_turn.is_empty() || depth == 0 {
            return;
        }
        let mut own = self.search_turn(at, turn, depth).await;
        if own.ends_before(depth) {
            let again = self.search_turn(at, &best_turn, own.depth).await;
            if again.score >= PROVEN {
                return self.set(at, again.score, again.line);
            }
            if again.ends_before(own.depth) {
                let shallower = self.search_turn(at, turn, again.depth).await;
                if shallower.has_score() {
                    own = shallower;
                }
            }
            if again.has_score() {
                best = again.score;
            }
        }
        if own.is_proven() {
            let after = later(own.score, turn.len(), self.same_side_next(at));
            let rest = own.line.get(turn.len()..).unwrap_or_default().to_vec();
            self.add_proof(at + 1, after, rest);
        } else if let Some(fact) = &mut self.positions[at].fact {
            fact.deficit = if own.has_score() {
                (win_rate(best) - win_rate(own.score)).max(0.0)
            } else {
                UNKNOWN_DEFICIT
            };
        }
    }

    /// Carries a proof of a position over to the next.
    async fn carry_proof(&mut self, at: usize) {
        let fact = self.fact(at);
        match self.positions[at].transition.clone() {
            Transition::Turn(turn) if fact.is_lost() => {
                // Every turn loses.
                let after = later(fact.score, turn.len(), self.same_side_next(at));
                self.add_proof(at + 1, after, fact.rest(&turn));
            }
            Transition::Turn(turn) if fact.is_won() => {
                if !fact.has_turn(turn.len()) {
                    self.find_win(at, &turn).await;
                }
                let fact = self.fact(at);
                if fact.begins_with(&turn) {
                    let after = later(fact.score, turn.len(), self.same_side_next(at));
                    self.add_proof(at + 1, after, fact.rest(&turn));
                } else {
                    // The played turn may win as well, if less obviously.
                    self.prove(at + 1).await;
                }
            }
            Transition::Swap if fact.is_proven() && self.positions[at + 1].fact.is_some() => {
                self.add_proof(at + 1, fact.score, fact.line);
            }
            Transition::Turn(_) | Transition::Swap | Transition::Other => {}
        }
    }

    /// Searches a winning turn in a position that is proven to be won.
    async fn find_win(&mut self, at: usize, turn: &[Cell]) {
        for times in [1, PATIENCE] {
            let found = self.search_best(at, Vec::new(), times).await;
            if found.score >= PROVEN {
                return self.set(at, found.score, found.line);
            }
        }
        self.prove(at + 1).await;
        let after = self.fact(at + 1);
        let played = earlier(after.score, turn.len(), self.same_side_next(at));
        if played >= PROVEN {
            self.set(at, played, [turn, &after.line].concat());
        }
    }

    /// Tries to prove the result of a position with more effort.
    async fn prove(&mut self, at: usize) {
        if self.fact(at).is_proven() || self.positions[at].result().is_some() {
            return;
        }
        let found = self.search_best(at, Vec::new(), PATIENCE).await;
        if found.is_proven() {
            self.set(at, found.score, found.line);
        }
    }

    /// Records a proof of a position, unless it has one.
    fn add_proof(&mut self, at: usize, score: Score, line: Vec<Cell>) {
        if self.fact(at).is_proven() {
            return;
        }
        // A lost position keeps its line of defence, if the proof has none.
        let line = if score < 0 && line.is_empty() { self.fact(at).line } else { line };
        self.set(at, score, line);
    }

    fn set(&mut self, at: usize, score: Score, line: Vec<Cell>) {
        if let Some(fact) = &mut self.positions[at].fact {
            (fact.score, fact.line, fact.deficit) = (score, line, 0.0);
        }
    }

    /// Searches the best turn of those that begin with a cell of `only`, or of all if it is
    /// empty, with `times` times the usual effort.
    async fn search_best(&mut self, at: usize, only: Vec<Cell>, times: u32) -> SearchedLine {
        let position = &self.positions[at];
        let zone = position.zone();
        let (only, bounded) = if only.is_empty() { (zone, true) } else { (only, false) };
        let bounded = bounded && !only.is_empty();
        let stones = position.stones();
        let mut found = self.search(at, &[], only.clone(), None, times).await;
        if bounded {
            found.line.truncate(1);
        }
        // A line may end within a turn although the game goes on.
        let over = plies_to_end(found.score).unwrap_or(usize::MAX).min(stones);
        while (1..over).contains(&found.line.len()) {
            let placed = found.line.clone();
            let rest = only.iter().copied().filter(|cell| bounded && !placed.contains(cell));
            let more = self.search(at, &placed, rest.collect(), None, times).await;
            if more.line.is_empty() {
                break;
            }
            found.line.extend(more.line);
        }
        found
    }

    /// Searches one turn to a depth.
    async fn search_turn(&mut self, at: usize, turn: &[Cell], depth: u32) -> SearchedLine {
        let Some((&last, placed)) = turn.split_last() else {
            return SearchedLine { score: 0, line: Vec::new(), depth: 0 };
        };
        let plies = placed.len() as u32;
        let depth = depth.saturating_sub(plies).max(1);
        let mut found = self.search(at, placed, vec![last], Some(depth), 1).await;
        if found.is_proven() {
            found.score = earlier(found.score, placed.len(), true);
        }
        found.line.splice(..0, placed.iter().copied());
        found.depth += if found.depth > 0 { plies } else { 0 };
        found
    }

    /// Searches a position with some stones of the turn placed.
    async fn search(
        &mut self,
        at: usize,
        placed: &[Cell],
        only: Vec<Cell>,
        depth: Option<u32>,
        times: u32,
    ) -> SearchedLine {
        let position = &self.positions[at];
        let stones = position.stones() - placed.len();
        let root = RootPosition::of(&position.game_state, placed, position.color(), stones);
        let known = if placed.is_empty() { self.known(at) } else { Vec::new() };
        let search =
            Search { root_moves: only, times, max_depth: depth, known, ..Search::new(root) };
        let (info, _) = self.searches.line(search).await;
        if let Some(fact) = &mut self.positions[at].fact {
            fact.nodes += info.nodes;
        }
        SearchedLine {
            score: info.score,
            line: info.pv.iter().map(|m| m.cell()).collect(),
            depth: info.depth,
        }
    }

    /// Returns the proven result of the next position, for a search of this one.
    fn known(&self, at: usize) -> Vec<KnownResult> {
        let Some(turn) = self.positions[at].turn() else { return Vec::new() };
        let next = &self.positions[at + 1];
        match &next.fact {
            Some(fact) if fact.is_proven() && next.game_state.result().is_none() => {
                vec![KnownResult { path: turn.to_vec(), score: fact.score }]
            }
            _ => Vec::new(),
        }
    }
}
