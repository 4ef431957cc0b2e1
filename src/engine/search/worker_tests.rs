//! Search, proof-number search and solver end in time even if each move takes as long as thousands
//! usually do, as in fresh memory or on a busy machine.

use std::sync::Arc;
use std::thread;

use super::*;
use crate::game::{Five, GenType, MoveClass, MoveList, ThreatLevel};
use crate::search::request::{Exclusions, KnownResult};
use crate::search::root::TimeInfo;
use crate::search::time::Budget;
use crate::threat::Verdict;
use crate::{Engine, SearchablePosition, TableHandle};
use goren_core::rules::{Freestyle, Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, win_in};

/// Time that a move takes.
const SLOW: Duration = Duration::from_millis(5);
/// How late an answer may be.
const LATE: Duration = Duration::from_millis(15);
/// Number of tries, the best of which counts, as the machine may be busy.
const TRIES: usize = 5;

/// Five in a row with slow moves and with solvers that spend their nodes slowly and
/// find nothing. A test can replace what happens when a move is made or moves are
/// generated.
#[derive(Clone)]
struct Slow<'a> {
    inner: Five<Freestyle>,
    /// Called before a move is made.
    on_make: &'a (dyn Fn() + Sync),
    /// Called before moves are generated.
    on_moves: &'a (dyn Fn() + Sync),
}

impl Slow<'_> {
    fn after(moves: &[(usize, usize)]) -> Slow<'static> {
        let mut inner = Five::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        moves.iter().for_each(|&(x, y)| inner.make(Move::at(Cell::new(x, y))));
        Slow { inner, on_make: &|| thread::sleep(SLOW), on_moves: &|| {} }
    }

    fn spend(meter: &mut Meter<'_>) {
        while meter.spend() {
            thread::sleep(SLOW);
        }
    }
}

impl Position for Slow<'_> {
    const CHECKS_ROOT_MOVES: bool = true;

    fn to_move(&self) -> Color {
        self.inner.to_move()
    }

    fn key(&self) -> u64 {
        self.inner.key()
    }

    fn key_after(&self, m: Move) -> u64 {
        self.inner.key_after(m)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner.outcome()
    }

    fn make(&mut self, m: Move) {
        (self.on_make)();
        self.inner.make(m);
    }

    fn unmake(&mut self) {
        self.inner.unmake();
    }

    fn is_legal(&mut self, m: Move) -> bool {
        self.inner.is_legal(m)
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        self.inner.is_pseudo_legal(m)
    }

    fn moves(&mut self, gen_type: GenType, out: &mut MoveList) {
        (self.on_moves)();
        self.inner.moves(gen_type, out);
    }

    fn verdict(&mut self) -> Verdict {
        self.inner.verdict()
    }

    fn threat_level(&mut self) -> ThreatLevel {
        self.inner.threat_level()
    }

    fn evaluate(&mut self) -> Score {
        self.inner.evaluate()
    }

    fn policy_score(&mut self, m: Move) -> i32 {
        self.inner.policy_score(m)
    }

    fn move_class(&self, m: Move) -> MoveClass {
        self.inner.move_class(m)
    }

    fn shape(&self, m: Move) -> usize {
        self.inner.shape(m)
    }

    fn solve(&mut self, meter: &mut Meter<'_>) -> Option<(Move, usize)> {
        Slow::spend(meter);
        None
    }

    fn shortest(&mut self, meter: &mut Meter<'_>) -> Option<Vec<Move>> {
        Slow::spend(meter);
        None
    }

    fn zone(&mut self, meter: &mut Meter<'_>) -> Option<(usize, CellSet)> {
        Slow::spend(meter);
        None
    }

    fn last(&self) -> Option<Cell> {
        self.inner.last()
    }
}

/// No threats; Black is to move.
const QUIET: &[(usize, usize)] = &[(7, 7), (8, 6), (9, 9), (8, 8), (6, 8), (5, 5)];
/// Black is to move and has stones to attack with.
const ATTACK: &[(usize, usize)] =
    &[(7, 7), (7, 8), (8, 8), (6, 6), (8, 6), (6, 8), (9, 7), (9, 9), (6, 7), (5, 7)];
/// Black has an open three, White is to move.
const PRESSED: &[(usize, usize)] = &[(7, 7), (0, 0), (8, 7), (0, 14), (9, 7)];
/// White has a four with one open end, Black is to move.
const FORCED: &[(usize, usize)] =
    &[(2, 7), (3, 7), (0, 0), (4, 7), (14, 0), (5, 7), (14, 14), (6, 7)];
/// White has an open four: Black loses.
const LOST: &[(usize, usize)] =
    &[(0, 14), (3, 7), (0, 0), (4, 7), (14, 0), (5, 7), (14, 14), (6, 7)];

/// Returns how long after the time `end` the call of `work` returned, while `meanwhile` ran on
/// another thread: the best of [`TRIES`].
fn late(
    moves: &[(usize, usize)],
    limits: &Request,
    end: Duration,
    work: impl Fn(&mut Worker<'_, Slow<'_>>, &Request),
    meanwhile: impl Fn(&Control) + Sync,
) -> Duration {
    let table = Table::with_bytes(1 << 20).unwrap();
    let (params, mut best) = (Params::default(), Duration::MAX);
    for _ in 0..TRIES {
        let control = Arc::new(Control::default());
        let limits =
            Request { started: Instant::now(), control: control.clone(), ..limits.clone() };
        let mut history = History::default();
        let elapsed = thread::scope(|scope| {
            scope.spawn(|| meanwhile(&control));
            let position = Slow::after(moves);
            let shared = Shared::new(&position, &table, &limits);
            let mut worker = Worker::new(position, &shared, &params, &mut history);
            let mut silent = |_: &Report| {};
            worker.observer = Some(&mut silent);
            work(&mut worker, &limits);
            limits.started.elapsed()
        });
        best = best.min(elapsed.saturating_sub(end));
        if best <= LATE {
            break;
        }
    }
    best
}

fn search(worker: &mut Worker<'_, Slow<'_>>, limits: &Request) {
    let budget = limits.budget;
    let answer = worker.iterative_deepening(limits, 0, Some(TimeInfo { budget, previous: None }));
    assert!(answer.best.is_some());
}

/// 110 ms per move, of which a fourth is the safety margin.
fn limits() -> Request {
    Request::per_move(Duration::from_millis(110))
}

fn hard() -> Duration {
    limits().budget.hard
}

#[test]
fn a_search_of_slow_moves_ends_in_time() {
    let mut cells = [CellSet::EMPTY; 2];
    cells[0].insert(Cell::new(1, 1));
    let path = |n: usize| (0..n).map(|x| Cell::new(x, 1)).collect();
    let known = (1..60).map(|n| KnownResult { path: path(1 + n % 10), score: win_in(n) }).collect();
    let all = [
        limits(),
        Request { multi_pv: 3, ..limits() },
        Request { defend: true, ..limits() },
        Request { move_only: true, ..limits() },
        Request { exclusions: Exclusions { cells, ..Exclusions::default() }, ..limits() },
        Request { known_results: known, ..limits() },
    ];
    for (number, limits) in all.iter().enumerate() {
        for moves in [QUIET, PRESSED, FORCED, LOST] {
            let late = late(moves, limits, hard(), search, |_| {});
            assert!(late <= LATE, "limits {number}, {} moves: {late:?} late", moves.len());
        }
    }
}

#[test]
fn a_proof_search_of_slow_moves_ends_in_time() {
    for moves in [QUIET, PRESSED, FORCED] {
        let prove = |worker: &mut Worker<'_, Slow<'_>>, _: &Request| _ = worker.vct(1_000_000);
        let late = late(moves, &limits(), hard(), prove, |_| {});
        assert!(late <= LATE, "{} moves: {late:?} late", moves.len());
        let check = |worker: &mut Worker<'_, Slow<'_>>, _: &Request| {
            worker.nodes = 1_000_000;
            let line = [(1, 1), (2, 3), (3, 5), (1, 7)].map(|(x, y)| Move::at(Cell::new(x, y)));
            // The requested root move wins nothing.
            let request = Request { root_moves: vec![Cell::new(0, 0)], ..limits() };
            while !worker.shared.stopped() {
                worker.root_and_pv_vct(&mut Vec::new(), &request, &line, 1);
            }
        };
        let late = self::late(moves, &limits(), hard(), check, |_| {});
        assert!(late <= LATE, "{} moves, a line: {late:?} late", moves.len());
    }
}

#[test]
fn a_slow_search_obeys_a_stop_at_once() {
    let after = Duration::from_millis(60);
    let long = Request::per_move(Duration::from_secs(20));
    let ends: [&(dyn Fn(&Control) + Sync); 2] = [&|control| control.stop(), &|control| {
        control.set_end(Some(Instant::now()));
    }];
    for end in ends {
        let late = late(QUIET, &long, after, search, |control| {
            thread::sleep(after);
            end(control);
        });
        assert!(late <= LATE, "{late:?} late");
    }
}

/// A limit set during a turn of several searches was counted from the start of each, so the
/// turn took longer.
#[test]
fn a_search_ends_with_its_turn_whenever_it_begins() {
    let (turn, before) = (Duration::from_millis(300), Duration::from_millis(240));
    let long = Request::per_move(Duration::from_secs(20));
    let late = late(QUIET, &long, turn - before, search, |control| {
        // Other searches of the turn have taken the time before this one.
        control.set_end(Instant::now().checked_sub(before).map(|begun| begun + turn));
    });
    assert!(late <= LATE, "{late:?} late");
}

#[test]
fn clock_checks_do_not_change_the_node_count() {
    let moves: Vec<Move> = QUIET.iter().map(|&(x, y)| Move::at(Cell::new(x, y))).collect();
    let nodes = |limits: &Request| {
        let mut position = Five::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        moves.iter().for_each(|&m| position.make(m));
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let answer = engine.go(&SearchablePosition(position), limits, &mut |_| {}).unwrap();
        (answer.info.nodes, answer.best)
    };
    for max_nodes in [1, 2, 77, 1_234, 20_011] {
        let limits = Request { max_nodes: Some(max_nodes), ..Request::default() };
        assert_eq!(nodes(&limits).0, max_nodes, "met exactly");
        // A clock that never ends the search does not change it.
        let budget = Budget::per_move(Duration::from_secs(1_000));
        assert_eq!(nodes(&Request { budget, ..limits.clone() }), nodes(&limits));
    }
    let depth = Request { max_depth: Some(7), ..Request::default() };
    assert_eq!(nodes(&depth), nodes(&depth));
}

/// Another thread may stop the search at any moment, even between two clock checks of a
/// proof-number search, which must not run on without end then. The test stops the search at each
/// generated list of moves in turn.
#[test]
fn a_proof_search_stopped_by_another_thread_ends() {
    let (table, request) = (Table::with_bytes(1 << 20).unwrap(), Request::default());
    for stop_at in 1.. {
        let mut position = Slow { on_make: &|| {}, ..Slow::after(ATTACK) };
        let shared = Shared::new(&position, &table, &request);
        let lists = AtomicU64::new(0);
        let on_moves = || {
            let count = lists.fetch_add(1, Relaxed) + 1;
            if count == stop_at {
                shared.stop.store(true, Relaxed);
            }
            assert!(count < stop_at + 100, "stopped at list {stop_at}, and goes on");
        };
        position.on_moves = &on_moves;
        let (params, mut history) = (Params::default(), History::default());
        table.clear();
        Worker::new(position, &shared, &params, &mut history).vct(1_000);
        if lists.into_inner() < stop_at {
            assert!(stop_at > 10, "the proof ended by itself after {stop_at} lists");
            break;
        }
    }
}

#[test]
fn a_stop_soon_ends_the_completion_of_a_pv() {
    let control = Control::default();
    let watch = CompletionWatch { control: &control, until: std::cell::Cell::new(None) };
    assert!(!watch.look().1);
    control.stop();
    assert!(!watch.look().1, "a little time is left");
    thread::sleep(COMPLETION_TIME);
    assert!(watch.look().1);
}
