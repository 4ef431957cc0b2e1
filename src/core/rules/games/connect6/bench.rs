//! Bench positions of Connect6: openings and middlegames of short games of the engine
//! against itself, after two or three random plies.

use crate::rules::sheet::{Bench, BenchPosition};

/// The positions of `goren bench`.
#[rustfmt::skip]
pub(super) const BENCH: Bench = Bench {
    depth: 8,
    quick_depth: 6,
    positions: &[
        BenchPosition { options: "", board: (19, 19), plies: "h9 i9,k12 h7,i8" },
        BenchPosition { options: "", board: (19, 19), plies: "m9 j7,m13 m7,n8" },
        BenchPosition { options: "", board: (19, 19), plies: "j7 k7,m10 j5,k6 i8,j8 i6,k8 h5,l6 k4,m5 h7,h10 g11,h8 g6,i4 j3,l3" },
        BenchPosition { options: "+torus", board: (15, 15), plies: "k7 h5,k11 k5,l6 i9,k9 m7,m9 j4,j6" },
        BenchPosition { options: "+collinear", board: (19, 19), plies: "g9 l9,l7 e9,g7 j9,k8 g8,i10 g6,k10 h7,i6" },
        BenchPosition { options: "+noncollinear", board: (19, 19), plies: "h11 h8,j12 g12,h14 g9,h13 e11,g14 e14,g13 f13,i11 g11,j9" },
        BenchPosition { options: "+torus+collinear", board: (15, 15), plies: "h8 h9,i8 i7,j7 h7,j9 g6,g9 f10,k10 j6,h6 i6,g8 j5,k5" },
        BenchPosition { options: "+torus+noncollinear", board: (15, 15), plies: "g10 e11,h6 g9,h11 g7,h9 f8,g12 g11,i10 h10,i12" },
    ],
};
