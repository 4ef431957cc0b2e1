//! Bench positions of five in a row: openings and middlegames of short games of the
//! engine against itself, after four random stones.

use crate::rules::sheet::{Bench, BenchPosition};

/// Depth of the searches in plies.
const DEPTH: u32 = 12;

const fn bench(positions: &'static [BenchPosition]) -> Bench {
    Bench { depth: DEPTH, quick_depth: DEPTH, positions }
}

/// A position on a square board.
const fn at(side: usize, plies: &'static str) -> BenchPosition {
    BenchPosition { options: "", board: (side, side), plies }
}

#[rustfmt::skip]
pub(super) const FREESTYLE: Bench = bench(&[
    at(15, "h8 g10 h6 e11 i7"),
    at(15, "h8 k7 e9 i11 e8 i9 e10 e11 f8 i8 i10"),
    at(15, "h8 i10 e11 e10 f8 h11 j9 g8 h7 h9 j11 i8 g10 i7 i9 j10 f6"),
    at(20, "k10 h9 k13 n9 j12 k9"),
    at(20, "k10 l9 k13 i13 l12 k12 m13 n13 l14"),
    at(20, "k10 l10 n11 k9 m12 l11 l12 k12 m11 m10 n9 n10 o10 p9 p11 m8"),
]);

#[rustfmt::skip]
pub(super) const STANDARD: Bench = bench(&[
    at(15, "h8 h9 g10 k10"),
    at(15, "h8 j5 f11 i9 f10 i7 f9 f12 i8 f8 g11 e12"),
    at(15, "h8 i8 g6 h9 j7 i9 g9 i7 i6 h6 h5 g4 g5 f5 g8 g7 f8 e8 j5 h7"),
]);

#[rustfmt::skip]
pub(super) const RENJU: Bench = bench(&[
    at(15, "h8 i11 e7 h10 e8"),
    at(15, "h8 k9 f8 h11 g7 g9 h6 i5 f6 e5"),
    at(15, "h8 j11 k7 i5 i7 j8 j7 h7 k5 j6 k6"),
    at(15, "h8 k9 g6 g7 f7 e8 f5 h6 f8 f6 e4 d3 i7 i8 d5 e6 e7 d6 c6 b7 e5 c5 g4 g5 i4"),
]);

#[rustfmt::skip]
pub(super) const CARO: Bench = bench(&[
    at(15, "h8 h7 k8 e5 j9"),
    at(15, "h8 e9 h6 j11 i6 h9 g8 e8 g6 e6 e7"),
    at(15, "h8 e6 j9 j7 i9 g6 i10 k8 h9 l9 i6 g9 h10 m10 n11 h6 h7 h11 i8 i7 k10 l11"),
]);

#[rustfmt::skip]
pub(super) const CARO_EXACT: Bench = bench(&[
    at(15, "h8 j5 h9 j8 i9 h7"),
    at(15, "h8 j9 e8 g10 f7 g6 f8 i8 h7 h9 j7 i7 i9 f6 f11 g8"),
]);
