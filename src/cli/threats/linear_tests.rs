//! Linear threats against the examples of the paper, the tables of the fast board and the
//! fouls of the referee.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::linear::*;
use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{Rule, RuleId, Setup, Visitor, with_rule};
use goren_core::types::{Cell, Color, DIRECTIONS, Direction, Stone};
use goren_engine::board::Board;
use goren_engine::pattern::{LineClass, Tables};

/// Reads a board of `x`, `o` and dots, in which other signs name empty cells.
fn board(rule: RuleId, rows: &[&str]) -> (FiveReferee, Vec<(char, Cell)>) {
    let setup = Setup::new(rule, rows[0].len(), rows.len()).unwrap();
    let (mut referee, mut names) = (FiveReferee::new(setup), Vec::new());
    for (y, row) in rows.iter().enumerate() {
        for (x, sign) in row.chars().enumerate() {
            let color = match sign {
                'x' => Color::Black,
                'o' => Color::White,
                '.' => continue,
                name => {
                    names.push((name, Cell::new(x, y)));
                    continue;
                }
            };
            referee.set_up(Cell::new(x, y), Stone::Of(color)).unwrap();
        }
    }
    (referee, names)
}

/// Returns the threats of the cell `name`, such as `Row P21`.
fn seen(rule: RuleId, rows: &[&str], name: char) -> Vec<String> {
    let (referee, names) = board(rule, rows);
    let cell = names.iter().find(|(sign, _)| *sign == name).unwrap().1;
    let text =
        |threat: &LinearThreat| format!("{:?} {}", threat.direction, threat.shape.notation());
    let is_strong = |threat: &&LinearThreat| threat.shape.rank() >= LinearShape::P(1, 1).rank();
    threats(&referee, cell, Color::Black).iter().filter(is_strong).map(text).collect()
}

/// Returns the threat of cell A in a row on an otherwise empty board.
fn row(rule: RuleId, row: &str) -> String {
    let blank = ".".repeat(row.len());
    let (referee, names) = board(rule, &[&blank, &blank, row, &blank, &blank]);
    let threat = threat(&referee, names[0].1, Direction::Row, Color::Black);
    threat.map_or("-".into(), |threat| threat.shape.notation())
}

#[test]
fn weights_and_types_are_those_of_the_paper() {
    // "P31 corresponds to the renju notion unstopped 4, P32 stopped 4, P22
    // stopped 3"; the table of examples is lost.
    for rule in [RuleId::Freestyle, RuleId::Standard, RuleId::Renju] {
        for (line, expected) in [
            ("...xxxxA...", "P42"),
            ("...xxxA....", "P31"),
            ("..oxxxA....", "P32"),
            ("...xx.xA...", "P32"),
            ("...xxA.....", "P21"),
            ("..oxxA.....", "P22"),
            (".o.xxA..o..", "P21"),
            (".o.xxA.o...", "P22"),
            ("...xA......", "P11"),
            ("..oxA......", "P12"),
            ("....A......", "P01"),
            ("....A", "P02"),
            ("ooooAoooo..", "-"),
        ] {
            assert_eq!(row(rule, line), expected, "{rule} {line}");
        }
    }
}

#[test]
fn the_first_forks_of_the_paper() {
    // 1) xxA and two stones below. The blanks of the text are lost; here they are below A.
    let first =
        [".........", ".........", ".........", "..xxA....", "....x....", "....x....", "........."];
    // 2) "Even though the horizontal threat in (2) looks weak it's still a
    // P21×P21 fork": two lines that have two empty cells in common, but are
    // two cells apart.
    let second =
        [".........", ".........", ".........", ".x..xA.xo", ".....x...", ".....x...", "........."];
    for rows in [first, second] {
        let both = ["Row P21", "Column P21"];
        assert_eq!(seen(RuleId::Freestyle, &rows, 'A'), both);
    }
    assert_eq!(seen(RuleId::Renju, &first, 'A'), ["Row P21", "Column P21"]);
    // For Black in renju the lines must be one cell apart.
    assert_eq!(seen(RuleId::Renju, &second, 'A'), ["Row P22", "Column P21"]);
}

#[test]
fn a_foul_of_the_paper_makes_a_three_false() {
    // "inter-line distance = 1".
    assert_eq!(row(RuleId::Renju, "..xx.A...."), "P21");
    // "Square 1 here is a fall, so the threat lies in square A - P22": in the text the column
    // above 1 has two stones and a gap, which make only a three with 1; the stone below 1
    // makes it a four.
    let rows = [
        "..........",
        "....x.....",
        "....x.....",
        "..........",
        "..xx1A....",
        "....x.....",
        "..........",
    ];
    assert_eq!(seen(RuleId::Renju, &rows, 'A')[0], "Row P22");
    assert_eq!(seen(RuleId::Freestyle, &rows, 'A')[0], "Row P21");
    let (referee, names) = board(RuleId::Renju, &rows);
    let [(_, foul), (_, a)] = names[..] else { panic!("two names") };
    let false_three = threat(&referee, a, Direction::Row, Color::Black).unwrap();
    assert_eq!((false_three.next, false_three.spoilt), (vec![], vec![foul]));
    // Without the lower stone there is no foul.
    let legal = rows.map(|row| if row == "....x....." { ".........." } else { row });
    assert_eq!(seen(RuleId::Renju, &legal, 'A')[0], "Row P21");
}

#[test]
fn the_crossing_of_the_spatial_fork_is_p22_twice() {
    assert_eq!(seen(RuleId::Freestyle, &SPATIAL, 'A'), ["Column P22", "AntiDiagonal P22"]);
    assert_eq!(seen(RuleId::Freestyle, &SPATIAL, '1'), ["Row P11", "Column P22"]);
}

/// The position of section 3, as printed in the text.
const SPATIAL: [&str; 13] = [
    ".............",
    ".............",
    ".............",
    "....o....o...",
    "....x...x....",
    "....x..x.....",
    "....1.2x.....",
    ".............",
    "....A........",
    ".............",
    ".............",
    ".............",
    ".............",
];

#[test]
fn two_fours_in_one_line_are_open_without_fouls_and_a_foul_in_renju() {
    for line in ["..x.xAx.x..", "..xx.Ax.xx.", "..xxx.A.xxx"] {
        assert_eq!(row(RuleId::Freestyle, line), "P31", "{line}");
        assert_eq!(row(RuleId::Renju, line), "P32×P32", "{line}");
    }
    assert_eq!(row(RuleId::Renju, "..xxxAxx..."), "-");
    assert_eq!(row(RuleId::Freestyle, "..xxxAxx..."), "P42");
}

#[test]
fn in_caro_the_ends_count() {
    assert_eq!(row(RuleId::Caro, "..xxxA....."), "P31");
    // An opponent stone at the right end of the right five leaves the left five.
    assert_eq!(row(RuleId::Caro, ".oxxxA....."), "P32");
    // One at the left end of both spoils both.
    assert_eq!(row(RuleId::Caro, "o.xxxA.o..."), "P32");
    assert_eq!(row(RuleId::Freestyle, "o.xxxA.o..."), "P31");
}

/// Returns a position of random stones, `blacks` percent of them black.
fn random_position(rule: RuleId, random: &mut SmallRng) -> FiveReferee {
    let (width, height) = (random.random_range(5..=12), random.random_range(5..=12));
    let mut referee = FiveReferee::new(Setup::new(rule, width, height).unwrap());
    let stones = width * height * random.random_range(8..45) / 100;
    let blacks = random.random_range(30..90);
    for _ in 0..stones {
        let cell = Cell::new(random.random_range(0..width), random.random_range(0..height));
        let color = Color::ALL[usize::from(random.random_range(0..100) >= blacks)];
        let stone = if random.random_range(0..50) == 0 { Stone::Wall } else { Stone::Of(color) };
        if referee.is_empty(cell) {
            referee.set_up(cell, stone).unwrap();
        }
    }
    referee
}

fn picture(referee: &FiveReferee) -> String {
    let setup = referee.setup();
    let sign = |cell| match referee.stone(cell) {
        Some(Stone::Of(Color::Black)) => 'x',
        Some(Stone::Of(Color::White)) => 'o',
        Some(Stone::Wall) => '#',
        None => '.',
    };
    let row = |y| (0..setup.width).map(|x| sign(Cell::new(x, y))).collect::<String>();
    (0..setup.height).map(row).collect::<Vec<_>>().join("\n")
}

/// Returns the classes that a shape may have on the fast board.
fn classes(shape: LinearShape) -> &'static [LineClass] {
    match shape {
        LinearShape::P(4.., _) => &[LineClass::Five],
        LinearShape::P(3, 1) => &[LineClass::OpenFour],
        LinearShape::P(3, _) => &[LineClass::Four],
        LinearShape::P(2, 1) => &[LineClass::OpenThree, LineClass::StrongOpenThree],
        LinearShape::P(2, _) => &[LineClass::ClosedThree],
        LinearShape::P(1, 1) => &[LineClass::OpenTwoA, LineClass::OpenTwoB, LineClass::OpenTwoC],
        LinearShape::P(1, _) => &[LineClass::ClosedTwo],
        LinearShape::P(0, 1) => &[LineClass::OpenOne],
        LinearShape::P(0, _) => &[LineClass::ClosedOne],
        LinearShape::DoubleFour => &[LineClass::DoubleFour],
        LinearShape::Overline => &[LineClass::Overline],
    }
}

/// Tests all rows around an empty cell on an otherwise empty board.
struct Rows(RuleId);

impl Visitor for Rows {
    type Out = [usize; 11];

    fn visit<R: Rule>(self) -> [usize; 11] {
        const SIDE: usize = 11;
        let middle = Cell::new(SIDE / 2, 2);
        let tables = Tables::of::<R>();
        let mut seen = [0; 11];
        for number in 0..3usize.pow(SIDE as u32 - 1) {
            let mut referee = FiveReferee::new(Setup::new(self.0, SIDE, 5).unwrap());
            // Two bits per cell, in the order of the row.
            let mut keys = [0, 0];
            let mut rest = number;
            for x in (0..SIDE).filter(|&x| x != middle.x()) {
                let distance = x.abs_diff(middle.x());
                let stone = [None, Some(Color::Black), Some(Color::White)][rest % 3];
                rest /= 3;
                if let Some(color) = stone {
                    referee.set_up(Cell::new(x, 2), Stone::Of(color)).unwrap();
                }
                let bits = stone.map_or(0b11, |color| color.index() + 1);
                if distance <= R::HALF {
                    let (side, place) =
                        if x < middle.x() { (0, R::HALF - distance) } else { (1, distance - 1) };
                    keys[side] |= bits << (2 * place);
                }
            }
            let class = tables.window(keys[0], keys[1]);
            for color in Color::ALL {
                let class = LineClass::from_index(usize::from(class >> (4 * color.index()) & 15));
                let found = threat(&referee, middle, Direction::Row, color);
                let expected = found.as_ref().map_or(&[LineClass::Dead][..], |t| classes(t.shape));
                assert!(expected.contains(&class), "{class:?} {found:?}\n{}", picture(&referee));
                found.iter().for_each(|threat| seen[index(threat.shape)] += 1);
            }
        }
        seen
    }
}

#[test]
fn threats_equal_the_classes_of_the_tables_in_every_row() {
    for rule in RuleId::ALL {
        let seen = with_rule(rule, Rows(rule));
        assert!(seen[..9].iter().all(|&n| n > 50), "{rule} {seen:?}");
        let fouls = seen[9..].iter().map(|&n| n > 50).collect::<Vec<_>>();
        assert_eq!(
            fouls,
            [rule.card().has_fouls(), rule.card().fouls[0].overline],
            "{rule} {seen:?}"
        );
    }
}

/// Compares a position with the fast board.
struct Comparison<'a>(&'a FiveReferee);

impl Visitor for Comparison<'_> {
    /// Number of threats, and of threes that fouls make false.
    type Out = [usize; 2];

    fn visit<R: Rule>(self) -> [usize; 2] {
        let referee = self.0;
        let mut board = Board::<R>::new(referee.setup());
        for &(cell, stone) in referee.stones() {
            match stone {
                Stone::Of(color) => board.make(cell, color),
                Stone::Wall => board.make_wall(cell),
            }
        }
        let mut seen = [0, 0];
        for cell in board.empty().iter() {
            for (color, direction) in
                Color::ALL.into_iter().flat_map(|color| DIRECTIONS.map(|dir| (color, dir)))
            {
                let class = board.cell(cell).line(direction, color);
                let Some(found) = threat(referee, cell, direction, color) else {
                    assert_eq!(class, LineClass::Dead);
                    continue;
                };
                // A line class alone does not consider fouls.
                let is_false = !found.spoilt.is_empty() && found.next.is_empty();
                let shape = if is_false { LinearShape::P(2, 1) } else { found.shape };
                let text = || format!("{cell:?} {class:?} {found:?}\n{}", picture(referee));
                assert!(classes(shape).contains(&class), "{color:?} {}", text());
                seen[0] += 1;
                seen[1] += usize::from(is_false);
            }
        }
        seen
    }
}

fn index(shape: LinearShape) -> usize {
    match shape {
        LinearShape::DoubleFour => 9,
        LinearShape::Overline => 10,
        shape => shape.rank(),
    }
}

#[test]
fn threats_equal_the_classes_of_the_fast_board() {
    let mut random = SmallRng::seed_from_u64(11);
    for rule in RuleId::ALL {
        let (mut boards, mut threats, mut false_threes) = (0, 0, 0);
        let has_fouls = rule.card().has_fouls();
        // Without double fours as fouls few threes are false.
        while threats <= 10_000 || has_fouls && false_threes <= 10 {
            let referee = random_position(rule, &mut random);
            let [all, spoilt] = with_rule(rule, Comparison(&referee));
            boards += 1;
            threats += all;
            false_threes += spoilt;
            assert!(boards < 800, "{rule}: {threats} threats, {false_threes} false threes");
        }
        assert!(has_fouls || false_threes == 0, "{rule} {false_threes}");
    }
}

#[test]
fn forks_of_the_paper_equal_the_fouls_of_the_referee() {
    let mut random = SmallRng::seed_from_u64(12);
    let mut counts = [0; 3];
    for _ in 0..400 {
        let referee = random_position(RuleId::Renju, &mut random);
        let setup = referee.setup();
        for cell in (0..setup.area()).map(|i| Cell::new(i % setup.width, i / setup.width)) {
            let fouls = referee.fouls(Color::Black, cell);
            let threats = if referee.is_empty(cell) {
                threats(&referee, cell, Color::Black)
            } else {
                continue;
            };
            let is = |shape| threats.iter().any(|threat| threat.shape == shape);
            let Fork { fours, threes } = Fork::crossing(&threats);
            let text = || format!("{cell:?} {fouls:?} {threats:?}\n{}", picture(&referee));
            if is(LinearShape::P(4, 2)) {
                assert!(!fouls.any(), "{}", text());
                continue;
            }
            // "Forks of P21xP21 and P32xP32, P32xP21xP21 types are prohibited
            // for black (as well as an overline)."
            assert_eq!(fours >= 2, fouls.double_four, "{}", text());
            assert_eq!(threes >= 2, fouls.double_three, "{}", text());
            assert_eq!(is(LinearShape::Overline), fouls.overline, "{}", text());
            let kinds = [fouls.double_four, fouls.double_three, fouls.overline];
            counts.iter_mut().zip(kinds).for_each(|(count, kind)| *count += usize::from(kind));
        }
    }
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
}

#[test]
fn notations_are_read_back() {
    for shape in LinearShape::ALL {
        assert_eq!(LinearShape::from_notation(&shape.notation().to_lowercase()), Some(shape));
    }
    assert!(LinearShape::ALL.windows(2).all(|pair| pair[0].rank() > pair[1].rank()));
    assert_eq!(LinearShape::from_notation("P41"), None);
}
