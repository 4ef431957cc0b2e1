//! One number for the four line classes of a cell, whatever their order, and
//! the class of the stone that has them.

use super::Line;

/// Number of a multiset of four line classes, below [`CODES`].
pub type Code = u16;

/// Multisets of four out of fifteen classes: `C(18, 4)`.
pub const CODES: usize = 3060;
/// The code of a cell that is not empty.
pub const STONE: Code = CODES as Code;
/// Size of tables indexed by a code, a power of two.
pub(super) const TABLE: usize = 4096;

/// Multisets of two out of fifteen classes.
const PAIRS: usize = 120;

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

pub(super) struct CodeTable {
    /// Pair number of two classes, each below 16.
    pair: [u8; 256],
    /// Code of two pair numbers, each below 128.
    code: Box<[Code; 128 * 128]>,
}

impl CodeTable {
    pub(super) fn new() -> CodeTable {
        let mut pair = [0u8; 256];
        let mut pairs = Vec::with_capacity(PAIRS);
        for a in 0..Line::COUNT {
            for b in a..Line::COUNT {
                pair[a | b << 4] = pairs.len() as u8;
                pair[b | a << 4] = pairs.len() as u8;
                pairs.push((a, b));
            }
        }
        let mut code = Box::new([0; 128 * 128]);
        for (i, &(a, b)) in pairs.iter().enumerate() {
            for (j, &(c, d)) in pairs.iter().enumerate() {
                code[i << 7 | j] = number([a, b, c, d]);
            }
        }
        CodeTable { pair, code }
    }

    #[inline]
    pub(super) fn codes(&self, lines: [u8; 4]) -> [Code; 2] {
        let both = u32::from_le_bytes(lines);
        [self.code_of(both & 0x0f0f_0f0f), self.code_of(both >> 4 & 0x0f0f_0f0f)]
    }

    /// The code of one class in each byte.
    #[inline]
    fn code_of(&self, lines: u32) -> Code {
        let pairs = lines | lines >> 4;
        let first = self.pair[(pairs & 0xff) as usize] as usize;
        let second = self.pair[(pairs >> 16 & 0xff) as usize] as usize;
        self.code[(first << 7 | second) & (128 * 128 - 1)]
    }
}

/// The code of four classes, in any order.
pub fn code_number(lines: [Line; 4]) -> Code {
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
pub fn code_lines(code: Code) -> [Line; 4] {
    let choose = |n: usize, k: usize| (0..k).fold(1, |acc, i| acc * (n - i) / (i + 1));
    let mut rest = code as usize;
    let mut lines = [Line::Dead; 4];
    for i in (0..4).rev() {
        let line = (0..Line::COUNT).rev().find(|&l| choose(l + i, i + 1) <= rest).unwrap_or(0);
        rest -= choose(line + i, i + 1);
        lines[i] = Line::from_index(line);
    }
    lines
}

/// Class of every code; `fouls` if the colour has renju's fouls.
pub(super) fn class_table(fouls: bool) -> Box<[Class; TABLE]> {
    let mut table = Box::new([Class::None; TABLE]);
    for code in 0..CODES {
        table[code] = class_of(code as Code, fouls);
    }
    table
}

/// Class of a code; `fouls` if the colour has renju's fouls.
pub fn class_of(code: Code, fouls: bool) -> Class {
    class(code_lines(code), fouls)
}

fn class(lines: [Line; 4], fouls: bool) -> Class {
    let n = |pick: fn(Line) -> bool| lines.iter().filter(|&&l| pick(l)).count();
    let open_fours = n(|l| l == Line::F4);
    let fours = n(|l| l == Line::B4);
    let threes = n(|l| matches!(l, Line::F3 | Line::F3S));
    let closed_threes = n(|l| l == Line::B3);
    let twos = n(|l| matches!(l, Line::F2A | Line::F2B | Line::F2C));
    let small = closed_threes + twos;
    if n(|l| l == Line::F5) > 0 {
        return Class::Five;
    }
    if n(|l| matches!(l, Line::Overline | Line::DoubleFour)) > 0
        || fouls && (open_fours + fours >= 2 || threes >= 2)
    {
        return Class::Foul;
    }
    match () {
        () if open_fours > 0 || fours >= 2 => Class::OpenFour,
        () if fours > 0 && threes > 0 => Class::FourThree,
        () if fours > 0 && small > 0 => Class::FourPlus,
        () if fours > 0 => Class::Four,
        () if threes >= 2 => Class::DoubleThree,
        () if threes > 0 && small > 0 => Class::ThreePlus,
        () if threes > 0 => Class::Three,
        () if small >= 2 => Class::TwoTwos,
        () if closed_threes > 0 => Class::ClosedThree,
        () if twos > 0 => Class::Two,
        () if lines.iter().any(|&l| matches!(l, Line::F1 | Line::B2)) => Class::One,
        () => Class::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_number_the_multisets_without_a_gap() {
        let table = CodeTable::new();
        let mut seen = vec![false; CODES];
        for lines in 0..15usize.pow(4) {
            let l = [lines % 15, lines / 15 % 15, lines / 225 % 15, lines / 3375];
            let bytes = l.map(|l| (l | (14 - l) << 4) as u8);
            let [black, white] = table.codes(bytes);
            let mut sorted = l;
            sorted.sort_unstable();
            assert_eq!(code_lines(black).map(|l| l as usize), sorted);
            assert_eq!(code_number(code_lines(black)), black);
            let mut other = l.map(|l| 14 - l);
            other.sort_unstable();
            assert_eq!(code_lines(white).map(|l| l as usize), other);
            seen[black as usize] = true;
        }
        assert!(seen.iter().all(|&s| s));
    }

    #[test]
    fn a_five_overrides_fouls_and_two_threes_are_suspect() {
        use Line::*;
        assert_eq!(class([Overline, F5, DoubleFour, F3], true), Class::Five);
        assert_eq!(class([F3, F3, Dead, Dead], true), Class::Foul);
        assert_eq!(class([F3, F3, Dead, Dead], false), Class::DoubleThree);
        assert_eq!(class([B4, F4, Dead, Dead], true), Class::Foul);
        assert_eq!(class([B4, B4, Dead, Dead], false), Class::OpenFour);
        assert_eq!(class([B4, F3S, Dead, Dead], true), Class::FourThree);
    }
}
