use super::*;
use goren_core::opening::{Seat, read};
use goren_core::rules::referee::Next;
use goren_core::rules::{BalancedOpenings, OpeningId, Variant};
use goren_core::types::{CellSet, Color, Move, Stone, Symmetry};

/// Decides within a limit of nodes.
fn decide(game_state: &GameState, nodes: u64) -> Decision {
    let hash = TableHandle::exactly(1 << 20);
    let mut decider = Decider::new(game_state.contest(), &WeightSet::default(), &hash);
    decider.decide(game_state, &Request::nodes(nodes), &mut |_| {}).unwrap()
}

fn played(game: &str, opening: OpeningId, texts: &str) -> GameState {
    play(Contest::new(Variant::from_name(game).unwrap()).opened(opening).unwrap(), texts)
}

fn play(contest: Contest, texts: &str) -> GameState {
    let mut game_state = GameState::new(contest);
    for text in texts.split_whitespace() {
        let action = read(&game_state, text).unwrap();
        game_state.apply(&action).unwrap();
    }
    game_state
}

/// The winners of the game after the decided ply.
fn winners(game_state: &GameState) -> Vec<Seat> {
    let mut game_state = game_state.clone();
    let action = decide(&game_state, 2000).action;
    game_state.apply(&action).unwrap();
    game_state.result().map_or(Vec::new(), |result| result.seats.clone())
}

#[test]
fn a_winning_two_stone_turn_is_completed() {
    for game in ["connect6", "connect6+torus"] {
        // Black lacks one stone, then two.
        let five = "h8 a1,b1 i8,j8 c1,d2 k8,l8 e3,f5";
        let four = "h8 a1,b1 i8,j8 c1,d2 k8,m12 e3,f5";
        for texts in [five, four] {
            let contest = Contest::new(Variant::from_name(game).unwrap());
            let contest = contest.on(15, 15).unwrap().opened(OpeningId::Centre).unwrap();
            let game_state = play(contest, texts);
            assert_eq!(winners(&game_state), [Seat::First], "{game} {texts}");
        }
    }
    // One stone short of five, and a second stone on another line.
    let texts = "j10 a1,b3 c9,k10 d4,e8 l10,n5 h1,k3 i10,o8 a3,c4";
    let apart = played("connect6+noncollinear", OpeningId::Centre, texts);
    assert_eq!(winners(&apart), [Seat::First]);
}

#[test]
fn the_report_of_a_two_stone_turn_has_both_stones() {
    let contest = Contest::new(Variant::from_name("connect6").unwrap()).on(15, 15).unwrap();
    let game_state = play(contest.opened(OpeningId::Centre).unwrap(), "h8 g9,i9");
    let hash = TableHandle::exactly(1 << 20);
    let mut decider = Decider::new(game_state.contest(), &WeightSet::default(), &hash);
    let mut infos: Vec<Info> = Vec::new();
    let mut observer = |report: &Report| infos.extend(report.best_pv().cloned());
    let decision = decider.decide(&game_state, &Request::nodes(4000), &mut observer).unwrap();
    let Action::Stones { cells, .. } = decision.action else { panic!("no stones") };
    let cells_of = |info: &Info| info.pv.iter().map(|m| m.cell()).take(2).collect::<Vec<_>>();
    assert_eq!(cells_of(infos.last().unwrap()), cells);
    assert_eq!(cells_of(&decision.info), cells);
    // The nodes are those of both searches.
    assert!(infos.iter().all(|info| info.nodes <= decision.info.nodes), "{infos:?}");
}

#[test]
fn a_lost_game_is_drawn_by_a_pass_if_the_opponent_has_passed() {
    let texts = "a15 e5 c15 f5 e15 g5 g15 h5 i15 pass";
    let game_state = played("gomoku", OpeningId::Free, texts);
    assert_eq!(decide(&game_state, 5000).action, Action::Pass);
    // Where the first to pass wins, passing second does not help.
    let mut tied = GameState::new(Contest { tie_break: true, ..*game_state.contest() });
    game_state.actions().iter().for_each(|action| tied.apply(action).unwrap());
    assert_ne!(decide(&tied, 5000).action, Action::Pass);
}

/// The only empty cell is an overline for Black; White has not passed before.
#[test]
fn a_side_with_only_fouls_left_passes() {
    let black = "a1 b1 d1 e1 f1 c2 f2 a3 b3 d3 e3 c4 f4 a5 b5 d5 e5";
    let white = "a2 b2 d2 e2 c3 f3 a4 b4 d4 e4 c5 f5";
    let contest = Contest::new(Variant::from_name("renju").unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap().on(6, 5).unwrap();
    let fresh = GameState::new(contest);
    let stones = [(black, Color::Black), (white, Color::White)].into_iter();
    let stones = stones.flat_map(|(cells, color)| cells.split(' ').map(move |cell| (cell, color)));
    let stone = |(cell, color)| (read(&fresh, cell).unwrap().placed()[0], Stone::Of(color));
    let stones: Vec<_> = stones.map(stone).collect();
    let game_state = GameState::from_position(contest, &stones, Next::new(Color::Black)).unwrap();
    assert_eq!(decide(&game_state, 2000).action, Action::Pass);
}

#[test]
fn a_side_that_cannot_lose_passes_first_if_that_wins_a_draw() {
    // Black on every fifth cell of each row, column and diagonal stops all lines of
    // White.
    let contest = Contest::new(Variant::from_name("gomoku").unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap();
    let contest = Contest { tie_break: true, ..contest };
    let cells = CellSet::board(contest.width, contest.height);
    let pattern = |cell: &Cell| (cell.x() + 2 * cell.y()).is_multiple_of(5);
    let black: Vec<Cell> = cells.iter().filter(pattern).collect();
    let rest: Vec<Cell> = cells.iter().filter(|cell| !pattern(cell)).collect();
    let white = rest.iter().step_by(3).copied();
    let mut game_state = GameState::new(contest);
    for (at, reply) in black.iter().zip(white) {
        assert_ne!(decide(&game_state, 200).action, Action::Pass);
        game_state.apply(&Action::stone(*at)).unwrap();
        game_state.apply(&Action::stone(reply)).unwrap();
    }
    assert_eq!(decide(&game_state, 200).action, Action::Pass);
    game_state.apply(&Action::Pass).unwrap();
    // Passing second gains the opponent nothing.
    assert_ne!(decide(&game_state, 200).action, Action::Pass);
}

#[test]
fn decisions_are_legal_on_every_usual_board() {
    for game in Variant::games() {
        let sheet = game.sheet();
        for &(width, height) in sheet.sizes {
            for &opening in sheet.openings {
                let contest = Contest::new(game).on(width, height).unwrap();
                let mut game_state = GameState::new(contest.opened(opening).unwrap());
                for _ in 0..7 {
                    let action = decide(&game_state, 60).action;
                    game_state.apply(&action).unwrap();
                }
            }
        }
    }
}

#[test]
fn swaps_take_the_better_side_and_list_the_options() {
    // Black's two stones touch, White's one is far away.
    let game_state = played("gomoku", OpeningId::Swap2, "g8,a1,h8");
    let decision = decide(&game_state, 3000);
    assert_eq!(decision.action, Action::Swap);
    assert!(
        decision.why.iter().any(|why| why.to_string().starts_with("swap +")),
        "{:?}",
        decision.why
    );
}

/// White's stones are connected and White is to move; Black's are scattered.
#[test]
fn without_a_searched_score_the_colours_are_swapped() {
    let games = [
        (OpeningId::Swap1st, "a1"),
        (OpeningId::Swap2, "a1,h8,o1"),
        (OpeningId::Swap2, "a1,h8,o1 i9,o15"),
    ];
    for (opening, texts) in games {
        let game_state = played("gomoku", opening, texts);
        let decision = decide(&game_state, 5_000);
        assert!(matches!(decision.action, Action::Stones { .. }), "{texts}: {decision:?}");
        let mut decider = Decider::new(
            game_state.contest(),
            &WeightSet::default(),
            &TableHandle::exactly(1 << 20),
        );
        let stopped = Request::nodes(5_000);
        stopped.control.stop();
        let decision = decider.decide(&game_state, &stopped, &mut |_| {}).unwrap();
        assert_eq!(decision.action, Action::Swap, "{texts}");
        assert!(decision.info.searched().is_none());
    }
}

/// Decides the three opening stones on 15x15 within a request.
fn opening_stones(request: &Request) -> Action {
    let contest = Contest::new(Variant::from_name("freestyle").unwrap());
    let game_state = GameState::new(contest.opened(OpeningId::Swap2).unwrap());
    let contest = game_state.contest();
    let mut decider = Decider::new(contest, &WeightSet::default(), &TableHandle::exactly(1 << 20));
    decider.decide(&game_state, request, &mut |_| {}).unwrap().action
}

#[test]
fn without_a_clock_the_same_stones_are_placed_each_time() {
    assert_eq!(opening_stones(&Request::nodes(4_000)), opening_stones(&Request::nodes(4_000)));
    let shallow = Request { max_depth: Some(3), ..Request::default() };
    assert_eq!(opening_stones(&shallow), opening_stones(&shallow));
}

#[test]
fn a_search_stopped_at_once_still_places_a_balanced_opening() {
    let stopped = Request::nodes(4_000);
    stopped.control.stop();
    let Action::Stones { cells, .. } = opening_stones(&stopped) else { panic!("no stones") };
    let freestyle = Variant::from_name("freestyle").unwrap();
    let game_state = GameState::new(Contest::new(freestyle).opened(OpeningId::Swap2).unwrap());
    let swap_2 = |openings: &&BalancedOpenings| openings.opening == OpeningId::Swap2;
    let known = freestyle.sheet().balanced.iter().filter(swap_2);
    let known = known.flat_map(|openings| openings.lines());
    let image_of = |ply: &str| {
        let Action::Stones { cells: of, .. } = read(&game_state, ply).unwrap() else {
            return false;
        };
        Symmetry::all(15, 15).any(|symmetry| {
            let image: Vec<Cell> = of.iter().map(|&cell| symmetry.apply(cell)).collect();
            image == cells
        })
    };
    assert!(known.into_iter().any(image_of), "{cells:?}");
}

#[test]
fn choices_are_reported_on_request() {
    let game_state = played("gomoku", OpeningId::Swap2, "a1,h8,o1");
    let contest = game_state.contest();
    let mut decider = Decider::new(contest, &WeightSet::default(), &TableHandle::exactly(1 << 20));
    for wanted in [false, true] {
        decider.report_choices(wanted);
        let mut reports = 0;
        decider.decide(&game_state, &Request::nodes(5_000), &mut |_| reports += 1).unwrap();
        assert_eq!(reports > 0, wanted);
    }
}

/// The values that a decision lists, the swap last.
fn values(decision: &Decision) -> Vec<i32> {
    decision.why.iter().map(|why| why.value).collect()
}

#[test]
fn a_swap_is_worth_what_the_other_seat_loses() {
    let games = [
        ("freestyle", OpeningId::Swap2, "h8,a1,i7"),
        ("freestyle", OpeningId::Swap5, "h8 i9 j10 h10 i8"),
        ("renju", OpeningId::Rif, "h8,h9,f8"),
        ("renju", OpeningId::Yamaguchi, "h8,h9,f8,4"),
        ("renju", OpeningId::Soosorv8, "h8,h9,f8 h7,5"),
        ("renju", OpeningId::Taraguchi10, "h8 h9 f8 h7 i10"),
        ("connect6", OpeningId::Swap3rd, "j10 i9,k11 j11,k9"),
    ];
    for (game, opening, texts) in games {
        let game_state = played(game, opening, texts);
        let decision = decide(&game_state, 4_000);
        let values = values(&decision);
        // The third option of swap2 is gone after a swap.
        assert_eq!(values.last(), Some(&-values[0]), "{opening} {:?}", decision.why);
        assert_eq!(decision.action == Action::Swap, values[0] < 0, "{opening} {:?}", decision.why);
    }
}

#[test]
fn before_the_fifth_the_opening_value_is_that_of_the_first_option() {
    let games = [
        (OpeningId::Rif, "h8,h9,f8"),
        (OpeningId::Rif, "h8,h9,f8 h7"),
        // The stones were swapped: no seat may swap any more, but fifths follow.
        (OpeningId::Rif, "h8,h9,f8 pass"),
        (OpeningId::Yamaguchi, "h8,h9,f8,4"),
        (OpeningId::Soosorv8, "h8,h9,f8"),
        (OpeningId::Soosorv8, "h8,h9,f8 h7,5"),
    ];
    for (opening, texts) in games {
        let game_state = played("renju", opening, texts);
        let hash = TableHandle::exactly(1 << 20);
        let mut decider = Decider::new(game_state.contest(), &WeightSet::default(), &hash);
        let opening_value = decider.opening_value(&game_state, &Request::nodes(40_000));
        let decision = decide(&game_state, 40_000);
        assert_eq!(
            opening_value,
            Some(values(&decision)[0]),
            "{opening} {texts} {:?}",
            decision.why
        );
    }
}

/// If no search gives a move, for example for lack of memory, there is still a legal ply.
#[test]
fn every_decision_has_a_legal_ply() {
    for variant in Variant::all() {
        for &opening in variant.sheet().openings {
            let contest = Contest::new(variant).opened(opening).unwrap();
            let mut game_state = GameState::new(contest);
            for ply in 0..10 {
                if game_state.result().is_some() {
                    break;
                }
                let action = any_legal(&game_state);
                let action = action.unwrap_or_else(|| panic!("{variant} {opening} {ply}"));
                game_state.apply(&action).unwrap();
            }
        }
    }
}

#[test]
fn stones_before_further_opening_stones_are_not_swapped() {
    // The fourth stone of Taraguchi-10 is not among them: there the seat that is worse off swaps.
    let openings = [("renju", OpeningId::Taraguchi10, 3), ("pente", OpeningId::Swap5, 4)];
    for (game, opening, plies) in openings {
        let mut game_state = played(game, opening, "");
        for ply in 0..plies {
            let action = decide(&game_state, 4_000).action;
            assert!(matches!(action, Action::Stones { .. }), "{opening} {ply}: {action:?}");
            game_state.apply(&action).unwrap();
        }
    }
}

#[test]
fn balanced_stones_are_answered_by_two_more() {
    let mut answered = 0;
    let lines = |game| {
        let plies = Variant::from_name(game).unwrap().sheet().balanced[0].lines();
        plies.map(move |ply| (game, ply))
    };
    for (game, ply) in lines("freestyle").chain(lines("gomoku")) {
        let game_state = played(game, OpeningId::Swap2, ply);
        let decision = decide(&game_state, 120_000);
        let two = matches!(&decision.action, Action::Stones { cells, .. } if cells.len() == 2);
        // Stay, two stones, swap.
        let level =
            matches!(values(&decision)[..], [stay, two, _] if stay.abs() <= 20 && two >= -20);
        assert_eq!(two, level, "{game} {ply}: {:?}", decision.why);
        answered += usize::from(two);
    }
    assert!(answered > 0);
    // One node leaves no time to search two stones.
    let game_state = played("freestyle", OpeningId::Swap2, "h8,a1,i7");
    assert_eq!(values(&decide(&game_state, 1)).len(), 2);
}

/// Regression: in the terminal plies that no search had chosen had a score.
#[test]
fn only_a_ply_that_the_search_chose_is_searched() {
    let (chosen, other) = (Cell::new(3, 3), Cell::new(4, 4));
    let pv = vec![Move::at(chosen)];
    let info = Info { score: 20, basis: Basis::Search, pv, ..Info::NOTHING };
    let is_searched = |action: Action, info: &Info| {
        Decision { action, info: info.clone(), why: Vec::new() }.is_searched()
    };
    assert!(is_searched(Action::stone(chosen), &info));
    assert!(is_searched(Action::stones(&[other, chosen]), &info));
    for action in
        [Action::stone(other), Action::Pass, Action::Swap, Action::Offer(vec![chosen, other])]
    {
        assert!(!is_searched(action, &info));
    }
    let passed = Info { basis: Basis::Pass, ..info.clone() };
    assert!(is_searched(Action::Pass, &passed));
    for basis in [Basis::Static, Basis::Brief] {
        let unsearched = Info { basis, ..info.clone() };
        assert!(!is_searched(Action::stone(chosen), &unsearched));
    }
}

/// Regression: a kept fifth had the score of the fifth that was searched last.
#[test]
fn a_kept_fifth_has_the_score_of_its_own_search() {
    // The first fifth is worth nothing to Black, so White keeps it.
    let game_state = played("renju", OpeningId::Rif, "h8,h9,f8 h7 a1,i10");
    let decision = decide(&game_state, 4_000);
    let Action::Choose { fifth, sixth } = decision.action else { panic!("{decision:?}") };
    assert_eq!(fifth, game_state.offers()[0]);
    assert_eq!(decision.info.score, values(&decision)[0], "{:?}", decision.why);
    assert_eq!(decision.info.pv[0].cell(), sixth);
}

/// Regression: the only legal stone took the time of a whole decision.
#[test]
fn the_only_first_stone_is_placed_without_a_search() {
    for opening in [OpeningId::Tarannikov, OpeningId::Taraguchi10, OpeningId::SuperTaraguchi10] {
        let decision = decide(&played("renju", opening, ""), 4_000);
        assert_eq!(decision.action, Action::stone(Cell::new(7, 7)), "{opening}");
        assert_eq!(decision.info.nodes, 0, "{opening}");
    }
}
