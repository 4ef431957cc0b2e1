//! Forbidden points of both colours: the board's answer against the referee's, on every
//! empty point of crowded random boards of all sizes.

use crate::support::{Random, Table, enough, setting};
use goren_core::rules::referee::{Explanation, FiveReferee};
use goren_core::rules::{
    EarlyBoth, EarlyOverline, EarlyOverlineBoth, EarlyRenju, Fouls, Renju, Renju1899, Renju1903,
    Renju1912, Renju1916, RenjuBoth, RenjuOverline, RenjuOverlineBoth, Rule, RuleId, Setup,
    StandardDoubleThree,
};
use goren_core::types::{Cell, Color, DIRECTIONS, Stone};
use goren_engine::pattern::Class;

/// Counts of what the test met, to show that it is not vacuous.
#[derive(Default, Debug)]
struct Seen {
    overlines: usize,
    double_fours: usize,
    double_threes: usize,
    /// Points that the tables suspect of a foul but that have none.
    false_suspicions: usize,
}

fn check<R: Rule>(table: &Table<R>, color: Color, seen: &mut Seen) {
    for cell in table.board.empty().iter() {
        let expected = table.referee.fouls(color, cell);
        let fouls = table.board.fouls(color, cell);
        assert_eq!(fouls, expected, "{color:?} {cell:?}\n{}", table.picture());
        assert_eq!(table.board.is_forbidden(color, cell), expected.any());
        seen.overlines += usize::from(fouls.overline);
        seen.double_fours += usize::from(fouls.double_four);
        seen.double_threes += usize::from(fouls.double_three);
        let suspect = table.board.class(color, cell) == Class::FoulSuspect;
        seen.false_suspicions += usize::from(suspect && !fouls.any());
        assert!(suspect || !fouls.any());
    }
}

/// Places random stones, `share` per cent of the colour `most`; overlines and fives may
/// result.
fn scatter<R: Rule>(
    table: &mut Table<R>,
    random: &mut Random,
    stones: usize,
    (majority, share): (Color, usize),
) {
    for _ in 0..stones {
        let empty = *table.board.empty();
        if let Some(cell) = empty.iter().nth(random.below(empty.len().max(1))) {
            let color = if random.below(100) < share { majority } else { !majority };
            let stone = match random.below(60) {
                0 => Stone::Wall,
                _ => Stone::Of(color),
            };
            if empty.len() > 1 {
                table.put(cell, stone);
            }
        }
    }
}

fn fouls_on_every_size<R: Rule>(color: Color) {
    let factor = setting("GOREN_TEST_FACTOR", 1);
    let mut seen = Seen::default();
    let mut random = Random::new(factor);
    for i in 0..1200 * factor as usize {
        let (width, height) = match i % 4 {
            0 => (15, 15),
            1 => (5 + random.below(22), 5 + random.below(22)),
            2 => (9, 9),
            _ => (5 + random.below(6), 5 + random.below(6)),
        };
        let mut table = Table::<R>::new(width, height);
        let percent = 12 + random.below(40);
        let share = 50 + random.below(45);
        scatter(&mut table, &mut random, width * height * percent / 100, (color, share));
        check(&table, color, &mut seen);
    }
    println!("{} {color:?} {seen:?}", R::ID);
    let kinds = R::FOULS[color.index()];
    for (points, kind) in [
        (seen.overlines, kinds.overline),
        (seen.double_fours, kinds.double_four),
        (seen.double_threes, kinds.double_three),
    ] {
        assert!(if kind { enough(points > 300) } else { points == 0 }, "{seen:?}");
    }
    // Most false threes are false because their straight four would be a double four:
    // where that is no foul, few remain.
    let least = if kinds.double_four { 300 } else { 50 };
    assert_eq!(seen.false_suspicions > least, kinds.any(), "{seen:?}");
}

#[test]
fn fouls_agree_with_the_referee_on_every_size() {
    fouls_on_every_size::<Renju>(Color::Black);
    fouls_on_every_size::<Renju>(Color::White);
}

#[test]
fn fouls_agree_where_overlines_are_allowed() {
    fouls_on_every_size::<RenjuOverline>(Color::Black);
}

#[test]
fn fouls_agree_where_double_fours_are_allowed() {
    fouls_on_every_size::<EarlyRenju>(Color::Black);
}

#[test]
fn fouls_agree_where_both_colours_have_them() {
    for color in Color::ALL {
        fouls_on_every_size::<RenjuBoth>(color);
        fouls_on_every_size::<StandardDoubleThree>(color);
    }
}

#[test]
fn fouls_agree_under_combined_options() {
    fouls_on_every_size::<EarlyOverline>(Color::Black);
    for color in Color::ALL {
        fouls_on_every_size::<RenjuOverlineBoth>(color);
        fouls_on_every_size::<EarlyBoth>(color);
        fouls_on_every_size::<EarlyOverlineBoth>(color);
    }
}

#[test]
fn fouls_agree_under_the_rules_of_each_year() {
    for color in Color::ALL {
        fouls_on_every_size::<Renju1899>(color);
    }
    fouls_on_every_size::<Renju1903>(Color::Black);
    fouls_on_every_size::<Renju1912>(Color::Black);
    fouls_on_every_size::<Renju1916>(Color::Black);
}

/// Puts four stones of the opponent beside double threes, so that the point stops a five.
/// Returns the number of points with two threes and how many of these are no foul.
fn answers_to_fours<R: Rule>(color: Color) -> [usize; 2] {
    let mut random = Random::new(5);
    let mut seen = [0; 2];
    for _ in 0..150 {
        let mut table = Table::<R>::new(15, 15);
        scatter(&mut table, &mut random, 40, (color, 95));
        let threes = |at: &Cell| table.referee.fouls(color, *at).double_three;
        let threes: Vec<Cell> = table.board.empty().iter().filter(threes).collect();
        for (at, direction) in threes.into_iter().flat_map(|at| DIRECTIONS.map(|dir| (at, dir))) {
            let beside: Vec<Cell> = (1..5).map(|steps| at.step(direction, steps)).collect();
            if !beside.iter().all(|&cell| table.referee.is_empty(cell)) {
                continue;
            }
            beside.iter().for_each(|&cell| table.put(cell, Stone::Of(!color)));
            assert!(table.referee.wins(!color, at) && table.board.wins(!color, at));
            let fouls = table.referee.fouls(color, at);
            assert_eq!(table.board.fouls(color, at), fouls, "{}", table.picture());
            let explanation = table.referee.explain(color, at).unwrap();
            assert_eq!(explanation.fouls(), fouls, "{}", table.picture());
            seen[0] += usize::from(fouls.double_three || explanation.has_two_threes());
            seen[1] += usize::from(explanation.has_two_threes() && !fouls.any());
            beside.iter().for_each(|_| table.back());
        }
    }
    seen
}

#[test]
fn a_double_three_in_answer_to_a_four_is_no_foul_until_1912() {
    for [all, excused] in [
        answers_to_fours::<Renju1899>(Color::Black),
        answers_to_fours::<Renju1899>(Color::White),
        answers_to_fours::<Renju1903>(Color::Black),
    ] {
        assert!(all > 50 && excused == all, "{all} {excused}");
    }
    for [all, excused] in
        [answers_to_fours::<Renju1912>(Color::Black), answers_to_fours::<Renju1916>(Color::Black)]
    {
        assert!(all > 50 && excused == 0, "{all} {excused}");
    }
}

#[test]
fn other_variants_have_no_fouls() {
    for rule in RuleId::ALL.into_iter().filter(|rule| !rule.card().has_fouls()) {
        let mut referee = FiveReferee::new(Setup::new(rule, 15, 15).unwrap());
        for (x, y) in [(5, 7), (6, 7), (7, 5), (7, 6)] {
            referee.set_up(Cell::new(x, y), Stone::Of(Color::Black)).unwrap();
        }
        assert_eq!(referee.fouls(Color::Black, Cell::new(7, 7)), Fouls::default());
    }
}

/// Checks every part of an explanation: at each point that it considers, after the
/// stones that lead there, it must agree with the referee.
fn check_explanation(referee: &mut FiveReferee, explanation: &Explanation, seen: &mut [usize]) {
    let (color, at) = (explanation.color, explanation.at);
    assert_eq!(explanation.fouls(), referee.fouls(color, at), "{explanation:?}");
    assert_eq!(!explanation.fives.is_empty(), referee.wins(color, at), "{explanation:?}");
    assert!(explanation.looks_forbidden() || !explanation.fouls().any());
    let axes = explanation.threes.len();
    assert!(axes != 1, "one three is not looked into");
    seen[explanation.depth().min(seen.len() - 1)] += 1;
    referee.set_up(at, Stone::Of(color)).unwrap();
    let placed = referee.clone();
    let stands = |cell: &Cell| placed.stone(*cell) == Some(Stone::Of(color));
    for row in explanation.fives.iter().chain(&explanation.overlines) {
        assert!(row.stones.iter().all(stands) && row.stones.contains(&at));
    }
    for four in &explanation.fours {
        // Where overlines are allowed, a four may have more than four stones.
        let allowed = (referee.setup().rule.card().wins)(color, 6, false);
        let long = four.row.stones.len() > 4 && allowed;
        assert!(four.row.stones.len() == 4 || long, "{explanation:?}");
        assert!(four.row.stones.iter().all(stands));
        assert!(four.fives.iter().all(|&five| referee.wins(color, five)), "{explanation:?}");
    }
    for three in &explanation.threes {
        let stones = &three.row.stones;
        assert!(stones.len() == 3 && stones.iter().all(stands), "{explanation:?}");
        for point in &three.points {
            check_explanation(referee, point, seen);
            // The point makes a four that has two fives, or a five.
            let straight = point.fours.iter().any(|four| four.fives.len() == 2);
            assert!(straight || !point.fives.is_empty(), "{point:?}");
        }
    }
    referee.take_back();
}

fn explanations<R: Rule>(color: Color, deepest: usize) {
    let factor = setting("GOREN_TEST_FACTOR", 1);
    let mut random = Random::new(factor + 100);
    let mut seen = [0; 6];
    for i in 0..600 * factor as usize {
        let side = if i % 2 == 0 { 9 } else { 15 };
        let mut table = Table::<R>::new(side, side);
        let percent = 10 + random.below(30);
        let share = 55 + random.below(45);
        scatter(&mut table, &mut random, side * side * percent / 100, (color, share));
        for cell in table.board.empty().iter() {
            let explanation = table.referee.explain(color, cell).unwrap();
            check_explanation(&mut table.referee, &explanation, &mut seen);
        }
        let (taken, _) = table.referee.stones()[0];
        assert_eq!(table.referee.explain(color, taken), None);
    }
    println!("{seen:?}");
    assert!(enough(seen[1..=deepest].iter().all(|&count| count > 3)), "{seen:?}");
}

#[test]
fn explanations_are_true_to_any_depth() {
    explanations::<Renju>(Color::Black, 4);
    explanations::<RenjuOverline>(Color::Black, 4);
    explanations::<EarlyRenju>(Color::Black, 4);
    explanations::<RenjuBoth>(Color::White, 4);
    explanations::<StandardDoubleThree>(Color::White, 4);
    explanations::<EarlyOverline>(Color::Black, 3);
    explanations::<RenjuOverlineBoth>(Color::White, 3);
    // Where a four excuses two threes, no straight four is a double three.
    explanations::<Renju1899>(Color::White, 2);
    explanations::<Renju1903>(Color::Black, 2);
    explanations::<Renju1912>(Color::Black, 2);
    explanations::<Renju1916>(Color::Black, 2);
    for (rule, color) in [(RuleId::Standard, Color::Black), (RuleId::Renju, Color::White)] {
        let other = FiveReferee::new(Setup::new(rule, 15, 15).unwrap());
        assert_eq!(other.explain(color, Cell::new(7, 7)), None);
    }
}
