//! Conversion between fitted vectors and weights.

use anyhow::{Result, bail};

use super::net;
use super::positions::Layout;
use goren_core::rules::RuleId;
use goren_core::types::Color;
use goren_engine::eval::net::{EMBEDDING_SCALE, LAYER_SCALE, NetSide};
use goren_engine::eval::{Side, THREATS, VALUE_SCALE, Weights};
use goren_engine::pattern::{CODES, Class, Code, class_of};

/// Lower bounds of the policy scores of the strongest classes, for playing there
/// and for denying it. Free choices hardly ever show them: with such a class
/// on the board there is mostly a static verdict, or only some moves are defences.
/// But where a choice is left, among the fours or the answers to one, these
/// come first.
const FLOORS: [(Class, i16, i16); 4] = [
    (Class::DoubleThree, 300, 250),
    (Class::FourThree, 500, 450),
    (Class::OpenFour, 1500, 900),
    (Class::Five, 3000, 2500),
];

/// The weights of vectors of the evaluation, in points, and the ordering.
///
/// # Errors
/// A weight is not finite.
pub(super) fn weights(
    rule: RuleId,
    layout: Layout,
    evaluation: &[f32],
    ordering: &[f32],
) -> Result<Weights> {
    if !evaluation.iter().chain(ordering).all(|weight| weight.is_finite()) {
        bail!("a weight is not finite");
    }
    // A cast from a float keeps to the range of the integer.
    let value = |at: usize| (evaluation[at] * VALUE_SCALE as f32).round() as i16;
    let policy_score = |at: usize, floor: Option<i16>| {
        let policy_score = ordering[at].round() as i16;
        floor.map_or(policy_score, |floor| policy_score.max(floor))
    };
    let sides = Color::ALL.map(|color| {
        let (fouls, excuse) = (rule.card().fouls[color.index()], rule.card().excuse);
        let floor = |code| FLOORS.iter().find(|floor| floor.0 == class_of(code, fouls, excuse));
        let mut side = Side::ZERO;
        for at in 0..CODES {
            let code = at as Code;
            side.to_move[at] = value(layout.potential(color, false, code));
            side.waiting[at] = value(layout.potential(color, true, code));
            side.policy_own[at] =
                policy_score(layout.own(color, code), floor(code).map(|floor| floor.1));
            side.policy_deny[at] =
                policy_score(layout.deny(color, code), floor(code).map(|floor| floor.2));
        }
        for (i, entry) in side.near.iter_mut().enumerate() {
            *entry = policy_score(layout.near(color) + i, None);
        }
        for mask in 0..THREATS {
            side.threats[mask] = value(layout.threats(color, mask));
        }
        side
    });
    Ok(Weights::new(rule, &sides))
}

/// The vectors of weights: of the evaluation, in points, and the ordering.
pub(super) fn vectors(weights: &Weights, layout: Layout) -> (Vec<f32>, Vec<f32>) {
    let mut evaluation = vec![0.0; layout.evaluation()];
    let mut ordering = vec![0.0; layout.ordering()];
    for color in Color::ALL {
        let side = weights.side(color);
        for at in 0..CODES {
            let code = at as Code;
            let points = |value: i16| f32::from(value) / VALUE_SCALE as f32;
            evaluation[layout.potential(color, false, code)] = points(side.to_move[at]);
            evaluation[layout.potential(color, true, code)] = points(side.waiting[at]);
            ordering[layout.own(color, code)] = f32::from(side.policy_own[at]);
            ordering[layout.deny(color, code)] = f32::from(side.policy_deny[at]);
        }
        for (i, &entry) in side.near.iter().enumerate() {
            ordering[layout.near(color) + i] = f32::from(entry);
        }
        for mask in 0..THREATS {
            evaluation[layout.threats(color, mask)] =
                f32::from(side.threats[mask]) / VALUE_SCALE as f32;
        }
    }
    (evaluation, ordering)
}

/// The net of a vector of its numbers, as [`net::weights`] counts them.
///
/// # Errors
/// A number is not finite.
pub(super) fn net_sides(layout: Layout, numbers: &[f32]) -> Result<[NetSide; 2]> {
    if !numbers.iter().all(|number| number.is_finite()) {
        bail!("a number of the net is not finite");
    }
    let fill = |out: &mut [i16], numbers: &[f32], unit: f32| {
        // A cast from a float keeps to the range of the integer.
        out.iter_mut().zip(numbers).for_each(|(out, n)| *out = (n * unit).round() as i16);
    };
    Ok(Color::ALL.map(|color| {
        let side = layout.side(color);
        let mut net = NetSide::zero();
        fill(&mut *net.to_move, &numbers[net::rows(layout, side, false)], EMBEDDING_SCALE);
        fill(&mut *net.waiting, &numbers[net::rows(layout, side, true)], EMBEDDING_SCALE);
        fill(&mut *net.layers, &numbers[net::layers(layout, side)], LAYER_SCALE);
        net
    }))
}

/// The numbers of the net of weights, if they have one.
pub(super) fn net_vector(weights: &Weights, layout: Layout) -> Option<Vec<f32>> {
    let mut numbers = vec![0.0; net::weights(layout)];
    for color in Color::ALL {
        let (side, net) = (layout.side(color), weights.net_side(color)?);
        let mut fill = |range: std::ops::Range<usize>, table: &[i16], unit: f32| {
            numbers[range].iter_mut().zip(table).for_each(|(out, &n)| *out = f32::from(n) / unit);
        };
        fill(net::rows(layout, side, false), &*net.to_move, EMBEDDING_SCALE);
        fill(net::rows(layout, side, true), &*net.waiting, EMBEDDING_SCALE);
        fill(net::layers(layout, side), &*net.layers, LAYER_SCALE);
    }
    Some(numbers)
}
