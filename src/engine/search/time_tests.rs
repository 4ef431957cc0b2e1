//! Tests of special values, margins and decisions of time management, and whole games
//! against a clock.

use super::*;
use goren_core::types::{Cell, win_in};

const AREA: usize = 225;

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn times(turn: i64, all: i64, left: i64) -> RawTimes {
    RawTimes {
        timeout_turn: Some(turn),
        timeout_match: Some(all),
        time_left: Some(left),
        time_increment: None,
    }
}

fn budget(times: RawTimes) -> Budget {
    Clock::from_info(&times, false).budget(0, AREA)
}

#[test]
fn special_values_are_recognized() {
    let unlimited = Budget::UNLIMITED;
    assert_eq!(budget(times(0, 180_000, 180_000)), INSTANT);
    assert_eq!(budget(times(0, 0, NO_LIMIT_MS)), INSTANT);
    assert_eq!(budget(times(30_000, 180_000, 0)), INSTANT);
    assert_eq!(budget(times(30_000, 180_000, -700)), INSTANT);
    assert_eq!(budget(times(30_000, 0, -700)), INSTANT);
    assert_eq!(budget(times(1_000, -1, -700)).hard, ms(970));
    assert_eq!(budget(times(1_000, -1, 1)).hard, ms(970));
    assert_eq!(budget(times(1_000, 0, NO_LIMIT_MS)).hard, ms(970));
    assert_eq!(budget(times(1_000, 180_000, NO_LIMIT_MS)).hard, ms(970));
    assert_eq!(budget(times(NO_LIMIT_MS, 0, NO_LIMIT_MS)), unlimited);
    assert_eq!(budget(times(i64::MAX, 0, i64::MAX)), unlimited);
    assert_eq!(budget(times(2_000_000, 100_000_000, 99_997_826)), unlimited);
    // One value of Yixin-Board's pair alone is an ordinary limit.
    assert!(budget(times(2_000_000, 180_000, 180_000)).hard < ms(30_000));
    assert_eq!(budget(times(5_000, 100_000_000, 99_997_826)).hard, ms(4_970));
}

#[test]
fn a_search_limited_by_nodes_ignores_the_unlimited_turn_value() {
    let bounded = |times: RawTimes| Clock::from_info(&times, true).budget(0, AREA);
    assert_eq!(bounded(times(2_000_000, 0, NO_LIMIT_MS)), Budget::UNLIMITED);
    let turn = RawTimes { timeout_turn: Some(2_000_000), ..RawTimes::default() };
    assert_eq!(bounded(turn), Budget::UNLIMITED);
    // Real limits stay.
    assert_ne!(budget(turn), Budget::UNLIMITED);
    assert!(bounded(times(2_000_000, 180_000, 180_000)).hard < ms(30_000));
    assert!(bounded(times(2_000_000, 0, 5_000)).hard < ms(5_000));
    assert_eq!(bounded(times(1_000, 0, NO_LIMIT_MS)).hard, ms(970));
}

#[test]
fn missing_times_get_defaults() {
    let nothing = RawTimes::default();
    assert_eq!(budget(nothing).hard, ms(29_970));
    assert_eq!(Clock::from_info(&nothing, true).budget(0, AREA), Budget::UNLIMITED);
    let only_match = RawTimes { timeout_match: Some(0), ..nothing };
    assert_eq!(budget(only_match).hard, ms(29_970));
    assert_eq!(Clock::from_info(&only_match, true).budget(0, AREA), Budget::UNLIMITED);
    let only_match = RawTimes { timeout_match: Some(70_000), ..nothing };
    assert!(budget(only_match).hard <= ms(10_000) && budget(only_match).saves);
    // A depth limit does not lift a time limit that was sent.
    let turn = RawTimes { timeout_turn: Some(500), ..nothing };
    assert_eq!(Clock::from_info(&turn, true).budget(0, AREA).hard, ms(470));
    let minus = RawTimes { timeout_turn: Some(-1), ..nothing };
    assert_eq!(budget(minus).hard, ms(29_970));
}

#[test]
fn margins_fit_their_limits() {
    for turn in [1, 2, 10, 50, 100, 120, 500, 30_000] {
        let b = Clock::per_move(ms(turn)).budget(10, AREA);
        assert!(b.hard < ms(turn) && b.hard >= ms(turn) / 2, "{turn}");
        assert!(b.soft <= b.hard && !b.saves);
    }
    let late = Clock::per_move(ms(1_000)).with_overshoot(ms(40));
    assert_eq!(late.budget(0, AREA).hard, ms(880));
    let very_late = Clock::per_move(ms(1_000)).with_overshoot(ms(9_000));
    assert_eq!(very_late.budget(0, AREA).hard, ms(500));
}

#[test]
fn lateness_is_capped_and_decays() {
    let budget = Clock::per_move(ms(1_000)).budget(0, AREA);
    let mut overshoot = Overshoot::default();
    overshoot.note(&budget, ms(500));
    assert_eq!(overshoot.worst(), Duration::ZERO);
    overshoot.note(&budget, ms(980));
    assert_eq!(overshoot.worst(), ms(10));
    overshoot.note(&budget, ms(60_000));
    assert_eq!(overshoot.worst(), Overshoot::CAP);
    for _ in 0..30 {
        overshoot.note(&budget, ms(100));
    }
    assert!(overshoot.worst() < ms(1));
}

#[test]
fn an_ample_match_is_spent_and_a_short_one_saved() {
    let ample = budget(times(1_000, 1_000_000, 1_000_000));
    assert!(!ample.saves);
    assert_eq!((ample.soft, ample.hard), (ms(873), ms(970)));
    let short = budget(times(30_000, 180_000, 180_000));
    assert!(short.saves && short.hard < ms(26_000));
    assert!(short.soft > ms(6_000) && short.soft < ms(12_000));
    let long = budget(times(300_000, 1_000_000, 1_000_000));
    assert!(long.hard < ms(145_000) && long.soft < ms(60_000));
}

/// Plays a game to a full board against the clock. Each move takes the time that `spend` returns,
/// plus an overhead; no move may exceed a limit.
fn play(turn: i64, all: i64, increment: i64, area: usize, spend: fn(&Budget, usize) -> Duration) {
    // Under very short limits, the usual overhead times all moves would exceed them.
    let share = if all > 0 { ms(all as u64) / (area as u32 * 3 / 2) } else { ms(5) };
    let overhead = ms(5).min(share).min(if turn > 0 { ms(turn as u64) / 5 } else { share });
    let mut left = ms(all as u64);
    let mut stones = 0;
    while stones < area {
        let raw = RawTimes {
            timeout_turn: (turn > 0).then_some(turn),
            timeout_match: Some(all),
            time_left: Some(if all == 0 { NO_LIMIT_MS } else { left.as_millis() as i64 }),
            time_increment: Some(increment),
        };
        let budget = Clock::from_info(&raw, false).budget(stones, area);
        assert!(budget.soft <= budget.hard);
        let spent = spend(&budget, stones).min(budget.hard) + overhead;
        if turn > 0 {
            assert!(spent <= ms(turn as u64), "{turn}/{all}: turn of {spent:?} at {stones}");
        }
        if all > 0 {
            assert!(spent <= left, "{turn}/{all}: {spent:?} of {left:?} at {stones}");
            left = left - spent + ms(increment as u64);
        }
        stones += 2;
    }
}

#[test]
fn no_game_overdraws_its_clock() {
    let spenders: [fn(&Budget, usize) -> Duration; 3] = [
        |b, _| b.hard,
        |b, _| b.soft,
        |b, stones| if stones % 6 < 4 { b.hard } else { b.soft / 10 },
    ];
    for spend in spenders {
        for area in [225, 400, 26 * 26, 25] {
            play(30_000, 180_000, 0, area, spend);
            play(5_000, 120_000, 0, area, spend);
            play(500, 0, 0, area, spend);
            play(300_000, 1_000_000, 0, area, spend);
            play(10, 0, 0, area, spend);
            play(100, 10_000, 0, area, spend);
            play(0, 60_000, 0, area, spend);
            play(0, 10_000, 100, area, spend);
            play(1_000, 5_000, 0, area, spend);
            play(5_000, 5_000, 0, area, spend);
            play(300, 1_000, 0, area, spend);
            play(100, 100, 0, area, spend);
        }
    }
}

#[test]
fn a_short_match_still_leaves_time_for_move_thirty() {
    let mut left = 180_000;
    for stones in (0..60).step_by(2) {
        let b = Clock::from_info(&times(30_000, 180_000, left), false).budget(stones, AREA);
        left -= b.soft.as_millis() as i64 + 5;
    }
    assert!(left > 30_000 && left < 90_000, "{left}");
}

fn noted(list: &[(usize, Score, u64)]) -> Stability {
    let mut seen = Stability::new(None);
    for &(x, score, at) in list {
        seen.note(Move::at(Cell::new(x, 7)), score, ms(at));
    }
    seen
}

const SAVING: Budget = Budget { soft: ms_const(1_000), hard: ms_const(3_000), saves: true };

const fn ms_const(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn a_confirmed_win_is_played() {
    let once = noted(&[(7, 100, 10), (7, win_in(9), 20)]);
    assert!(Budget::UNLIMITED.keep_going(ms(20), &once));
    let twice = noted(&[(7, 100, 10), (7, win_in(9), 20), (7, win_in(9), 30)]);
    assert!(!Budget::UNLIMITED.keep_going(ms(30), &twice));
    let shorter = noted(&[(7, win_in(9), 20), (7, win_in(7), 30)]);
    assert!(Budget::UNLIMITED.keep_going(ms(30), &shorter));
    let loss = [(7, -win_in(8), 10), (7, -win_in(8), 20), (7, -win_in(8), 30)];
    assert!(Budget::UNLIMITED.keep_going(ms(30), &noted(&loss)));
}

#[test]
fn unstable_searches_get_more_time_than_stable_ones() {
    let calm: Vec<_> = (1..10).map(|i| (7, 100, i * 10)).collect();
    let wild: Vec<_> = (1..10).map(|i| (i as usize, 100, i * 10)).collect();
    let falling: Vec<_> = (1..10).map(|i| (7, 1_000 - 300 * i as Score, i * 10)).collect();
    let at = ms(900);
    assert!(!SAVING.keep_going(at, &noted(&calm)));
    assert!(SAVING.keep_going(at, &noted(&wild)));
    assert!(SAVING.keep_going(at, &noted(&falling)));
    assert!(SAVING.keep_going(ms(100), &noted(&calm)));
    assert!(!SAVING.keep_going(ms(3_000), &noted(&wild)));
    let mut worse = Stability::new(Some(500));
    worse.note(Move::at(Cell::new(7, 7)), 0, ms(10));
    assert!(SAVING.keep_going(ms(1_200), &worse));
}

#[test]
fn an_infinite_soft_limit_is_never_reached() {
    let budget = Budget { soft: Duration::MAX, ..SAVING };
    let wild: Vec<_> = (1..10).map(|i| (i as usize, 100, i * 10)).collect();
    assert!(budget.keep_going(ms(2_900), &noted(&wild)));
    assert!(!budget.keep_going(ms(3_000), &noted(&wild)));
}

#[test]
fn an_iteration_that_cannot_end_is_not_begun_if_time_can_be_saved() {
    let growing = [(7, 0, 10), (8, 0, 50), (9, 0, 210), (7, 0, 850)];
    let seen = noted(&growing);
    assert!(!SAVING.keep_going(ms(850), &seen));
    assert!(Budget { saves: false, ..SAVING }.keep_going(ms(850), &seen));
}

#[test]
fn an_unlimited_budget_goes_on() {
    let seen = noted(&[(7, 0, 10), (7, 0, 1_000_000)]);
    assert!(Budget::UNLIMITED.keep_going(ms(1_000_000), &seen));
}
