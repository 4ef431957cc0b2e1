//! Codes and classes. The code of a cell numbers the multiset of a colour's four line
//! classes there; the class is what a stone of that colour would make over all four
//! lines.

use std::sync::OnceLock;

use super::LineClass;
use goren_core::rules::{Excuse, Fouls};
use goren_core::types::Color;

/// Number of a multiset of four line classes: below [`CODES`], or [`STONE`].
pub type Code = u16;

/// Number of codes: multisets of four out of fifteen line classes, `C(18, 4)`.
pub const CODES: usize = 3060;
/// Code of a cell that is not empty.
pub const STONE: Code = CODES as Code;
/// Size of tables indexed by a code: a power of two, so that masking the index replaces
/// the bounds check.
pub(crate) const TABLE_SIZE: usize = 4096;

/// What a stone on an empty cell would make, over all four lines. In ascending order of
/// strength up to [`Class::Five`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// None of the others.
    None = 0,
    /// An open one or a closed two.
    One,
    /// An open two.
    Two,
    /// A closed three.
    ClosedThree,
    /// Two or more open twos or closed threes.
    TwoTwos,
    /// An open three.
    Three,
    /// An open three and an open two or a closed three.
    ThreePlus,
    /// Two or more open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and an open two or a closed three.
    FourPlus,
    /// A four and an open three.
    FourThree,
    /// An open four, or two or more fours.
    OpenFour,
    /// A five.
    Five,
    /// Perhaps a foul: an overline, a double four, or what looks like a double three.
    /// `board/foul.rs` decides, as a three may be false and a double three excused.
    FoulSuspect,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 14;

    /// Whether a stone of this class makes a four or open four and is certainly no
    /// foul.
    #[inline]
    pub const fn is_four(self) -> bool {
        matches!(self, Class::Four | Class::FourPlus | Class::FourThree | Class::OpenFour)
    }
}

/// A cell as one colour sees it, in 16 bits: its code in the low 12, the rank of its
/// class in the high 4. The census needs an update only if the rank of a cell changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark(u16);

impl Mark {
    const fn new(code: Code, class: Class) -> Mark {
        Mark(code | (rank_of(class) as u16) << 12)
    }
}

/// Number of ranks, rounded up to a power of two.
pub const RANKS: usize = 16;

/// Returns the rank of a class, below [`RANKS`]: 0 for classes weaker than [`Class::Three`],
/// which the census does not count; 1 for [`Class::Three`], and one more for each class above.
#[inline]
pub const fn rank_of(class: Class) -> usize {
    (class as usize + 1).saturating_sub(Class::Three as usize)
}

/// Code and class rank of a cell for both colours: Black's in the low half word,
/// White's in the high one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Marks(u32);

impl Marks {
    /// The marks of a cell that is not empty: code [`STONE`] and rank 0 for both
    /// colours.
    pub const STONE: Marks = Marks::new(Mark(STONE), Mark(STONE));

    #[inline]
    pub(super) const fn new(black: Mark, white: Mark) -> Marks {
        Marks(black.0 as u32 | (white.0 as u32) << 16)
    }

    /// Returns the codes for Black and White.
    #[inline]
    pub const fn codes(self) -> [Code; 2] {
        let mask = TABLE_SIZE as u32 - 1;
        [(self.0 & mask) as Code, (self.0 >> 16 & mask) as Code]
    }

    /// Returns the code for one colour, by a shift: indexing an array of both codes would
    /// spill it to memory.
    #[inline]
    pub const fn code(self, color: Color) -> Code {
        (self.0 >> (16 * color.index()) & (TABLE_SIZE as u32 - 1)) as Code
    }

    /// Returns the rank of the class for Black (`color` 0) or White (1).
    #[inline]
    pub const fn rank(self, color: usize) -> usize {
        (self.0 >> (16 * color + 12)) as usize % RANKS
    }

    /// Returns the bits in which the ranks differ: the low half word is 0 if Black's rank is
    /// the same, the high one if White's is.
    #[inline]
    pub const fn rank_changes(self, other: Marks) -> u32 {
        (self.0 ^ other.0) & 0xf000_f000
    }
}

/// Marks of one colour, indexed by its four line classes, four bits each.
pub(super) type MarkTable = [Mark; 1 << 16];

/// Returns the mark table of a colour with these fouls, built at the first call and shared
/// by all rules.
pub(super) fn mark_table(fouls: Fouls, excuse: Excuse) -> &'static MarkTable {
    static TABLES: [OnceLock<Box<MarkTable>>; 8] = [const { OnceLock::new() }; 8];
    let of_fouls = 4 * (excuse != Excuse::None) as usize
        + 2 * fouls.double_four as usize
        + fouls.double_three as usize;
    TABLES[of_fouls].get_or_init(|| {
        let mark = |code| Mark::new(code as Code, class_of(code as Code, fouls, excuse));
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

/// Returns the code of four line classes, in any order.
pub fn code_number(lines: [LineClass; 4]) -> Code {
    number(lines.map(|line| line as usize))
}

/// Computes the number of a multiset in the combinatorial number system: the sum of
/// `C(line[i] + i, i + 1)` over its members in ascending order.
fn number(mut lines: [usize; 4]) -> Code {
    lines.sort_unstable();
    let choose = |n: usize, k: usize| (0..k).fold(1, |acc, i| acc * (n - i) / (i + 1));
    let rank = |(i, &line): (usize, &usize)| choose(line + i, i + 1);
    lines.iter().enumerate().map(rank).sum::<usize>() as Code
}

/// Returns the four line classes of a code, in ascending order.
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

/// Computes the class of every code for a colour with these fouls.
pub(super) fn class_table(fouls: Fouls, excuse: Excuse) -> Box<[Class; TABLE_SIZE]> {
    let mut table = Box::new([Class::None; TABLE_SIZE]);
    for code in 0..CODES {
        table[code] = class_of(code as Code, fouls, excuse);
    }
    table
}

/// Returns the class of a code for a colour with these fouls. If answering a four excuses a
/// double three, the class of a double three is [`Class::FoulSuspect`]: a code does not show
/// whether the stone answers a four.
pub fn class_of(code: Code, fouls: Fouls, excuse: Excuse) -> Class {
    class(code_lines(code), fouls, excuse)
}

fn class(lines: [LineClass; 4], fouls: Fouls, excuse: Excuse) -> Class {
    let n = |pick: fn(LineClass) -> bool| lines.iter().filter(|&&l| pick(l)).count();
    let open_fours = n(|l| l == LineClass::OpenFour);
    // Two fours in one line count as two, whether or not double fours are fouls.
    let double_fours = n(|l| l == LineClass::DoubleFour);
    let fours = n(|l| l == LineClass::Four) + 2 * double_fours;
    let threes = n(LineClass::is_open_three);
    let closed_threes = n(|l| l == LineClass::ClosedThree);
    let twos = n(|l| matches!(l, LineClass::OpenTwoA | LineClass::OpenTwoB | LineClass::OpenTwoC));
    let small = closed_threes + twos;
    if n(|l| l == LineClass::Five) > 0 {
        return Class::Five;
    }
    let excused = excuse != Excuse::None && open_fours + fours > 0;
    if n(|l| l == LineClass::Overline) > 0
        || fouls.double_four && open_fours + fours >= 2
        || fouls.double_three && threes >= 2 && !excused
    {
        return Class::FoulSuspect;
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
    fn codes_number_the_multisets_without_gaps() {
        let early = Fouls { double_four: false, ..Fouls::ALL };
        for (fouls, excuse) in [
            (Fouls::NONE, Excuse::None),
            (Fouls::ALL, Excuse::None),
            (early, Excuse::None),
            (early, Excuse::Four),
        ] {
            let table = mark_table(fouls, excuse);
            let mut seen = vec![false; CODES];
            for lines in 0..15usize.pow(4) {
                let l = [lines % 15, lines / 15 % 15, lines / 225 % 15, lines / 3375];
                let mark = table[l[0] | l[1] << 4 | l[2] << 8 | l[3] << 12];
                let marks = Marks::new(mark, Mark(STONE));
                let code = marks.codes()[0];
                let exchanged = Marks::new(Mark(STONE), mark);
                assert_eq!(exchanged.codes(), [STONE, code]);
                assert_eq!(
                    [marks, exchanged].map(|marks| Color::ALL.map(|c| marks.code(c))),
                    [marks.codes(), exchanged.codes()]
                );
                let mut sorted = l;
                sorted.sort_unstable();
                assert_eq!(code_lines(code).map(|l| l as usize), sorted);
                assert_eq!(code_number(code_lines(code)), code);
                let class = class_of(code, fouls, excuse);
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
        let class = |lines, fouls| class(lines, fouls, Excuse::None);
        assert_eq!(class([Overline, Five, DoubleFour, OpenThree], Fouls::ALL), Class::Five);
        assert_eq!(class([OpenThree, OpenThree, Dead, Dead], Fouls::ALL), Class::FoulSuspect);
        assert_eq!(class([OpenThree, OpenThree, Dead, Dead], Fouls::NONE), Class::DoubleThree);
        assert_eq!(class([Four, OpenFour, Dead, Dead], Fouls::ALL), Class::FoulSuspect);
        assert_eq!(class([Four, Four, Dead, Dead], Fouls::NONE), Class::OpenFour);
        assert_eq!(class([Four, StrongOpenThree, Dead, Dead], Fouls::ALL), Class::FourThree);
    }

    #[test]
    fn a_four_excuses_two_threes() {
        use LineClass::*;
        let fouls = Fouls { double_three: true, ..Fouls::NONE };
        for (lines, unexcused, excused) in [
            ([OpenThree, OpenThree, Four, Dead], Class::FoulSuspect, Class::FourThree),
            ([OpenThree, OpenThree, OpenFour, Dead], Class::FoulSuspect, Class::OpenFour),
            ([OpenThree, OpenThree, DoubleFour, Dead], Class::FoulSuspect, Class::OpenFour),
            ([OpenThree, OpenThree, Dead, Dead], Class::FoulSuspect, Class::FoulSuspect),
            ([Overline, OpenThree, Four, Dead], Class::FoulSuspect, Class::FoulSuspect),
        ] {
            assert_eq!(class(lines, fouls, Excuse::None), unexcused, "{lines:?}");
            for excuse in [Excuse::Four, Excuse::FourOrDefence] {
                assert_eq!(class(lines, fouls, excuse), excused, "{lines:?}");
            }
        }
    }
}
