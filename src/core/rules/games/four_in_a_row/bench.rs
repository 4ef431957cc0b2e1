//! Bench positions of Four In A Row: openings and middlegames of short games of the engine
//! against itself, after two or three random plies.

use crate::rules::sheet::{Bench, BenchPosition};

/// The positions of `goren bench`.
#[rustfmt::skip]
pub(super) const BENCH: Bench = Bench {
    depth: 14,
    quick_depth: 12,
    positions: &[
        BenchPosition { options: "", board: (8, 8), plies: "d1 e1 b1 e2" },
        BenchPosition { options: "", board: (8, 8), plies: "e1 e2 c1 d1 c2 c3 c4 d2 c5 c6 e3 e4 e5" },
        BenchPosition { options: "", board: (8, 8), plies: "c1 d1 a1 c2 c3 c4 c5 g1 d2 d3 f1 d4 d5 e1 f2 d6 c6 c7 e2 g2 g3 d7" },
        BenchPosition { options: "", board: (7, 6), plies: "g1 e1 g2 d1 c1 c2" },
        BenchPosition { options: "+clear", board: (8, 8), plies: "g1 e1 f1 e2 e3 e4 e5 g2 f2 f3 h1 d1 f4 f5 d2 c1 b1" },
        BenchPosition { options: "+edge-grow", board: (10, 10), plies: "f1 h1 e1 d1 f2 f3 f4 e2 d10 d2 d3 d4 f5 f6 e10 f10" },
        BenchPosition { options: "+interior-gravity", board: (10, 10), plies: "f1 h1 e1 d1 d2 d3 a5 a3 a6 a7 b6 b3 b7 a1 c6 d6" },
        BenchPosition { options: "+edge-grow+clear", board: (8, 8), plies: "g1 e1 f1 f2 h4 e2 g2 g3 e3 e4 h5 h3 h6 h7 g5 b1 g4" },
        BenchPosition { options: "+interior-gravity+clear", board: (8, 8), plies: "c1 b1 h1 c2 h4 a4 h3 h2 g4 b4 h6 h5 g5 g6 f4 f5 g3 g2" },
    ],
};
