//! Tests of positions of five in a row: results from counts, caches and tables against slow
//! twins.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use goren_core::rules::{Caro, Freestyle, Renju, RuleId, Setup};

/// Calls `check` after every move of random games on a small part of the board, where threats
/// of all kinds arise, and after each takeback of half of the moves.
fn in_random_games<R: Rule>(mut check: impl FnMut(&mut Five<R>)) {
    let mut rng = SmallRng::seed_from_u64(11);
    for _ in 0..150 {
        let mut p = Five::<R>::new(Setup::new(R::ID, 15, 15).unwrap());
        let mut moves = 0;
        for _ in 0..60 {
            let cell = Cell::new(rng.random_range(3..12), rng.random_range(0..9));
            let foul = |p: &mut Five<R>| !p.is_legal(Move::at(cell));
            if p.board.is_empty(cell) && !p.board.wins(p.to_move, cell) && !foul(&mut p) {
                p.make(Move::at(cell));
                moves += 1;
                check(&mut p);
            }
        }
        for _ in 0..moves / 2 {
            p.unmake();
            check(&mut p);
        }
    }
}

#[test]
fn a_five_to_answer_is_an_immediate_threat() {
    fn compare<R: Rule>() {
        let mut seen = [0; 2];
        in_random_games::<R>(|p| {
            let immediate = p.threat_level() == ThreatLevel::Immediate;
            assert_eq!(p.must_answer_five(), immediate);
            seen[usize::from(immediate)] += 1;
        });
        assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
    }
    compare::<Freestyle>();
    compare::<Renju>();
    compare::<Caro>();
}

#[test]
fn legal_suspected_fouls_are_threats() {
    let setup = Setup::new(RuleId::Renju, 15, 15).unwrap();
    let mut rng = SmallRng::seed_from_u64(3);
    let mut seen = 0;
    for _ in 0..200 {
        let mut p = Five::<Renju>::new(setup);
        for i in 0..60 {
            let cell = Cell::new(rng.random_range(0..15), rng.random_range(0..15));
            let color = Color::ALL[i % 2];
            if p.board.is_empty(cell) && !p.board.wins(color, cell) {
                p.place(cell, color);
            }
        }
        p.hand_to(Color::Black, 1);
        for cell in p.board.empty().iter().collect::<Vec<_>>() {
            let m = Move::at(cell);
            if p.board.class(Color::Black, cell) == Class::FoulSuspect && p.is_legal(m) {
                assert_eq!(p.move_class(m), MoveClass::Threat);
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

/// The slow twin of [`Five::main_moves`], without counts and caches.
fn main_moves<R: Rule>(p: &Five<R>) -> CellSet {
    let (board, me) = (&p.board, p.to_move);
    let own = |class| *board.cells_of(me, class);
    let fives = *board.cells_of(!me, Class::Five);
    let forced =
        fives.iter().map(|five| board.five_answers(!me, five)).reduce(|a, b| a.intersection(&b));
    if !own(Class::Five).is_empty() {
        own(Class::Five)
    } else if let Some(answers) = forced {
        if answers.is_empty() { fives } else { answers }
    } else if !own(Class::OpenFour).is_empty() {
        own(Class::OpenFour)
    } else if let Some(set) = threat::defences(board, me) {
        set.union(&p.fours())
    } else {
        board.near()
    }
}

#[test]
fn moves_and_threat_levels_agree_with_fresh_ones() {
    fn compare<R: Rule>() {
        let mut seen = [0; 3];
        in_random_games::<R>(|p| {
            let expected = main_moves(p);
            let level = p.threat_level();
            let threatened = |class| p.board.count(!p.to_move, class) > 0;
            let proven = threat::defences(&p.board, p.to_move).is_some();
            let expected_level = if threatened(Class::Five) {
                ThreatLevel::Immediate
            } else if threatened(Class::OpenFour) || threatened(Class::FourThree) && proven {
                ThreatLevel::Threat
            } else {
                ThreatLevel::None
            };
            assert_eq!(level, expected_level);
            seen[level as usize] += 1;
            let mut list = MoveList::new();
            p.moves(GenType::Main, &mut list);
            let scored = expected.iter().map(|cell| {
                let score = p.eval.weights().policy_score(p.to_move, p.board.cell(cell));
                (Move::at(cell), score)
            });
            assert!(list.iter().map(|entry| (entry.m, entry.score)).eq(scored));
            list.clear();
            p.moves(GenType::StrongFours, &mut list);
            let strong = |cell: &Cell| {
                let class = p.board.class(p.to_move, *cell);
                matches!(class, Class::OpenFour | Class::FourThree | Class::FourPlus)
            };
            assert!(
                list.iter().map(|entry| entry.m.cell()).eq(p.board.empty().iter().filter(strong))
            );
            list.clear();
            p.moves(GenType::Rest, &mut list);
            let rest = p.board.empty().difference(&expected);
            assert!(list.iter().map(|entry| entry.m.cell()).eq(rest.iter()));
        });
        assert!(seen.iter().all(|&seen| seen > 100), "{seen:?}");
    }
    compare::<Freestyle>();
    compare::<Renju>();
    compare::<Caro>();
}

#[test]
fn move_counts_agree_with_move_lists() {
    use GenType::{Attacks, Fours, Main, Rest, StrongFours, Threats};
    fn compare<R: Rule>() {
        in_random_games::<R>(|p| {
            for gen_type in [Main, Fours, Threats, Attacks, StrongFours, Rest] {
                let mut list = MoveList::new();
                p.moves(gen_type, &mut list);
                assert_eq!(p.count_moves(gen_type), list.len(), "{gen_type:?}");
            }
        });
    }
    compare::<Freestyle>();
    compare::<Renju>();
    compare::<Caro>();
}

#[test]
fn the_key_after_a_move_is_exact() {
    fn compare<R: Rule>() {
        const { assert!(Five::<R>::KEY_AFTER_IS_EXACT) };
        in_random_games::<R>(|p| {
            for cell in p.board.near().iter() {
                let key_after = p.key_after(Move::at(cell));
                p.make(Move::at(cell));
                assert_eq!(p.key(), key_after);
                p.unmake();
            }
        });
    }
    compare::<Freestyle>();
    compare::<Renju>();
}
