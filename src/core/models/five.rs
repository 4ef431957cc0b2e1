//! Rules of five in a row that no other program implements, by the text of the rules: renju
//! of 1899 to 1918, fouls of both colours, a full board that White wins, passes at any
//! point, and combinations of these. The model is Pente without captures.

use super::driver::{Model, compare, letter, plies};
use super::pente::{Options, Pente};
use crate::opening::{Action, GameState};
use crate::rules::referee::Reason;
use crate::rules::{Contest, OpeningId, Variant};
use crate::types::keys::mix;
use crate::types::{Cell, Color};

/// Options without captures.
pub fn fives() -> Options {
    Options { goal: usize::MAX, ..Options::default() }
}

/// Renju by the rules of the years that have no other name, and renju and gomoku with
/// several options.
pub fn sets_of_options() -> Vec<(&'static str, &'static [&'static str], Options)> {
    let (none, threes) = ([false; 3], [false, false, true]);
    let with_fouls = |fouls| Options { fouls, ..fives() };
    let exact = [true; 2];
    let excused = |fouls, defence_excuses| Options {
        four_excuses: true,
        defence_excuses,
        ..with_fouls(fouls)
    };
    let white_full = Options { exact, white_full: true, ..fives() };
    let early = [true, false, true];
    vec![
        ("gomoku", &["free-pass", "white-full"], white_full.clone()),
        (
            "gomoku",
            &["free-pass", "white-full", "double-three-both"],
            Options { fouls: [threes; 2], ..white_full },
        ),
        (
            "renju",
            &["free-pass"],
            Options { exact: [true, false], ..with_fouls([[true; 3], none]) },
        ),
        ("renju", &["overline", "early"], with_fouls([threes, none])),
        ("renju", &["overline", "fouls-both"], with_fouls([[false, true, true]; 2])),
        ("renju", &["early", "fouls-both"], Options { exact, ..with_fouls([early; 2]) }),
        ("renju", &["overline", "early", "fouls-both"], with_fouls([threes; 2])),
        ("renju", &["1899"], excused([threes; 2], true)),
        ("renju", &["1903"], excused([threes, none], true)),
        ("renju", &["1912"], excused([threes, none], false)),
        ("renju", &["1916"], Options { exact: [true, false], ..excused([early, none], false) }),
    ]
}

#[test]
fn combined_options_are_played_as_their_parts() {
    for (game, names, options) in sets_of_options() {
        let name = [&[game], names].concat().join("+");
        let kinds = [0, 1, 2].map(|kind| options.fouls.iter().any(|fouls| fouls[kind]));
        let sides = options.fouls.map(|fouls| fouls != [false; 3]);
        let side = if options.white_full { 7 } else { 11 };
        let coverage = compare(&name, (side, side), &Pente::new(side, options));
        if side == 11 {
            assert_eq!(coverage.fouls.map(|points| points > 5), kinds, "{name} {coverage:?}");
            assert_eq!(coverage.fouled.map(|games| games > 0), sides, "{name} {coverage:?}");
        }
    }
}

/// Random games hardly ever have this: Black's double three on `e7` stops a four.
#[test]
fn a_double_three_may_answer_a_four_until_1912() {
    let stones = [(2, 2), (4, 3), (3, 2), (4, 4), (3, 3), (4, 5), (2, 4), (4, 6), (4, 7), (8, 8)];
    let at = (4, 2);
    for (names, foul) in [(["1899"], false), (["1903"], false), (["1912"], true), (["1916"], true)]
    {
        let (game, _, options) =
            sets_of_options().into_iter().find(|(_, options, _)| *options == names).unwrap();
        let variant = Variant::from_name(&format!("{game}+{}", names[0])).unwrap();
        let contest = Contest::new(variant).on(9, 9).unwrap().opened(OpeningId::Free).unwrap();
        let (mut game_state, mut model) = (GameState::new(contest), Pente::new(9, options));
        for (x, y) in stones {
            model.place(letter(game_state.to_move()), (x, y));
            game_state.apply(&Action::stone(Cell::new(x as usize, y as usize))).unwrap();
        }
        let fouls = game_state.referee().fouls(Color::Black, Cell::new(4, 2));
        assert_eq!((model.fouls('X', at), fouls.double_three), ([false, false, foul], foul));
        game_state.apply(&Action::stone(Cell::new(4, 2))).unwrap();
        assert_eq!(game_state.result().is_some(), foul, "{names:?}");
    }
}

#[test]
fn early_renju_has_no_double_fours() {
    let fouls = [[true, false, true], [false; 3]];
    let options = Options { exact: [true, false], fouls, ..fives() };
    let coverage = compare("renju+early", (11, 11), &Pente::new(11, options));
    assert!(
        coverage.fouls[0] > 5 && coverage.fouls[1] == 0 && coverage.fouls[2] > 5,
        "{coverage:?}"
    );
    assert!(coverage.fouled[0] > 3 && coverage.fouled[1] == 0, "{coverage:?}");
}

#[test]
fn both_colours_have_fouls() {
    for (game, fouls) in
        [("renju+fouls-both", [true; 3]), ("gomoku+double-three-both", [false, false, true])]
    {
        let options = Options { exact: [true; 2], fouls: [fouls; 2], ..fives() };
        let coverage = compare(game, (11, 11), &Pente::new(11, options));
        assert_eq!(coverage.fouls.map(|points| points > 5), fouls, "{game} {coverage:?}");
        assert!(coverage.fouled.iter().all(|&games| games > 3), "{game} {coverage:?}");
    }
}

#[test]
fn a_full_board_is_a_win_for_white() {
    let options = Options { exact: [true; 2], white_full: true, ..fives() };
    let coverage = compare("gomoku+white-full", (6, 6), &Pente::new(6, options));
    assert!(coverage.drawn == 0 && 2 * coverage.won[1] > 3 * coverage.won[0], "{coverage:?}");
}

/// Passes only: two in a row end the game, and the first ply after the stones that an opening
/// places may be a pass.
#[test]
fn passes_are_free_after_the_opening() {
    for (name, opening, stones) in [
        ("gomoku+free-pass", OpeningId::Free, 0),
        ("gomoku+free-pass", OpeningId::Centre, 1),
        ("gomoku+free-pass", OpeningId::Pro, 3),
        ("gomoku+free-pass", OpeningId::LongPro, 3),
        ("gomoku+free-pass+white-full+double-three-both", OpeningId::Pro, 3),
        ("renju+free-pass", OpeningId::Centre, 1),
    ] {
        let variant = Variant::from_name(name).unwrap();
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
