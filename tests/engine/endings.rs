//! Results that the search proves on boards that are nearly full, against minimax by the
//! referee alone: in games beyond five in a row, and in all games with passes. Irensei is
//! left out: captures make room again, so that its boards hardly fill.

use rayon::prelude::*;

use crate::support::{Random, engine, limits, setting};
use goren_core::opening::{Action, GameState, read};
use goren_core::rules::referee::Next;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::{Cell, Color, PROVEN, Stone};
use goren_engine::{
    Answer, AnyPosition, Basis, Exclusions, Params, Report, Request, RootPosition, WeightSet,
    new_position,
};

/// Small boards.
const SIDES: [(usize, usize); 5] = [(6, 6), (5, 5), (6, 5), (7, 6), (5, 7)];
/// Games and options that change what the last stones can do.
const GAMES: [&str; 14] = [
    "pente",
    "pente+keryo+poof",
    "pente+boat",
    "pente+overline-ignored",
    "pente+keryo+overline-ignored",
    "pente+overline-forbidden",
    "pente+self-capture-forbidden",
    "pente+renju",
    "connect6",
    "connect6+collinear",
    "connect6+noncollinear",
    "connect6+torus+noncollinear",
    "four-in-a-row",
    "four-in-a-row+edge-drop",
];
/// Games in which players may pass, and options that change what a pass is worth.
const PASSING: [&str; 9] = [
    "gomoku",
    "gomoku+white-full",
    "gomoku+double-three-both",
    "renju",
    "renju+overline",
    "renju+fouls-both",
    "connect6",
    "connect6+collinear",
    "connect6+noncollinear",
];
/// Node limit of minimax.
const MINIMAX_NODES: usize = 3_000;
/// Ply limit of minimax: more than the largest board has points.
const MAX_PLIES: usize = 60;
/// Attempts to find a random turn that does not end the game.
const TRIES: usize = 40;

/// The turns of the side to move, pairs of stones in both orders, and a pass if it is allowed.
fn turns(game_state: &GameState, passes: bool) -> Vec<Action> {
    let may_pass = passes && game_state.pending_decision().is_some_and(|pending| pending.pass);
    let pass = may_pass.then_some(Action::Pass);
    let empty = game_state.empty();
    if game_state.stones_due() == 1 {
        let stones = game_state.placements().into_iter().map(Action::stone);
        return stones.chain(pass).collect();
    }
    let pairs = (0..empty.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
    // The order matters where the first stone must share a line with the last turn.
    let both = pairs.flat_map(|[i, j]| [[i, j], [j, i]]);
    both.map(|[i, j]| Action::stones(&[empty[i], empty[j]])).chain(pass).collect()
}

/// The legal turns, each with the game after it.
fn after(game_state: &GameState, passes: bool) -> Vec<(Action, GameState)> {
    let played = |action: Action| {
        let mut next = game_state.clone();
        next.apply(&action).ok()?;
        Some((action, next))
    };
    turns(game_state, passes).into_iter().filter_map(played).collect()
}

/// 1 if the side to move wins, 0 if the game is drawn, -1 if it loses; `None` if the tree has
/// more than `left` nodes or gets too deep, as captures make room again. `passes`: players may
/// pass where the rules allow it.
fn value(game_state: &GameState, passes: bool, left: &mut usize) -> Option<i32> {
    let me = game_state.to_move();
    let mut best = -1;
    if game_state.actions().len() > MAX_PLIES {
        return None;
    }
    for (_, next) in after(game_state, passes) {
        *left = left.checked_sub(1)?;
        best = best.max(value_for(&next, me, passes, left)?);
        if best == 1 {
            break;
        }
    }
    Some(best)
}

fn value_for(game_state: &GameState, color: Color, passes: bool, left: &mut usize) -> Option<i32> {
    Some(match game_state.result() {
        Some(result) => match result.colors[..] {
            [winner] if winner == color => 1,
            [_] => -1,
            _ => 0,
        },
        None if game_state.to_move() == color => value(game_state, passes, left)?,
        None => -value(game_state, passes, left)?,
    })
}

/// A random unfinished game with at most `left` empty cells; `None` if no turn was found that
/// does not end it.
fn late_game(contest: Contest, left: usize, random: &mut Random) -> Option<GameState> {
    let mut game_state = GameState::new(contest);
    while game_state.empty().len() > left {
        let empty = game_state.empty();
        let mut next = None;
        for _ in 0..TRIES {
            let cells: Vec<Cell> =
                (0..game_state.stones_due()).map(|_| empty[random.below(empty.len())]).collect();
            let mut tried = game_state.clone();
            if tried.apply(&Action::stones(&cells)).is_ok() && tried.result().is_none() {
                next = Some(tried);
                break;
            }
        }
        game_state = next?;
    }
    Some(game_state)
}

fn position_of(game_state: &GameState) -> Box<dyn AnyPosition> {
    let mut position = new_position(game_state.contest(), &WeightSet::default());
    position.set(&RootPosition::from(game_state));
    position
}

fn search(game_state: &GameState, request: &Request) -> Answer {
    let position = position_of(game_state);
    engine(1 << 20, &Params::default()).go(&*position, request, &mut |_| {}).unwrap()
}

/// Numbers of positions that are lost, drawn and won, and of those that the search has proven
/// lost or won.
type Results = [usize; 4];

/// Checks the search on late positions of a game. A proof with passes holds without passes
/// too, so minimax may leave passes out.
fn check(variant: Variant, passes: bool) -> Results {
    let mut results = [0; 4];
    let Ok(contest) = Contest::new(variant).opened(OpeningId::Free) else { return results };
    let mut random = Random::new(7);
    for i in 0..40 * setting("GOREN_TEST_FACTOR", 1) as usize {
        let (width, height) = SIDES[i % SIDES.len()];
        let Ok(contest) = contest.on(width, height) else { continue };
        // Passes make the tree larger.
        let left = if passes { 2 + random.below(3) } else { 3 + random.below(4) };
        let Some(game_state) = late_game(contest, left, &mut random) else { continue };
        let Some(value) = value(&game_state, passes, &mut MINIMAX_NODES.clone()) else { continue };
        results[(value + 1) as usize] += 1;
        let answer = search(&game_state, &limits(30));
        let score = answer.info.score;
        let proven = if score.abs() >= PROVEN { score.signum() } else { 0 };
        let stones = game_state.stones();
        assert!(
            proven == 0 || proven == value,
            "{variant} {width}x{height}: {score}, not {value}; to move {:?}; {stones:?}",
            game_state.to_move()
        );
        results[3] += usize::from(proven != 0);
    }
    results
}

#[test]
fn proofs_on_nearly_full_boards_are_true() {
    let all: Vec<Variant> = GAMES.iter().map(|name| Variant::from_name(name).unwrap()).collect();
    let found: Vec<(String, Results)> =
        all.par_iter().map(|&variant| (variant.to_string(), check(variant, false))).collect();
    let (mut decided, mut proofs) = (0, 0);
    for family in ["pente", "connect6", "four-in-a-row"] {
        let mut sum = [0; 4];
        let own = found.iter().filter(|(name, _)| name.starts_with(family));
        own.for_each(|(_, results)| (0..4).for_each(|i| sum[i] += results[i]));
        println!("{family}: losses, draws, wins, proofs {sum:?}");
        let [losses, draws, wins, proven] = sum;
        assert!(losses + draws + wins > 20, "{family}: {sum:?}");
        decided += losses + wins;
        proofs += proven;
    }
    // A single reply is played without a search.
    assert!(proofs > 0 && 4 * proofs > decided, "{proofs} of {decided} are proven");
}

#[test]
fn proofs_where_players_may_pass_are_true() {
    let all: Vec<Variant> = PASSING.iter().map(|name| Variant::from_name(name).unwrap()).collect();
    assert!(all.iter().all(|variant| variant.sheet().passes));
    let found: Vec<Results> = all.par_iter().map(|&variant| check(variant, true)).collect();
    println!("losses, draws, wins, proofs {found:?}");
    let positions: usize = found.iter().map(|[losses, draws, wins, _]| losses + draws + wins).sum();
    assert!(positions > 60, "{found:?}");
}

fn set_up(game: &str, size: (usize, usize), [black, white]: [&str; 2], next: Next) -> GameState {
    let contest = Contest::new(Variant::from_name(game).unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap().on(size.0, size.1).unwrap();
    let fresh = GameState::new(contest);
    let cells = |text: &str| -> Vec<Cell> {
        let action = |name: &str| read(&fresh, name).unwrap().placed();
        text.split(' ').flat_map(action).collect()
    };
    let stones = [(black, Color::Black), (white, Color::White)];
    let stones = stones.into_iter().flat_map(|(text, color)| {
        cells(text).into_iter().map(move |cell| (cell, Stone::Of(color)))
    });
    let stones: Vec<_> = stones.collect();
    GameState::from_position(contest, &stones, next).unwrap()
}

/// Overlines are ignored. White threatens a five at j7; once Black has i6, that stone also
/// captures i6 and h5, which leaves a five of Black's row of six, and nobody wins.
#[test]
fn a_capture_that_leaves_a_five_is_a_defence() {
    let black = "c5 d5 e5 f5 g5 h5 j12 k6 p6 s18";
    let white = "g4 l5 j8 j9 j10 j11 l6 m6 n6 o6";
    let next = Next::new(Color::Black);
    let game_state = set_up("pente+overline-ignored", (19, 19), [black, white], next);
    let answer = search(&game_state, &limits(8));
    assert!(answer.info.score > -PROVEN, "{:?}", answer.info);
}

/// White's turn leaves one empty cell, so Black has no turn to complete its lines of five.
#[test]
fn lines_are_no_threat_without_a_turn_to_complete_them() {
    let black = "b6 c6 d6 e6 f6 a5 c5 d5 e5 f5 f4 f3 f2 a4 c3 e2 c1";
    let all = (0..36).map(|i| format!("{}{}", (b'a' + i % 6) as char, i / 6 + 1));
    let white: Vec<String> = all
        .filter(|name| !black.split(' ').chain(["a6", "b5", "f1"]).any(|other| other == name))
        .collect();
    let next = Next { left: 2, ..Next::new(Color::White) };
    let game_state = set_up("connect6", (6, 6), [black, &white.join(" ")], next);
    let answer = search(&game_state, &limits(8));
    assert!(answer.info.score.abs() < PROVEN, "{:?}", answer.info);
}

/// A foul for Black at c1, an overline; no other cell is empty once f5 is taken.
fn with_a_foul(white_has_f5: bool, to_move: Color) -> GameState {
    let black = "a1 b1 d1 e1 f1 c2 f2 a3 b3 d3 e3 c4 f4 a5 b5 d5 e5";
    let white = "a2 b2 d2 e2 c3 f3 a4 b4 d4 e4 c5";
    let white = if white_has_f5 { format!("{white} f5") } else { white.to_owned() };
    set_up("renju", (6, 5), [black, &white], Next::new(to_move))
}

/// White takes the one of the two empty cells that Black may take too. Black need not commit
/// the foul: it passes, and the board fills up.
#[test]
fn a_side_that_may_pass_is_not_lost_without_a_legal_stone() {
    let game_state = with_a_foul(false, Color::White);
    assert_eq!(value(&game_state, false, &mut MINIMAX_NODES.clone()), Some(1));
    assert_eq!(value(&game_state, true, &mut MINIMAX_NODES.clone()), Some(0));
    for depth in 1..8 {
        let info = search(&game_state, &limits(depth)).info;
        assert!(info.score.abs() < PROVEN, "{depth}: {info:?}");
    }
}

#[test]
fn the_score_is_that_of_a_pass_if_only_a_pass_saves() {
    let game_state = with_a_foul(true, Color::Black);
    for depth in 1..8 {
        let info = search(&game_state, &limits(depth)).info;
        assert!(info.score.abs() < PROVEN && info.basis == Basis::Pass, "{depth}: {info:?}");
    }
    // With root moves given, the score is that of the best of them.
    let root_moves = read(&game_state, "c1").unwrap().placed();
    let info = search(&game_state, &Request { root_moves, ..limits(8) }).info;
    assert!(info.score <= -PROVEN, "{info:?}");
    // The caller decides whether to answer a pass with a pass.
    let mut passed = with_a_foul(true, Color::White);
    passed.apply(&Action::Pass).unwrap();
    assert!(search(&passed, &limits(8)).info.score <= -PROVEN);
}

/// The score of the foul was returned, which counts as a proven loss.
#[test]
fn a_foul_proves_no_loss_where_a_pass_may_draw() {
    let mut passed = with_a_foul(true, Color::White);
    passed.apply(&Action::Pass).unwrap();
    for game_state in [with_a_foul(true, Color::Black), passed] {
        let answer = search(&game_state, &Request { move_only: true, ..limits(8) });
        let info = answer.info;
        assert!(answer.best.is_some() && info.searched().is_none(), "{info:?}");
        assert!(info.score <= 0, "{info:?}");
    }
}

#[test]
fn another_column_is_played_if_the_block_is_excluded() {
    let contest = Contest::new(Variant::from_name("four-in-a-row").unwrap());
    let contest = contest.opened(OpeningId::Free).unwrap().on(7, 6).unwrap();
    let mut game_state = GameState::new(contest);
    for column in ["c1", "a1", "c2", "a2", "c3"] {
        game_state.apply(&read(&game_state, column).unwrap()).unwrap();
    }
    let block = read(&game_state, "c4").unwrap().placed();
    assert_eq!(search(&game_state, &limits(4)).best.cell(), block[0]);
    let exclusions = Exclusions { root_moves: block.clone(), ..Exclusions::default() };
    let answer = search(&game_state, &Request { exclusions, ..limits(4) });
    assert_ne!(answer.best.cell(), block[0]);
    let mut pvs = 0;
    let request = Request { multi_pv: 3, ..limits(4) };
    let position = position_of(&game_state);
    let observer = &mut |report: &Report| {
        if let Report::Pv(info) = report {
            pvs = pvs.max(info.pv_count);
        }
    };
    engine(1 << 20, &Params::default()).go(&*position, &request, observer).unwrap();
    assert_eq!(pvs, 3);
}
