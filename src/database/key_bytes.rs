//! The bytes of a key: reading them, recognising the least image, and the order of
//! keys in files. `key.rs` has the table of the bytes.

use std::cmp::Ordering;

use smallvec::SmallVec;

use goren_core::rules::{RuleId, Setup};
use goren_core::types::{Cell, CellSet, Color, Symmetry};

/// Bytes before the stones.
const HEAD: usize = 3;
/// A turn without a stone.
pub(super) const PASS: [u8; 2] = [0xff; 2];

/// Reason why bytes are not a key.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// Too few or too many bytes, or half a stone.
    #[error("a key of {0} bytes")]
    Length(usize),
    /// An unknown rule.
    #[error("there is no rule {0}")]
    Rule(u8),
    /// An unsupported board size.
    #[error("a board of {0}x{1} is not supported")]
    Size(u8, u8),
    /// A stone beyond the edge.
    #[error("a stone at {0},{1}, off the board")]
    Stone(u8, u8),
    /// Two stones on one point.
    #[error("two stones at {0},{1}")]
    Twice(u8, u8),
}

/// The number of a rule in the file.
pub(super) const fn rule_code(rule: RuleId) -> u8 {
    rule.card().database.0
}

/// The rule of a number.
fn rule_of(code: u8) -> Option<RuleId> {
    RuleId::ALL.into_iter().find(|&rule| rule_code(rule) == code)
}

/// Packs a stone into its two bytes.
pub(super) fn pack(cell: Cell) -> u16 {
    (cell.x() << 8 | cell.y()) as u16
}

pub(super) fn unpack(stone: u16) -> Cell {
    Cell::new(usize::from(stone >> 8), usize::from(stone & 0xff))
}

/// The position that the bytes of a key describe.
pub(super) struct KeyStones {
    pub(super) setup: Setup,
    pub(super) to_move: Color,
    /// The stones of Black and White, packed, in the order of the bytes.
    pub(super) stones: [SmallVec<[u16; 32]>; 2],
}

/// Reads the bytes of a key, in any image.
///
/// # Errors
/// The bytes are not a key.
pub(super) fn read(bytes: &[u8]) -> Result<KeyStones, KeyFault> {
    let &[code, width, height, ref stones @ ..] = bytes else {
        return Err(KeyFault::Length(bytes.len()));
    };
    if !stones.len().is_multiple_of(2) {
        return Err(KeyFault::Length(bytes.len()));
    }
    let rule = rule_of(code).ok_or(KeyFault::Rule(code))?;
    let setup =
        Setup::new(rule, width.into(), height.into()).map_err(|_| KeyFault::Size(width, height))?;
    let turns = stones.len() / 2;
    if turns > setup.area() + 1 {
        return Err(KeyFault::Length(bytes.len()));
    }
    let blacks = turns.div_ceil(2);
    // The pass belongs to the side that is not to move.
    let pass = if turns.is_multiple_of(2) { turns } else { blacks };
    let mut seen = CellSet::EMPTY;
    let mut read = KeyStones {
        setup,
        to_move: if turns.is_multiple_of(2) { Color::Black } else { Color::White },
        stones: Default::default(),
    };
    for (i, pair) in stones.chunks_exact(2).enumerate() {
        let (x, y) = (pair[0], pair[1]);
        if pair == PASS && i + 1 == pass {
            continue;
        }
        if usize::from(x) >= setup.width || usize::from(y) >= setup.height {
            return Err(KeyFault::Stone(x, y));
        }
        let cell = Cell::new(x.into(), y.into());
        if seen.contains(cell) {
            return Err(KeyFault::Twice(x, y));
        }
        seen.insert(cell);
        read.stones[usize::from(i >= blacks)].push(pack(cell));
    }
    Ok(read)
}

impl KeyStones {
    /// Whether this is the least image, with its stones in order.
    pub(super) fn is_least(&self) -> bool {
        let [black, white] = &self.stones;
        let first = black.first().copied();
        let (width, height) = (self.setup.width, self.setup.height);
        let not_less = |symmetry: Symmetry| {
            let turned = |stone: &u16| pack(symmetry.apply(unpack(*stone)));
            // The least black stone nearly always decides; the full comparison follows.
            let least = black.iter().map(turned).min();
            if least != first {
                return least > first;
            }
            let image = |stones: &[u16]| {
                let mut image: SmallVec<[u16; 32]> = stones.iter().map(turned).collect();
                image.sort_unstable();
                image
            };
            image(black).cmp(black).then_with(|| image(white).cmp(white)).is_ge()
        };
        black.is_sorted() && white.is_sorted() && Symmetry::all(width, height).skip(1).all(not_less)
    }
}

/// Whether bytes are a key, in any image.
pub(super) fn is_readable(bytes: &[u8]) -> bool {
    read(bytes).is_ok()
}

/// The order of records in files: rule, board, length, stones.
pub(super) fn in_order(a: &[u8], b: &[u8]) -> Ordering {
    fn head(key: &[u8]) -> (&[u8], usize) {
        (key.get(..HEAD).unwrap_or(key), key.len())
    }
    head(a).cmp(&head(b)).then_with(|| a.cmp(b))
}
