//! One number for the four line classes of a cell, whatever their order, and
//! the class of the stone that has them.

use std::sync::OnceLock;

use super::LineClass;
use goren_core::rules::Fouls;

/// Number of a multiset of four line classes, below [`CODES`].
pub type Code = u16;

/// Multisets of four out of fifteen classes: `C(18, 4)`.
pub const CODES: usize = 3060;
/// The code of a cell that is not empty.
pub const STONE: Code = CODES as Code;
/// Size of tables indexed by a code, a power of two.
pub(super) const TABLE: usize = 4096;

/// What a stone on an empty cell would be, over all four lines. Growing in
/// strength up to [`Class::Five`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// Nothing worth a name.
    None = 0,
    /// One line that could grow into a two.
    One,
    /// One open two.
    Two,
    /// One three that is not open.
    ClosedThree,
    /// Two or more twos and closed threes.
    TwoTwos,
    /// An open three.
    Three,
    /// An open three and a two or a closed three.
    ThreePlus,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and a two or a closed three.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four, or two fours.
    OpenFour,
    /// A five.
    Five,
    /// A foul, or what looks like one: two threes may turn out to be false.
    Foul,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 14;

    /// Whether a stone of this class makes a four that must be answered, and
    /// is surely no foul.
    #[inline]
    pub const fn is_four(self) -> bool {
        matches!(self, Class::Four | Class::FourPlus | Class::FourThree | Class::OpenFour)
    }
}

/// What a cell is to a colour, in sixteen bits: its code, and above it the rank
/// of its class. Cells whose rank stays need no census.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark(u16);

impl Mark {
    const fn new(code: Code, class: Class) -> Mark {
        Mark(code | (rank_of(class) as u16) << 12)
    }
}

/// Number of ranks, a power of two.
pub const RANKS: usize = 16;

/// Rank of a class, below [`RANKS`]: 0 for all that are weaker than
/// [`Class::Three`], and one for each of the others.
#[inline]
pub const fn rank_of(class: Class) -> usize {
    (class as usize + 1).saturating_sub(Class::Three as usize)
}

/// What a cell is to both colours: for each its code, and the rank of its
/// class.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Marks(u32);

impl Marks {
    /// Of a cell that is not empty: of code [`STONE`] and rank 0.
    pub const STONE: Marks = Marks::new(Mark(STONE), Mark(STONE));

    #[inline]
    pub(super) const fn new(black: Mark, white: Mark) -> Marks {
        Marks(black.0 as u32 | (white.0 as u32) << 16)
    }

    /// Codes for Black and White; [`STONE`] if the cell is not empty.
    #[inline]
    pub const fn codes(self) -> [Code; 2] {
        let mask = TABLE as u32 - 1;
        [(self.0 & mask) as Code, (self.0 >> 16 & mask) as Code]
    }

    /// Rank of the class for Black, 0, or White, 1.
    #[inline]
    pub const fn rank(self, color: usize) -> usize {
        (self.0 >> (16 * color + 12)) as usize % RANKS
    }

    /// Zero in the lower half if Black's rank is the same, in the upper half if
    /// White's is.
    #[inline]
    pub const fn rank_changes(self, other: Marks) -> u32 {
        (self.0 ^ other.0) & 0xf000_f000
    }
}

/// Marks by the four line classes of a colour, one in each four bits.
pub(super) type MarkTable = [Mark; 1 << 16];

/// The marks of a colour with some fouls. Made at the first call; all variants share
/// them.
pub(super) fn mark_table(fouls: Fouls) -> &'static MarkTable {
    static TABLES: [OnceLock<Box<MarkTable>>; 4] = [const { OnceLock::new() }; 4];
    let of_fouls = 2 * fouls.double_four as usize + fouls.double_three as usize;
    TABLES[of_fouls].get_or_init(|| {
        let mark = |code| Mark::new(code as Code, class_of(code as Code, fouls));
        let marks: Vec<Mark> = (0..CODES).map(mark).collect();
        let mut table = Box::new([Mark(STONE); 1 << 16]);
        for (key, mark) in table.iter_mut().enumerate() {
            let lines = [key & 15, key >> 4 & 15, key >> 8 & 15, key >> 12];
            if lines.iter().all(|&line| line < LineClass::COUNT) {
                *mark = marks[number(lines) as usize];
            }
        }
        table
    })
}

/// The code of four classes, in any order.
pub fn code_number(lines: [LineClass; 4]) -> Code {
    number(lines.map(|line| line as usize))
}

/// Number of a multiset: the combinatorial number system over its sorted
/// members.
fn number(mut lines: [usize; 4]) -> Code {
    lines.sort_unstable();
    let choose = |n: usize, k: usize| (0..k).fold(1, |acc, i| acc * (n - i) / (i + 1));
    let rank = |(i, &line): (usize, &usize)| choose(line + i, i + 1);
    lines.iter().enumerate().map(rank).sum::<usize>() as Code
}

/// The four classes of a code, weakest first.
pub fn code_lines(code: Code) -> [LineClass; 4] {
    let choose = |n: usize, k: usize| (0..k).fold(1, |acc, i| acc * (n - i) / (i + 1));
    let mut rest = code as usize;
    let mut lines = [LineClass::Dead; 4];
    for i in (0..4).rev() {
        let line = (0..LineClass::COUNT).rev().find(|&l| choose(l + i, i + 1) <= rest).unwrap_or(0);
        rest -= choose(line + i, i + 1);
        lines[i] = LineClass::from_index(line);
    }
    lines
}

/// Class of every code for a colour with some fouls.
pub(super) fn class_table(fouls: Fouls) -> Box<[Class; TABLE]> {
    let mut table = Box::new([Class::None; TABLE]);
    for code in 0..CODES {
        table[code] = class_of(code as Code, fouls);
    }
    table
}

/// Class of a code for a colour with some fouls.
pub fn class_of(code: Code, fouls: Fouls) -> Class {
    class(code_lines(code), fouls)
}

fn class(lines: [LineClass; 4], fouls: Fouls) -> Class {
    let n = |pick: fn(LineClass) -> bool| lines.iter().filter(|&&l| pick(l)).count();
    let open_fours = n(|l| l == LineClass::OpenFour);
    // Where they are no foul, two fours in one line are just that.
    let double_fours = n(|l| l == LineClass::DoubleFour);
    let fours = n(|l| l == LineClass::Four) + 2 * double_fours;
    let threes = n(|l| matches!(l, LineClass::OpenThree | LineClass::StrongOpenThree));
    let closed_threes = n(|l| l == LineClass::ClosedThree);
    let twos = n(|l| matches!(l, LineClass::OpenTwoA | LineClass::OpenTwoB | LineClass::OpenTwoC));
    let small = closed_threes + twos;
    if n(|l| l == LineClass::Five) > 0 {
        return Class::Five;
    }
    if n(|l| l == LineClass::Overline) > 0
        || fouls.double_four && open_fours + fours >= 2
        || fouls.double_three && threes >= 2
    {
        return Class::Foul;
    }
    if open_fours > 0 || fours >= 2 {
        Class::OpenFour
    } else if fours > 0 && threes > 0 {
        Class::FourThree
    } else if fours > 0 && small > 0 {
        Class::FourPlus
    } else if fours > 0 {
        Class::Four
    } else if threes >= 2 {
        Class::DoubleThree
    } else if threes > 0 && small > 0 {
        Class::ThreePlus
    } else if threes > 0 {
        Class::Three
    } else if small >= 2 {
        Class::TwoTwos
    } else if closed_threes > 0 {
        Class::ClosedThree
    } else if twos > 0 {
        Class::Two
    } else if lines.iter().any(|&l| matches!(l, LineClass::OpenOne | LineClass::ClosedTwo)) {
        Class::One
    } else {
        Class::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_number_the_multisets_without_a_gap() {
        for fouls in [Fouls::NONE, Fouls::ALL, Fouls { double_four: false, ..Fouls::ALL }] {
            let table = mark_table(fouls);
            let mut seen = vec![false; CODES];
            for lines in 0..15usize.pow(4) {
                let l = [lines % 15, lines / 15 % 15, lines / 225 % 15, lines / 3375];
                let mark = table[l[0] | l[1] << 4 | l[2] << 8 | l[3] << 12];
                let marks = Marks::new(mark, Mark(STONE));
                let code = marks.codes()[0];
                assert_eq!(Marks::new(Mark(STONE), mark).codes(), [STONE, code]);
                let mut sorted = l;
                sorted.sort_unstable();
                assert_eq!(code_lines(code).map(|l| l as usize), sorted);
                assert_eq!(code_number(code_lines(code)), code);
                let class = class_of(code, fouls);
                assert_eq!((marks.rank(0), marks.rank(1)), (rank_of(class), 0));
                assert_eq!(marks.rank(0) > 0, class >= Class::Three);
                assert_eq!(marks.rank_changes(Marks::STONE) != 0, class >= Class::Three);
                seen[code as usize] = true;
            }
            assert!(seen.iter().all(|&s| s));
        }
    }

    #[test]
    fn a_five_overrides_fouls_and_two_threes_are_suspect() {
        use LineClass::*;
        assert_eq!(class([Overline, Five, DoubleFour, OpenThree], Fouls::ALL), Class::Five);
        assert_eq!(class([OpenThree, OpenThree, Dead, Dead], Fouls::ALL), Class::Foul);
        assert_eq!(class([OpenThree, OpenThree, Dead, Dead], Fouls::NONE), Class::DoubleThree);
        assert_eq!(class([Four, OpenFour, Dead, Dead], Fouls::ALL), Class::Foul);
        assert_eq!(class([Four, Four, Dead, Dead], Fouls::NONE), Class::OpenFour);
        assert_eq!(class([Four, StrongOpenThree, Dead, Dead], Fouls::ALL), Class::FourThree);
    }
}
