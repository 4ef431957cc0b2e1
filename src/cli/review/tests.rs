use super::checker::faults;
use super::*;
use crate::baseline::play_baseline;
use crate::forms::Typed;
use crate::json_example;
use crate::moves::typed;
use crate::position::NamedGame;
use crate::test_args::parse;
use goren_core::opening::GameState;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Color, Move, PROVEN, Score, loss_in, win_in};
use goren_decide::Decider;
use goren_engine::Basis;
use goren_review::judge::{Grade, Judgement, ProofChange};
use goren_review::review::RunSearch;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

const PLAIN: TextStyle = TextStyle { colors: false, width: None };

fn args(arguments: &str) -> Args {
    parse(arguments).unwrap()
}

/// Returns a search with the engine.
fn engine(game: &NamedGame) -> impl FnMut(&RootPosition, &Request) -> Info + Send + use<> {
    engine_search(
        game.typed.game_state.contest(),
        &WeightSet::default(),
        TableHandle::exactly(1 << 20),
    )
}

/// Reviews a game with the engine and passes the review to `inspect`.
fn reviewed<T>(arguments: &str, text: &str, inspect: impl FnOnce(&ReviewedGame) -> T) -> T {
    let args = args(arguments);
    let game = args.source.of_game(text).unwrap();
    let mut search = engine(&game);
    judged(&args, &game, &mut search, inspect)
}

/// Reviews a game with given searches, checks it for contradictions, and passes it to `inspect`.
fn judged<T>(
    args: &Args,
    game: &NamedGame,
    search: &mut RunSearch,
    inspect: impl FnOnce(&ReviewedGame) -> T,
) -> T {
    let contest = *game.typed.game_state.contest();
    let mut progress = 0;
    let plies = with_search_stack(|| {
        let new_request = request_factory(&args.effort);
        Ok(judge(&game.typed.game_state, search, &new_request, &mut || progress += 1))
    });
    let plies = plies.unwrap();
    assert_eq!(progress, plies.len());
    let end = GivenPosition::typed(&game.typed);
    let review = review(contest, &game.players, &plies, &end);
    assert_eq!(faults(&review), Vec::<String>::new(), "{}", review.lines(PLAIN).join("\n"));
    inspect(&review)
}

/// Creates a review without the data of a file.
fn review<'a>(
    contest: Contest,
    players: &'a [String; 2],
    plies: &'a [Judged],
    end: &'a GivenPosition,
) -> ReviewedGame<'a> {
    let (recorded_result, opening_plies, foul) = (None, 0, None);
    ReviewedGame { contest, players, plies, end, recorded_result, opening_plies, foul }
}

fn ply(review: &ReviewedGame, number: usize) -> Judged {
    review.plies[number - 1].clone()
}

/// A game in which White ignores an open three.
const LOST: &str = "h8 i8 h9 i9 h10 o15 h11 a1 h12";

#[test]
fn a_planted_blunder_is_the_losing_move() {
    reviewed("--nodes 4000", LOST, |review| {
        let slip = ply(review, 6);
        let judgement = slip.judgement.clone().unwrap();
        assert!(judgement.best > -PROVEN && judgement.played <= -PROVEN, "{judgement:?}");
        assert!(matches!(judgement.proof_change(), Some(ProofChange::LossFound(_))));
        assert_eq!(judgement.grade(), Some(Grade::Blunder));
        assert_eq!(review.losing_move(), Some(&slip));
        // There is no other blunder.
        let blunders = review.tallies().map(|tally| tally.grades[Grade::Blunder as usize]);
        assert_eq!(blunders, [0, 1]);
        assert_eq!(ply(review, 9).judgement.unwrap().played, goren_core::types::win_in(1));
        assert_eq!(ply(review, 9).black_rate(), Some(1.0));
    });
}

/// Builds a review with given judgements: an opening, then a move of each grade and of each
/// change of a proof. No search would judge the game this way.
fn judged_by_hand<T>(inspect: impl FnOnce(&ReviewedGame) -> T) -> T {
    let game = args("").source.of_game(LOST).unwrap();
    let judgements: [Option<(Score, Score, &str)>; 9] = [
        None,
        Some((-179, -186, "g8 h9")),
        Some((win_in(9), 120, "j9")),
        Some((-143, -227, "h10 g8 j10")),
        Some((227, 227, "h10")),
        Some((-227, loss_in(4), "h11")),
        Some((win_in(3), loss_in(8), "h7")),
        Some((-100, -200, "i10")),
        Some((win_in(1), win_in(1), "h12")),
    ];
    let moves = LOST.split(' ').zip(judgements).enumerate();
    let plies: Vec<Judged> = moves
        .map(|(at, (text, judgement))| Judged {
            number: at + 1,
            color: Color::ALL[at % 2],
            cells: points(text),
            text: text.into(),
            judgement: judgement.map(|(best, played, line)| Judgement {
                line: points(line),
                reply: Vec::new(),
                best,
                played,
                depth: 8 + at as u32,
                nodes: 1000 * at as u64,
            }),
        })
        .collect();
    let end = GivenPosition::typed(&game.typed);
    let players = ["Anna".into(), "Bert".into()];
    let contest = *game.typed.game_state.contest();
    inspect(&review(contest, &players, &plies, &end))
}

#[test]
fn a_table_has_curve_grades_turns_and_the_losing_move() {
    judged_by_hand(|review| insta::assert_snapshot!(review.lines(PLAIN).join("\n")));
}

#[test]
fn json_has_all_that_was_judged() {
    judged_by_hand(|review| {
        let text = json::text(review).unwrap();
        assert!(!text.contains('\n'));
        let value: Value = serde_json::from_str(&text).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&value).unwrap());
        json_example::check(include_str!("json.rs"), &[value]);
    });
}

#[test]
fn json_has_the_result_of_the_file() {
    let file = "(;GM[4]RU[renju]SZ[15]RE[W+R];B[hh];W[ii])";
    let recorded_result = args("").source.of_game(file).unwrap().recorded_result;
    judged_by_hand(|review| {
        let review = ReviewedGame { recorded_result, foul: None, ..*review };
        let value: Value = serde_json::from_str(&json::text(&review).unwrap()).unwrap();
        assert_eq!(value["said"]["winner"], "white");
        assert_eq!(value["said"]["reason"], "resign");
    });
}

#[test]
fn an_opening_that_was_set_up_counts_for_neither_player() {
    judged_by_hand(|all| {
        assert!(curve(all).unwrap().contains("h11??"));
        let review = ReviewedGame { opening_plies: 7, recorded_result: None, foul: None, ..*all };
        let counted = review.tallies().map(|tally| (tally.moves, tally.grades));
        assert_eq!(counted, [(1, [0, 0, 0]), (1, [0, 1, 0])]);
        assert!(!curve(&review).unwrap().contains("h11??"));
        let value: Value = serde_json::from_str(&json::text(&review).unwrap()).unwrap();
        assert_eq!(value["plies"][6]["judged"]["grade"], Value::Null);
        assert_eq!(value["plies"][7]["judged"]["grade"], "mistake");
    });
}

#[test]
fn a_missed_win_is_reported() {
    reviewed("--nodes 4000", "h8 i8 h9 i9 h10 o15 a1 h11", |review| {
        let slip = ply(review, 7);
        assert!(matches!(slip.judgement.unwrap().proof_change(), Some(ProofChange::WinMissed(_))));
        // Nobody has won.
        assert_eq!(review.losing_move(), None);
        let text = review.lines(PLAIN).join("\n");
        assert!(text.contains("throws away a win in "), "{text}");
        assert!(text.contains("not played to its end"), "{text}");
    });
}

#[test]
fn turns_of_two_stones_are_judged_as_a_whole() {
    // Black has four in a row; White ignores it, and Black completes six.
    let game = "k10 j9,l11 k11,k12 a3,k9 k13,s1 r1,r3 k14,k15";
    reviewed("--game connect6 --nodes 1500", game, |review| {
        let last = ply(review, 7);
        assert_eq!((last.color, last.text.as_str()), (Color::Black, "k14,k15"));
        assert_eq!(last.judgement.unwrap().played, goren_core::types::win_in(2));
        let slip = ply(review, 6).judgement.unwrap();
        assert!(slip.played <= -PROVEN && slip.best > -PROVEN, "{slip:?}");
        assert_eq!(review.losing_move().map(|ply| ply.number), Some(6));
    });
}

#[test]
fn plies_of_openings_are_not_judged() {
    let line = "{\"variant\":\"gomoku\",\"width\":15,\"height\":15,\"opened\":\"swap-2\",\
        \"first\":\"a\",\"second\":\"b\",\"plies\":[{\"ply\":\"h8,i9,j8\"},{\"ply\":\"pass\"},\
        {\"ply\":\"g7\"}],\"black\":\"second\",\"result\":\"draw\",\"reason\":\"stopped\"}";
    reviewed("--nodes 300", line, |review| {
        let judged: Vec<bool> = review.plies.iter().map(|ply| ply.judgement.is_some()).collect();
        assert_eq!(judged, [false, false, true]);
        assert_eq!(review.plies[1].text, "swap");
        assert_eq!(review.title(), "b – a, gomoku 15x15, 3 plies");
    });
}

/// Regression: the strongest stone counted as best even if a swap may follow, where a balanced
/// stone is best and was judged as a mistake.
#[test]
fn stones_that_may_be_swapped_are_not_judged() {
    let line = "{\"variant\":\"gomoku\",\"width\":15,\"height\":15,\"opened\":\"swap-1st\",\
        \"first\":\"a\",\"second\":\"b\",\"plies\":[{\"ply\":\"b8\"},{\"ply\":\"i9\"},\
        {\"ply\":\"g7\"}],\"black\":\"first\",\"result\":\"draw\",\"reason\":\"stopped\"}";
    reviewed("--nodes 300", line, |review| {
        let judged: Vec<bool> = review.plies.iter().map(|ply| ply.judgement.is_some()).collect();
        assert_eq!(judged, [false, true, true]);
    });
}

#[test]
fn json_and_pictures_agree() {
    reviewed("--nodes 2000", LOST, |review| {
        let text = json::text(review).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["losing_ply"], 6);
        assert_eq!(value["ended"]["reason"], "line");
        let slip = &value["plies"][5];
        assert_eq!((&slip["color"], &slip["move"]), (&"white".into(), &"o15".into()));
        assert_eq!(slip["judged"]["turn"], "loss_handed_over");
        assert_eq!(slip["judged"]["line"][0], slip["judged"]["best"]);
        assert_eq!(value["white"]["blunders"], 1);
        let svg = curve(review).unwrap();
        assert!(svg.contains("o15??") && crate::picture::png(&svg).is_ok());
    });
}

/// Plays a game with plies of the engine, with few nodes, and of the baseline player.
fn played(game: &str, opening: OpeningId, seed: u64) -> NamedGame {
    let mut rng = SmallRng::seed_from_u64(seed);
    let contest = Contest::new(Variant::from_name(game).unwrap()).opened(opening).unwrap();
    let mut game_state = GameState::new(contest);
    let mut decider = Decider::new(&contest, &WeightSet::default(), &TableHandle::exactly(1 << 20));
    while game_state.pending_decision().is_some() && game_state.actions().len() < 50 {
        let request = Request::nodes(rng.random_range(20..400));
        if rng.random_bool(0.7) {
            let decision = decider.decide(&game_state, &request, &mut |_| {}).unwrap();
            game_state.apply(&decision.action).unwrap();
        } else {
            play_baseline(&mut game_state, &mut rng)
        }
    }
    NamedGame {
        typed: Typed { game_state, placed: Vec::new() },
        players: Default::default(),
        recorded_result: None,
        opening_plies: 0,
        plain_after: None,
    }
}

#[test]
fn no_review_contradicts_itself() {
    let effort = args("--nodes 250");
    let mut turned = 0;
    for (i, (game, opening)) in [
        ("freestyle", OpeningId::Free),
        ("renju", OpeningId::Taraguchi10),
        ("renju", OpeningId::Soosorv8),
        ("renju+overline", OpeningId::Swap5),
        ("caro", OpeningId::Swap2),
        ("pente+keryo", OpeningId::Pro),
        ("connect6", OpeningId::Swap3rd),
        ("connect6+collinear", OpeningId::Centre),
        ("four-in-a-row", OpeningId::Swap2),
        ("irensei", OpeningId::Free),
    ]
    .into_iter()
    .enumerate()
    {
        for seed in 0..3 {
            let game = with_search_stack(|| Ok(played(game, opening, seed + 10 * i as u64)));
            let game = game.unwrap();
            let losing = |review: &ReviewedGame| review.losing_move().is_some();
            turned += usize::from(judged(&effort, &game, &mut engine(&game), losing));
        }
    }
    assert!(turned > 10, "{turned}");
}

/// Returns a search with scripted results: score, depth and line depend on the number of
/// stones and on the request.
fn scripted_search(
    mut answers: impl FnMut(usize, &Request) -> (Score, u32, &'static str) + Send,
) -> impl FnMut(&RootPosition, &Request) -> Info + Send {
    move |root, request| {
        let (score, depth, line) = answers(root.events.len(), request);
        let pv: Vec<Move> = points(line).into_iter().map(Move::at).collect();
        Info { depth, score, nodes: 1, pv, basis: Basis::Search, ..Info::NOTHING }
    }
}

fn points(line: &str) -> Vec<Cell> {
    let point = |word: &str| {
        let (x, row) = goren_core::types::read_point(word).unwrap();
        Cell::new(x, 15 - row)
    };
    line.split_whitespace().map(point).collect()
}

/// Reviews a game of freestyle with scripted searches.
fn scripted<T>(
    moves: &str,
    answers: impl FnMut(usize, &Request) -> (Score, u32, &'static str) + Send,
    inspect: impl FnOnce(&ReviewedGame) -> T,
) -> T {
    let contest = Contest::new(Variant::from_name("freestyle").unwrap());
    let typed = typed(&contest, moves, false).unwrap();
    let players = Default::default();
    let (recorded_result, opening_plies, plain_after) = (None, 0, None);
    let game = NamedGame { typed, players, recorded_result, opening_plies, plain_after };
    judged(&args("--nodes 100"), &game, &mut scripted_search(answers), inspect)
}

fn scores(review: &ReviewedGame, number: usize) -> (Score, Score) {
    let judgement = ply(review, number).judgement.unwrap();
    (judgement.played, judgement.best)
}

#[test]
fn the_best_move_costs_nothing_whatever_the_next_search_says() {
    let answers = |stones: usize, _: &Request| match stones {
        0 => (30, 9, "h8 i9"),
        1 => (40, 9, "i9 h9"),
        2 => (-10, 9, "h9"),
        _ => (300, 9, "a1"),
    };
    scripted("h8 i9 h9", answers, |review| {
        for (number, score) in [(1, -300), (2, 300), (3, -300)] {
            assert_eq!(scores(review, number), (score, score), "{number}");
        }
        assert_eq!(ply(review, 1).judgement.unwrap().line, points("h8 i9 h9"));
    });
}

#[test]
fn the_loss_of_a_move_is_limited_by_a_direct_comparison_with_the_best() {
    // The best move is 20 points better than the played one at the same depth; the next search
    // rates the position much lower than either.
    let answers = |stones: usize, request: &Request| match (stones, request.root_moves.len()) {
        (0, 0) => (60, 8, "h8"),
        (0, 1) => {
            assert_eq!((request.max_depth, request.max_nodes), (Some(8), Some(100)));
            (40, 8, "a1")
        }
        _ => (200, 11, "h9"),
    };
    scripted("a1", answers, |review| {
        let judgement = ply(review, 1).judgement.unwrap();
        assert_eq!((judgement.played, judgement.line.clone()), (-200, points("h8")));
        let seen = goren_core::types::win_rate(60) - goren_core::types::win_rate(40);
        assert!(judgement.loss() <= seen && judgement.loss() > 0.9 * seen, "{judgement:?}");
    });
    // The nodes run out at a smaller depth: the best move is searched to that depth.
    let answers = |stones: usize, request: &Request| match (stones, &request.root_moves[..]) {
        (0, []) => (60, 8, "h8"),
        (0, [only]) if *only == points("a1")[0] => (10, 6, "a1"),
        (0, _) => {
            assert_eq!((request.max_depth, &request.root_moves), (Some(6), &points("h8")));
            (15, 6, "h8")
        }
        _ => (-10, 11, "h9"),
    };
    scripted("a1", answers, |review| {
        let loss = ply(review, 1).judgement.unwrap().loss();
        let seen = goren_core::types::win_rate(15) - goren_core::types::win_rate(10);
        assert!(loss <= seen && loss > 0.5 * seen, "{loss}");
    });
}

#[test]
fn an_incomplete_comparison_hides_no_loss() {
    let answers = |again: (Score, u32), own: (Score, u32)| {
        move |stones: usize, request: &Request| match (stones, &request.root_moves[..]) {
            (0, []) => (60, 8, "h8"),
            (0, [only]) if *only == points("h8")[0] => (again.0, again.1, "h8"),
            (0, _) if request.max_depth == Some(5) => (-280, 5, "a1"),
            (0, _) => (own.0, own.1, "a1"),
            _ => (200, 11, "h9"),
        }
    };
    for (again, own, best) in [
        // The best turn reaches a smaller depth, to which the played one is then searched.
        ((60, 5), (-300, 6), 60),
        // The second search of the best turn proves a win.
        ((win_in(5), 6), (-300, 6), win_in(5)),
        // The search of the played turn has no result.
        ((60, 5), (0, 0), 60),
    ] {
        scripted("a1", answers(again, own), |review| {
            assert_eq!(scores(review, 1), (-200, best));
            assert_eq!(ply(review, 1).judgement.unwrap().line, points("h8"));
        });
    }
}

#[test]
fn a_proof_holds_for_all_later_positions_that_it_covers() {
    // Black's win is found at the first move only. White deviates from its line, and Black
    // finds another win in a longer search.
    let answers = |stones: usize, request: &Request| match stones {
        0 => (win_in(9), 9, "h8 i9 h9"),
        1 => (-40, 9, "i9 h9"),
        2 if request.max_nodes > Some(100) => (win_in(5), 9, "h9 a1"),
        2 => (35, 9, "a2"),
        _ => (-500, 9, "b2"),
    };
    scripted("h8 a9 h9", answers, |review| {
        assert_eq!(scores(review, 1), (win_in(9), win_in(9)));
        assert_eq!(scores(review, 2), (loss_in(6), loss_in(8)));
        assert_eq!(scores(review, 3), (win_in(5), win_in(5)));
        assert_eq!(review.losing_move(), None);
    });
}

#[test]
fn a_win_is_missed_only_if_a_longer_search_does_not_find_it_again() {
    let answers = |patient: Score| {
        move |stones: usize, request: &Request| match stones {
            0 => (win_in(9), 9, "h8 i9 h9"),
            _ if request.max_nodes > Some(100) => (patient, 9, "b1"),
            _ => (-20, 9, "b2"),
        }
    };
    scripted("a1", answers(loss_in(12)), |review| {
        assert_eq!(scores(review, 1), (win_in(13), win_in(9)));
        assert_eq!(ply(review, 1).judgement.unwrap().proof_change(), None);
    });
    scripted("a1", answers(-20), |review| {
        assert_eq!(scores(review, 1), (20, win_in(9)));
        assert_eq!(
            ply(review, 1).judgement.unwrap().proof_change(),
            Some(ProofChange::WinMissed(9))
        );
    });
}

#[test]
fn a_losing_best_move_is_compared_with_all_others() {
    let lost = |others: Score| {
        move |stones: usize, request: &Request| match (stones, request.root_moves.len()) {
            (0, 0) => (0, 0, "h8"),
            (0, all) => {
                assert_eq!(all, 224);
                (others, 4, "g7")
            }
            _ => (win_in(5), 9, "h9"),
        }
    };
    scripted("h8", lost(-90), |review| {
        assert_eq!(scores(review, 1), (loss_in(6), -90));
        assert_eq!(ply(review, 1).judgement.unwrap().line, points("g7"));
        assert_eq!(review.losing_move().map(|ply| ply.number), Some(1));
    });
    // All others lose as well, and sooner.
    scripted("h8", lost(loss_in(4)), |review| {
        assert_eq!(scores(review, 1), (loss_in(6), loss_in(6)));
        assert_eq!(review.losing_move(), None);
    });
}
