//! A search, a proof and a solver end in time where a move takes as long as
//! thousands do otherwise: in fresh memory, or on a machine that others use.

use std::sync::Arc;
use std::thread;

use super::*;
use crate::game::{Five, Kind, MoveList, Pressure, Stage, Verdict};
use crate::search::request::{Bans, Known};
use crate::search::root::Chief;
use crate::search::time::Budget;
use crate::{Engine, Hash, Own};
use goren_core::rules::{Freestyle, Outcome, RuleId, Setup};
use goren_core::types::{Cell, Color, win_in};

/// What a move takes.
const SLOW: Duration = Duration::from_millis(5);
/// How late an answer may be.
const LATE: Duration = Duration::from_millis(15);
/// Tries, the best of which counts: others may use the machine.
const TRIES: usize = 5;

/// Five in a row with moves that take their time, and so do the nodes of its
/// solvers, which find nothing.
#[derive(Clone)]
struct Slow(Five<Freestyle>);

impl Slow {
    fn after(moves: &[(usize, usize)]) -> Slow {
        let mut position = Five::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        moves.iter().for_each(|&(x, y)| position.make(Move::at(Cell::new(x, y))));
        Slow(position)
    }

    fn spend(meter: &mut Meter<'_>) {
        while meter.spend() {
            thread::sleep(SLOW);
        }
    }
}

impl Position for Slow {
    const DOUBTS_RIVALS: bool = true;

    fn to_move(&self) -> Color {
        self.0.to_move()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn key_after(&self, m: Move) -> u64 {
        self.0.key_after(m)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn make(&mut self, m: Move) {
        thread::sleep(SLOW);
        self.0.make(m);
    }

    fn unmake(&mut self) {
        self.0.unmake();
    }

    fn is_legal(&mut self, m: Move) -> bool {
        self.0.is_legal(m)
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        self.0.is_pseudo_legal(m)
    }

    fn moves(&mut self, stage: Stage, out: &mut MoveList) {
        self.0.moves(stage, out);
    }

    fn verdict(&mut self) -> Verdict {
        self.0.verdict()
    }

    fn pressure(&mut self) -> Pressure {
        self.0.pressure()
    }

    fn evaluate(&mut self) -> Score {
        self.0.evaluate()
    }

    fn prior(&self, m: Move) -> i32 {
        self.0.prior(m)
    }

    fn kind(&self, m: Move) -> Kind {
        self.0.kind(m)
    }

    fn shape(&self, m: Move) -> usize {
        self.0.shape(m)
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
        self.0.last()
    }
}

/// Nothing to be met.
const QUIET: &[(usize, usize)] = &[(7, 7), (8, 6), (9, 9), (8, 8), (6, 8), (5, 5)];
/// Black has an open three, White is to move.
const PRESSED: &[(usize, usize)] = &[(7, 7), (0, 0), (8, 7), (0, 14), (9, 7)];
/// White has a four with one open end, Black is to move.
const FORCED: &[(usize, usize)] =
    &[(2, 7), (3, 7), (0, 0), (4, 7), (14, 0), (5, 7), (14, 14), (6, 7)];
/// White has an open four: Black loses.
const LOST: &[(usize, usize)] =
    &[(0, 14), (3, 7), (0, 0), (4, 7), (14, 0), (5, 7), (14, 14), (6, 7)];

/// How long after its end a piece of work came to one.
fn late(
    moves: &[(usize, usize)],
    limits: &Request,
    end: Duration,
    work: impl Fn(&mut Worker<'_, Slow>, &Request),
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
            worker.report = Some(&mut silent);
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

fn search(worker: &mut Worker<'_, Slow>, limits: &Request) {
    let budget = limits.budget;
    let answer = worker.deepen(limits, 0, Some(Chief { budget, previous: None }));
    assert!(answer.best.is_some());
}

/// 110 ms, of which the clock keeps a fourth for itself.
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
    let known = (1..60).map(|n| Known { path: path(1 + n % 10), score: win_in(n) }).collect();
    let all = [
        limits(),
        Request { multi_pv: 3, ..limits() },
        Request { defend: true, ..limits() },
        Request { move_only: true, ..limits() },
        Request { bans: Bans { cells, ..Bans::default() }, ..limits() },
        Request { known, ..limits() },
    ];
    for (number, limits) in all.iter().enumerate() {
        for moves in [QUIET, PRESSED, FORCED, LOST] {
            let late = late(moves, limits, hard(), search, |_| {});
            assert!(late <= LATE, "limits {number}, {} moves: {late:?} late", moves.len());
        }
    }
}

#[test]
fn a_proof_of_slow_moves_ends_in_time() {
    for moves in [QUIET, PRESSED, FORCED] {
        let prove = |worker: &mut Worker<'_, Slow>, _: &Request| _ = worker.prove(1_000_000);
        let late = late(moves, &limits(), hard(), prove, |_| {});
        assert!(late <= LATE, "{} moves: {late:?} late", moves.len());
        let check = |worker: &mut Worker<'_, Slow>, _: &Request| {
            worker.nodes = 1_000_000;
            let line = [(1, 1), (2, 3), (3, 5), (1, 7)].map(|(x, y)| Move::at(Cell::new(x, y)));
            while !worker.shared.stopped() {
                worker.check_line(&mut [], &line, 1);
            }
        };
        let late = self::late(moves, &limits(), hard(), check, |_| {});
        assert!(late <= LATE, "{} moves, a line: {late:?} late", moves.len());
    }
}

#[test]
fn a_slow_search_hears_at_once_that_it_must_end() {
    let after = Duration::from_millis(60);
    let long = Request::per_move(Duration::from_secs(20));
    let ends: [&(dyn Fn(&Control) + Sync); 2] = [&|control| control.stop(), &|control| {
        control.cap(Duration::ZERO);
    }];
    for end in ends {
        let late = late(QUIET, &long, after, search, |control| {
            thread::sleep(after);
            end(control);
        });
        assert!(late <= LATE, "{late:?} late");
    }
}

#[test]
fn looks_at_the_clock_change_no_number_of_nodes() {
    let moves: Vec<Move> = QUIET.iter().map(|&(x, y)| Move::at(Cell::new(x, y))).collect();
    let nodes = |limits: &Request| {
        let mut position = Five::<Freestyle>::new(Setup::new(RuleId::Freestyle, 15, 15).unwrap());
        moves.iter().for_each(|&m| position.make(m));
        let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
        let answer = engine.go(&Own(position), limits, &mut |_| {}).unwrap();
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
