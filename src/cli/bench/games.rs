//! Bench positions of the games beyond five in a row.

use anyhow::{Result, ensure};

use super::effort::TABLE_BYTES;
use crate::moves::played;
use goren_core::opening::Choice;
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_engine::{Engine, Hash, Params, Request, RootPosition, WeightSet, new_position};

/// A game with its options, the board, and the plies played: openings and
/// middlegames of short games of the engine against itself, after two or three
/// random plies.
pub(super) type Played = (&'static str, (usize, usize), &'static str);

#[rustfmt::skip]
pub(super) const POSITIONS: [Played; 30] = [
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

/// The positions of a game with any options, or of one with some options alone.
///
/// # Errors
/// There are none with these options.
pub(super) fn positions(variant: Variant) -> Result<Vec<Played>> {
    let plain = variant.options().next().is_none();
    let fits = |name: &str| match Variant::from_name(name) {
        Ok(other) => other == variant || plain && other.sheet().name == variant.sheet().name,
        Err(_) => false,
    };
    let found: Vec<Played> = POSITIONS.into_iter().filter(|(name, ..)| fits(name)).collect();
    ensure!(!found.is_empty(), "there are no positions of {variant}");
    Ok(found)
}

/// Nodes of a search of the next stone that knows nothing from before.
///
/// # Errors
/// No memory for the table.
pub(super) fn nodes(
    (name, (width, height), plies): Played,
    request: &Request,
    params: &Params,
) -> Result<u64> {
    let contest = Contest::new(Variant::from_name(name)?).opened(OpeningId::Free)?;
    let contest = contest.on(width, height)?;
    let game_state = played(&contest, plies.split_whitespace())?;
    let pending = game_state.pending_decision();
    let stones = match pending.as_ref().map(|pending| &pending.choices[..]) {
        Some([Choice::Stones { colors, .. }]) => colors.len(),
        _ => 0,
    };
    ensure!(stones > 0, "the game is over");
    let (events, to_move) = (game_state.events().to_vec(), game_state.to_move());
    let root = RootPosition { laid: Vec::new(), events, to_move, stones, placed: 0 };
    let mut position = new_position(&contest, &WeightSet::default());
    position.set(&root);
    let mut engine = Engine::with_hash(Hash::exactly(TABLE_BYTES));
    engine.set_params(params);
    Ok(engine.go(&*position, request, &mut |_| {})?.info.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::effort::request;
    use crate::with_search_stack;
    use goren_core::rules::GAMES;

    #[test]
    fn every_variant_has_positions_and_the_nodes_are_always_the_same() {
        let family = |variant: &Variant| !matches!(variant, Variant::Five(_));
        for variant in Variant::all().into_iter().filter(family) {
            let least = if GAMES.iter().any(|sheet| sheet.plain == variant) { 3 } else { 1 };
            assert!(positions(variant).unwrap().len() >= least, "{variant}");
        }
        let all = || -> Vec<u64> {
            let one = |&position: &Played| nodes(position, &request(2), &Params::default());
            POSITIONS.iter().map(|position| one(position).unwrap()).collect()
        };
        let first = with_search_stack(|| Ok(all())).unwrap();
        assert!(first.iter().all(|&nodes| nodes > 0));
        assert_eq!(with_search_stack(|| Ok(all())).unwrap(), first);
    }
}
