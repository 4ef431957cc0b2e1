//! Every claim of `threat`, checked by a prover that uses only the referee.

use crate::prover::Prover;
use crate::support::{Random, Table, engine, enough, limits, search_position, setting};
use goren_core::opening::{Action, GameState};
use goren_core::rules::{
    Caro, CaroExact, Contest, EarlyRenju, Freestyle, Renju, Renju1899, Renju1903, Renju1916,
    RenjuBoth, RenjuOverline, RenjuOverlineBoth, Rule, RuleId, Setup, Standard,
    StandardDoubleThree,
};
use goren_core::types::{Cell, CellSet, Color, Move, PROVEN, Stone, plies_to_end};
use goren_engine::game::{Five, GenType, MoveClass, MoveList, Position, ThreatLevel};
use goren_engine::pattern::Class;
use goren_engine::threat::{self, Found, Meter, Vcf, Verdict};
use goren_engine::{Params, Request, SearchablePosition, WeightSet, position_of};

/// Checks crowded positions on small boards, with either side to move.
fn for_positions<R: Rule>(n: usize, seed: u64, mut check: impl FnMut(&Table<R>, Color)) {
    let mut random = Random::new(seed);
    for i in 0..n * setting("GOREN_TEST_FACTOR", 1) as usize {
        let side = [7, 8, 9, 6][i % 4];
        let mut table = Table::<R>::new(side, side);
        let stones = side * side * (15 + random.below(40)) / 100;
        // Without fives in reach, slower wins and threats become frequent.
        let calm: &[Class] = match i / 4 % 4 {
            0 => &[],
            1 => &[Class::Five],
            _ => &[Class::Five, Class::OpenFour],
        };
        table.scatter(&mut random, stones, i % 8 == 7, calm);
        for me in Color::ALL {
            check(&table, me);
        }
    }
}

#[derive(Default, Debug)]
struct Claims {
    win1: usize,
    win3: usize,
    win5: usize,
    loss2: usize,
}

fn check_verdicts<R: Rule>(n: usize) -> Claims {
    let mut claims = Claims::default();
    let mut nodes = 0;
    for_positions::<R>(n, 11, |table, me| {
        let mut prover = Prover::new(table.referee.clone());
        let verdict = threat::verdict(&table.board, me);
        let holds = match verdict {
            Verdict::Win(plies) => {
                match plies {
                    1 => claims.win1 += 1,
                    3 => claims.win3 += 1,
                    _ => claims.win5 += 1,
                }
                prover.wins(me, plies)
            }
            Verdict::Loss(plies) => {
                claims.loss2 += 1;
                prover.holds(!me, plies)
            }
            Verdict::Unknown => prover.fives(me).is_empty(),
        };
        nodes += prover.nodes;
        assert!(holds, "{verdict:?} for {me:?}\n{}", table.picture());
    });
    println!("{} {claims:?} {nodes}", R::ID);
    claims
}

fn check_defences<R: Rule>(n: usize) -> [usize; 3] {
    let mut claims = [0; 3];
    for_positions::<R>(n, 23, |table, me| {
        let mut position = five::<R>(table, me);
        if position.verdict() != Verdict::Unknown || position.threat_level() == ThreatLevel::None {
            return;
        }
        // A five must be stopped at once; an open four or a four and three
        // must be answered, by a four if by nothing better.
        let plies = if position.threat_level() == ThreatLevel::Immediate { 1 } else { 5 };
        let mut list = MoveList::new();
        position.moves(GenType::Main, &mut list);
        let main: CellSet = list.iter().map(|entry| entry.m.cell()).collect();
        claims[match plies {
            1 => 0,
            _ if table.board.count(!me, Class::OpenFour) > 0 => 1,
            _ => 2,
        }] += 1;
        let mut prover = Prover::new(table.referee.clone());
        for cell in prover.legal(me) {
            if main.contains(cell) {
                continue;
            }
            prover.put(me, cell);
            let loses = prover.wins(!me, plies);
            prover.back();
            assert!(
                loses,
                "{:?} for {me:?} leaves out {cell:?}, not lost within {plies}\n{}",
                position.threat_level(),
                table.picture()
            );
        }
    });
    println!("{} defences {claims:?}", R::ID);
    claims
}

/// Checks that the moves that force an answer are those that put a five in reach.
fn check_fours<R: Rule>(n: usize) -> [usize; 2] {
    let mut claims = [0; 2];
    for_positions::<R>(n, 41, |table, me| {
        let mut prover = Prover::new(table.referee.clone());
        if !prover.fives(me).is_empty() {
            return;
        }
        let mut position = five::<R>(table, me);
        let mut cells = |gen_type| -> Vec<Cell> {
            let mut list = MoveList::new();
            position.moves(gen_type, &mut list);
            list.iter().map(|entry| entry.m.cell()).collect()
        };
        let (force, strong) = (cells(GenType::Fours), cells(GenType::StrongFours));
        for cell in prover.legal(me) {
            prover.put(me, cell);
            let four = !prover.fives(me).is_empty();
            prover.back();
            let class = table.board.class(me, cell);
            // The generator does not check whether a suspected foul is one.
            let listed = force.contains(&cell) && (four || class != Class::FoulSuspect);
            assert_eq!(listed, four, "{cell:?} for {me:?}\n{}", table.picture());
            let is_strong = four && position.move_class(Move::at(cell)) == MoveClass::StrongFour;
            let listed = strong.contains(&cell);
            assert_eq!(listed, is_strong, "{cell:?} for {me:?}\n{}", table.picture());
            claims[0] += usize::from(four);
            claims[1] += usize::from(is_strong);
        }
    });
    println!("{} fours {claims:?}", R::ID);
    claims
}

fn five<R: Rule>(table: &Table<R>, me: Color) -> Five<R> {
    let mut position = Five::<R>::new(table.board.setup());
    for (cell, stone) in table.board.stones() {
        position.set_up(cell, stone);
    }
    position.set_to_move(me);
    position
}

/// Maximum number of stones that the prover places for one claim about fours.
const BUDGET: u64 = 3_000;

fn check_vcf<R: Rule>(n: usize) -> (usize, usize) {
    let (mut wins, mut none, mut longest) = (0, 0, 0);
    let mut vcf = Vcf::default();
    for_positions::<R>(n, 37, |table, me| {
        let mut board = table.board.clone();
        let mut prover = Prover::new(table.referee.clone());
        match vcf.solve(&mut board, me, &mut Meter::nodes(5_000)) {
            Found::Win(cell, 1) => assert!(prover.fives(me).contains(&cell)),
            Found::Win(cell, plies) => {
                assert!(prover.legal(me).contains(&cell), "a foul\n{}", table.picture());
                prover.put(me, cell);
                let holds = prover.holds_by_fours(me, plies - 1, BUDGET);
                prover.back();
                assert!(
                    holds != Some(false),
                    "{me:?} by fours from {cell:?} in {plies}\n{}",
                    table.picture()
                );
                wins += usize::from(holds.is_some());
                longest = longest.max(plies);
            }
            Found::Nothing => {
                let missed = prover.wins_by_fours(me, 60, BUDGET);
                assert!(
                    missed != Some(true),
                    "a win by fours of {me:?} missed\n{}",
                    table.picture()
                );
                none += usize::from(missed.is_some());
            }
            Found::OutOfNodes => {}
        }
    });
    println!("{} vcf wins {wins} none {none} longest {longest}", R::ID);
    (wins, none)
}

/// Quiet positions in which the opponent threatens a VCF: every move outside the
/// relevance zone loses to a VCF, by the VCF solver, which has a test of its own;
/// if the win is short, the prover checks it too.
fn check_zones<R: Rule>(n: usize) -> [usize; 3] {
    let mut claims = [0; 3];
    for_positions::<R>(n, 83, |table, me| {
        let mut position = five::<R>(table, me);
        if position.verdict() != Verdict::Unknown || position.threat_level() != ThreatLevel::None {
            return;
        }
        let Some((plies, zone)) = position.zone(&mut Meter::nodes(500)) else { return };
        claims[0] += 1;
        let mut prover = Prover::new(table.referee.clone());
        let mut vcf = Vcf::default();
        for cell in prover.legal(me) {
            if zone.contains(cell) {
                continue;
            }
            let mut board = table.board.clone();
            board.make(cell, me);
            let found = vcf.solve(&mut board, !me, &mut Meter::nodes(u64::MAX));
            assert!(
                matches!(found, Found::Win(..)),
                "{cell:?} of {me:?} stops fours, {zone:?}\n{}",
                table.picture()
            );
            claims[1] += 1;
            if plies <= 5 && prover.nodes < 2_000 {
                prover.put(me, cell);
                assert!(prover.wins(!me, plies), "{cell:?} of {me:?}\n{}", table.picture());
                prover.back();
                claims[2] += 1;
            }
        }
    });
    println!("{} zones, moves left out, by the prover too {claims:?}", R::ID);
    claims
}

/// Checks the proven scores of a shallow search that are near enough to be verified.
fn check_search<R: Rule>(n: usize) -> [usize; 2] {
    let mut claims = [0; 2];
    for_positions::<R>(n, 53, |table, me| {
        let mut position = five::<R>(table, me);
        let answer = search_position(&position, &limits(4), &Params::default());
        let score = answer.info.score;
        let Some(plies) = plies_to_end(score).filter(|&plies| plies <= 8) else { return };
        let mut prover = Prover::new(table.referee.clone());
        prover.node_limit = 10_000;
        let holds = if score > 0 { prover.wins(me, plies) } else { prover.holds(!me, plies) };
        assert!(
            holds,
            "{me:?}: {score}, {:?} {:?}\n{}",
            position.threat_level(),
            answer.info.pv,
            table.picture()
        );
        claims[usize::from(score > 0)] += usize::from(prover.nodes <= prover.node_limit);
    });
    println!("{} search losses, wins {claims:?}", R::ID);
    claims
}

/// Checks wins by threats: short ones by the prover, all of them by playing them
/// out against random replies, half of the time from those the engine would try.
fn check_proofs<R: Rule>(n: usize) -> [usize; 2] {
    let mut claims = [0; 2];
    let mut random = Random::new(71);
    for_positions::<R>(n, 67, |table, me| {
        let mut engine = engine(1 << 20, &Params::default());
        let mut prove = |position: &Five<R>, nodes| {
            let proof = engine.vct(&SearchablePosition(position.clone()), &Request::nodes(nodes));
            proof.expect("a table and a thread")
        };
        let mut start = five::<R>(table, me);
        if start.verdict() != Verdict::Unknown {
            return;
        }
        let Some((first, plies)) = prove(&start, 2_000) else {
            return;
        };
        let mut prover = Prover::new(table.referee.clone());
        assert!(prover.legal(me).contains(&first.cell()), "a foul\n{}", table.picture());
        if plies <= 7 {
            prover.node_limit = 10_000;
            prover.put(me, first.cell());
            assert!(prover.holds(me, plies - 1), "{first:?} in {plies}\n{}", table.picture());
            prover.back();
            claims[0] += usize::from(prover.nodes <= prover.node_limit);
        }
        for _ in 0..6 {
            let (mut position, mut referee) = (start.clone(), table.referee.clone());
            loop {
                if matches!(position.verdict(), Verdict::Win(_)) {
                    // Static verdicts have a test of their own.
                    break;
                }
                // The engine may find another win than before, and a longer one.
                let proof = prove(&position, 20_000);
                let (m, _) = proof.expect("the win goes on");
                referee.set_up(m.cell(), Stone::Of(me)).expect("a legal move");
                position.make(m);
                let mut list = MoveList::new();
                if random.once_in(2) {
                    position.moves(GenType::Main, &mut list);
                }
                let replies: Vec<Cell> = if list.is_empty() {
                    position.board().empty().iter().collect()
                } else {
                    list.iter().map(|entry| entry.m.cell()).collect()
                };
                let legal = |c: &Cell| !referee.fouls(!me, *c).any();
                let replies: Vec<Cell> = replies.into_iter().filter(legal).collect();
                if replies.is_empty() {
                    break;
                }
                let reply = replies[random.below(replies.len())];
                assert!(!referee.wins(!me, reply), "the opponent wins first\n{}", table.picture());
                referee.set_up(reply, Stone::Of(!me)).expect("a legal reply");
                position.make(Move::at(reply));
            }
        }
        claims[1] += 1;
    });
    println!("{} short and all wins by threats {claims:?}", R::ID);
    claims
}

/// White wins here. A search that was stopped had seen only its first move lose,
/// and claimed a loss.
#[test]
fn a_loss_is_not_claimed_before_all_moves_are_searched() {
    let setup = Setup::new(RuleId::Standard, 15, 15).expect("a board");
    let moves = "j10 m7 m10 i8 k8 n7 n9 l11 n11 l9 j9 l10 l8 i10 i11 j11 h9 k9 i9 m8 k10 k7 l7 m6 \
                 m5 g9 l12 k11 j12 i7 j8 j6 h8";
    let mut engine = engine(16 << 20, &Params::default());
    let mut game = GameState::new(Contest::five(setup));
    for label in moves.split(' ') {
        let (column, row) = (label.as_bytes()[0] - b'a', label[1..].parse::<usize>());
        let cell = Cell::new(column.into(), row.expect("a row") - 1);
        game.apply(&Action::stone(cell)).expect("a legal move");
    }
    let position = position_of(&game, &WeightSet::default());
    for nodes in (15_000..30_000).step_by(500) {
        engine.hash().clear();
        engine.forget();
        let answer = engine.go(&*position, &Request::nodes(nodes), &mut |_| {}).expect("memory");
        assert!(answer.info.score > -PROVEN, "{nodes} nodes: {}", answer.info.score);
    }
}

/// In Caro a stone beside a five need not stop it: White's four at g5 only
/// touches the point f4 where Black then makes a five in the row.
#[test]
fn a_stone_beside_a_five_may_not_stop_it() {
    let table = Table::<Caro>::of(&[
        ".........",
        "...XX....",
        "..X.OX...",
        ".....XXO.",
        "...OOO...",
        "..XXX.XO.",
        ".........",
        ".........",
        ".........",
    ]);
    let mut board = table.board.clone();
    let meter = &mut Meter::nodes(1_000);
    let found = Vcf::default().solve(&mut board, Color::White, meter);
    assert_eq!(found, Found::Nothing, "{}", table.picture());
}

/// Two four-threes that no single stone stops win in six plies, not four.
#[test]
fn two_four_threes_are_not_as_fast_as_an_open_four() {
    let table = Table::<Freestyle>::of(&[
        ".....X..", "....X...", "...XO...", "....X.OX", ".....XXO", "...XO..X", "..X...O.",
        "...XX...",
    ]);
    let position = five::<Freestyle>(&table, Color::White);
    let score = search_position(&position, &limits(4), &Params::default()).info.score;
    let plies = plies_to_end(score).expect("a loss");
    let mut prover = Prover::new(table.referee.clone());
    assert!(score < 0 && prover.holds(Color::Black, plies), "{score}");
}

/// White may meet Black's four and three by turning the point of the open four
/// into a foul, with a stone that touches neither line.
#[test]
fn a_stone_may_turn_a_point_into_a_foul() {
    let table = Table::<Renju>::of(&[
        "..O.XXO.", "...XX.XO", "..OXXOX.", "......O.", ".....X..", "....O...", "........",
        "........",
    ]);
    assert!(table.board.count(Color::Black, Class::FourThree) > 0);
    let found = threat::defences(&table.board, Color::White);
    let reply = Cell::new(7, 6);
    assert!(found.is_none_or(|set| set.contains(reply)), "{found:?}\n{}", table.picture());
}

/// Black's four here looks like a foul and is none.
#[test]
fn a_four_that_looks_like_a_foul_forces_too() {
    let table = Table::<Renju>::of(&[
        "..X.....", ".XXX....", "XOXXX...", "X.X.X.O.", ".X.X....", "..X.....", "..X.X...",
        "........",
    ]);
    let four = Cell::new(4, 4);
    assert_eq!(table.board.class(Color::Black, four), Class::FoulSuspect);
    assert!(!table.referee.fouls(Color::Black, four).any());
    let mut list = MoveList::new();
    five::<Renju>(&table, Color::Black).moves(GenType::Fours, &mut list);
    assert!(list.iter().any(|entry| entry.m.cell() == four), "{}", table.picture());
}

macro_rules! for_rules {
    ($($name:ident $rule:ty),*) => { $(
        mod $name {
            use super::*;
            #[test]
            fn verdicts() {
                let claims = check_verdicts::<$rule>(160);
                assert!(enough(claims.win5 > 10 && claims.loss2 > 2), "{claims:?}");
            }
            #[test]
            fn defences() {
                let claims = check_defences::<$rule>(160);
                assert!(enough(claims.iter().all(|&n| n > 2)), "{claims:?}");
            }
            #[test]
            fn fours() {
                let [fours, strong] = check_fours::<$rule>(160);
                assert!(enough(strong > 100 && fours > strong + 100), "{fours} {strong}");
            }
            #[test]
            fn search() {
                let [losses, wins] = check_search::<$rule>(80);
                assert!(enough(losses > 0 && wins > 10), "{losses} {wins}");
            }
            #[test]
            fn proofs() {
                let [short, all] = check_proofs::<$rule>(160);
                assert!(enough(short > 5 && all > 10), "{short} {all}");
            }
            #[test]
            fn vcf() {
                let (wins, none) = check_vcf::<$rule>(160);
                assert!(enough(wins > 5 && none > 5), "{wins} {none}");
            }
            #[test]
            fn zones() {
                let [zones, left_out, _] = check_zones::<$rule>(160);
                assert!(enough(zones > 10 && left_out > 50), "{zones} {left_out}");
            }
        }
    )* };
}

for_rules!(
    freestyle Freestyle, standard Standard, renju Renju, renju_overline RenjuOverline,
    early_renju EarlyRenju, renju_both RenjuBoth, double_three StandardDoubleThree,
    renju_overline_both RenjuOverlineBoth, renju_1899 Renju1899, renju_1903 Renju1903,
    renju_1916 Renju1916, caro Caro, caro_exact CaroExact
);
