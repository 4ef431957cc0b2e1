//! Bench positions of four on a torus.

use crate::rules::sheet::{Bench, BenchPosition};

/// The positions of `goren bench`.
#[rustfmt::skip]
pub(super) const BENCH: Bench = Bench {
    depth: 10,
    quick_depth: 8,
    positions: &[
        BenchPosition { options: "", board: (8, 8), plies: "e4 a8 d1 h5" },
        BenchPosition { options: "", board: (8, 8), plies: "a1 b3 d6 c4" },
        BenchPosition { options: "", board: (6, 6), plies: "c3 d3" },
    ],
};
