//! Five in a row by rules of the seeds that nobody else implements: early renju, fouls of
//! both colours, a full board that White wins, passes at any point. A game without captures is Pente in
//! which nothing is captured.

use super::driver::{compare, plies};
use super::pente::{Options, Pente};
use crate::opening::{Action, GameState};
use crate::rules::referee::Reason;
use crate::rules::{Contest, OpeningId, Variant};
use crate::types::keys::mix;

/// Nothing is captured.
pub fn fives() -> Options {
    Options { goal: usize::MAX, ..Options::default() }
}

#[test]
fn early_renju_has_no_double_fours() {
    let fouls = [[true, false, true], [false; 3]];
    let options = Options { exact: [true, false], fouls, ..fives() };
    let seen = compare("renju+early", (11, 11), &Pente::new(11, options));
    assert!(seen.fouls[0] > 5 && seen.fouls[1] == 0 && seen.fouls[2] > 5, "{seen:?}");
    assert!(seen.fouled[0] > 3 && seen.fouled[1] == 0, "{seen:?}");
}

#[test]
fn both_colours_have_fouls() {
    for (game, fouls) in
        [("renju+fouls-both", [true; 3]), ("gomoku+double-three-both", [false, false, true])]
    {
        let options = Options { exact: [true; 2], fouls: [fouls; 2], ..fives() };
        let seen = compare(game, (11, 11), &Pente::new(11, options));
        assert_eq!(seen.fouls.map(|points| points > 5), fouls, "{game} {seen:?}");
        assert!(seen.fouled.iter().all(|&games| games > 3), "{game} {seen:?}");
    }
}

#[test]
fn a_full_board_is_whites() {
    let options = Options { exact: [true; 2], white_full: true, ..fives() };
    let seen = compare("gomoku+white-full", (6, 6), &Pente::new(6, options));
    assert!(seen.drawn == 0 && 2 * seen.won[1] > 3 * seen.won[0], "{seen:?}");
}

/// Passes alone: two in a row end the game, and the first may be the first ply of all,
/// after the stones that an opening places.
#[test]
fn passes_are_free_after_the_opening() {
    for (opening, stones) in
        [(OpeningId::Free, 0), (OpeningId::Centre, 1), (OpeningId::Pro, 3), (OpeningId::LongPro, 3)]
    {
        let variant = Variant::from_name("gomoku+free-pass").unwrap();
        let contest = Contest::new(variant).opened(opening).unwrap();
        let mut random = 7;
        let mut below = |n: usize| {
            random = mix(random);
            random as usize % n
        };
        let (mut played_plies, mut ended) = (0, 0);
        while played_plies < plies() {
            let mut game_state = GameState::new(contest);
            let (mut played, mut last_passed) = (0, false);
            while game_state.result().is_none() {
                played_plies += 1;
                let pending = game_state.pending_decision().unwrap();
                assert_eq!(pending.pass, played >= stones, "{opening} {played}");
                assert_eq!(game_state.to_move().index(), played % 2);
                let mut passed = game_state.clone();
                let may_pass = passed.apply(&Action::Pass).is_ok();
                assert_eq!(may_pass, pending.pass);
                played += 1;
                if may_pass && below(4) == 0 {
                    let two = passed.result().map(|result| (result.is_draw(), result.reason));
                    assert_eq!(two, last_passed.then_some((true, Reason::TwoPasses)));
                    ended += usize::from(last_passed);
                    last_passed = true;
                    game_state = passed;
                } else {
                    let cells = game_state.placements();
                    game_state.apply(&Action::stone(cells[below(cells.len())])).unwrap();
                    last_passed = false;
                }
            }
        }
        assert!(ended > 50, "{opening} {ended}");
    }
}
