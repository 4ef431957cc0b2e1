//! Searches of the positions of a game.
//!
//! A game is studied in two passes. The first goes from the last position to the first: it
//! searches each position, and the turn that was played to the same depth as the best one;
//! proven results of the next position are given to the search. The second pass goes
//! forwards and carries each proof over to the later positions that it covers, as their own
//! searches may have missed it.
//!
//! The study is an `async fn` that awaits each search, so that the caller decides when to
//! run the searches: one after the other, or between other work.

use crate::distance::{earlier, later};
use crate::game_position::{Fact, GamePosition, Transition};
use crate::judge::{Judged, judged};
use crate::work::{Search, Searches};
use goren_core::opening::GameState;
use goren_core::types::{Cell, PROVEN, Score, plies_to_end, win_rate};
use goren_engine::{KnownResult, RootPosition};

/// How many times the usual effort is spent on following a proof, at most.
const PATIENCE: u32 = 4;

/// How far a turn that was not compared with the best one is taken to be behind it: the most
/// there is, so that the whole fall between the searches before and after it counts.
const UNKNOWN: f64 = 1.0;

/// The result of a search, its line as cells.
struct SearchedLine {
    score: Score,
    line: Vec<Cell>,
    depth: u32,
}

impl SearchedLine {
    fn is_proven(&self) -> bool {
        self.score.abs() >= PROVEN
    }

    /// Whether its score is proven or that of an iteration.
    fn says_something(&self) -> bool {
        self.is_proven() || self.depth > 0
    }

    /// Whether its effort was used up before this depth, but after an iteration.
    fn ends_before(&self, depth: u32) -> bool {
        !self.is_proven() && (1..depth).contains(&self.depth)
    }
}

/// Callback with the last plies as they are judged so far.
pub(crate) type Observer = Box<dyn FnMut(Vec<Judged>) + Send>;

/// Has the positions of a game searched.
pub(crate) struct Study {
    whole: GameState,
    positions: Vec<GamePosition>,
    searches: Searches,
    observer: Observer,
}

impl Study {
    /// Nothing has been searched yet.
    pub(crate) fn new(whole: &GameState, searches: Searches, observer: Observer) -> Study {
        Study { whole: whole.clone(), positions: GamePosition::of(whole), searches, observer }
    }

    /// Finds what is to be known, and tells of each ply what is known so far, the last
    /// one first; judges all plies.
    pub(crate) async fn run(mut self) -> Vec<Judged> {
        for at in (0..self.positions.len()).rev() {
            if self.is_asked_for(at) {
                self.look(at).await;
            }
            if at < self.positions.len() - 1 {
                (self.observer)(judged(&self.whole, &self.positions, at));
            }
        }
        for at in 0..self.positions.len() - 1 {
            self.follow(at).await;
        }
        judged(&self.whole, &self.positions, 0)
    }

    /// Whether a position stands before or after a turn, maybe behind a swap.
    fn is_asked_for(&self, at: usize) -> bool {
        self.positions[at].turn().is_some()
            || at > 0
                && match self.positions[at - 1].link {
                    Transition::Turn(_) => true,
                    Transition::Swap => self.is_asked_for(at - 1),
                    Transition::Other => false,
                }
    }

    fn fact(&self, at: usize) -> Fact {
        self.positions.get(at).and_then(|position| position.fact.clone()).unwrap_or_default()
    }

    /// Whether the same side is to move in the next position.
    fn goes_on(&self, at: usize) -> bool {
        self.positions[at].color() == self.positions[at + 1].color()
    }

    /// Searches a position, all later ones having been searched.
    async fn look(&mut self, at: usize) {
        let position = &self.positions[at];
        if position.link == Transition::Swap && self.positions[at + 1].fact.is_some() {
            self.positions[at].fact = self.positions[at + 1].fact.clone();
            return;
        }
        if let Some(score) = position.result() {
            self.positions[at].fact = Some(Fact { score, ..Fact::default() });
            return;
        }
        self.positions[at].fact = Some(Fact::default());
        let SearchedLine { score, line, depth } = self.best(at, Vec::new(), 1).await;
        let nodes = self.fact(at).nodes;
        self.positions[at].fact = Some(Fact { score, line, depth, nodes, behind: 0.0 });
        if let Some(turn) = self.positions[at].turn().map(<[Cell]>::to_vec) {
            self.compare(at, &turn).await;
        }
    }

    /// Holds the turn that was played against the best one.
    async fn compare(&mut self, at: usize, turn: &[Cell]) {
        let fact = self.fact(at);
        if !fact.is_proven() && !self.fact(at + 1).is_proven() && !fact.begins_with(turn) {
            self.measure(at, turn).await;
        }
        let after = self.fact(at + 1);
        let fact = self.fact(at);
        if !after.is_proven() || fact.is_won() {
            return;
        }
        let played = earlier(after.score, turn.len(), self.goes_on(at));
        let line = [turn, &after.line].concat();
        if played >= PROVEN {
            self.set(at, played, line);
        } else if !fact.is_proven() && fact.begins_with(turn) {
            // Best of what was searched, and yet it loses: what of the others?
            let mut others = self.positions[at].legal();
            others.retain(|cell| !turn.contains(cell));
            if !others.is_empty() {
                let found = self.best(at, others, 1).await;
                if found.score > played {
                    return self.set(at, found.score, found.line);
                }
            }
            self.set(at, played, line);
        }
    }

    /// Searches the best turn and the one that was played to the same depth,
    /// as far as the effort allows both.
    async fn measure(&mut self, at: usize, turn: &[Cell]) {
        let Fact { score: mut best, line, depth, .. } = self.fact(at);
        let best_turn = line.get(..turn.len()).unwrap_or_default().to_vec();
        if best_turn.is_empty() || depth == 0 {
            return;
        }
        let mut own = self.only(at, turn, depth).await;
        if own.ends_before(depth) {
            let again = self.only(at, &best_turn, own.depth).await;
            if again.score >= PROVEN {
                return self.set(at, again.score, again.line);
            }
            if again.ends_before(own.depth) {
                let shallower = self.only(at, turn, again.depth).await;
                if shallower.says_something() {
                    own = shallower;
                }
            }
            if again.says_something() {
                best = again.score;
            }
        }
        if own.is_proven() {
            let after = later(own.score, turn.len(), self.goes_on(at));
            let rest = own.line.get(turn.len()..).unwrap_or_default().to_vec();
            self.learn(at + 1, after, rest);
        } else if let Some(fact) = &mut self.positions[at].fact {
            fact.behind = if own.says_something() {
                (win_rate(best) - win_rate(own.score)).max(0.0)
            } else {
                UNKNOWN
            };
        }
    }

    /// Carries what is proven of a position over to the next.
    async fn follow(&mut self, at: usize) {
        let fact = self.fact(at);
        match self.positions[at].link.clone() {
            Transition::Turn(turn) if fact.is_lost() => {
                // Whatever was played loses.
                let after = later(fact.score, turn.len(), self.goes_on(at));
                self.learn(at + 1, after, fact.rest(&turn));
            }
            Transition::Turn(turn) if fact.is_won() => {
                if !fact.shows(turn.len()) {
                    self.find_win(at, &turn).await;
                }
                let fact = self.fact(at);
                if fact.begins_with(&turn) {
                    let after = later(fact.score, turn.len(), self.goes_on(at));
                    self.learn(at + 1, after, fact.rest(&turn));
                } else {
                    // It may win as well, if not as plainly.
                    self.settle(at + 1).await;
                }
            }
            Transition::Swap if fact.is_proven() && self.positions[at + 1].fact.is_some() => {
                self.learn(at + 1, fact.score, fact.line);
            }
            Transition::Turn(_) | Transition::Swap | Transition::Other => {}
        }
    }

    /// Looks for a winning turn in a position that is known to be won.
    async fn find_win(&mut self, at: usize, turn: &[Cell]) {
        for times in [1, PATIENCE] {
            let found = self.best(at, Vec::new(), times).await;
            if found.score >= PROVEN {
                return self.set(at, found.score, found.line);
            }
        }
        self.settle(at + 1).await;
        let after = self.fact(at + 1);
        let played = earlier(after.score, turn.len(), self.goes_on(at));
        if played >= PROVEN {
            self.set(at, played, [turn, &after.line].concat());
        }
    }

    /// Tries harder to prove something of a position.
    async fn settle(&mut self, at: usize) {
        if self.fact(at).is_proven() || self.positions[at].result().is_some() {
            return;
        }
        let found = self.best(at, Vec::new(), PATIENCE).await;
        if found.is_proven() {
            self.set(at, found.score, found.line);
        }
    }

    /// A proof of a position, unless there is one already.
    fn learn(&mut self, at: usize, score: Score, line: Vec<Cell>) {
        if self.fact(at).is_proven() {
            return;
        }
        // How to defend in vain is shown as well as it is known.
        let line = if score < 0 && line.is_empty() { self.fact(at).line } else { line };
        self.set(at, score, line);
    }

    fn set(&mut self, at: usize, score: Score, line: Vec<Cell>) {
        if let Some(fact) = &mut self.positions[at].fact {
            (fact.score, fact.line, fact.behind) = (score, line, 0.0);
        }
    }

    /// The best turn of those that begin with a cell of `only`, or of all if it is empty,
    /// by `times` times the usual effort.
    async fn best(&mut self, at: usize, only: Vec<Cell>, times: u32) -> SearchedLine {
        let position = &self.positions[at];
        let zone = position.zone();
        let (only, bounded) = if only.is_empty() { (zone, true) } else { (only, false) };
        let bounded = bounded && !only.is_empty();
        let stones = position.stones();
        let mut found = self.search(at, &[], only.clone(), None, times).await;
        if bounded {
            found.line.truncate(1);
        }
        // Lines may be cut short within a turn, unless that ends the game.
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

    /// One turn searched so deep.
    async fn only(&mut self, at: usize, turn: &[Cell], depth: u32) -> SearchedLine {
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

    /// What is proven of the next position, for a search of this one.
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
