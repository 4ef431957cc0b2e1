//! Bench positions of Pente: openings and middlegames of short games of the engine
//! against itself, after two or three random plies.

use crate::rules::sheet::{Bench, BenchPosition};

/// The positions of `goren bench`.
#[rustfmt::skip]
pub(super) const BENCH: Bench = Bench {
    depth: 9,
    quick_depth: 7,
    positions: &[
        BenchPosition { options: "", board: (19, 19), plies: "k11 l11 m8 k10 m12" },
        BenchPosition { options: "", board: (19, 19), plies: "i11 l8 m7 l6 m5 l7 l9 n6 g13 m6 k6 l5 l4" },
        BenchPosition { options: "", board: (19, 19), plies: "l12 j9 k13 m11 j14 j10 j12 j8 j7 i11 k9 l14 h12 j10 j12 g11 h14 i10 i13 k11 i9 k11 j10 h8 j10 g13" },
        BenchPosition { options: "+keryo", board: (19, 19), plies: "i10 j11 j12 i13 h10 g10 k10 l10 h12 g12 l12 m12 k9 g13 g11 f10" },
        BenchPosition { options: "+poof", board: (19, 19), plies: "k10 m11 i11 k9 i9 i10 j8 h10 k7 m5 g10 l10 j10 h10 i8 o13 n12" },
        BenchPosition { options: "+boat", board: (19, 19), plies: "h13 l10 i12 g14 j11 m11 j13 k9 j8 h11 k14 g12 i10 k12 f13 h9 j11 n12" },
        BenchPosition { options: "+keryo+poof", board: (19, 19), plies: "g7 h7 g9 h9 g8 g10 g6 g5 i8 h8 f11 g10 i10 f9 h11 g12 e8 g10 h6" },
        BenchPosition { options: "+keryo+boat", board: (19, 19), plies: "g7 h7 e5 h5 g9 h6 h8 h4 h3 f6 f10 i9 h8 e11 i7 j6 g6 i5 g3 k7" },
        BenchPosition { options: "+poof+boat", board: (19, 19), plies: "g7 h7 e9 j9 i8 j7 f8 d10 i5" },
        BenchPosition { options: "+keryo+poof+boat", board: (19, 19), plies: "m11 m13 g9 k13 o13 o15 k11 m15 m9 l10 o11 l11 o9 l14 o10 o12 o8 o7 n16 j12 i11 l13 l15" },
    ],
};
