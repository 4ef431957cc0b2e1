//! Fits of games whose true weights are known.

mod command;
mod loading;
mod sampled;
pub(super) mod short_games;
pub(super) mod slopes;
mod tuples;

use std::sync::Arc;

use anyhow::Result;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::encoded::{CandidateWeights, EncodedPositions, MoveChoice};
use super::evaluation::{Evaluation, sigmoid, targets};
use super::five_positions::FiveEncoder;
use super::five_weights::{TableVectors, net_layout, net_vector};
use super::label::TrainingLabel;
use super::layout::TableLayout;
use super::net::NetFit;
use super::ordering::{FIVE_SCALE, Ordering};
use super::own_weights::with_own_weights;
use super::report::{EvaluationReport, Odds, OrderingReport};
use super::ties::Ties;
use super::train::{Fit, FitProgress, FitSchedule, Problem, fit, mean_loss};
use goren_core::rules::{Freestyle, Outcome, Renju, Rule, RuleId, Setup, Visitor};
use goren_core::types::{Cell, Color, Move, Stone, win_in};
use goren_engine::board::Board;
use goren_engine::eval::{Weights, weights_rule};
use goren_engine::game::{DENIED_SHAPES, Five, GenType, Position, ThreatLevel};
use goren_engine::threat::Verdict;
use goren_training_data::{PackedGame, PackedPly};

const SCHEDULE: FitSchedule = FitSchedule { epochs: 15, batch: 256, rate: 0.05, seed: 7 };

/// A game of random moves near the stones, with random scores.
fn random_game<R: Rule>(size: usize, seed: u64) -> PackedGame {
    let mut rng = SmallRng::seed_from_u64(seed);
    let setup = Setup::new(R::ID, size, size).unwrap();
    let mut board = Board::<R>::new(setup);
    let mut game = PackedGame {
        setup,
        seed,
        opening: vec![Cell::new(size / 2, size / 2)],
        plies: Vec::new(),
        sampled: Vec::new(),
        result: Outcome::Win(Color::ALL[seed as usize % 2]),
        played_out: false,
    };
    board.make(game.opening[0], Color::Black);
    for i in 1..rng.random_range(20..60) {
        let near: Vec<Cell> = board.near().iter().collect();
        let pick = |rng: &mut SmallRng| near[rng.random_range(0..near.len())];
        let (played, best) = (pick(&mut rng), pick(&mut rng));
        let best = if i > 5 { played } else { best };
        game.plies.push(PackedPly { played, best, score: rng.random_range(-300..300) });
        board.make(played, Color::ALL[i % 2]);
    }
    game
}

fn layout(rule: RuleId) -> TableLayout {
    TableLayout { sides: if rule.card().has_fouls() { 2 } else { 1 } }
}

/// The embedded weights without window features: the fit of tables does not include these,
/// and they bend the slopes of other numbers.
pub(super) fn without_windows(rule: RuleId) -> Arc<Weights> {
    let usual = Weights::embedded(rule);
    let [black, white] = Color::ALL.map(|color| usual.net_side(color));
    let Some((mut black, mut white)) = black.zip(white) else { return usual };
    (black.windows, white.windows) = (None, None);
    Arc::new(Weights::clone(&usual).with_net(&[black, white]))
}

/// Compares the encoded positions of random games with those of the search.
struct CompareWithSearch;

impl Visitor for CompareWithSearch {
    type Out = Result<()>;

    fn visit<R: Rule>(self) -> Result<()> {
        let weights = without_windows(R::ID);
        let mut compared = [0; 2];
        for (size, seed) in [(15, 0), (15, 1), (15, 2), (20, 3), (26, 4), (9, 5)] {
            compare_game::<R>(&random_game::<R>(size, seed), &weights, &mut compared);
        }
        assert!(compared.iter().all(|&n| n > 20), "{} {compared:?}", R::ID);
        Ok(())
    }
}

/// Compares the positions of a game, their values and their candidates; counts the positions
/// and those with candidates.
fn compare_game<R: Rule>(game: &PackedGame, weights: &Arc<Weights>, compared: &mut [usize; 2]) {
    let layout = layout(R::ID);
    let vectors = TableVectors::of(weights, layout);
    let encoded = FiveEncoder::new(layout).encode::<R>(game, false).unwrap();
    let positions = &encoded.positions;
    assert_eq!(encoded.keys.len(), positions.len());
    let targets = vec![0.5; positions.len()];
    let evaluation = Evaluation { positions, targets: &targets, scale: 1.0 };
    // The search counts in whole points before the net and after it.
    let mut sums = evaluation.points(&vectors.evaluation);
    sums.iter_mut().for_each(|sum| *sum = sum.trunc());
    let numbers = net_vector(weights, layout);
    let net_layout = net_layout(layout);
    let net = NetFit { evaluation: &evaluation, layout: &net_layout, points: &sums };
    let mut five = Five::<R>::with_weights(game.setup, weights.clone());
    let graded = |five: &Five<R>, m: Cell| (m, five.shape(Move::at(m)) / DENIED_SHAPES);
    let mut last = [graded(&five, game.opening[0]); 2];
    five.make(Move::at(game.opening[0]));
    let mut at = 0;
    let first_fair = game.plies.iter().rposition(|p| p.played != p.best).map_or(0, |i| i + 1);
    for (i, ply) in game.plies.iter().enumerate() {
        let is_evaluated =
            five.threat_level() != ThreatLevel::Immediate && five.verdict() == Verdict::Unknown;
        if is_evaluated {
            let label = positions.label(at);
            assert_eq!(label.score, ply.score);
            assert_eq!(label.result.is_some(), i >= first_fair);
            let fitted = numbers.as_ref().map_or(sums[at], |numbers| net.odds(at, numbers));
            let error = (fitted - five.evaluate() as f32).abs();
            assert!(error < 1.01, "{} {:?} {} {at}: {error}", R::ID, game.setup, game.seed);
            compared[0] += 1;
            let candidates = positions.candidates_at(at);
            if !candidates.is_empty() {
                let mut moves = arrayvec::ArrayVec::new();
                five.moves(GenType::Main, &mut moves);
                five.add_near(false, last[0], &mut moves);
                five.add_near(true, last[1], &mut moves);
                let scores = candidates.iter().map(|candidate| {
                    candidate.map(|at| vectors.ordering[at as usize] as i32).iter().sum::<i32>()
                });
                assert!(scores.eq(moves.iter().map(|m| m.score)));
                assert_eq!(moves[positions.best_at(at)].m.cell(), ply.best);
                assert_eq!(five.threat_level(), ThreatLevel::None);
                compared[1] += 1;
            }
            at += 1;
        }
        last = [graded(&five, ply.played), last[0]];
        // Random moves may go on after a five.
        let mut stones: Vec<_> = five.board().stones().collect();
        stones.push((ply.played, Stone::Of(five.to_move())));
        let to_move = !five.to_move();
        five = Five::with_weights(game.setup, weights.clone());
        for (cell, stone) in stones {
            five.set_up(cell, stone);
        }
        five.set_to_move(to_move);
    }
    assert_eq!(at, positions.len());
}

#[test]
fn encoded_positions_match_the_search() {
    for rule in RuleId::ALL {
        let fitted = with_own_weights(rule, CompareWithSearch);
        assert_eq!(fitted.is_ok(), weights_rule(rule) == rule, "{rule}");
    }
}

#[test]
fn mirror_images_have_the_same_key_and_other_positions_another() {
    let game = random_game::<Freestyle>(15, 3);
    let keys = |game: &PackedGame| {
        let layout = layout(RuleId::Freestyle);
        FiveEncoder::new(layout).encode::<Freestyle>(game, false).unwrap().keys
    };
    let first = keys(&game);
    for symmetry in goren_core::types::Symmetry::all(15, 15) {
        let mut image = game.clone();
        image.opening.iter_mut().for_each(|cell| *cell = symmetry.apply(*cell));
        for ply in &mut image.plies {
            (ply.played, ply.best) = (symmetry.apply(ply.played), symmetry.apply(ply.best));
        }
        assert_eq!(keys(&image), first);
    }
    let mut all = first;
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn a_stone_on_another_is_refused() {
    let mut game = random_game::<Renju>(15, 3);
    game.plies[10].played = game.opening[0];
    let encoded = FiveEncoder::new(layout(RuleId::Renju)).encode::<Renju>(&game, false);
    assert_eq!(encoded.err().unwrap().number, 12);
}

/// Positions of random games.
fn random_positions(count: usize) -> EncodedPositions {
    let mut positions = EncodedPositions::default();
    for seed in 0.. {
        let game = random_game::<Freestyle>(15, seed);
        let mut encoder = FiveEncoder::new(layout(RuleId::Freestyle));
        let encoded = encoder.encode::<Freestyle>(&game, seed % 5 == 0).unwrap();
        for at in 0..encoded.positions.len() {
            if positions.len() == count {
                return positions;
            }
            positions.push_from(&encoded.positions, at);
        }
    }
    positions
}

fn split(positions: &EncodedPositions) -> (Vec<u32>, Vec<u32>) {
    (0..positions.len() as u32).partition(|&i| !positions.label(i as usize).held_out)
}

fn correlation(a: &[f32], b: &[f32]) -> f64 {
    let n = a.len() as f64;
    let mean = |v: &[f32]| v.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
    let (ma, mb) = (mean(a), mean(b));
    let dot = |u: &[f32], mu: f64, v: &[f32], mv: f64| -> f64 {
        u.iter().zip(v).map(|(&x, &y)| (f64::from(x) - mu) * (f64::from(y) - mv)).sum()
    };
    dot(a, ma, b, mb) / (dot(a, ma, a, ma) * dot(b, mb, b, mb)).sqrt()
}

#[test]
fn a_known_evaluation_is_recovered() {
    let layout = layout(RuleId::Freestyle);
    let positions = random_positions(6000);
    let (train, valid) = split(&positions);
    let weights = Weights::embedded(RuleId::Freestyle);
    let (truth, zeros) = (TableVectors::of(&weights, layout).evaluation, vec![]);
    let teacher = Evaluation { positions: &positions, targets: &zeros, scale: 200.0 };
    let odds = |weights: &[f32], samples: &[u32]| -> Vec<f32> {
        samples.iter().map(|&i| teacher.odds(i as usize, weights)).collect()
    };
    let all: Vec<u32> = (0..positions.len() as u32).collect();
    let targets: Vec<f32> = odds(&truth, &all).into_iter().map(sigmoid).collect();
    let student = Evaluation { targets: &targets, ..teacher };
    let ties = Ties::evaluation(layout, false);
    let fitted = fit(&student, &ties, &train, &valid, &SCHEDULE, None, |_| Ok(())).unwrap();
    let first = fitted.epochs[0].valid;
    let last = fitted.epochs.iter().map(|epoch| epoch.valid).fold(f64::INFINITY, f64::min);
    assert!(last < first, "{:?}", fitted.epochs);
    let found = correlation(&odds(&truth, &valid), &odds(&fitted.weights, &valid));
    assert!(found > 0.95, "{found}");
    let zeros = vec![0.0; layout.evaluation()];
    let evaluations: [(_, Odds); 2] = [
        ("before", &|at| student.odds(at, &zeros)),
        ("after", &|at| student.odds(at, &fitted.weights)),
    ];
    let (labels, targets) = (positions.labels(), student.targets);
    let report = EvaluationReport::new(labels, targets, &valid, 200.0, &evaluations);
    assert!(report.loss(1) < report.loss(0), "{report}");
}

#[test]
fn a_known_ordering_is_recovered() {
    let layout = layout(RuleId::Freestyle);
    let truth = TableVectors::of(&Weights::embedded(RuleId::Freestyle), layout).ordering;
    let old = random_positions(6000);
    let mut positions = EncodedPositions::default();
    for at in 0..old.len() {
        let candidates = old.candidates_at(at).to_vec();
        let value =
            |c: &CandidateWeights| c.iter().map(|&weight| truth[weight as usize]).sum::<f32>();
        let best = (0..candidates.len())
            .max_by(|&a, &b| value(&candidates[a]).total_cmp(&value(&candidates[b])));
        let choice = best.map(|best| MoveChoice { candidates, best });
        positions.push(*old.label(at), 0, std::iter::empty(), choice);
    }
    let (mut train, mut valid) = split(&positions);
    train.retain(|&i| !positions.candidates_at(i as usize).is_empty());
    valid.retain(|&i| !positions.candidates_at(i as usize).is_empty());
    let ordering = Ordering { positions: &positions, scale: FIVE_SCALE };
    let ties = Ties::ordering(layout, false);
    let fitted = fit(&ordering, &ties, &train, &valid, &SCHEDULE, None, |_| Ok(())).unwrap();
    let [first, eight] = ordering.among_first(&valid, &fitted.weights, [1, 8]);
    // Several candidates may be equally good.
    assert!(first > 0.5 && eight > 0.9, "{first} {eight}");
    let zeros = vec![0.0; layout.ordering()];
    let [before, after] =
        OrderingReport::new(&ordering, &valid, [&zeros, &fitted.weights]).losses();
    assert!(after < 0.6 * before, "{before} {after}");
}

#[test]
fn a_net_learns_what_sums_cannot_express() {
    let layout = layout(RuleId::Freestyle);
    let positions = random_positions(6000);
    let (train, valid) = split(&positions);
    // The more cells are touched, the more the score counts: a product.
    let zeros = vec![];
    let teacher = Evaluation { positions: &positions, targets: &zeros, scale: 200.0 };
    let truth = TableVectors::of(&Weights::embedded(RuleId::Freestyle), layout).evaluation;
    let points = teacher.points(&truth);
    let codes = |at: usize| positions.codes_at(at).count() as f32;
    let targets: Vec<f32> =
        (0..positions.len()).map(|at| sigmoid(points[at] / 200.0 * codes(at) / 40.0)).collect();
    let evaluation = Evaluation { targets: &targets, ..teacher };
    let net_layout = net_layout(layout);
    let net = NetFit { evaluation: &evaluation, layout: &net_layout, points: &points };
    let schedule = FitSchedule { epochs: 10, rate: 0.02, ..SCHEDULE };
    let fitted =
        fit(&net, &net_layout.ties(1), &train, &valid, &schedule, None, |_| Ok(())).unwrap();
    let excess = |weights: &[f32]| {
        let least: f64 = valid
            .iter()
            .map(|&i| {
                let t = f64::from(targets[i as usize]).clamp(1e-6, 1.0 - 1e-6);
                -t * t.ln() - (1.0 - t) * (1.0 - t).ln()
            })
            .sum();
        mean_loss(&net, &valid, weights) - least / valid.len() as f64
    };
    let (before, after) = (excess(&vec![0.0; net_layout.len()]), excess(&fitted.weights));
    assert!(after < 0.6 * before, "{before} {after}");
}

/// Numerical slopes of all losses.
#[test]
fn gradients_are_the_slopes_of_the_losses() {
    let layout = layout(RuleId::Freestyle);
    let positions = random_positions(60);
    let targets: Vec<f32> = (0..60).map(|i| i as f32 / 59.0).collect();
    let vectors = TableVectors::of(&Weights::embedded(RuleId::Freestyle), layout);
    fn check(problem: &impl Problem, samples: usize, mut weights: Vec<f32>) {
        let mut checked = 0;
        for at in 0..samples {
            let mut gradient = vec![0.0; weights.len()];
            problem.learn(at, &weights, &mut gradient);
            let touched: Vec<usize> =
                (0..weights.len()).filter(|&i| gradient[i].abs() > 2e-3).take(3).collect();
            for i in touched {
                let before = weights[i];
                let mut loss = |step: f32| {
                    weights[i] = before + step;
                    f64::from(problem.loss(at, &weights))
                };
                let slope = (loss(1.0) - loss(-1.0)) / 2.0;
                weights[i] = before;
                let error = (slope - f64::from(gradient[i])).abs();
                assert!(error < 2e-4 + 0.02 * slope.abs(), "{at} {i}: {slope} {}", gradient[i]);
                checked += 1;
            }
        }
        assert!(checked > 50, "{checked}");
    }
    let evaluation = Evaluation { positions: &positions, targets: &targets, scale: 200.0 };
    check(&evaluation, 60, vectors.evaluation.clone());
    let sums = evaluation.points(&vectors.evaluation);
    let net_layout = net_layout(layout);
    let net = NetFit { evaluation: &evaluation, layout: &net_layout, points: &sums };
    let mut rng = SmallRng::seed_from_u64(5);
    let numbers: Vec<f32> = (0..net_layout.len()).map(|_| rng.random_range(-0.2..0.2)).collect();
    let mut wrong = 0;
    let mut checked = 0;
    for at in 0..60 {
        let mut gradient = vec![0.0; numbers.len()];
        net.learn(at, &numbers, &mut gradient);
        let touched: Vec<usize> = (0..numbers.len()).filter(|&i| gradient[i] != 0.0).collect();
        for &i in touched.iter().step_by(29) {
            let mut moved = numbers.clone();
            let mut loss = |step: f32| {
                moved[i] = numbers[i] + step;
                f64::from(net.loss(at, &moved))
            };
            let slope = (loss(1e-3) - loss(-1e-3)) / 2e-3;
            let error = (slope - f64::from(gradient[i])).abs();
            // There is no slope where the input of a neuron changes its sign.
            wrong += usize::from(error > 1e-3 + 0.03 * slope.abs());
            checked += 1;
        }
        let (here, search) = (net.odds(at, &numbers), net.odds_of_search(at, &numbers));
        assert!((here - search).abs() < 1e-4 * here.abs().max(1.0), "{here} {search}");
    }
    assert!(checked > 1000 && wrong * 100 < checked, "{wrong} of {checked}");
    let free: Vec<usize> = (0..60).filter(|&i| !positions.candidates_at(i).is_empty()).collect();
    struct Free<'a>(Ordering<'a>, Vec<usize>);
    impl Problem for Free<'_> {
        fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
            self.0.learn(self.1[at], weights, gradient)
        }
        fn loss(&self, at: usize, weights: &[f32]) -> f32 {
            self.0.loss(self.1[at], weights)
        }
    }
    let count = free.len();
    check(
        &Free(Ordering { positions: &positions, scale: FIVE_SCALE }, free),
        count,
        vectors.ordering,
    );
}

#[test]
fn a_proven_score_overrides_the_result() {
    let label = TrainingLabel { score: win_in(3), result: Some(0.0), held_out: false };
    assert_eq!(targets(&[label], 1.0, 200.0), [1.0]);
}

#[test]
fn a_fit_continues_from_any_epoch() {
    /// The loss of a sample is the squared difference between the sum of the weights and
    /// its number.
    struct Sums;
    impl Problem for Sums {
        fn learn(&self, at: usize, weights: &[f32], gradient: &mut [f32]) -> f32 {
            let error = weights.iter().sum::<f32>() - at as f32;
            gradient.iter_mut().for_each(|slope| *slope += 2.0 * error);
            error * error
        }
        fn loss(&self, at: usize, weights: &[f32]) -> f32 {
            (weights.iter().sum::<f32>() - at as f32).powi(2)
        }
    }
    let mut ties = Ties::default();
    (0..3).for_each(|i| ties.add_with_prior(10.0, i as f32));
    let (train, valid): (Vec<u32>, Vec<u32>) = ((0..40).collect(), (5..25).collect());
    let schedule = FitSchedule { epochs: 12, batch: 7, rate: 0.1, seed: 3 };
    let fit_from = |saved: Option<&FitProgress>| {
        let mut states = Vec::new();
        let fit = fit(&Sums, &ties, &train, &valid, &schedule, saved, |progress| {
            states.push(progress.clone());
            Ok(())
        });
        let Fit { weights, epochs } = fit.unwrap();
        (weights, epochs, states)
    };
    let (weights, epochs, states) = fit_from(None);
    assert!(states.len() > 3);
    for saved in &states {
        let (resumed, all, rest) = fit_from(Some(saved));
        assert_eq!((&resumed, &all), (&weights, &epochs));
        assert_eq!(rest.len(), states.len() - saved.epochs.len());
    }
}
