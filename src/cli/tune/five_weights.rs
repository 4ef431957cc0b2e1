//! Conversion between fitted vectors and the weights of five in a row.

use anyhow::Result;

use super::layout::TableLayout;
use super::net::{NetLayout, NetState};
use super::quantize::{check_finite, restored, store, stored};
use super::ties::untouched;
use goren_core::rules::RuleId;
use goren_core::types::Color;
use goren_engine::eval::net::{EMBEDDING_SCALE, LAYER_SCALE, NetSide, ROWS, WIDTH};
use goren_engine::eval::{Side, THREATS, VALUE_SCALE, Weights};
use goren_engine::pattern::{CODES, Class, Code, class_of};

/// Lower bounds of the policy scores of the strongest classes, for playing there
/// and for denying it. The fitted choices hardly ever contain them: with such a class
/// on the board there is mostly a static verdict, or only some moves are defences.
/// But where a choice remains, among the fours or the answers to a four, these moves
/// must come first.
const FLOORS: [(Class, i16, i16); 4] = [
    (Class::DoubleThree, 300, 250),
    (Class::FourThree, 500, 450),
    (Class::OpenFour, 1500, 900),
    (Class::Five, 3000, 2500),
];

/// The vectors of the tables, laid out by [`TableLayout`].
pub(super) struct TableVectors {
    /// Values, in points.
    pub evaluation: Vec<f32>,
    /// Policy scores.
    pub ordering: Vec<f32>,
}

impl TableVectors {
    /// The vectors of weights.
    pub fn of(weights: &Weights, layout: TableLayout) -> TableVectors {
        let mut evaluation = vec![0.0; layout.evaluation()];
        let mut ordering = vec![0.0; layout.ordering()];
        for color in Color::ALL {
            let side = weights.side(color);
            let points = |value: i16| f32::from(value) / VALUE_SCALE as f32;
            for at in 0..CODES {
                let code = at as Code;
                evaluation[layout.potential(color, false, code)] = points(side.to_move[at]);
                evaluation[layout.potential(color, true, code)] = points(side.waiting[at]);
                ordering[layout.own(color, code)] = f32::from(side.policy_own[at]);
                ordering[layout.deny(color, code)] = f32::from(side.policy_deny[at]);
            }
            for (i, &entry) in side.near.iter().enumerate() {
                ordering[layout.near(color) + i] = f32::from(entry);
            }
            for mask in 0..THREATS {
                evaluation[layout.threats(color, mask)] = points(side.threats[mask]);
            }
        }
        TableVectors { evaluation, ordering }
    }

    /// The weights of a rule, without network.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn weights(&self, rule: RuleId, layout: TableLayout) -> Result<Weights> {
        let TableVectors { evaluation, ordering } = self;
        check_finite(evaluation, "evaluation")?;
        check_finite(ordering, "ordering")?;
        let value = |at: usize| stored(evaluation[at], VALUE_SCALE as f32);
        let policy_score = |at: usize, floor: Option<i16>| {
            let policy_score = stored(ordering[at], 1.0);
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
}

/// The layout of the network: a row for each code but the untouched one, and layers for each
/// side.
pub(super) fn net_layout(layout: TableLayout) -> NetLayout {
    let has_row = (0..layout.codes()).map(|code| code % CODES != untouched() as usize);
    let state = |number| NetState { side: number / THREATS, bits: number % THREATS };
    NetLayout::new(has_row.collect(), (0..layout.sides * THREATS).map(state).collect())
}

/// First number of the rows of a colour that is to move or `waiting`; there are [`ROWS`].
fn first_row(layout: TableLayout, color: Color, waiting: bool) -> usize {
    layout.potential(color, waiting, 0) * WIDTH
}

/// The network of a vector, by colour.
///
/// # Errors
/// A number is not finite.
pub(super) fn net_sides(layout: TableLayout, numbers: &[f32]) -> Result<[NetSide; 2]> {
    check_finite(numbers, "network")?;
    let rows = |color, waiting| &numbers[first_row(layout, color, waiting)..][..ROWS];
    let net_layout = net_layout(layout);
    Ok(Color::ALL.map(|color| {
        let mut net = NetSide::zero();
        store(&mut *net.to_move, rows(color, false), EMBEDDING_SCALE);
        store(&mut *net.waiting, rows(color, true), EMBEDDING_SCALE);
        store(&mut *net.layers, &numbers[net_layout.layers(layout.side(color))], LAYER_SCALE);
        net
    }))
}

/// The vector of the network of weights, if they have one. Window features are left out.
pub(super) fn net_vector(weights: &Weights, layout: TableLayout) -> Option<Vec<f32>> {
    let net_layout = net_layout(layout);
    let mut numbers = vec![0.0; net_layout.len()];
    for color in Color::ALL {
        let net = weights.net_side(color)?;
        let mut fill = |start: usize, table: &[i16], scale: f32| {
            let out = numbers[start..].iter_mut();
            out.zip(restored(table, scale)).for_each(|(out, number)| *out = number);
        };
        fill(first_row(layout, color, false), &*net.to_move, EMBEDDING_SCALE);
        fill(first_row(layout, color, true), &*net.waiting, EMBEDDING_SCALE);
        fill(net_layout.layers(layout.side(color)).start, &*net.layers, LAYER_SCALE);
    }
    Some(numbers)
}
