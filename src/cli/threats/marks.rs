//! Marks of a cell for a colour, in text and pictures.

use super::linear::LinearShape;
use super::survey::SideThreats;
use goren_core::types::Cell;

/// A sign for threats beyond linear ones, the most serious first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ThreatSign {
    VirtualFork,
    Fork,
    VirtualThreat,
    Crossing,
}

impl ThreatSign {
    pub(super) const ALL: [ThreatSign; 4] = [
        ThreatSign::VirtualFork,
        ThreatSign::Fork,
        ThreatSign::VirtualThreat,
        ThreatSign::Crossing,
    ];

    pub(super) const fn letter(self) -> char {
        match self {
            ThreatSign::VirtualFork => 'V',
            ThreatSign::Fork => '+',
            ThreatSign::VirtualThreat => 'v',
            ThreatSign::Crossing => 's',
        }
    }

    pub(super) const fn meaning(self) -> &'static str {
        match self {
            ThreatSign::VirtualFork => "virtual fork",
            ThreatSign::Fork => "fork",
            ThreatSign::VirtualThreat => "virtual threat",
            ThreatSign::Crossing => "crossing of a spatial fork",
        }
    }
}

/// Mark of a cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct CellMark {
    pub(super) cell: Cell,
    /// The strongest linear threat.
    pub(super) shape: Option<LinearShape>,
    pub(super) sign: Option<ThreatSign>,
    pub(super) forbidden: bool,
}

impl CellMark {
    /// Formats weight and type of the threat and the letter of the sign, such as 21+;
    /// 44 stands for two fours in one line, 6 for an overline.
    pub(super) fn label(&self) -> String {
        let digits = match self.shape {
            Some(LinearShape::P(weight, kind)) => format!("{weight}{kind}"),
            Some(LinearShape::DoubleFour) => "44".into(),
            Some(LinearShape::Overline) => "6".into(),
            None => String::new(),
        };
        digits + &self.sign.map_or(String::new(), |sign| sign.letter().into())
    }
}

/// Returns the marks of a colour in the order of cells: those of the listed cells and those
/// of the findings of the search.
pub(super) fn marks(side: &SideThreats) -> Vec<CellMark> {
    let listed = side.cells.iter().map(|seen| CellMark {
        cell: seen.cell,
        shape: seen.best(),
        sign: seen.fork().map(|_| ThreatSign::Fork),
        forbidden: seen.forbidden,
    });
    let mut marks: Vec<CellMark> = listed.collect();
    let mut add =
        |cell: Cell, sign: ThreatSign| match marks.iter_mut().find(|mark| mark.cell == cell) {
            Some(mark) => mark.sign = Some(mark.sign.map_or(sign, |old| old.min(sign))),
            None => marks.push(CellMark { cell, shape: None, sign: Some(sign), forbidden: false }),
        };
    if let Some(found) = &side.found {
        for threat in &found.virtuals {
            let sign = if threat.fork.is_some() {
                ThreatSign::VirtualFork
            } else {
                ThreatSign::VirtualThreat
            };
            add(threat.at, sign);
        }
        found.spatial.iter().for_each(|spatial| add(spatial.crossing, ThreatSign::Crossing));
    }
    marks.sort_by_key(|mark| mark.cell);
    marks
}
