//! Marks of a cell for a colour, in text and pictures.

use super::linear::Shape;
use super::survey::Side;
use goren_core::types::Cell;

/// What is more than a linear threat, the gravest first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Sign {
    VirtualFork,
    Fork,
    VirtualThreat,
    Crossing,
}

impl Sign {
    pub(super) const ALL: [Sign; 4] =
        [Sign::VirtualFork, Sign::Fork, Sign::VirtualThreat, Sign::Crossing];

    pub(super) const fn letter(self) -> char {
        match self {
            Sign::VirtualFork => 'V',
            Sign::Fork => '+',
            Sign::VirtualThreat => 'v',
            Sign::Crossing => 's',
        }
    }

    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Sign::VirtualFork => "virtual fork",
            Sign::Fork => "fork",
            Sign::VirtualThreat => "virtual threat",
            Sign::Crossing => "crossing of a spatial fork",
        }
    }
}

/// What is marked on a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    pub(super) cell: Cell,
    /// The strongest linear threat.
    pub(super) shape: Option<Shape>,
    pub(super) sign: Option<Sign>,
    pub(super) forbidden: bool,
}

impl Mark {
    /// Weight and type of the threat and the letter of the sign, such as 21+;
    /// 44 are two fours in one line, 6 is an overline.
    pub(super) fn label(&self) -> String {
        let digits = match self.shape {
            Some(Shape::P(weight, kind)) => format!("{weight}{kind}"),
            Some(Shape::DoubleFour) => "44".into(),
            Some(Shape::Overline) => "6".into(),
            None => String::new(),
        };
        digits + &self.sign.map_or(String::new(), |sign| sign.letter().into())
    }
}

/// The marks of a colour, in order of cells: those of the cells listed, and
/// those of what search found.
pub(super) fn marks(side: &Side) -> Vec<Mark> {
    let listed = side.cells.iter().map(|seen| Mark {
        cell: seen.cell,
        shape: seen.best(),
        sign: seen.fork().map(|_| Sign::Fork),
        forbidden: seen.forbidden,
    });
    let mut marks: Vec<Mark> = listed.collect();
    let mut add = |cell: Cell, sign: Sign| match marks.iter_mut().find(|mark| mark.cell == cell) {
        Some(mark) => mark.sign = Some(mark.sign.map_or(sign, |old| old.min(sign))),
        None => marks.push(Mark { cell, shape: None, sign: Some(sign), forbidden: false }),
    };
    if let Some(found) = &side.found {
        for one in &found.virtuals {
            let sign = if one.fork.is_some() { Sign::VirtualFork } else { Sign::VirtualThreat };
            add(one.at, sign);
        }
        found.spatial.iter().for_each(|spatial| add(spatial.crossing, Sign::Crossing));
    }
    marks.sort_by_key(|mark| mark.cell);
    marks
}
