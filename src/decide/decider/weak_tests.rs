//! Decisions below full strength.

use super::*;
use goren_core::opening::Seat;
use goren_core::rules::{OpeningId, Variant};
use goren_engine::position_of;

fn contest(game: &str, side: usize) -> Contest {
    let contest = Contest::new(Variant::from_name(game).unwrap()).on(side, side).unwrap();
    contest.opened(OpeningId::Free).unwrap()
}

fn decider(contest: &Contest, strength: i64, seed: u64) -> Decider {
    let mut decider = Decider::new(contest, &WeightSet::default(), &TableHandle::exactly(1 << 20));
    decider.limit_strength(Strength::new(strength), seed);
    decider
}

/// Returns all turns of the game: one stone on any point, or two.
fn turns(game_state: &GameState) -> Vec<Action> {
    let cells = game_state.placements();
    if game_state.stones_due() == 1 {
        return cells.into_iter().map(Action::stone).collect();
    }
    let pairs = cells.iter().enumerate().flat_map(|(i, &a)| {
        let later = cells[i + 1..].iter();
        later.map(move |&b| Action::stones(&[a, b]))
    });
    pairs.collect()
}

/// Whether a seat wins by an action.
fn wins_by(game_state: &GameState, action: &Action, seat: Seat) -> bool {
    let next = after(game_state, action);
    next.is_some_and(|next| next.result().is_some_and(|result| result.seats == [seat]))
}

/// Whether the seat to move can win in this turn, by trying all turns.
fn can_win(game_state: &GameState) -> bool {
    let seat = game_state.seat();
    game_state.result().is_none()
        && turns(game_state).iter().any(|action| wins_by(game_state, action, seat))
}

#[test]
fn no_winning_line_is_missed_on_either_side() {
    let (mut seen, mut missed, mut left) = ([0, 0], Vec::new(), Vec::new());
    for (game, side) in [
        ("freestyle", 11),
        ("renju", 11),
        ("caro", 11),
        ("pente", 11),
        ("connect6", 9),
        ("connect6+collinear", 9),
        ("connect6+noncollinear", 9),
        ("four-in-a-row", 7),
        ("torus-four", 8),
        ("irensei", 19),
    ] {
        for seed in 0..3 {
            let contest = contest(game, side);
            let mut game_state = GameState::new(contest);
            let mut decider = decider(&contest, 0, seed);
            while game_state.result().is_none() && game_state.events().len() < 60 {
                let seat = game_state.seat();
                let wins = can_win(&game_state);
                let action =
                    decider.decide(&game_state, &Request::default(), &mut |_| {}).unwrap().action;
                let played = || format!("{game} {:?} {action:?}", game_state.actions());
                if wins && !wins_by(&game_state, &action, seat) {
                    missed.push(played());
                }
                let next = after(&game_state, &action).unwrap();
                if can_win(&next) {
                    let holds = |other: &Action| {
                        let next = after(&game_state, other);
                        next.is_some_and(|next| next.result().is_none() && !can_win(&next))
                    };
                    left.extend(turns(&game_state).iter().any(holds).then(played));
                    seen[1] += 1;
                }
                seen[0] += usize::from(wins);
                game_state = next;
            }
        }
    }
    assert!(missed.is_empty(), "wins missed: {missed:#?}");
    assert!(left.is_empty(), "lines left to the opponent: {left:#?}");
    assert!(seen[0] > 15 && seen[1] > 10, "{seen:?}");
}

/// Returns the plies with which a weak player answers an opening, for several seeds.
fn answers(strength: i64, seeds: std::ops::Range<u64>) -> Vec<Action> {
    let contest = contest("freestyle", 15);
    let mut game_state = GameState::new(contest);
    for (x, y) in [(7, 7), (8, 6), (9, 9)] {
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
    }
    let answer = |seed| {
        let mut decider = decider(&contest, strength, seed);
        decider.decide(&game_state, &Request::default(), &mut |_| {}).unwrap().action
    };
    seeds.map(answer).collect()
}

#[test]
fn the_same_seed_gives_the_same_move_whatever_was_searched_before() {
    for strength in [0, 40, 70] {
        assert_eq!(answers(strength, 0..4), answers(strength, 0..4));
    }
    let mut different = answers(0, 0..20);
    different.dedup();
    assert!(different.len() > 5, "{different:?}");
    // Neither searches in between nor the number of threads change the move.
    let contest = contest("pente", 19);
    let mut game_state = GameState::new(contest);
    let mut used = decider(&contest, 30, 1);
    for ply in 0..6 {
        used.limit_strength(Strength::FULL, 0);
        used.decide(&game_state, &Request::nodes(2_000), &mut |_| {}).unwrap();
        used.limit_strength(Strength::new(30), 1);
        let request = Request { threads: 4, ..Request::default() };
        let weak = used.decide(&game_state, &request, &mut |_| {}).unwrap().action;
        let fresh = decider(&contest, 30, 1).decide(&game_state, &Request::default(), &mut |_| {});
        assert_eq!(fresh.unwrap().action, weak, "{ply}");
        game_state.apply(&weak).unwrap();
    }
}

#[test]
fn full_strength_plays_the_move_of_the_search() {
    let contest = contest("renju", 15);
    let mut game_state = GameState::new(contest);
    game_state.apply(&Action::stone(Cell::new(7, 7))).unwrap();
    let position = &mut *new_position(&contest, &WeightSet::default());
    position.set(&(&game_state).into());
    let request = Request::nodes(5_000);
    let mut engine = Engine::with_hash(TableHandle::exactly(1 << 20));
    let answer = engine.go(&*position, &request, &mut |_| {}).unwrap();
    for seed in 0..3 {
        let decided =
            decider(&contest, 100, seed).decide(&game_state, &request, &mut |_| {}).unwrap();
        assert_eq!(decided.action, Action::stone(answer.best.cell()));
        assert_eq!(
            (decided.info.nodes, decided.info.score),
            (answer.info.nodes, answer.info.score)
        );
    }
}

/// With overtime a five wins unless the opponent breaks it at once: any other stone ends the
/// game for the opponent.
#[test]
fn a_stone_that_leaves_a_five_hands_the_game_over() {
    let contest = contest("pente+boat", 19);
    let mut game_state = GameState::new(contest);
    let black = [(5, 9), (6, 9), (8, 9), (9, 9), (7, 10), (2, 2), (3, 2), (7, 9)];
    let white = [(7, 11), (1, 2), (15, 1), (17, 4), (12, 16), (16, 14), (1, 17)];
    let mut white = white.into_iter();
    for (x, y) in black {
        game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
        if let Some((x, y)) = white.next() {
            game_state.apply(&Action::stone(Cell::new(x, y))).unwrap();
        }
    }
    assert!(game_state.result().is_none());
    let mut position = position_of(&game_state, &WeightSet::default());
    let [breaks, leaves] = [(7, 8), (4, 2)].map(|(x, y)| Cell::new(x, y));
    for capture in [breaks, leaves] {
        let next = after(&game_state, &Action::stone(capture)).unwrap();
        assert_eq!(next.referee().captured(), [0, 2]);
    }
    assert!(!position.lets_opponent_win(breaks) && position.lets_opponent_win(leaves));
}

#[test]
fn weak_players_search_little_and_decide_legally_in_every_opening() {
    for game in Variant::games() {
        let sheet = game.sheet();
        for &opening in sheet.openings {
            let contest = Contest::new(game).opened(opening).unwrap();
            let mut game_state = GameState::new(contest);
            let mut decider = decider(&contest, 5, 3);
            for _ in 0..7 {
                let decided = decider.decide(&game_state, &Request::default(), &mut |_| {});
                let decided = decided.unwrap();
                assert!(decided.info.nodes < 10_000, "{game} {opening}: {decided:?}");
                game_state.apply(&decided.action).unwrap();
            }
        }
    }
}

#[test]
fn choices_of_colour_have_errors_of_judgement_too() {
    let contest = Contest::new(Variant::from_name("gomoku").unwrap());
    let contest = contest.opened(OpeningId::Swap2).unwrap();
    let mut game_state = GameState::new(contest);
    let stones = [(6, 7), (3, 3), (8, 8)].map(|(x, y)| Cell::new(x, y));
    game_state.apply(&Action::stones(&stones)).unwrap();
    let swaps = |strength| {
        let swaps = (0..40).filter(|&seed| {
            let mut decider = decider(&contest, strength, seed);
            let decided = decider.decide(&game_state, &Request::nodes(4_000), &mut |_| {});
            decided.unwrap().action == Action::Swap
        });
        swaps.count()
    };
    let [weak, full] = [swaps(0), swaps(100)];
    assert!(full == 0 || full == 40, "{full}");
    assert!((3..=37).contains(&weak), "{weak}");
}

#[test]
fn every_game_has_a_ladder_that_rises_to_the_top() {
    for variant in Variant::all() {
        let ladder = *new_position(&Contest::new(variant), &WeightSet::default()).ladder();
        assert!(ladder.is_sorted_by(|a, b| a < b) && ladder[10] == 1000, "{variant}: {ladder:?}");
    }
}
