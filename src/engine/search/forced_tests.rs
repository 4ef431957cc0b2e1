use super::*;
use crate::game::Five;
use crate::search::history::History;
use crate::search::params::Params;
use crate::search::report::Report;
use crate::search::request::Exclusions;
use crate::search::worker::Shared;
use crate::tt::Table;
use crate::{AnyPosition, Engine, RootPosition, TableHandle, WeightSet, new_position, position_of};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Caro, Contest, OpeningId, RuleId, Setup, Variant};
use goren_core::types::{Cell, Color, Stone};

#[test]
fn a_root_move_that_allows_a_vct_loses_in_the_length_of_the_vct() {
    let setup = Setup::new(RuleId::Caro, 15, 15).unwrap();
    let mut position = Five::<Caro>::new(setup);
    // White has an open three.
    for (x, y) in [(0, 14), (6, 6), (2, 12), (7, 6), (4, 14), (8, 6)] {
        position.make(Move::at(Cell::new(x, y)));
    }
    let (table, limits) = (Table::with_bytes(1 << 20).unwrap(), Request::default());
    let params = Params::default();
    let shared = Shared::new(&position, &table, &limits);
    let mut history = History::default();
    let mut worker = Worker::new(position, &shared, &params, &mut history);
    let [far, blocking] = [(0, 0), (5, 6)].map(|(x, y)| Move::at(Cell::new(x, y)));
    assert_eq!(worker.root_move_check(far), None, "no nodes to spend so far");
    worker.nodes = 100_000;
    let key = worker.position.key();
    // After the far move: an open four, an answer, and the five.
    assert_eq!(worker.root_move_check(far), Some(loss_in(4)));
    assert_eq!(worker.root_move_check(blocking), None);
    assert_eq!(worker.position.key(), key);
}

/// A position of freestyle after these moves.
fn played(moves: &[(usize, usize)]) -> Box<dyn AnyPosition> {
    let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
    let mut game_state = GameState::new(Contest::five(setup));
    for &(x, y) in moves {
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
    }
    position_of(&game_state, &WeightSet::default())
}

/// A position in which Black must stop a four.
fn under_threat() -> Box<dyn AnyPosition> {
    played(&[(2, 7), (3, 7), (7, 9), (4, 7), (8, 4), (5, 7), (9, 9), (6, 7)])
}

fn clocked(ms: u64, move_only: bool) -> Request {
    Request { move_only, ..Request::per_move(Duration::from_millis(ms)) }
}

#[test]
fn an_only_move_is_played_at_once_if_only_a_move_is_requested() {
    let think = |limits: &Request| {
        let mut lines = Vec::new();
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let observer = &mut |report: &Report| lines.extend(report.best_pv().cloned());
        let answer = engine.go(&*under_threat(), limits, observer).unwrap();
        assert_eq!(answer.best, Move::at(Cell::new(7, 7)));
        (answer.info, lines)
    };
    let (brief, lines) = think(&clocked(20_000, true));
    assert!(brief.basis == Basis::Brief && brief.depth > 0 && !brief.pv.is_empty(), "{brief:?}");
    assert!(brief.nodes <= BRIEF_NODES && brief.searched().is_none());
    assert!(lines.iter().all(|info| info.basis == Basis::Brief) && !lines.is_empty());
    // A caller that uses the score gets a full search.
    let (searched, _) = think(&clocked(200, false));
    assert!(searched.basis == Basis::Search && searched.nodes > BRIEF_NODES, "{searched:?}");
    assert_eq!(searched.searched(), Some(searched.score));
    // Without a time limit there is no time to save.
    let unhurried = Request { max_nodes: Some(5_000), move_only: true, ..Request::default() };
    assert_eq!(think(&unhurried).0.nodes, 5_000);
    // A proven score counts as searched, whatever its basis.
    let lost = Info { score: loss_in(4), ..brief };
    assert_eq!(lost.searched(), Some(loss_in(4)));
    assert_eq!(Info::NOTHING.searched(), None);
}

#[test]
fn a_move_without_time_has_no_score() {
    let request = Request::default();
    request.control.stop();
    let position = played(&[(7, 7), (8, 6), (9, 9)]);
    let answer = Engine::new().go(&*position, &request, &mut |_| {}).unwrap();
    assert!(answer.best.is_some() && answer.info.searched().is_none(), "{:?}", answer.info);
}

#[test]
fn if_all_requested_root_moves_are_illegal_all_others_are_searched() {
    let answer = |root_moves: Vec<Cell>| {
        let limits = Request { max_nodes: Some(3_000), root_moves, ..Request::default() };
        let position = played(&[(7, 7), (8, 6), (8, 8), (9, 7), (6, 6), (0, 0)]);
        Engine::with_hash(TableHandle::exactly(1 << 20))
            .go(&*position, &limits, &mut |_| {})
            .unwrap()
    };
    let free = answer(Vec::new());
    assert!(free.info.score > PROVEN, "Black has an open three");
    assert_eq!(answer(vec![Cell::new(7, 7)]).info.score, free.info.score);
}

#[test]
fn the_greatest_depth_limit_is_accepted() {
    let depth = |max_depth: u32| {
        let limits =
            Request { max_depth: Some(max_depth), max_nodes: Some(5_000), ..Request::default() };
        let position = played(&[(7, 7), (8, 6), (9, 9)]);
        let answer =
            Engine::with_hash(TableHandle::exactly(1 << 20)).go(&*position, &limits, &mut |_| {});
        answer.unwrap().info.depth
    };
    assert_eq!(depth(1), 1);
    assert!(depth(u32::MAX) > 3);
}

/// Without the rule that a proven win stays, the searches of one and two plies end with
/// an evaluation.
#[test]
fn a_win_that_a_solver_found_stays() {
    let game = "d8 e8 b8 c8 c9 c6 d6 d7 b5 e7 e6 b7 c7 e5 f10 e9 e10 g8 g7 g10 f9 e11 i8 f12 g11 h12 \
        j10 g12 i12 e12 d12 j9 i10 i9 k9 h14 g13 h13 h11 l8 h6 f11 d13 i14 j15 f13 g14 d11 \
        f7 c10 b9 g6 i7 j8 k10 b11 c11 d9 a12 f14 f15 h10";
    let cell = |name: &str| {
        let (column, row) = name.split_at(1);
        (usize::from(column.as_bytes()[0] - b'a'), 15 - row.parse::<usize>().unwrap())
    };
    let position = played(&game.split_whitespace().map(cell).collect::<Vec<_>>());
    for depth in 1..=6 {
        let request = Request { max_depth: Some(depth), ..Request::default() };
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let answer = engine.go(&*position, &request, &mut |_| {}).unwrap();
        assert!(answer.info.score >= PROVEN, "{depth}: {:?}", answer.info);
    }
}

/// The solver of Connect6 begins with the far end of the first row of three, three steps from its
/// stones, where the search generates no move.
#[test]
fn a_winning_move_far_from_all_stones_becomes_a_root_move() {
    let contest = Contest::new(Variant::from_name("connect6").unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap();
    let row = |x: usize, y: usize| (x..x + 3).map(move |x| Cell::new(x, y));
    let stones = row(5, 4).chain(row(9, 13)).map(|cell| (cell, Stone::Of(Color::Black)));
    let root = RootPosition {
        laid: stones.collect(),
        events: Vec::new(),
        to_move: Color::Black,
        stones_to_place: 2,
        placed: 0,
    };
    let mut position = new_position(&contest, &WeightSet::default());
    position.set(&root);
    let search = |request: Request| {
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        engine.go(&*position, &request, &mut |_| {}).unwrap()
    };
    let shallow = || Request { max_depth: Some(1), ..Request::default() };
    let (far, free) = (Cell::new(2, 4), search(shallow()));
    assert!(free.info.score >= PROVEN && free.best == Move::at(far), "{free:?}");
    let exclusions = Exclusions { root_moves: vec![far], ..Exclusions::default() };
    assert_ne!(search(Request { exclusions, ..shallow() }).best, Move::at(far));
    let root_moves = vec![Cell::new(8, 4)];
    assert_eq!(search(Request { root_moves, ..shallow() }).best, Move::at(Cell::new(8, 4)));
}
