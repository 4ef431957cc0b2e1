//! Fits of the games on a line-count board.

use std::sync::Arc;

use super::slopes::Comparison;
use super::*;
use crate::tune::net::NetLayout;
use crate::tune::tuple_positions::push;
use crate::tune::tuple_weights::{codes, net_layout, net_vector, net_weights, vector, weights};
use goren_core::rules::{Contest, OpeningId, Variant};
use goren_core::types::keys::mix;
use goren_engine::eval::net::{EMBEDDING_SCALE, LAYER_SCALE};
use goren_engine::eval::tuple_codes::{canonical, has_stones};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::game::{GameVisitor, Tupled, tuple_family, with_game};

/// Numbers of a network that a file can store, of up to `rows` and `layers` units of the
/// file.
fn net_numbers(layout: &NetLayout, rows: u64, layers: u64) -> Vec<f32> {
    let number = |i: usize| {
        let max = if i < layout.rows() { rows } else { layers };
        let scale = if i < layout.rows() { EMBEDDING_SCALE } else { LAYER_SCALE };
        ((mix(i as u64) % (2 * max)) as f32 - max as f32) / scale
    };
    (0..layout.len()).map(number).collect()
}

#[test]
fn positions_score_as_in_the_engine() {
    for name in ["pente", "connect6+torus", "four-in-a-row", "irensei"] {
        let variant = Variant::from_name(name).unwrap();
        let family = tuple_family(variant).unwrap();
        let contest = Contest { opening: OpeningId::Free, ..Contest::new(variant) };
        let value = |code: u16| {
            let stones = has_stones(code, family.span());
            let odd = mix(canonical(code, family.span()).into()) % 640;
            if stones { odd as i16 - 320 } else { 0 }
        };
        let states = (0..family.states()).map(|i| (mix(i as u64) % 100) as i16).collect();
        let tuples = TupleWeights::new(family.span(), value).with_states(states);
        let values = vector(family, &tuples);
        assert_eq!(weights(family, &values).unwrap(), tuples, "{name}");
        let layout = net_layout(family);
        let numbers = net_numbers(&layout, 40, 800);
        // The report judges the numbers that are written.
        let finer: Vec<f32> = numbers.iter().map(|number| number + 1e-6).collect();
        let net = net_weights(&layout, &finer).unwrap();
        assert!(net_vector(&net) == numbers, "{name}");
        let with_net = tuples.clone().with_net(net);
        for (weights, numbers) in [(tuples, None), (with_net, Some(numbers))] {
            let visitor = RandomGame { values: values.clone(), layout: &layout, numbers };
            for (points, score) in with_game(&contest, Some(Arc::new(weights)), visitor) {
                assert!((points - score as f32).abs() <= 2.0, "{name}: {points} {score}");
            }
        }
    }
}

/// Evaluates the positions of a random game by the fit and by the engine, with tuple values
/// and perhaps a network; returns the points of both.
struct RandomGame<'a> {
    values: Vec<f32>,
    layout: &'a NetLayout,
    numbers: Option<Vec<f32>>,
}

impl GameVisitor for RandomGame<'_> {
    type Out = Vec<(f32, i32)>;

    fn five(self, _rule: RuleId) -> Self::Out {
        Vec::new()
    }

    fn tupled<P: Tupled + 'static>(self, mut position: P) -> Self::Out {
        let mut out = Vec::new();
        for seed in 0..40 {
            let cells: Vec<Cell> = position.board().empty().iter().collect();
            let m = Move::at(cells[mix(seed) as usize % cells.len()]);
            if position.outcome().is_some() || !position.is_legal(m) {
                continue;
            }
            position.make(m);
            if position.outcome().is_some() {
                break;
            }
            let mut positions = EncodedPositions::default();
            let label = TrainingLabel { score: 0, result: None, held_out: false };
            push(&mut position, label, None, &mut positions);
            let evaluation = Evaluation { positions: &positions, targets: &[0.5], scale: 1.0 };
            let points = evaluation.points(&self.values);
            let net = NetFit { evaluation: &evaluation, layout: self.layout, points: &points };
            let points = self.numbers.as_ref().map_or(points[0], |numbers| net.odds(0, numbers));
            out.push((points, position.evaluate()));
        }
        assert!(out.len() > 8);
        out
    }
}

#[test]
fn the_gradient_of_the_network_is_that_of_the_loss() {
    let family = tuple_family(Variant::from_name("pente").unwrap()).unwrap();
    let (codes, count) = (codes(family.span()), 20);
    let mut positions = EncodedPositions::default();
    for at in 0..count {
        let label = TrainingLabel { score: 0, result: None, held_out: false };
        let code =
            |i: u64| canonical((mix((at as u64) << 8 | i) % codes as u64) as u16, family.span());
        let seen = (0..30).map(|i| (code(i), 1 + (i % 3) as u8));
        positions.push(label, codes + 5 * at, seen, None);
    }
    let targets = vec![0.3; count];
    let evaluation = Evaluation { positions: &positions, targets: &targets, scale: 200.0 };
    let values = (0..(codes + family.states()) as u64).map(|i| (mix(i) % 20) as f32 - 10.0);
    let (layout, points) = (net_layout(family), evaluation.points(&values.collect::<Vec<_>>()));
    let net = NetFit { evaluation: &evaluation, layout: &layout, points: &points };
    let numbers = net_numbers(&layout, 400, 400);
    let comparison = Comparison { min_slope: 1e-4, step: 1e-3, tolerance: 1e-3 };
    let [compared, wrong] = comparison.count_wrong(&net, 0..count, &numbers);
    // There is no slope where the input of a neuron changes its sign.
    assert!(compared > 300 && wrong * 20 < compared, "{wrong} of {compared}");
}

#[test]
fn a_continued_network_begins_with_its_vector() {
    let family = tuple_family(Variant::from_name("connect6").unwrap()).unwrap();
    let five = super::net_layout(layout(RuleId::Renju));
    for layout in [net_layout(family), five] {
        let ties = layout.ties(3);
        let expanded = |ties: &Ties| {
            let mut numbers = vec![0.0; ties.weights()];
            ties.expand(&ties.start(), &mut numbers);
            numbers
        };
        let first = expanded(&ties);
        assert_eq!(first.len(), layout.len());
        let again = expanded(&layout.ties_from(&first));
        let differ = first.iter().zip(&again).any(|(a, b)| (a - b).abs() > 1e-6 * a.abs());
        assert!(!differ && first.iter().any(|&number| number != 0.0));
    }
}
