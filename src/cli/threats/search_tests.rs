//! Findings of the search against slow players that use only the referee.

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

fn is_legal(referee: &FiveReferee, color: Color, cell: Cell) -> bool {
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

/// Whether a colour to move wins with at most `fours` fours before its five; tries every stone.
fn wins_by_fours(referee: &mut FiveReferee, me: Color, fours: usize) -> bool {
    if wins_somewhere(referee, me) {
        return true;
    }
    fours > 0
        && empty(referee).into_iter().any(|cell| {
            // Skips stones that make no four before trying all answers.
            let makes_four = !linear::lines(referee, cell, me, 3).is_empty();
            makes_four
                && is_legal(referee, me, cell)
                && with(referee, cell, me, |after| {
                    wins_somewhere(after, me) && {
                        !wins_somewhere(after, !me)
                            && empty(after).into_iter().all(|answer| {
                                !is_legal(after, !me, answer)
                                    || with(after, answer, !me, |after| {
                                        wins_by_fours(after, me, fours - 1)
                                    })
                            })
                    }
                })
        })
}

/// Whether the opponent of `me`, who is to move, loses to a VCF against any defence, where
/// its own fours are stopped first.
fn loses(referee: &mut FiveReferee, me: Color, fours: usize) -> bool {
    !wins_somewhere(referee, !me)
        && empty(referee).into_iter().all(|answer| {
            !is_legal(referee, !me, answer)
                || with(referee, answer, !me, |after| {
                    wins_by_fours(after, me, fours)
                        || wins_somewhere(after, !me)
                            && empty(after).into_iter().any(|stop| {
                                after.stone(stop).is_none()
                                    && is_legal(after, me, stop)
                                    && with(after, stop, me, |after| loses(after, me, fours))
                            })
                })
        })
}

/// Replays a line with the referee: every stone is legal, the last one wins, and every opponent
/// stone stops a four. Exceptions are an answer to the attacker's first stone if that is
/// `quiet`, and an answer to a stone that had to stop a four of the opponent. Returns the
/// number of such stops.
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
        assert!(is_legal(&game, color, ply.cell), "{ply:?} of {line:?}");
        let last = i + 1 == line.len();
        assert_eq!(game.wins(color, ply.cell), last && color == me, "{ply:?} of {line:?}");
        if !last {
            game.set_up(ply.cell, Stone::Of(color)).unwrap();
        }
    }
    stops
}

/// Returns a random position without fives and fouls, on average with more black stones.
fn random_position(rule: RuleId, random: &mut SmallRng) -> FiveReferee {
    let side = random.random_range(7..=8);
    let mut referee = FiveReferee::new(Setup::new(rule, side, side).unwrap());
    for _ in 0..random.random_range(8..15) {
        let cell = Cell::new(random.random_range(0..side), random.random_range(0..side));
        let color = Color::ALL[usize::from(random.random_range(0..5) > 2)];
        if referee.is_empty(cell) && !referee.wins(color, cell) && is_legal(&referee, color, cell) {
            referee.set_up(cell, Stone::Of(color)).unwrap();
        }
    }
    referee
}

/// Maximum number of fours in the search of the slow player.
const MAX_FOURS: usize = 2;

fn check(referee: &mut FiveReferee, color: Color, seen: &mut [usize; 4]) {
    let found = search(referee, color, 100_000);
    assert!(found.undecided.is_empty() && !found.vcf_unknown);
    if let Some(line) = &found.vcf {
        replay(referee, color, line, false);
        seen[0] += 1;
        return;
    }
    assert!(!wins_by_fours(referee, color, MAX_FOURS));
    for cell in empty(referee) {
        if !is_legal(referee, color, cell) {
            continue;
        }
        let own = Fork::crossing(&linear::threats(referee, cell, color));
        let plain = own.fours + own.threes;
        let virtual_stone = found.virtuals.iter().find(|threat| threat.at == cell);
        let (threatens, wins) = with(referee, cell, color, |after| {
            let safe = !wins_somewhere(after, !color);
            let threatens = safe && wins_by_fours(after, color, MAX_FOURS);
            let wins = threatens && plain < 2 && loses(after, color, MAX_FOURS);
            if let Some(threat) = virtual_stone {
                assert!(safe);
                replay(after, color, &threat.line, false);
            }
            (threatens, wins)
        });
        let virtual_threat = virtual_stone.is_some_and(|threat| !threat.is_plain);
        let fork = virtual_stone.and_then(|threat| threat.fork.as_ref());
        // The search must find all threats of few fours; it may find longer ones.
        assert!(!(threatens && plain == 0) || virtual_threat, "{cell:?} {found:?}");
        assert!(!wins || fork.is_some(), "{cell:?} {found:?}");
        if virtual_threat {
            seen[1] += 1;
        }
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
            with(after, spatial.crossing, !color, |after| !wins_by_fours(after, color, MAX_FOURS))
        });
        assert!(gone, "{spatial:?}");
    }
}

#[test]
fn findings_of_the_search_are_confirmed_by_the_referee() {
    let mut seen = [0; 4];
    let mut random = SmallRng::seed_from_u64(21);
    for i in 0..2 * RuleId::ALL.len() {
        let rule = RuleId::ALL[i % RuleId::ALL.len()];
        let mut referee = random_position(rule, &mut random);
        for color in Color::ALL {
            check(&mut referee, color, &mut seen);
        }
    }
    assert!(seen.iter().all(|&n| n > 2), "{seen:?}");
}

#[test]
fn a_search_without_nodes_claims_nothing() {
    let mut random = SmallRng::seed_from_u64(22);
    let mut differing = 0;
    for _ in 0..40 {
        let referee = random_position(RuleId::Renju, &mut random);
        let few = search(&referee, Color::Black, 1);
        let many = search(&referee, Color::Black, 100_000);
        differing += usize::from(few != many);
        assert!(few.vcf.is_none() || many.vcf.is_some());
        for threat in &few.virtuals {
            assert!(many.vcf.is_none());
            let same = many.virtuals.iter().find(|other| other.at == threat.at).unwrap();
            assert!(threat.fork.is_none() || same.fork.is_some());
        }
        let open = few.vcf_unknown || !few.undecided.is_empty();
        assert!(open || few == many, "{few:?} {many:?}");
    }
    assert!(differing > 5, "{differing}");
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
    // G7, where only a three and twos cross.
    let at = Cell::new(6, 6);
    let rest = found.virtuals.iter().find(|threat| threat.at == at).unwrap().fork.clone().unwrap();
    let line = [vec![SequenceStone::at(at)], rest].concat();
    assert_eq!(replay(&referee, Color::Black, &line, true), 1, "{line:?}");
    // If White's four makes another four, White wins.
    for (x, y) in [(3, 1), (2, 2), (1, 3)] {
        referee.set_up(Cell::new(x, y), Stone::Of(Color::White)).unwrap();
    }
    let found = search(&referee, Color::Black, 10_000);
    assert!(found.virtuals.iter().any(|threat| threat.at == at));
    assert!(found.virtuals.iter().all(|threat| threat.fork.is_none()), "{found:?}");
}
