use super::*;
use goren_core::rules::{Contest, RuleId, Setup};
use goren_core::types::Stone;
use goren_engine::{TableHandle, WeightSet, position_of, stack};

fn contest(side: usize) -> Contest {
    Contest::five(Setup::new(RuleId::Freestyle, side, side).unwrap())
}

fn game(side: usize, stones: &[(usize, usize)]) -> GameState {
    let mut game = GameState::new(contest(side));
    for &(x, y) in stones {
        game.apply(&Action::stone(Cell::new(x, y))).unwrap();
    }
    game
}

fn find(stones: &[(usize, usize)], wanted: Balance, nodes: u64) -> (Balanced, Score) {
    let game = game(15, stones);
    let mut position = position_of(&game, &WeightSet::default());
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
    let request = Request::nodes(nodes);
    let found = balance(&game, &mut *position, &mut engine, wanted, &request).unwrap();
    // The score that an independent search gives.
    let mut fresh = Engine::with_hash(TableHandle::exactly(1 << 20));
    let request = Request::nodes(20_000);
    let mut search = BalanceSearch::new(&game, &mut *position, &mut fresh, wanted, &request);
    let score = search.evaluate(&found.stones, None, Some(20_000)).unwrap().score;
    (found, score)
}

#[test]
fn one_or_two_stones_reach_the_wanted_score() {
    stack::run(|| {
        for bias in [-100, 0, 100] {
            let (found, score) = find(&[], Balance { two: false, bias }, 60_000);
            assert_eq!(found.stones.len(), 1);
            if bias == 0 {
                assert!(score.abs() < 60, "{found:?}: {score}");
            }
        }
        let opening = [(7, 7), (8, 6)];
        let mut scores = Vec::new();
        for bias in [-150, 0, 150] {
            let (found, score) = find(&opening, Balance { two: true, bias }, 150_000);
            assert_eq!(found.stones.len(), 2);
            assert!(found.score.abs_diff(bias) < 80, "{bias}: {found:?}");
            scores.push(score);
        }
        assert!(scores.is_sorted(), "{scores:?}");
    })
    .unwrap();
}

#[test]
fn candidates_differ_by_more_than_symmetry() {
    let request = Request::default();
    // The empty board has 36 cells that are no images of each other: one eighth of the board.
    assert_eq!(candidates(&game(15, &[]), false, &request).len(), 36);
    let one = game(15, &[(7, 7)]);
    // Within three steps there are 3 cells on an axis, 3 on a diagonal and 3 between
    // them.
    assert_eq!(candidates(&one, false, &request).len(), 9);
    let pairs = candidates(&one, true, &request);
    assert!(pairs.iter().all(|pair| pair.len() == 2 && pair[0] != pair[1]));
    assert!(!pairs.is_empty() && pairs.len() <= MAX_CANDIDATES);
}

#[test]
fn a_stopped_task_examines_no_candidate() {
    stack::run(|| {
        // Black has an open four: most pairs of stones leave it there.
        let black_and_white = [(2, 7), (0, 0), (3, 7), (14, 0), (4, 7), (0, 14), (5, 7)];
        let game = game(15, &black_and_white);
        let mut position = position_of(&game, &WeightSet::default());
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 16));
        let request = Request::default();
        let mut verdicts = || {
            let wanted = Balance { two: true, bias: 0 };
            let mut search =
                BalanceSearch::new(&game, &mut *position, &mut engine, wanted, &request);
            let (open, decided) = search.static_verdicts();
            (open.len(), decided.len())
        };
        let (open, decided) = verdicts();
        assert!(open > 0 && decided > 0, "{open} {decided}");
        request.control.stop();
        let all = candidates(&game, true, &request).len();
        assert_eq!(verdicts(), (all, 0));
    })
    .unwrap();
}

/// The answer was the first point of the board, which was not searched.
#[test]
fn if_all_near_points_are_excluded_others_are_searched() {
    stack::run(|| {
        let game = game(15, &[(7, 7)]);
        let mut position = position_of(&game, &WeightSet::default());
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
        let mut request = Request::nodes(20_000);
        let all = (0..225).map(|i| Cell::new(i % 15, i / 15));
        let is_near = |c: &Cell| c.x().abs_diff(7).max(c.y().abs_diff(7)) <= REACH;
        request.exclusions.root_moves = all.clone().filter(is_near).collect();
        let wanted = Balance { two: false, bias: 0 };
        let mut find = |request: &Request, wanted| {
            balance(&game, &mut *position, &mut engine, wanted, request)
        };
        let found = find(&request, wanted).unwrap();
        assert!(found.searched && !is_near(&found.stones[0]), "{found:?}");
        request.exclusions.root_moves = all.collect();
        for two in [false, true] {
            assert_eq!(find(&request, Balance { two, bias: 0 }), None);
        }
    })
    .unwrap();
}

#[test]
fn if_every_stone_ends_the_game_one_is_returned() {
    stack::run(|| {
        let black = [0, 1, 2, 4, 8, 10, 12, 14, 16, 18, 21, 23];
        let stones: Vec<_> = (0..24)
            .map(|i| {
                let color = if black.contains(&i) { Color::Black } else { Color::White };
                (Cell::new(i % 5, i / 5), Stone::Of(color))
            })
            .collect();
        let game = GameState::from_list(contest(5), &stones, Color::Black).unwrap();
        let mut position = position_of(&game, &WeightSet::default());
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 16));
        let request = Request::default();
        let mut found = |two| {
            let wanted = Balance { two, bias: 0 };
            balance(&game, &mut *position, &mut engine, wanted, &request)
        };
        let last = Balanced { stones: vec![Cell::new(4, 4)], score: 0, searched: true };
        assert_eq!(found(false), Some(last));
        assert_eq!(found(true), None);
    })
    .unwrap();
}

/// The move of an excluded sequence of one move could be the answer.
#[test]
fn the_last_move_of_an_excluded_sequence_is_no_candidate() {
    let one = game(15, &[(7, 7)]);
    let [a, b] = [Cell::new(8, 7), Cell::new(9, 9)];
    let mut request = Request::default();
    request.exclusions.sequences = vec![vec![a]];
    // Within three steps there are 48 cells. The images of an excluded one are candidates.
    let single = candidates(&one, false, &request);
    assert!(single.len() == 47 && !single.contains(&vec![a]));
    assert!(candidates(&one, true, &request).iter().all(|pair| pair[0] != a));
    request.exclusions.sequences = vec![vec![a, b]];
    assert!(candidates(&one, false, &request).contains(&vec![a]));
    let pairs = candidates(&one, true, &request);
    assert!(pairs.contains(&vec![b, a]) && !pairs.contains(&vec![a, b]));
}

#[test]
fn a_sequence_continues_after_its_first_moves_in_any_order() {
    let [a, b, c, d] = [0, 1, 2, 3].map(|x| Cell::new(x, 5));
    let after = |sequence: &[Cell], stones: &[Cell]| {
        let sequences = vec![sequence.to_vec()];
        exclusions_after(&Exclusions { sequences, ..Exclusions::default() }, stones).sequences
    };
    assert_eq!(after(&[a, b, c, d], &[a]), [[b, c, d]]);
    assert_eq!(after(&[a, b, c, d], &[c]), [[b, a, d]]);
    assert_eq!(after(&[a, b, c, d], &[c, b]), [[a, d]]);
    // A move of the other side, the last move, and a move that is no part of the sequence.
    assert!(after(&[a, b, c, d], &[b]).is_empty() && after(&[a, b, c], &[c]).is_empty());
    assert!(after(&[a, b], &[d]).is_empty() && after(&[], &[a]).is_empty());
}

/// The search for the opponent's answer left out the root moves excluded before the stone.
#[test]
fn root_moves_excluded_before_a_stone_may_answer_it() {
    stack::run(|| {
        // The stone makes a four, which a single move answers.
        let game = game(15, &[(5, 7), (4, 7), (6, 7), (0, 0), (7, 7), (14, 14)]);
        let (four, answer) = (Cell::new(8, 7), Cell::new(9, 7));
        let score = |root_moves: Vec<Cell>| {
            let mut position = position_of(&game, &WeightSet::default());
            let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
            let exclusions = Exclusions { root_moves, ..Exclusions::default() };
            let request = Request { exclusions, ..Request::default() };
            let wanted = Balance { two: false, bias: 0 };
            let mut search =
                BalanceSearch::new(&game, &mut *position, &mut engine, wanted, &request);
            search.evaluate(&[four], None, Some(2_000)).unwrap().score
        };
        let free = score(Vec::new());
        assert!(free < PROVEN, "{free}");
        assert_eq!(score(vec![answer]), free);
    })
    .unwrap();
}

/// A verdict may rest on a move that the user excludes.
#[test]
fn excluded_cells_prevent_static_verdicts() {
    stack::run(|| {
        // Black has an open four.
        let black_and_white = [(2, 7), (0, 0), (3, 7), (14, 0), (4, 7), (0, 14), (5, 7)];
        let game = game(15, &black_and_white);
        let mut position = position_of(&game, &WeightSet::default());
        let mut engine = Engine::with_hash(TableHandle::exactly(1 << 16));
        let mut decided = |request: &Request| {
            let wanted = Balance { two: true, bias: 0 };
            let mut search =
                BalanceSearch::new(&game, &mut *position, &mut engine, wanted, request);
            search.static_verdicts().1.len()
        };
        let mut request = Request::default();
        assert!(decided(&request) > 0);
        request.exclusions.cells[0].insert(Cell::new(14, 14));
        assert_eq!(decided(&request), 0);
    })
    .unwrap();
}

/// In renju a foul ends the game, so it balances nothing.
#[test]
fn forbidden_points_are_no_balancing_stones() {
    let contest = Contest::five(Setup::new(RuleId::Renju, 15, 15).unwrap());
    let mut game = GameState::new(contest);
    // Black on (5, 2) would make two open threes.
    let stones = [(6, 2), (0, 14), (7, 2), (3, 14), (5, 3), (6, 14), (5, 4), (9, 14)];
    for (x, y) in stones {
        game.apply(&Action::stone(Cell::new(x, y))).unwrap();
    }
    let foul = Cell::new(5, 2);
    assert!(game.referee().fouls(Color::Black, foul).any());
    let mut position = position_of(&game, &WeightSet::default());
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
    let request = Request::nodes(1_000);
    let wanted = Balance { two: true, bias: 0 };
    let mut search = BalanceSearch::new(&game, &mut *position, &mut engine, wanted, &request);
    let open = Cell::new(8, 8);
    assert!(!search.goes_on_after(&[foul]) && !search.goes_on_after(&[foul, open]));
    assert!(search.goes_on_after(&[open]) && search.goes_on_after(&[open, foul]));
}
