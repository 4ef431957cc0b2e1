use clap::Parser;

use super::*;
use crate::data::Writer;
use crate::tune::train::Problem;
use goren_core::opening::{Action, GameState};
use goren_core::rules::{Contest, Freestyle, Outcome, Renju, Setup};
use goren_core::types::Cell;
use goren_engine::{Engine, Hash, Request, WeightSet, new_position};
use goren_training::{PackedGame, Ply};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Some games of short searches, and the arguments to learn from them.
fn games(rule: RuleId, folder: &Path) -> Args {
    let path = folder.join("games");
    let mut file = Writer::resume(&path, |_| Ok(())).unwrap();
    let mut engine = Engine::with_hash(Hash::exactly(1 << 20));
    for seed in 0..6 {
        let setup = Setup::new(rule, 15, 15).unwrap();
        let mut game = GameState::new(Contest::five(setup));
        let mut position = new_position(game.contest(), &WeightSet::default());
        let opening: Vec<Cell> =
            [(7, 7), (8, 8), (6 + seed % 3, 9)].map(|(x, y)| Cell::new(x, y)).to_vec();
        opening.iter().for_each(|&cell| game.apply(&Action::stone(cell)).unwrap());
        let mut plies = Vec::new();
        for _ in 0..12 + seed % 4 {
            position.set(&(&game).into());
            let answer = engine.go(&*position, &Request::nodes(150), &mut |_| {}).unwrap();
            let best = answer.best.cell();
            plies.push(Ply { played: best, best, score: 5 });
            game.apply(&Action::stone(best)).unwrap();
            if game.result().is_some() {
                break;
            }
        }
        let game = PackedGame {
            setup,
            seed: seed as u64,
            opening,
            plies,
            result: Outcome::Draw,
            played_out: false,
        };
        file.write(&game).unwrap();
    }
    drop(file);
    let name = rule.to_string();
    let words = ["tune", "--game", &name, "--out", "x", "--valid", "0.2"];
    let path = path.to_str().unwrap();
    Command::parse_from(words.into_iter().chain([path])).args
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    fn check<R: Rule>() {
        let folder = tempfile::tempdir().unwrap();
        let samples = Samples::<R>::read(&games(R::ID, folder.path())).unwrap();
        let (base, shape) = (Weights::embedded(R::ID), Shape::of::<R>());
        let trained = Trained::new(&samples, &base, &shape);
        let ties = shape.ties(3);
        let mut weights = vec![0.0; ties.weights()];
        ties.expand(&ties.start(), &mut weights);
        // So that the whole board has a say.
        let end = weights.len();
        weights[end - 256..].iter_mut().enumerate().for_each(|(i, w)| *w = (i % 7) as f32 * 0.01);
        let (mut compared, mut wrong) = (0, 0);
        for at in (0..samples.len()).step_by(9) {
            let mut gradient = vec![0.0; weights.len()];
            let loss = trained.learn(at, &weights, &mut gradient);
            assert!((loss - trained.loss(at, &weights)).abs() < 1e-5);
            let used: Vec<usize> = (0..end).filter(|&i| gradient[i].abs() > 0.02).collect();
            for &i in used.iter().step_by(used.len() / 25 + 1) {
                let mut moved = weights.clone();
                let mut slope = |step: f32| {
                    moved[i] = weights[i] + step;
                    f64::from(trained.loss(at, &moved))
                };
                let slope = (slope(5e-4) - slope(-5e-4)) / 1e-3;
                let difference = (slope - f64::from(gradient[i])).abs();
                // A number may be clipped on one side of the point.
                wrong += usize::from(difference > 0.01 + 0.05 * slope.abs());
                compared += 1;
            }
        }
        assert!(compared > 100 && wrong * 25 < compared, "{wrong} of {compared}");
    }
    check::<Freestyle>();
    check::<Renju>();
}

#[test]
fn what_is_learnt_is_what_the_engine_reads() {
    let folder = tempfile::tempdir().unwrap();
    let args = games(RuleId::Renju, folder.path());
    let samples = Samples::<Renju>::read(&args).unwrap();
    let (base, shape) = (Weights::embedded(RuleId::Renju), Shape::of::<Renju>());
    let trained = Trained::new(&samples, &base, &shape);
    let all: Vec<u32> = (0..samples.len() as u32).collect();
    let schedule = Schedule { epochs: 6, batch: 16, rate: 0.05, seed: 1 };
    let mut none = Checkpoint::default();
    let fit = learn("net", &trained, &shape.ties(1), &all, &all, &schedule, &mut none).unwrap();
    let (first, last) = (fit.epochs[0].train, fit.epochs.last().unwrap().valid);
    assert!(last < first - 0.3, "{first} {last}");
    let sides = shape.sides(&fit.weights).unwrap();
    let tuned = Arc::new(Weights::clone(&base).with_policy_net(&sides));
    for &at in &all {
        let loss = f64::from(trained.loss(at as usize, &fit.weights));
        let (judged, _) = samples.judged(at as usize, &tuned);
        assert!((loss - judged).abs() < 0.15 + 0.05 * loss, "{at}: {loss} {judged}");
    }
    // Learning on begins there.
    let again = shape.ties_from(&tuned).unwrap();
    let mut weights = vec![0.0; again.weights()];
    again.expand(&again.start(), &mut weights);
    assert!(shape.sides(&weights).unwrap() == sides);
    let bare = Weights::new(RuleId::Renju, &Color::ALL.map(|color| base.side(color)));
    assert!(shape.ties_from(&bare).is_err());
}
