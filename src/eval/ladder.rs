//! Worths of codes built from few numbers: what the strongest line is worth,
//! the second, the rest, and what they are together.

use crate::pattern::{Class, Code, Line, class_of, code_lines};

/// Worths of line classes and of what they combine to.
#[derive(Copy, Clone, Debug)]
pub struct Ladder {
    /// Of the strongest of the four lines, by its class.
    pub first: [i16; Line::COUNT],
    /// Of the second strongest.
    pub second: [i16; Line::COUNT],
    /// Of each of the two others.
    pub rest: [i16; Line::COUNT],
    /// Of the class of the stone.
    pub class: [i16; Class::COUNT],
}

impl Ladder {
    /// Worth of a code, to a colour with or without fouls.
    pub fn worth(&self, code: Code, fouls: bool) -> i16 {
        let [d, c, b, a] = code_lines(code);
        self.first[a as usize]
            + self.second[b as usize]
            + self.rest[c as usize]
            + self.rest[d as usize]
            + self.class[class_of(code, fouls) as usize]
    }
}
