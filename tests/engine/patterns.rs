//! The class of every window against a computation without tables, which lays
//! windows out cell by cell, adds stones and counts runs by walking.

use goren_core::rules::referee::FiveReferee;
use goren_core::rules::{
    Caro, CaroExact, EarlyBoth, EarlyOverline, EarlyOverlineBoth, EarlyRenju, Freestyle, Renju,
    Renju1916, RenjuBoth, RenjuOverline, RenjuOverlineBoth, Rule, RuleId, Setup, Standard,
    StandardDoubleThree,
};
use goren_core::types::{Cell, Color, Stone};
use goren_engine::pattern::{LineClass, Tables};

// Cells of a window, as the two bits they take in a key.
const WALL: usize = 0;
const BLACK: usize = 1;
const WHITE: usize = 2;
const EMPTY: usize = 3;

/// Cells of a window, centre included.
struct Window {
    cells: Vec<usize>,
    centre: usize,
}

impl Window {
    fn of(key: usize, half: usize) -> Window {
        let bits = |i: usize| key >> (2 * i) & 3;
        let mut cells: Vec<usize> = (0..2 * half).map(bits).collect();
        cells.insert(half, EMPTY);
        Window { cells, centre: half }
    }

    /// Whether walls lie only beyond the edge, as on a board without dead cells.
    fn is_on_a_board(&self) -> bool {
        let inner = |side: &mut dyn Iterator<Item = &usize>| {
            side.skip_while(|&&c| c != WALL).all(|&c| c == WALL)
        };
        inner(&mut self.cells[..self.centre].iter().rev())
            && inner(&mut self.cells[self.centre + 1..].iter())
    }

    fn at(&self, i: isize) -> usize {
        usize::try_from(i).ok().and_then(|i| self.cells.get(i)).copied().unwrap_or(WALL)
    }

    /// First and last cell of the run of a stone.
    fn run(&self, at: usize) -> (isize, isize) {
        let (own, mut from, mut to) = (self.cells[at], at as isize, at as isize);
        while self.at(from - 1) == own {
            from -= 1;
        }
        while self.at(to + 1) == own {
            to += 1;
        }
        (from, to)
    }

    /// Whether the stone on `at` is in a run through the centre that wins.
    fn wins(&self, rule: RuleId, at: usize) -> bool {
        let own = self.cells[at];
        let (from, to) = self.run(at);
        if !(from..=to).contains(&(self.centre as isize)) {
            return false;
        }
        let opponent = BLACK + WHITE - own;
        let blocked = self.at(from - 1) == opponent && self.at(to + 1) == opponent;
        match to - from + 1 {
            ..5 => false,
            5 => !blocked || !matches!(rule, RuleId::Caro | RuleId::CaroExact),
            _ => wins_by_six(rule, own),
        }
    }

    fn with<T>(&mut self, at: usize, stone: usize, ask: impl FnOnce(&mut Window) -> T) -> T {
        let before = std::mem::replace(&mut self.cells[at], stone);
        let answer = ask(self);
        self.cells[at] = before;
        answer
    }

    fn empties(&self) -> impl Iterator<Item = usize> + use<> {
        let cells = self.cells.clone();
        (0..cells.len()).filter(move |&i| cells[i] == EMPTY)
    }

    /// Empty cells where one more stone wins through the centre.
    fn fives(&mut self, rule: RuleId, own: usize) -> Vec<usize> {
        self.empties().filter(|&e| self.with(e, own, |w| w.wins(rule, e))).collect()
    }

    /// Whether some single opponent stone leaves no five through the centre.
    fn can_be_stopped(&mut self, rule: RuleId, own: usize) -> bool {
        let opponent = BLACK + WHITE - own;
        self.empties().any(|e| self.with(e, opponent, |w| w.fives(rule, own).is_empty()))
    }

    /// The strong classes by counting; `None` below a four. The stone is on the
    /// centre.
    fn strong(&mut self, rule: RuleId, own: usize) -> Option<LineClass> {
        let fouls = rule.card().fouls[own - BLACK];
        let (from, to) = self.run(self.centre);
        if self.wins(rule, self.centre) {
            return Some(LineClass::Five);
        }
        if fouls.overline && to - from + 1 > 5 {
            return Some(LineClass::Overline);
        }
        let fives = self.fives(rule, own);
        if fives.is_empty() {
            None
        } else if fouls.any() {
            Some(match (fives.len(), to - from + 1) {
                (1, _) => LineClass::Four,
                (_, 4) => LineClass::OpenFour,
                _ => LineClass::DoubleFour,
            })
        } else {
            Some(if self.can_be_stopped(rule, own) { LineClass::Four } else { LineClass::OpenFour })
        }
    }

    /// Number of cells where one more stone makes a class.
    fn makers(&mut self, rule: RuleId, own: usize, class: LineClass) -> usize {
        self.empties()
            .filter(|&e| self.with(e, own, |w| w.strong(rule, own)) == Some(class))
            .count()
    }

    /// Whether stones on some of the empty cells can make a five through the
    /// centre.
    fn can_grow_to_five(&mut self, rule: RuleId, own: usize) -> bool {
        let empties: Vec<usize> = self.empties().collect();
        (0u32..1 << empties.len()).any(|pick| {
            let mut w = Window { cells: self.cells.clone(), centre: self.centre };
            for (i, &e) in empties.iter().enumerate() {
                if pick >> i & 1 != 0 {
                    w.cells[e] = own;
                }
            }
            w.wins(rule, w.centre)
        })
    }
}

/// Whether six or more in a row win.
fn wins_by_six(rule: RuleId, own: usize) -> bool {
    use RuleId::*;
    match rule {
        Freestyle | Caro => true,
        RenjuOverline | EarlyOverline | RenjuOverlineBoth | EarlyOverlineBoth => true,
        Renju1899 | Renju1903 | Renju1912 => true,
        Renju | RenjuPass | EarlyRenju | Renju1916 => own == WHITE,
        RenjuBoth | EarlyBoth | CaroExact => false,
        Standard | StandardPass | StandardFull | StandardPassFull => false,
        StandardDoubleThree | StandardPassDoubleThree => false,
        StandardFullDoubleThree | StandardPassFullDoubleThree => false,
    }
}

/// The tables of a rule, looked up with one key for a whole window: two bits a
/// cell, the cell furthest back in the lowest bits.
struct Classes {
    tables: &'static Tables,
    half: usize,
}

impl Classes {
    fn of<R: Rule>() -> Classes {
        Classes { tables: Tables::of::<R>(), half: R::HALF }
    }

    fn byte(&self, key: usize) -> u8 {
        let back = key & ((1 << (2 * self.half)) - 1);
        self.tables.window(back, key >> (2 * self.half))
    }

    /// The class for a colour.
    fn class(&self, key: usize, own: usize) -> LineClass {
        LineClass::from_index((self.byte(key) >> (4 * (own - BLACK)) & 15) as usize)
    }
}

/// Every window of a board, and every `stride`-th of those with dead cells.
fn for_windows<R: Rule>(stride: usize, mut check: impl FnMut(&Classes, usize, Window)) {
    let tables = &Classes::of::<R>();
    for key in 0..1usize << (4 * R::HALF) {
        let window = Window::of(key, R::HALF);
        if window.is_on_a_board() || key % stride == 0 {
            check(tables, key, window);
        }
    }
}

fn check_strong<R: Rule>() {
    let mut seen = [0usize; LineClass::COUNT];
    for_windows::<R>(7, |tables, key, mut window| {
        for own in [BLACK, WHITE] {
            let class = tables.class(key, own);
            seen[class as usize] += 1;
            let centre = window.centre;
            let strong = window.with(centre, own, |w| w.strong(R::ID, own));
            match strong {
                Some(strong) => assert_eq!(class, strong, "{} {:?} {own}", R::ID, window.cells),
                None => {
                    assert!(class < LineClass::Four, "{} {:?} {own} {class:?}", R::ID, window.cells)
                }
            }
        }
    });
    for class in [LineClass::Four, LineClass::OpenFour, LineClass::Five] {
        assert!(seen[class as usize] > 0);
    }
    for (class, foul) in [
        (LineClass::Overline, R::ID.card().fouls[0].overline),
        (LineClass::DoubleFour, R::ID.card().has_fouls()),
    ] {
        assert_eq!(seen[class as usize] > 0, foul, "{} {class:?}", R::ID);
    }
}

/// Checks threes by counting the stones that make fours, and dead lines by trying
/// everything. Slow, so it checks only one window in `share`.
fn check_weak<R: Rule>(share: usize) {
    let mut seen = [0usize; LineClass::COUNT];
    for_windows::<R>(usize::MAX, |tables, key, mut window| {
        // The multiplier spreads the sample over all shapes.
        if key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & (share - 1) != 0 {
            return;
        }
        for own in [BLACK, WHITE] {
            let class = tables.class(key, own);
            seen[class as usize] += 1;
            if class >= LineClass::Four {
                continue;
            }
            let centre = window.centre;
            let expected = window.with(centre, own, |w| {
                // Two fours in one line count as a four where they are no foul.
                let doubles = if R::FOULS[own - BLACK].double_four {
                    0
                } else {
                    w.makers(R::ID, own, LineClass::DoubleFour)
                };
                let fours = w.makers(R::ID, own, LineClass::Four) + doubles;
                match (w.makers(R::ID, own, LineClass::OpenFour), fours) {
                    (2.., _) => LineClass::StrongOpenThree,
                    (1, _) => LineClass::OpenThree,
                    (0, 1..) => LineClass::ClosedThree,
                    (0, 0) if w.can_grow_to_five(R::ID, own) => LineClass::ClosedOne,
                    (0, 0) => LineClass::Dead,
                }
            });
            let class = match class {
                LineClass::ClosedOne
                | LineClass::OpenOne
                | LineClass::ClosedTwo
                | LineClass::OpenTwoA
                | LineClass::OpenTwoB
                | LineClass::OpenTwoC => LineClass::ClosedOne,
                other => other,
            };
            assert_eq!(class, expected, "{} {:?} {own}", R::ID, window.cells);
        }
    });
    assert!(
        seen[LineClass::OpenThree as usize] > 0 && seen[LineClass::StrongOpenThree as usize] > 0
    );
}

fn check_symmetries<R: Rule>() {
    let tables = Classes::of::<R>();
    let cells = 2 * R::HALF;
    for key in 0..1usize << (2 * cells) {
        let cell = |i: usize| key >> (2 * i) & 3;
        let mirrored: usize = (0..cells).map(|i| cell(i) << (2 * (cells - 1 - i))).sum();
        assert_eq!(tables.byte(key), tables.byte(mirrored), "{} {key:x}", R::ID);
        if R::FOULS[0] == R::FOULS[1] {
            // Swapping the two bits of a cell swaps the colours and keeps walls and empties.
            let ones = 0x5555_5555_5555usize;
            let swapped = (key & ones) << 1 | key >> 1 & ones;
            assert_eq!(tables.byte(key).rotate_left(4), tables.byte(swapped), "{key:x}");
        }
    }
}

/// Lays windows in the middle of a real row: the tables must find a five exactly
/// where the referee does.
fn check_fives_by_the_referee<R: Rule>() {
    let (row, middle) = (3usize, 7usize);
    let setup = Setup::new(R::ID, 15, 7).unwrap();
    for_windows::<R>(usize::MAX, |tables, key, window| {
        // Walls are dead cells here: a board with its edges at the walls would need
        // another size for every window.
        let fives = [BLACK, WHITE].map(|own| tables.class(key, own) == LineClass::Five);
        if !fives.contains(&true) && !key.is_multiple_of(61) {
            return;
        }
        let mut referee = FiveReferee::new(setup);
        for (i, &cell) in window.cells.iter().enumerate() {
            let at = Cell::new(middle + i - window.centre, row);
            let stone = match cell {
                EMPTY => continue,
                WALL => Stone::Wall,
                BLACK => Stone::Of(Color::Black),
                _ => Stone::Of(Color::White),
            };
            referee.set_up(at, stone).unwrap();
        }
        let wins = Color::ALL.map(|color| referee.wins(color, Cell::new(middle, row)));
        assert_eq!(fives, wins, "{} {:?}", R::ID, window.cells);
    });
}

macro_rules! for_rules {
    ($($name:ident $rule:ty),*) => { $(
        mod $name {
            use super::*;
            #[test]
            fn fives_and_fours_by_counting() {
                check_strong::<$rule>();
            }
            #[test]
            fn threes_by_counting() {
                check_weak::<$rule>(16);
            }
            #[test]
            fn mirrors_and_colours() {
                check_symmetries::<$rule>();
            }
            #[test]
            fn fives_by_the_referee() {
                check_fives_by_the_referee::<$rule>();
            }
        }
    )* };
}

for_rules!(
    freestyle Freestyle, standard Standard, renju Renju, renju_overline RenjuOverline,
    early_renju EarlyRenju, renju_both RenjuBoth, double_three StandardDoubleThree,
    early_overline EarlyOverline, renju_overline_both RenjuOverlineBoth, early_both EarlyBoth,
    early_overline_both EarlyOverlineBoth, renju_1916 Renju1916,
    caro Caro, caro_exact CaroExact
);
