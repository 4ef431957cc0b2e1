//! Bench positions of every game.

use anyhow::{Result, ensure};

use goren_core::rules::{Contest, OpeningId, Variant};

/// A game with its options, the board, and the plies played: openings and
/// middlegames of short games of the engine against itself, after a few random
/// plies.
type Played = (&'static str, (usize, usize), &'static str);

#[rustfmt::skip]
const POSITIONS: [Played; 48] = [
    ("freestyle", (15, 15), "h8 g10 h6 e11 i7"),
    ("freestyle", (15, 15), "h8 k7 e9 i11 e8 i9 e10 e11 f8 i8 i10"),
    ("freestyle", (15, 15), "h8 i10 e11 e10 f8 h11 j9 g8 h7 h9 j11 i8 g10 i7 i9 j10 f6"),
    ("freestyle", (20, 20), "k10 h9 k13 n9 j12 k9"),
    ("freestyle", (20, 20), "k10 l9 k13 i13 l12 k12 m13 n13 l14"),
    ("freestyle", (20, 20), "k10 l10 n11 k9 m12 l11 l12 k12 m11 m10 n9 n10 o10 p9 p11 m8"),
    ("standard", (15, 15), "h8 h9 g10 k10"),
    ("standard", (15, 15), "h8 j5 f11 i9 f10 i7 f9 f12 i8 f8 g11 e12"),
    ("standard", (15, 15), "h8 i8 g6 h9 j7 i9 g9 i7 i6 h6 h5 g4 g5 f5 g8 g7 f8 e8 j5 h7"),
    ("renju", (15, 15), "h8 i11 e7 h10 e8"),
    ("renju", (15, 15), "h8 k9 f8 h11 g7 g9 h6 i5 f6 e5"),
    ("renju", (15, 15), "h8 j11 k7 i5 i7 j8 j7 h7 k5 j6 k6"),
    ("renju", (15, 15), "h8 k9 g6 g7 f7 e8 f5 h6 f8 f6 e4 d3 i7 i8 d5 e6 e7 d6 c6 b7 e5 c5 g4 g5 i4"),
    ("caro", (15, 15), "h8 h7 k8 e5 j9"),
    ("caro", (15, 15), "h8 e9 h6 j11 i6 h9 g8 e8 g6 e6 e7"),
    ("caro", (15, 15), "h8 e6 j9 j7 i9 g6 i10 k8 h9 l9 i6 g9 h10 m10 n11 h6 h7 h11 i8 i7 k10 l11"),
    ("caro-exact", (15, 15), "h8 j5 h9 j8 i9 h7"),
    ("caro-exact", (15, 15), "h8 j9 e8 g10 f7 g6 f8 i8 h7 h9 j7 i7 i9 f6 f11 g8"),
    ("pente", (19, 19), "k11 l11 m8 k10 m12"),
    ("pente", (19, 19), "i11 l8 m7 l6 m5 l7 l9 n6 g13 m6 k6 l5 l4"),
    ("pente", (19, 19), "l12 j9 k13 m11 j14 j10 j12 j8 j7 i11 k9 l14 h12 j10 j12 g11 h14 i10 i13 k11 i9 k11 j10 h8 j10 g13"),
    ("pente+keryo", (19, 19), "i10 j11 j12 i13 h10 g10 k10 l10 h12 g12 l12 m12 k9 g13 g11 f10"),
    ("pente+poof", (19, 19), "k10 m11 i11 k9 i9 i10 j8 h10 k7 m5 g10 l10 j10 h10 i8 o13 n12"),
    ("pente+boat", (19, 19), "h13 l10 i12 g14 j11 m11 j13 k9 j8 h11 k14 g12 i10 k12 f13 h9 j11 n12"),
    ("pente+keryo+poof", (19, 19), "g7 h7 g9 h9 g8 g10 g6 g5 i8 h8 f11 g10 i10 f9 h11 g12 e8 g10 h6"),
    ("pente+keryo+boat", (19, 19), "g7 h7 e5 h5 g9 h6 h8 h4 h3 f6 f10 i9 h8 e11 i7 j6 g6 i5 g3 k7"),
    ("pente+poof+boat", (19, 19), "g7 h7 e9 j9 i8 j7 f8 d10 i5"),
    ("pente+keryo+poof+boat", (19, 19), "m11 m13 g9 k13 o13 o15 k11 m15 m9 l10 o11 l11 o9 l14 o10 o12 o8 o7 n16 j12 i11 l13 l15"),
    ("connect6", (19, 19), "h9 i9,k12 h7,i8"),
    ("connect6", (19, 19), "m9 j7,m13 m7,n8 k11,m11 l6,o9 k5,p10"),
    ("connect6", (19, 19), "j7 k7,m10 j5,k6 i8,j8 i6,k8 h5,l6 k4,m5 h7,h10 g11,h8 g6,i4 j3,l3"),
    ("connect6+torus", (15, 15), "k7 h5,k11 k5,l6 i9,k9 m7,m9 j4,j6"),
    ("connect6+collinear", (19, 19), "g9 l9,l7 e9,g7 j9,k8 g8,i10 g6,k10 h7,i6"),
    ("connect6+noncollinear", (19, 19), "h11 h8,j12 g12,h14 g9,h13 e11,g14 e14,g13 f13,i11 g11,j9"),
    ("connect6+torus+collinear", (15, 15), "h8 h9,i8 i7,j7 h7,j9 g6,g9 f10,k10 j6,h6 i6,g8 j5,k5"),
    ("connect6+torus+noncollinear", (15, 15), "g10 e11,h6 g9,h11 g7,h9 f8,g12 g11,i10 h10,i12"),
    ("four-in-a-row", (8, 8), "d1 e1 b1 e2"),
    ("four-in-a-row", (8, 8), "e1 e2 c1 d1 c2 c3 c4 d2 c5 c6 e3 e4 e5"),
    ("four-in-a-row", (8, 8), "c1 d1 a1 c2 c3 c4 c5 g1 d2 d3 f1 d4 d5 e1 f2 d6 c6 c7 e2 g2 g3 d7"),
    ("four-in-a-row", (7, 6), "g1 e1 g2 d1 c1 c2"),
    ("four-in-a-row+clear", (8, 8), "g1 e1 f1 e2 e3 e4 e5 g2 f2 f3 h1 d1 f4 f5 d2 c1 b1"),
    ("four-in-a-row+edge-grow", (10, 10), "f1 h1 e1 d1 f2 f3 f4 e2 d10 d2 d3 d4 f5 f6 e10 f10"),
    ("four-in-a-row+interior-gravity", (10, 10), "f1 h1 e1 d1 d2 d3 a5 a3 a6 a7 b6 b3 b7 a1 c6 d6"),
    ("four-in-a-row+edge-grow+clear", (8, 8), "g1 e1 f1 f2 h4 e2 g2 g3 e3 e4 h5 h3 h6 h7 g5 b1 g4"),
    ("four-in-a-row+interior-gravity+clear", (8, 8), "c1 b1 h1 c2 h4 a4 h3 h2 g4 b4 h6 h5 g5 g6 f4 f5 g3 g2"),
    ("irensei", (19, 19), "m9 m13 j7 k11 i9 l9"),
    ("irensei", (19, 19), "l8 m7 h11 j11 l9 l7 k8 m10 m9 k7 j7 i8 l10 j9 h10 j12 j13 h9 k12 k14"),
    ("irensei", (19, 19), "j11 h12 j9 j12 k12 i11 i10 h9 h10 k10 h11 i12 k9 l7 n9 g12 f12 l9 l10 m10 j8 l11 l8 g11 n10 g10 i8 m8 n11 k8 l13 n8 m12 l6 n15 l10 m14 o16 l5 l12 n14"),
];

/// A position to be searched.
#[derive(Copy, Clone)]
pub(super) struct BenchPosition {
    /// The game and its board, opened freely.
    pub(super) contest: Contest,
    /// The plies played.
    pub(super) plies: &'static str,
}

impl BenchPosition {
    fn new(variant: Variant, (_, (width, height), plies): Played) -> Result<BenchPosition> {
        let contest = Contest::new(variant).opened(OpeningId::Free)?.on(width, height)?;
        Ok(BenchPosition { contest, plies })
    }
}

/// The positions of a game: those of five in a row if none is named, those with
/// any options if the game has none, else those of the same options. Options
/// that have no positions are searched in those of their game.
///
/// # Errors
/// There are none.
pub(super) fn positions(asked: Option<Variant>) -> Result<Vec<BenchPosition>> {
    let mut found = Vec::new();
    let of = |variant: Variant| match asked {
        None => matches!(variant, Variant::Five(_)),
        Some(asked) if asked.options().next().is_none() => {
            variant.sheet().name == asked.sheet().name
        }
        Some(asked) => variant == asked,
    };
    for played in POSITIONS {
        let variant = Variant::from_name(played.0)?;
        if of(variant) {
            found.push(BenchPosition::new(variant, played)?);
        }
    }
    if let (true, Some(asked)) = (found.is_empty(), asked) {
        for played in POSITIONS {
            if Variant::from_name(played.0)? == asked.sheet().plain {
                found.push(BenchPosition::new(asked, played)?);
            }
        }
        ensure!(!found.is_empty(), "there are no positions of {asked}");
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_positions_of_its_own_or_of_its_game() {
        for variant in Variant::all() {
            let own = positions(Some(variant)).unwrap();
            assert!(own.len() >= if variant.sheet().plain == variant { 2 } else { 1 }, "{variant}");
            if variant.options().next().is_some() {
                assert!(own.iter().all(|position| position.contest.variant == variant));
            }
        }
        assert_eq!(positions(None).unwrap().len(), 18);
    }
}
