//! Plies of the games that need more than one coordinate: several stones, a swap, a pass, a
//! declared number. A Goren extension; see the crate's README.

use std::fmt;

use smallvec::SmallVec;

use crate::point::Point;
use crate::reason::Reason;
use crate::scan::Scan;

/// One ply on the wire: coordinates separated by blanks, followed by the declared number if there
/// is one; or one of the words `SWAP` and `PASS`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ply {
    /// The seats exchange colours.
    Swap,
    /// Nothing is placed.
    Pass,
    /// Stones, or points on offer.
    Points {
        /// The points in the order of the line.
        points: SmallVec<[Point; 4]>,
        /// The declared number.
        count: Option<u32>,
    },
}

/// Maximum number of points that are read as one ply.
const MAX_POINTS: usize = 64;

impl Ply {
    /// One stone and nothing else.
    #[must_use]
    pub fn one(at: Point) -> Self {
        Self::Points { points: SmallVec::from_slice(&[at]), count: None }
    }

    /// The coordinate, if the ply is a single coordinate and nothing else.
    #[must_use]
    pub fn only(&self) -> Option<Point> {
        match self {
            Self::Points { count: None, .. } if self.is_single() => self.first(),
            _ => None,
        }
    }

    /// The first coordinate, if any.
    #[must_use]
    pub fn first(&self) -> Option<Point> {
        match self {
            Self::Points { points, .. } => points.first().copied(),
            Self::Swap | Self::Pass => None,
        }
    }

    /// Whether there is exactly one coordinate, with or without a number.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(self, Self::Points { points, .. } if points.len() == 1)
    }

    /// Reads a ply and leaves the rest of the line.
    pub(crate) fn read(scan: &mut Scan<'_>) -> Result<Self, Reason> {
        let mut rest = *scan;
        let word = rest.word().to_ascii_uppercase();
        let whole = match word.as_str() {
            "SWAP" => Some(Self::Swap),
            "PASS" => Some(Self::Pass),
            _ => None,
        };
        if let Some(ply) = whole {
            *scan = rest;
            return Ok(ply);
        }
        let mut points = SmallVec::new();
        points.push(scan.point()?);
        while points.len() < MAX_POINTS {
            let mut next = *scan;
            let Ok(point) = next.point() else { break };
            points.push(point);
            *scan = next;
        }
        let mut next = *scan;
        let count = next.unsigned().ok();
        if count.is_some() {
            *scan = next;
        }
        Ok(Self::Points { points, count })
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swap => f.write_str("SWAP"),
            Self::Pass => f.write_str("PASS"),
            Self::Points { points, count } => {
                for (i, point) in points.iter().enumerate() {
                    let blank = if i > 0 { " " } else { "" };
                    write!(f, "{blank}{point}")?;
                }
                count.map_or(Ok(()), |count| write!(f, " {count}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_read_as_they_are_written() {
        for text in ["7,7", "7,7 8,8", "7,7 8,8 9,9 4", "0,0 3", "SWAP", "PASS"] {
            let ply = Ply::read(&mut Scan::new(text)).unwrap();
            assert_eq!(ply.to_string(), text);
        }
        let mut scan = Scan::new(" pass now");
        assert_eq!(Ply::read(&mut scan), Ok(Ply::Pass));
        assert_eq!(scan.remainder(), "now");
        assert_eq!(Ply::read(&mut Scan::new("7,7 hello")), Ok(Ply::one(Point::new(7, 7))));
        for bad in ["", "hello", "7", "7,", ",7"] {
            assert!(Ply::read(&mut Scan::new(bad)).is_err(), "{bad}");
        }
    }
}
