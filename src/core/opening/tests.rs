//! Openings step by step, by the text of the rules.

use super::*;
use crate::rules::referee::{IllegalMove, Next, Reason};
use crate::rules::{Contest, OpeningId, RuleId, Variant};
use crate::types::{Cell, Color, Stone};

fn contest(name: &str, opening: OpeningId) -> Contest {
    Contest::new(Variant::from_name(name).unwrap()).opened(opening).unwrap()
}

/// Plays the plies of these texts, which must be legal.
fn play(contest: Contest, texts: &[&str]) -> GameState {
    let mut game_state = GameState::new(contest);
    for text in texts {
        let action = read(&game_state, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        game_state.apply(&action).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    game_state
}

/// The error for a text that is refused.
fn refused(game_state: &GameState, text: &str) -> TextError {
    let mut game_state = game_state.clone();
    let before = (game_state.actions().len(), game_state.stones());
    let error = match read(&game_state, text) {
        Ok(action) => game_state.apply(&action).expect_err(text).into(),
        Err(error) => error,
    };
    assert_eq!(before, (game_state.actions().len(), game_state.stones()), "{text} left a trace");
    error
}

#[test]
fn pro_keeps_the_third_stone_away_from_the_centre() {
    for (opening, near, far) in [(OpeningId::Pro, "j10", "k8"), (OpeningId::LongPro, "k8", "l8")] {
        let game_state = play(contest("gomoku", opening), &["h8", "a1"]);
        assert_eq!(refused(&game_state, near), IllegalAction::OutsideZone.into());
        assert_eq!(play(*game_state.contest(), &["h8", "a1", far]).stones().len(), 3);
        assert_eq!(
            refused(&GameState::new(*game_state.contest()), "a1"),
            IllegalAction::OutsideZone.into()
        );
    }
}

#[test]
fn swap_2_allows_three_answers_and_returns_the_last_choice() {
    let start = contest("gomoku", OpeningId::Swap2);
    let three = play(start, &["a1,b1,c1"]);
    let pending = three.pending_decision().unwrap();
    assert!(
        pending.swap
            && !pending.pass
            && pending.seat == Seat::Second
            && pending.color == Color::White
    );
    assert_eq!(pending.choices.len(), 2);
    assert_eq!(refused(&GameState::new(start), "c1,b1,a1"), TextError::Order);
    assert_eq!(refused(&three, "d1,e1,f1"), IllegalAction::TooMany.into());

    let swapped = play(start, &["a1,b1,c1", "pass"]);
    assert_eq!((swapped.owner(Color::Black), swapped.to_move()), (Seat::Second, Color::White));
    assert_eq!(swapped.seat(), Seat::First);

    let unswapped = play(start, &["a1,b1,c1", "d1"]);
    assert_eq!((unswapped.owner(Color::Black), unswapped.to_move()), (Seat::First, Color::Black));

    // The two stones flip the colours, so that White is due and undecided.
    let two = play(start, &["a1,b1,c1", "d1,e1"]);
    assert_eq!((two.owner(Color::Black), two.to_move()), (Seat::Second, Color::White));
    assert_eq!(two.stone(Cell::new(3, 14)), Some(Stone::Of(Color::White)));
    assert!(two.pending_decision().unwrap().swap);
    let back = play(start, &["a1,b1,c1", "d1,e1", "pass"]);
    assert_eq!((back.owner(Color::Black), back.seat()), (Seat::First, Seat::Second));
    assert!(!back.pending_decision().unwrap().swap);
}

#[test]
fn swap_lets_the_second_seat_choose_after_three_stones() {
    for game in ["gomoku", "freestyle", "caro", "renju", "pente", "irensei"] {
        let start = contest(game, OpeningId::Swap);
        let three = play(start, &["a1,b1,c1"]);
        let pending = three.pending_decision().unwrap();
        assert_eq!((pending.seat, pending.color), (Seat::Second, Color::White), "{game}");
        assert!(pending.swap && !pending.pass && pending.choices.len() == 1, "{game}");
        assert_eq!(refused(&GameState::new(start), "a1"), IllegalAction::TooFew.into());
        assert_eq!(refused(&GameState::new(start), "c1,b1,a1"), TextError::Order);
        // Only swap-2 allows two more stones.
        assert_eq!(refused(&three, "d1,e1"), IllegalAction::TooMany.into());

        let swapped = play(start, &["a1,b1,c1", "pass"]);
        assert_eq!((swapped.owner(Color::Black), swapped.to_move()), (Seat::Second, Color::White));
        assert!(!swapped.pending_decision().unwrap().swap, "{game}");
        let stayed = play(start, &["a1,b1,c1", "d1"]);
        assert_eq!((stayed.owner(Color::Black), stayed.to_move()), (Seat::First, Color::Black));
        assert!(!stayed.pending_decision().unwrap().swap, "{game}");
    }
    let connect6 = Contest::new(Variant::from_name("connect6").unwrap());
    assert!(connect6.opened(OpeningId::Swap).is_err());
}

#[test]
fn tarannikov_is_five_stones_in_growing_squares_with_swaps() {
    let start = contest("renju", OpeningId::Tarannikov);
    let stones = ["h8", "g8", "f10", "k11", "l4", "a1"];
    let outside = ["h9", "f8", "e8", "l8", "m8"];
    for (placed, outside) in outside.into_iter().enumerate() {
        let game_state = play(start, &stones[..placed]);
        assert_eq!(refused(&game_state, outside), IllegalAction::OutsideZone.into());
        assert_eq!(game_state.pending_decision().unwrap().swap, placed > 0);
    }
    // Nothing is offered, whether the fourth stone is swapped or not.
    for texts in [&stones[..4], &["h8", "g8", "f10", "k11", "pass"]] {
        assert_eq!(play(start, texts).pending_decision().unwrap().choices.len(), 1);
    }
    let five = play(start, &stones[..5]);
    assert!(five.pending_decision().unwrap().swap);
    let six = play(start, &stones);
    assert!(!six.pending_decision().unwrap().swap && six.stones().len() == 6);
    let swaps = ["h8", "pass", "g8", "pass", "f10", "pass", "k11", "pass", "l4", "pass", "a1"];
    let swapped = play(start, &swaps);
    assert_eq!((swapped.owner(Color::Black), swapped.to_move()), (Seat::Second, Color::Black));
    assert_eq!(refused(&play(start, &["h8", "pass"]), "pass"), IllegalAction::NoPass.into());
}

#[test]
fn by_the_rule_of_1989_the_second_seat_places_the_second_stone() {
    let start = contest("renju", OpeningId::Swap1989);
    assert_eq!(refused(&GameState::new(start), "h8,h9,h10"), IllegalAction::TooMany.into());
    let one = play(start, &["h8"]);
    let pending = one.pending_decision().unwrap();
    assert!(pending.seat == Seat::Second && !pending.swap);
    assert_eq!(refused(&one, "h10"), IllegalAction::OutsideZone.into());
    let two = play(start, &["h8", "g9"]);
    assert!(!two.pending_decision().unwrap().swap);
    assert_eq!(refused(&two, "k8"), IllegalAction::OutsideZone.into());
    let three = play(start, &["h8", "g9", "j10"]);
    assert!(three.pending_decision().unwrap().swap);
    for texts in [&["h8", "g9", "j10", "a1"][..], &["h8", "g9", "j10", "pass", "a1"]] {
        let four = play(start, texts);
        let pending = four.pending_decision().unwrap();
        assert_eq!(pending.choices, [Choice::Offer { count: 2 }]);
        assert!(!pending.swap && pending.color == Color::Black);
        assert_eq!(refused(&four, "b2"), IllegalAction::TooFew.into());
        let rest: Vec<&str> = texts.iter().copied().chain(["b2,c4", "c4,o15"]).collect();
        let six = play(start, &rest);
        assert_eq!((six.stones().len(), six.to_move()), (6, Color::Black));
        assert_eq!(six.stone(Cell::new(2, 11)), Some(Stone::Of(Color::Black)));
    }
}

#[test]
fn super_rules_have_larger_zones_for_the_second_and_the_third_stone() {
    for (plain, wide) in [
        (OpeningId::Rif, OpeningId::SuperRif),
        (OpeningId::Yamaguchi, OpeningId::SuperYamaguchi),
        (OpeningId::Soosorv8, OpeningId::SuperSoosorv8),
    ] {
        assert_eq!((wide.plain(), wide.is_super(), plain.is_super()), (plain, true, false));
        let count = if plain == OpeningId::Yamaguchi { ",3" } else { "" };
        for (figure, allowed) in [
            ("h8,h9,h10", [true, true]),
            ("h8,j10,h9", [false, true]),
            ("h8,h9,k11", [false, true]),
            ("h8,f7,e5", [false, true]),
            ("h8,k8,h9", [false, false]),
            ("h8,h9,l8", [false, false]),
            ("h9,h8,h10", [false, false]),
        ] {
            for (opening, allowed) in [plain, wide].into_iter().zip(allowed) {
                let start = GameState::new(contest("renju", opening));
                let text = format!("{figure}{count}");
                if allowed {
                    assert_eq!(play(*start.contest(), &[&text]).stones().len(), 3);
                } else {
                    assert_eq!(refused(&start, &text), IllegalAction::NoFigure.into(), "{text}");
                }
            }
        }
        let start = GameState::new(contest("renju", wide));
        assert_eq!(start.figures().len(), 24 * 47);
        let strict = Contest { strict: true, ..*start.contest() };
        assert_eq!(GameState::new(strict).figures().len(), 151);
    }
    for (plain, wide) in [
        (OpeningId::Tarannikov, OpeningId::SuperTarannikov),
        (OpeningId::Taraguchi10, OpeningId::SuperTaraguchi10),
    ] {
        let outside = |opening, texts: &[&str], text| {
            let game_state = play(contest("renju", opening), texts);
            assert_eq!(refused(&game_state, text), IllegalAction::OutsideZone.into());
        };
        outside(plain, &["h8"], "j10");
        outside(wide, &["h8"], "k8");
        outside(plain, &["h8", "h9"], "k11");
        outside(wide, &["h8", "j10"], "l11");
        // The zones of the fourth and the fifth stone are unchanged.
        outside(wide, &["h8", "j10", "e5"], "l12");
        outside(wide, &["h8", "j10", "e5", "k11"], "m13");
        let five = play(contest("renju", wide), &["h8", "j10", "e5", "k11", "l12"]);
        assert_eq!((five.placements().len(), five.pending_decision().unwrap().swap), (220, true));
    }
}

#[test]
fn passes_wait_for_two_plies_after_the_opening() {
    let cases: [(OpeningId, &[&str]); 7] = [
        (OpeningId::Free, &["h8", "a1"]),
        (OpeningId::Pro, &["h8", "a1", "l8", "a2", "a3"]),
        (OpeningId::Swap2, &["a1,b1,c1", "d1", "e5"]),
        (OpeningId::Swap2, &["a1,b1,c1", "d1,e1", "pass", "h8", "h9"]),
        (OpeningId::Swap1st, &["h8", "pass", "a1", "a2"]),
        (OpeningId::Swap, &["a1,b1,c1", "d1", "e5"]),
        (OpeningId::Swap, &["a1,b1,c1", "pass", "d1", "e5"]),
    ];
    for (opening, texts) in cases {
        let game_state = play(contest("gomoku", opening), texts);
        assert!(game_state.pending_decision().unwrap().pass, "{opening}");
        let before = play(contest("gomoku", opening), &texts[..texts.len() - 1]);
        let pending = before.pending_decision().unwrap();
        assert!(!pending.pass, "{opening}");
        if !pending.swap {
            assert_eq!(refused(&before, "pass"), IllegalAction::NoPass.into());
        }
    }
    // Freestyle, as Gomocup plays it, knows no passes at all.
    let game_state = play(contest("freestyle", OpeningId::Free), &["h8", "a1", "b1"]);
    assert_eq!(refused(&game_state, "pass"), IllegalAction::NoPass.into());
}

#[test]
fn two_passes_are_a_draw_or_a_win_for_the_first_to_pass() {
    let free = contest("gomoku", OpeningId::Free);
    let texts = ["h8", "a1", "pass", "pass"];
    let drawn = play(free, &texts);
    let result = drawn.result().unwrap();
    assert!(result.is_draw() && result.reason == Reason::TwoPasses);
    assert_eq!(refused(&drawn, "b1"), IllegalAction::from(IllegalMove::GameOver).into());
    let won = play(Contest { tie_break: true, ..free }, &texts);
    assert_eq!(won.result().unwrap().seats, [Seat::First]);
    assert_eq!(won.result().unwrap().colors, [Color::Black]);
    let apart = play(free, &["h8", "a1", "pass", "a2", "pass", "a3"]);
    assert!(apart.result().is_none());
}

#[test]
fn taraguchi_offers_ten_only_if_the_fourth_stone_was_not_swapped() {
    let start = Contest { strict: true, ..contest("renju", OpeningId::Taraguchi10) };
    let ten = "a5,b2,c9,d14,e1,f13,g1,k2,m12,o3";
    let four = play(start, &["h8", "h9", "i9", "f11"]);
    assert_eq!(four.pending_decision().unwrap().choices.len(), 2);
    assert_eq!(refused(&four, "a1"), IllegalAction::OutsideZone.into());
    let offered = play(start, &["h8", "h9", "i9", "f11", ten]);
    assert_eq!((offered.offers().len(), offered.to_move()), (10, Color::White));
    assert!(!offered.pending_decision().unwrap().swap);
    assert_eq!(refused(&offered, "h1,h2"), IllegalAction::NotOffered.into());
    let chosen = play(start, &["h8", "h9", "i9", "f11", ten, "o3,a5"]);
    assert_eq!((chosen.to_move(), chosen.stones().len()), (Color::Black, 6));
    assert_eq!(chosen.offers(), []);

    let swapped = play(start, &["h8", "h9", "i9", "f11", "pass"]);
    assert_eq!(swapped.pending_decision().unwrap().choices.len(), 1);
    assert_eq!(refused(&swapped, ten), IllegalAction::TooMany.into());
    assert_eq!(refused(&swapped, "pass"), IllegalAction::NoPass.into());
}

#[test]
fn numbers_are_declared_where_the_opening_requires_them() {
    let yamaguchi = GameState::new(contest("renju", OpeningId::Yamaguchi));
    assert_eq!(refused(&yamaguchi, "h8,h9,h10"), IllegalAction::NoCount.into());
    let bounds = IllegalAction::BadCount { least: 1, most: 12 };
    assert_eq!(refused(&yamaguchi, "h8,h9,h10,13"), bounds.into());
    // Any orientation is allowed unless the contest is strict.
    let turned = play(*yamaguchi.contest(), &["h8,g8,f8,1", "pass", "a1"]);
    assert_eq!(turned.declared(), Some(1));
    let game_state = play(*yamaguchi.contest(), &["h8,g8,f8,1", "a1", "b9"]);
    assert_eq!(game_state.offers().len(), 1);
    let strict = Contest { strict: true, ..*yamaguchi.contest() };
    assert_eq!(refused(&GameState::new(strict), "h8,g8,f8,1"), IllegalAction::NoFigure.into());

    let soosorv = play(contest("renju", OpeningId::Soosorv8), &["h8,h9,h10"]);
    assert_eq!(refused(&soosorv, "a1"), IllegalAction::NoCount.into());
    let game_state = play(*soosorv.contest(), &["h8,h9,h10", "a1,2"]);
    assert!(game_state.pending_decision().unwrap().swap);
    assert_eq!(refused(&game_state, "b1"), IllegalAction::TooFew.into());
    assert_eq!(refused(&game_state, "c1,b1"), TextError::Order);
    let rif = play(contest("renju", OpeningId::Rif), &["h8,h9,h10", "h11"]);
    assert_eq!(refused(&rif, "g9,i9"), IllegalAction::Symmetric.into());
}

#[test]
fn games_can_be_taken_back_ply_by_ply() {
    let texts = ["h8,h9,h10,3", "pass", "a1", "b3,c5,d7", "c5,b3", "h7"];
    let mut game_state = play(contest("renju", OpeningId::Yamaguchi), &texts);
    for remaining in (0..texts.len()).rev() {
        game_state.take_back(1);
        let again = play(*game_state.contest(), &texts[..remaining]);
        assert_eq!(game_state.actions(), again.actions());
        assert_eq!(
            (game_state.stones(), game_state.pending_decision()),
            (again.stones(), again.pending_decision())
        );
    }
}

#[test]
fn every_opening_of_every_game_can_be_played_out_at_random() {
    let mut state = 12345u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (mut games, mut short) = (0, 0);
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let mut game_state = GameState::new(Contest::new(variant).opened(opening).unwrap());
            let mut plies = 0;
            while let Some(pending) = game_state.pending_decision() {
                let cells = game_state.empty();
                let action = if pending.swap && below(2) == 0 {
                    Action::Swap
                } else if pending.pass && below(40) == 0 {
                    Action::Pass
                } else {
                    random_action(&game_state, &pending, &cells, &mut below)
                };
                let text = write(&game_state, &action);
                let mut next = game_state.clone();
                if next.apply(&action).is_err() {
                    continue;
                }
                // The text is read back as the same action, in canonical order.
                let again = read(&game_state, &text).unwrap();
                assert_eq!(canonical(&game_state, action), again, "{variant} {opening} {text}");
                let mut other = game_state.clone();
                other.apply(&again).unwrap();
                assert_eq!(next.stones(), other.stones(), "{variant} {opening} {text}");
                assert_eq!(write(&game_state, &again), text);
                game_state = next;
                plies += 1;
                if plies > 60 {
                    break;
                }
            }
            games += 1;
            short += usize::from(plies <= 6);
        }
    }
    // If passes need not wait, two of them may end a game at once; and seven pieces of an opening
    // may make four in a row.
    assert!(games > 300 && short * 50 < games, "{short} of {games}");
}

/// A random ply of one of the choices; it may be illegal.
fn random_action(
    game_state: &GameState,
    pending: &PendingDecision,
    cells: &[Cell],
    below: &mut impl FnMut(usize) -> usize,
) -> Action {
    let mut several =
        |n: usize| -> Vec<Cell> { (0..n).map(|_| cells[below(cells.len())]).collect() };
    let choice = pending.choices[pending.choices.len() - 1].clone();
    match choice {
        Choice::Stones { colors, declare, .. } => {
            let singles = game_state.placements();
            let cells = match colors.len() {
                1 if !singles.is_empty() => vec![singles[below(singles.len())]],
                n => several(n),
            };
            Action::Stones { cells, count: declare.map(|(least, _)| least) }
        }
        Choice::Figure { declare, .. } => {
            let figures = game_state.figures();
            let cells = figures[below(figures.len())].to_vec();
            Action::Stones { cells, count: declare.map(|(_, most)| most) }
        }
        Choice::Offer { count } => Action::Offer(several(count)),
        Choice::Choose => Action::Choose { fifth: game_state.offers()[0], sixth: several(1)[0] },
    }
}

#[test]
fn the_standard_rule_is_gomoku() {
    assert_eq!(Variant::Five(RuleId::Standard).to_string(), "gomoku");
}

/// If the last turn is unknown, any collinear pair may follow. The game used to be drawn at once.
#[test]
fn collinear_pairs_may_follow_a_position_that_was_set_up() {
    let contest = contest("connect6+collinear", OpeningId::Free);
    let at = |x, y, color| (Cell::new(x, y), Stone::Of(color));
    let stones = [at(9, 9, Color::Black), at(10, 9, Color::White), at(10, 8, Color::White)];
    let next = Next { to_move: Color::Black, left: 2, last: None };
    let game_state = GameState::from_position(contest, &stones, next).unwrap();
    assert!(game_state.result().is_none());
    assert!(game_state.clone().apply(&Action::stones(&[Cell::new(0, 0), Cell::new(3, 3)])).is_ok());
    let apart = Action::stones(&[Cell::new(0, 0), Cell::new(1, 3)]);
    assert!(game_state.clone().apply(&apart).is_err());
}

#[test]
fn a_point_off_a_torus_is_refused_at_once() {
    let torus = contest("connect6+torus+collinear", OpeningId::Free);
    let game_state = play(torus, &["h8"]);
    for text in ["j103,d4", "d4,j103"] {
        let error = refused(&game_state, text);
        assert!(
            matches!(error, TextError::Order)
                || error == IllegalAction::from(IllegalMove::Outside).into(),
            "{text}: {error}"
        );
    }
}

#[test]
fn declared_numbers_have_no_leading_zeros() {
    let three = play(contest("renju", OpeningId::Soosorv8), &["h8,h9,h10"]);
    assert_eq!(refused(&three, "a1,03"), TextError::Unreadable("a1,03".to_owned()));
    let mut game_state = three;
    game_state.apply(&read(&game_state, "a1,3").unwrap()).unwrap();
}

/// A five survives the answer, which also poofs the last stones that a win by captures needs.
/// The vector `pente/swap-5+capture-2-3+self-capture+overtime-capture/11` agrees.
#[test]
fn a_five_that_survives_the_answer_precedes_captures_of_either_seat() {
    let moves =
        "a1 b1 a3 c1 d1 b3 a5 c3 d3 b5 a7 c5 d5 b7 e11 c7 d7 o1 f11 o3 g11 o5 h11 b1 i11 c1";
    let contest = contest("pente+poof+boat", OpeningId::Swap1st).on(15, 15).unwrap();
    let game_state = play(contest, &moves.split(' ').collect::<Vec<_>>());
    let result = game_state.result().unwrap();
    assert_eq!((&result.colors[..], result.reason), (&[Color::Black][..], Reason::Line));
}
