//! The board: its size, its rule, the windows of five cells and the fives.

use crate::bits::Bits;

/// The rules that this checker knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Five or more.
    Freestyle,
    /// Exactly five.
    Standard,
    /// Black exactly five and with fouls, White five or more.
    Renju,
    /// Six or more, or five unless the opponent has both ends.
    Caro,
    /// Exactly five unless the opponent has both ends.
    CaroExact,
}

impl Rule {
    /// Returns the rule with a name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Freestyle, Self::Standard, Self::Renju, Self::Caro, Self::CaroExact];
        all.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(name))
    }

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
            Self::Renju => "renju",
            Self::Caro => "caro",
            Self::CaroExact => "caro-exact",
        }
    }
}

/// Index of Black in [`Sides`]; White is 1.
pub const BLACK: usize = 0;

/// Stones by colour.
pub type Sides<const W: usize> = [Bits<W>; 2];

/// A board without stones. A cell is the bit `S * y + x`, so the order of bits is the cell order
/// of files.
#[derive(Clone, Debug)]
pub struct Grid<const W: usize, const S: usize> {
    /// The rule of the game.
    pub rule: Rule,
    /// Columns, less than `S`.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// All cells.
    pub all: Bits<W>,
}

/// The windows of one direction in which the other colour has no stone, by their first cells,
/// with the number of own stones in three bits.
#[derive(Clone, Copy)]
pub struct Windows<const W: usize> {
    step: usize,
    free: Bits<W>,
    count: [Bits<W>; 3],
}

impl<const W: usize> Windows<W> {
    #[inline(always)]
    fn new(own: Bits<W>, open: Bits<W>, step: usize) -> Self {
        let (mut stones, mut cells) = ([own; 5], open);
        let mut free = open;
        for i in 1..5 {
            stones[i] = stones[i - 1].down(step);
            cells = cells.down(step);
            free = free & cells;
        }
        let [a, b, c, d, e] = stones;
        let (ones, twos) = (a ^ b ^ c, (a & b) | (c & (a ^ b)));
        let (low, more) = (ones ^ d ^ e, (ones & d) | (e & (ones ^ d)));
        Self { step, free, count: [low, twos ^ more, twos & more] }
    }

    /// Returns the windows with `n` stones, as first cells.
    #[inline(always)]
    pub fn with(&self, n: usize) -> Bits<W> {
        let mut found = self.free;
        for (bit, count) in self.count.iter().enumerate() {
            found = found & if n >> bit & 1 == 1 { *count } else { !*count };
        }
        found
    }

    /// Returns all cells of windows, which are given as first cells.
    #[inline(always)]
    pub fn cells(&self, windows: Bits<W>) -> Bits<W> {
        let two = windows | windows.up(self.step);
        let four = two | two.up(2 * self.step);
        windows | four.up(self.step)
    }

    /// Returns the distance between neighbouring cells of a window.
    pub fn step(&self) -> usize {
        self.step
    }
}

impl<const W: usize, const S: usize> Grid<W, S> {
    /// Steps along rows, columns and both diagonals: (1, 0), (0, 1), (1, 1), and (1, -1) in the
    /// opposite direction.
    pub const STEPS: [usize; 4] = [1, S, S + 1, S - 1];

    /// Creates a board of `width` x `height` cells; `None` if it does not fit.
    pub fn new(rule: Rule, width: usize, height: usize) -> Option<Self> {
        if !(5..S).contains(&width) || height < 5 || height * S > 64 * W {
            return None;
        }
        let mut all = Bits::default();
        (0..height).for_each(|y| (0..width).for_each(|x| all.add(S * y + x)));
        Some(Self { rule, width, height, all })
    }

    /// Returns the bit of a cell number of files.
    pub fn cell(&self, number: usize) -> usize {
        S * (number / self.width) + number % self.width
    }

    /// Returns the name of a cell: column letter, row from the bottom.
    pub fn name(&self, cell: usize) -> String {
        format!("{}{}", (b'a' + (cell % S) as u8) as char, self.height - cell / S)
    }

    /// Returns the cells without a stone.
    pub fn empty(&self, sides: &Sides<W>) -> Bits<W> {
        self.all & !(sides[0] | sides[1])
    }

    /// Returns the windows without a stone of the other colour, by direction.
    #[inline(always)]
    pub fn windows(&self, sides: &Sides<W>, colour: usize) -> [Windows<W>; 4] {
        let (own, open) = (sides[colour], self.all & !sides[1 - colour]);
        [
            Windows::new(own, open, 1),
            Windows::new(own, open, S),
            Windows::new(own, open, S + 1),
            Windows::new(own, open, S - 1),
        ]
    }

    /// Returns the cell before the run through `cell`, the length of the run, and the cell
    /// after it. `cell` counts as a stone of `own`. The ends may be off the board.
    pub fn run(&self, own: &Bits<W>, cell: usize, step: usize) -> (Option<usize>, usize, usize) {
        let (mut length, mut front, mut back) = (1, cell + step, cell.checked_sub(step));
        while own.has(front) {
            (length, front) = (length + 1, front + step);
        }
        while let Some(at) = back
            && own.has(at)
        {
            (length, back) = (length + 1, at.checked_sub(step));
        }
        (back, length, front)
    }

    /// Whether a stone of `colour` on an empty cell makes a five.
    pub fn makes_five(&self, sides: &Sides<W>, colour: usize, cell: usize) -> bool {
        Self::STEPS.iter().any(|&step| {
            let (back, length, front) = self.run(&sides[colour], cell, step);
            let other = &sides[1 - colour];
            let blocked = || other.has(front) && back.is_some_and(|back| other.has(back));
            match self.rule {
                Rule::Freestyle => length >= 5,
                Rule::Standard => length == 5,
                Rule::Renju => length == 5 || length > 5 && colour != BLACK,
                Rule::Caro => length > 5 || length == 5 && !blocked(),
                Rule::CaroExact => length == 5 && !blocked(),
            }
        })
    }

    /// Returns the cells where `colour` makes a five, from its windows.
    #[inline(always)]
    pub fn fives(&self, sides: &Sides<W>, colour: usize, windows: &[Windows<W>; 4]) -> Bits<W> {
        let mut found = Bits::default();
        for line in windows {
            let four = line.with(4);
            if !four.is_empty() {
                found |= line.cells(four);
            }
        }
        if found.is_empty() {
            return found;
        }
        found = found & self.empty(sides);
        if self.rule != Rule::Freestyle {
            for cell in found.cells() {
                if !self.makes_five(sides, colour, cell) {
                    found.remove(cell);
                }
            }
        }
        found
    }

    /// Returns the cells on which a stone of the opponent could prevent the five that `colour`
    /// makes on `cell`.
    pub fn around(&self, sides: &Sides<W>, colour: usize, cell: usize) -> Bits<W> {
        let mut found = Bits::of(cell);
        if !matches!(self.rule, Rule::Caro | Rule::CaroExact) {
            return found;
        }
        let empty = self.empty(sides);
        for step in Self::STEPS {
            let (back, length, front) = self.run(&sides[colour], cell, step);
            if self.rule == Rule::Caro && length > 5 {
                return Bits::of(cell);
            }
            for end in back.into_iter().chain([front]).filter(|&end| empty.has(end)) {
                found.add(end);
            }
        }
        found
    }

    /// Whether the stones end the game: by a five, or by an overline in renju.
    pub fn ended(&self, sides: &Sides<W>) -> bool {
        (0..2).any(|colour| {
            sides[colour].cells().any(|cell| {
                let mut before = *sides;
                before[colour].remove(cell);
                let long = |step: &usize| self.run(&before[colour], cell, *step).1 > 5;
                self.makes_five(&before, colour, cell)
                    || self.rule == Rule::Renju && Self::STEPS.iter().any(long)
            })
        })
    }
}
