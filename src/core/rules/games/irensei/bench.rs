//! Bench positions of Irensei: openings and middlegames of short games of the engine
//! against itself, after two or three random plies.

use crate::rules::sheet::{Bench, BenchPosition};

/// The positions of `goren bench`.
#[rustfmt::skip]
pub(super) const BENCH: Bench = Bench {
    depth: 10,
    quick_depth: 9,
    positions: &[
        BenchPosition { options: "", board: (19, 19), plies: "m9 m13 j7 k11 i9 l9" },
        BenchPosition { options: "", board: (19, 19), plies: "l8 m7 h11 j11 l9 l7 k8 m10 m9 k7 j7 i8 l10 j9 h10 j12 j13 h9 k12 k14" },
        BenchPosition { options: "", board: (19, 19), plies: "j11 h12 j9 j12 k12 i11 i10 h9 h10 k10 h11 i12 k9 l7 n9 g12 f12 l9 l10 m10 j8 l11 l8 g11 n10 g10 i8 m8 n11 k8 l13 n8 m12 l6 n15 l10 m14 o16 l5 l12 n14" },
    ],
};
