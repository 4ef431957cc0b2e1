//! Results of the search against players that know only the referee.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::by_search::*;
use super::fours::SequenceStone;
use super::linear::{self, Fork};
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, Color, Stone};

fn empty(referee: &FiveReferee) -> Vec<Cell> {
    let setup = referee.setup();
    let cells = (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width));
    cells.filter(|&cell| referee.is_empty(cell)).collect()
}

fn wins_somewhere(referee: &FiveReferee, color: Color) -> bool {
    empty(referee).into_iter().any(|cell| referee.wins(color, cell))
}

fn may(referee: &FiveReferee, color: Color, cell: Cell) -> bool {
    !referee.fouls(color, cell).any()
}

fn with<T>(
    referee: &mut FiveReferee,
    cell: Cell,
    color: Color,
    ask: impl FnOnce(&mut FiveReferee) -> T,
) -> T {
    referee.set_up(cell, Stone::Of(color)).unwrap();
    let answer = ask(referee);
    referee.take_back();
    answer
}

/// Whether a colour to move wins with `fours` fours before its five, every stone tried.
fn wins_by_fours(referee: &mut FiveReferee, me: Color, fours: usize) -> bool {
    if wins_somewhere(referee, me) {
        return true;
    }
    fours > 0
        && empty(referee).into_iter().any(|cell| {
            // A stone that makes no four is passed over before all answers are
            // looked at.
            let fours_there = !linear::lines(referee, cell, me, 3).is_empty();
            fours_there
                && may(referee, me, cell)
                && with(referee, cell, me, |after| {
                    wins_somewhere(after, me) && {
                        !wins_somewhere(after, !me)
                            && empty(after).into_iter().all(|answer| {
                                !may(after, !me, answer)
                                    || with(after, answer, !me, |after| {
                                        wins_by_fours(after, me, fours - 1)
                                    })
                            })
                    }
                })
        })
}

/// Whether the opponent of `me`, who is to move, loses to a VCF against any defence;
/// its own fours are stopped first.
fn loses(referee: &mut FiveReferee, me: Color, fours: usize) -> bool {
    !wins_somewhere(referee, !me)
        && empty(referee).into_iter().all(|answer| {
            !may(referee, !me, answer)
                || with(referee, answer, !me, |after| {
                    wins_by_fours(after, me, fours)
                        || wins_somewhere(after, !me)
                            && empty(after).into_iter().any(|stop| {
                                after.stone(stop).is_none()
                                    && may(after, me, stop)
                                    && with(after, stop, me, |after| loses(after, me, fours))
                            })
                })
        })
}

/// Plays a line by the referee: every stone is legal, the last one wins, and
/// every opponent stone stops a four, but for one that answers the attacker's
/// first stone if that is `quiet`, or a stone that had to stop a four of the other side.
/// How many such stops there were.
fn replay(referee: &FiveReferee, me: Color, line: &[SequenceStone], quiet: bool) -> usize {
    let mut game = referee.clone();
    let mut stops = 0;
    let mut free = quiet;
    let turns = [me, !me].into_iter().cycle();
    for (i, (ply, color)) in line.iter().zip(turns).enumerate() {
        if color == me {
            if wins_somewhere(&game, !me) {
                stops += 1;
                free = true;
            }
        } else {
            assert!(free || wins_somewhere(&game, me), "no four before {ply:?} of {line:?}");
            free = false;
        }
        if ply.forbidden {
            assert!(color != me && game.fouls(color, ply.cell).any());
            continue;
        }
        assert!(may(&game, color, ply.cell), "{ply:?} of {line:?}");
        let last = i + 1 == line.len();
        assert_eq!(game.wins(color, ply.cell), last && color == me, "{ply:?} of {line:?}");
        if !last {
            game.set_up(ply.cell, Stone::Of(color)).unwrap();
        }
    }
    stops
}

/// A position without fours, where somebody has lines to build on.
fn strewn(rule: RuleId, random: &mut SmallRng) -> FiveReferee {
    let side = random.random_range(7..=8);
    let mut referee = FiveReferee::new(Setup::new(rule, side, side).unwrap());
    for _ in 0..random.random_range(8..15) {
        let cell = Cell::new(random.random_range(0..side), random.random_range(0..side));
        let color = Color::ALL[usize::from(random.random_range(0..5) > 2)];
        if referee.is_empty(cell) && !referee.wins(color, cell) && may(&referee, color, cell) {
            referee.set_up(cell, Stone::Of(color)).unwrap();
        }
    }
    referee
}

/// Fours that the slow player looks ahead.
const FOURS: usize = 2;

fn check(referee: &mut FiveReferee, color: Color, seen: &mut [usize; 4]) {
    let found = search(referee, color, 100_000);
    assert!(found.undecided.is_empty() && !found.in_the_dark);
    if let Some(line) = &found.vcf {
        replay(referee, color, line, false);
        seen[0] += 1;
        return;
    }
    assert!(!wins_by_fours(referee, color, FOURS));
    for cell in empty(referee) {
        if !may(referee, color, cell) {
            continue;
        }
        let own = Fork::crossing(&linear::threats(referee, cell, color));
        let plain = own.fours + own.threes;
        let one = found.virtuals.iter().find(|one| one.at == cell);
        let (threatens, stands) = with(referee, cell, color, |after| {
            let safe = !wins_somewhere(after, !color);
            let threatens = safe && wins_by_fours(after, color, FOURS);
            let stands = threatens && plain < 2 && loses(after, color, FOURS);
            if let Some(one) = one {
                assert!(safe);
                replay(after, color, &one.line, false);
            }
            (threatens, stands)
        });
        let virtual_threat = one.is_some_and(|one| !one.is_plain);
        // What few fours show must be found; what is found may need more.
        assert!(!(threatens && plain == 0) || virtual_threat, "{cell:?} {found:?}");
        assert!(!stands || one.is_some_and(|one| one.fork.is_some()), "{cell:?} {found:?}");
        if virtual_threat {
            seen[1] += 1;
        }
        let fork = one.and_then(|one| one.fork.as_ref());
        if let Some(rest) = fork {
            seen[2] += 1;
            let stone = [vec![SequenceStone::at(cell)], rest.clone()].concat();
            replay(referee, color, &stone, true);
            let deep = with(referee, cell, color, |after| loses(after, color, rest.len() / 2));
            assert!(deep, "{cell:?} {found:?}");
        }
    }
    for spatial in &found.spatial {
        seen[3] += 1;
        assert!(spatial.arms.len() >= 2);
        let gone = with(referee, spatial.second, color, |after| {
            with(after, spatial.crossing, !color, |after| !wins_by_fours(after, color, FOURS))
        });
        assert!(gone, "{spatial:?}");
    }
}

#[test]
fn what_search_finds_holds_before_the_referee() {
    let mut seen = [0; 4];
    let mut random = SmallRng::seed_from_u64(21);
    for i in 0..2 * RuleId::ALL.len() {
        let rule = RuleId::ALL[i % RuleId::ALL.len()];
        let mut referee = strewn(rule, &mut random);
        for color in Color::ALL {
            check(&mut referee, color, &mut seen);
        }
    }
    assert!(seen.iter().all(|&n| n > 2), "{seen:?}");
}

#[test]
fn a_search_without_nodes_claims_nothing() {
    let mut random = SmallRng::seed_from_u64(22);
    let mut short = 0;
    for _ in 0..40 {
        let referee = strewn(RuleId::Renju, &mut random);
        let few = search(&referee, Color::Black, 1);
        let many = search(&referee, Color::Black, 100_000);
        short += usize::from(few != many);
        assert!(few.vcf.is_none() || many.vcf.is_some());
        for one in &few.virtuals {
            assert!(many.vcf.is_none());
            let same = many.virtuals.iter().find(|other| other.at == one.at).unwrap();
            assert!(one.fork.is_none() || same.fork.is_some());
        }
        let open = few.in_the_dark || !few.undecided.is_empty();
        assert!(open || few == many, "{few:?} {many:?}");
    }
    assert!(short > 5, "{short}");
}

#[test]
fn a_fork_holds_against_fours_that_must_be_stopped_first() {
    let rows = [
        "xooo.........",
        ".............",
        ".............",
        "...o...xo....",
        "....x........",
        "...x.........",
        "....x........",
        ".......x.....",
        "...o.........",
        "...x...x.....",
        ".............",
        ".............",
        ".............",
    ];
    let mut referee = FiveReferee::new(Setup::new(RuleId::Renju, 13, 13).unwrap());
    for (y, row) in rows.iter().enumerate() {
        for (x, sign) in row.chars().enumerate().filter(|&(_, sign)| sign != '.') {
            let color = if sign == 'x' { Color::Black } else { Color::White };
            referee.set_up(Cell::new(x, y), Stone::Of(color)).unwrap();
        }
    }
    let found = search(&referee, Color::Black, 10_000);
    // G7, where nothing but a three and twos crosses.
    let at = Cell::new(6, 6);
    let rest = found.virtuals.iter().find(|one| one.at == at).unwrap().fork.clone().unwrap();
    let line = [vec![SequenceStone::at(at)], rest].concat();
    assert_eq!(replay(&referee, Color::Black, &line, true), 1, "{line:?}");
    // Where its first four makes another, it wins with it.
    for (x, y) in [(3, 1), (2, 2), (1, 3)] {
        referee.set_up(Cell::new(x, y), Stone::Of(Color::White)).unwrap();
    }
    let found = search(&referee, Color::Black, 10_000);
    assert!(found.virtuals.iter().any(|one| one.at == at));
    assert!(found.virtuals.iter().all(|one| one.fork.is_none()), "{found:?}");
}
