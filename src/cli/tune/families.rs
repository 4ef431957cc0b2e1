//! Fit of tuple weights: of the values of tuples here, then of the policy values of windows
//! (`window_policy.rs`) and of the network (`tuple_net.rs`).
//!
//! The value of every code of a tuple, and of every state, is a first guess (the
//! hand-made values, or those of a file, scaled to fit the results) plus a
//! deviation. Deviations are regularised towards 0, so that rare codes keep
//! their first guess. A tuple and its reverse have the same value, and a tuple
//! without stones has none.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use rayon::prelude::*;

use super::args::Args;
use super::checkpoint::Checkpoint;
use super::evaluation::{Evaluation, best_scale};
use super::learn::{learn, order_plot, plot};
use super::loaded::{Loaded, Split, targets};
use super::model::Ties;
use super::positions::{Choice, Label, Positions};
use super::report::{EvaluationReport, Odds};
use super::train::Schedule;
use super::tuple_net::TupleNet;
use super::window_policy::{self, WindowPolicy, choice};
use crate::plies;
use goren_core::rules::{Outcome, RuleId, Variant};
use goren_core::types::keys::mix;
use goren_core::types::{Cell, Color, Move, PROVEN};
use goren_engine::eval::tuple_codes::{canonical, exchanged, has_stones, reversed};
use goren_engine::eval::tuples::TupleWeights;
use goren_engine::eval::{TupleFamily, VALUE_SCALE, WeightFile, write_tuples};
use goren_engine::game::{GameVisitor, ThreatLevel, Tupled, tuple_family, with_game};
use goren_engine::threat::Verdict;
use goren_files::output_path;
use goren_training_data::{Lines, MAGIC, TrainingGame};

/// Expected deviation of values from the first guess, in points.
const WORTH_SPREAD: f32 = 5.0;
/// Expected deviation of states, in points.
const STATE_SPREAD: f32 = 50.0;

/// Fits weights to games of a variant and its kin, and writes them.
///
/// # Errors
/// Bad data, too few of them, or files that cannot be written.
pub(super) fn tune(args: &Args, variant: Variant, checkpoint: &mut Checkpoint) -> Result<()> {
    let Some(family) = tuple_family(variant) else { bail!("{variant} has no tuples") };
    let base = base(args, family)?;
    let mut loaded = Loaded::default();
    for path in &args.data {
        load(path, family, args, &mut loaded).with_context(|| format!("{}", path.display()))?;
    }
    let data = &loaded.positions;
    loaded.report(variant)?;
    let split = Split::of(data);
    let Split { train, valid, best_scale: best } = &split;
    let search = best.context("no game with a result")?;
    let targets = targets(data, args.lambda, search);
    let evaluation = Evaluation { positions: data, targets: &targets, scale: args.scale };

    let mut guess = vector(family, &base);
    let points = |i: &u32| Label {
        score: (evaluation.odds(*i as usize, &guess) * args.scale) as i32,
        ..*data.label(*i as usize)
    };
    let first: Vec<Label> = train.iter().map(points).collect();
    let own = best_scale(first.iter()).context("no game with a result")?;
    println!("The first guess fits them best at {own:.0} points a logit.");
    guess.iter_mut().for_each(|value| *value *= args.scale / own);

    let mut ties = Ties::default();
    for (i, &value) in guess.iter().enumerate() {
        let spread = if i >= codes(family) {
            STATE_SPREAD
        } else if has_stones(i as u16, family.span()) {
            WORTH_SPREAD
        } else {
            0.0
        };
        ties.add_around(spread, value);
    }
    let schedule =
        Schedule { epochs: args.epochs, batch: args.batch, rate: args.rate, seed: args.seed };
    let fit = learn("evaluation", &evaluation, &ties, train, valid, &schedule, checkpoint)?;
    let values = weights(family, &fit.weights)?;
    let after = vector(family, &values);
    let label = |at: u32| *evaluation.positions.label(at as usize);
    let report = |judged: &[(&'static str, Odds)]| {
        let report = EvaluationReport::new(&label, evaluation.targets, valid, search, judged);
        println!("{report}");
        report.loss(0)
    };
    let before: Odds = &|at| evaluation.odds(at, &guess);
    let alone: Odds = &|at| evaluation.odds(at, &after);
    let mut tuned = values.clone();
    let policy = window_policy::fit(args, data, &split, &base, values, checkpoint)?;
    if let Some(WindowPolicy { weights, report, .. }) = &policy {
        println!("{report}");
        tuned = weights.clone();
    }
    // A file with a network has policy values too.
    let loss = if args.net_epochs > 0 && policy.is_some() {
        let net = TupleNet::new(family, &evaluation, &after);
        let numbers = net.fit(args, family.span(), &split, checkpoint)?.weights;
        tuned = tuned.with_net(net.weights(&numbers)?);
        let with_net: Odds = &|at| net.odds(at, &numbers);
        report(&[("before", before), ("values alone", alone), ("after", with_net)])
    } else {
        report(&[("before", before), ("after", alone)])
    };
    output_path::replace(&args.out, &write_tuples(family, &tuned))?;
    println!("Wrote {}.", args.out.display());
    if let Some(path) = &args.plot {
        plot(path, "evaluation", &fit.epochs, loss)?;
        if let Some(WindowPolicy { epochs, report, .. }) = &policy {
            plot(&order_plot(path), "ordering", epochs, report.losses()[0])?;
        }
    }
    Ok(())
}

/// The first guess.
fn base(args: &Args, family: &TupleFamily) -> Result<TupleWeights> {
    let Some(path) = &args.base else { return Ok((*family.weights()).clone()) };
    let name = || format!("weights {}", path.display());
    let bytes = std::fs::read(path).with_context(name)?;
    match WeightFile::read(&bytes).with_context(name)? {
        WeightFile::Tuples(found, weights) if found == family => Ok(weights),
        _ => bail!("{} are not for {family}", name()),
    }
}

/// Number of codes of a tuple.
fn codes(family: &TupleFamily) -> usize {
    1 << (2 * family.span())
}

/// Weights as the fit knows them, in points: a value for each canonical code,
/// then for each state.
fn vector(family: &TupleFamily, weights: &TupleWeights) -> Vec<f32> {
    let span = family.span();
    let mut vector = vec![0.0; codes(family) + family.states().max(1)];
    for code in 0..=(codes(family) - 1) as u16 {
        // Where the two directions differ, each tuple still has its mirror
        // image in the sum over a board and its mirror image.
        let value = |code| f32::from(weights.value(code)) / VALUE_SCALE as f32;
        let turned = reversed(code, span);
        if has_stones(code, span) {
            vector[usize::from(canonical(code, span))] = (value(code) + value(turned)) / 2.0;
        }
    }
    for (slot, &points) in vector[codes(family)..].iter_mut().zip(weights.states()) {
        *slot = points.into();
    }
    vector
}

/// The weights of a vector.
///
/// # Errors
/// A weight is not finite.
fn weights(family: &TupleFamily, vector: &[f32]) -> Result<TupleWeights> {
    ensure!(vector.iter().all(|value| value.is_finite()), "a weight is not finite");
    let (values, states) = vector.split_at(codes(family));
    // A cast from a float keeps to the range of the integer.
    let value = |code: u16| {
        let value = values[usize::from(canonical(code, family.span()))];
        ((value * VALUE_SCALE as f32).round() as i16).max(-i16::MAX)
    };
    let states = states[..family.states()].iter().map(|points| points.round() as i16).collect();
    Ok(TupleWeights::new(family.span(), value).with_states(states))
}

/// The error for a line that cannot be read.
fn no_text(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::InvalidData {
        return anyhow!("not a file of training games: it is not text");
    }
    error.into()
}

/// Reads a file of training games.
///
/// # Errors
/// The file cannot be read or is no training data, or a game in it is impossible.
fn load(path: &Path, family: &TupleFamily, args: &Args, loaded: &mut Loaded) -> Result<()> {
    let mut file = BufReader::new(File::open(path)?);
    if file.fill_buf()?.starts_with(&MAGIC) {
        bail!("it holds games of five in a row, not of {}", args.game);
    }
    let mut lines = file.lines().map(|line| line.map_err(no_text));
    let format = Lines::of(&lines.next().context("the file is empty")??)?;
    let lines: Vec<String> = lines.collect::<Result<_>>()?;
    let read = |(i, line): (usize, &String)| -> Result<Option<(Positions, Vec<u64>)>> {
        let name = || format!("line {}", i + 2);
        let game = format.read(line).with_context(name)?;
        let contest = game.record.contest;
        let fits = args.size.0.is_none_or(|n| (contest.width, contest.height) == (n, n));
        if !fits || tuple_family(contest.variant) != Some(family) {
            return Ok(None);
        }
        let chance = (mix(args.seed ^ mix(game.seed)) >> 11) as f64 / (1u64 << 53) as f64;
        let visitor = Walk { game: &game, held_out: chance <= args.valid };
        with_game(&contest, None, visitor).map(Some).with_context(name)
    };
    let games: Vec<_> = lines.par_iter().enumerate().map(read).collect();
    for game in games {
        match game {
            Ok(Some((positions, keys))) => {
                if loaded.add(&positions, &keys, args.positions) {
                    break;
                }
            }
            Ok(None) => loaded.others += 1,
            Err(error) if args.whole_games => loaded.faults.push(format!("{error:#}")),
            Err(error) => return Err(error).context("with --whole-games the others are used"),
        }
    }
    Ok(())
}

/// The positions of a game, each with its key.
struct Walk<'a> {
    game: &'a TrainingGame,
    held_out: bool,
}

impl GameVisitor for Walk<'_> {
    type Out = Result<(Positions, Vec<u64>)>;

    fn five(self, rule: RuleId) -> Self::Out {
        bail!("games of {rule}")
    }

    fn tupled<P: Tupled + 'static>(self, mut position: P) -> Self::Out {
        let Walk { game, held_out } = self;
        let mut stones = plies::stones(&game.record.opening);
        let first = stones.len();
        stones.extend(&game.stones);
        // From here on no move was random any more.
        let fair = game.random_moves.iter().max().map_or(0, |&last| last + 1);
        let (mut positions, mut keys) = (Positions::default(), Vec::new());
        for i in 0..=stones.len() {
            let scored = i.checked_sub(first).filter(|&ply| ply < game.scores.len());
            if let Some(ply) = scored {
                let mover = position.to_move();
                let result = game.record.result().map(|result| match result {
                    Outcome::Win(winner) => f32::from(winner == mover),
                    Outcome::Draw => 0.5,
                });
                let result = result.filter(|_| ply >= fair);
                let label = Label { score: game.scores[ply], result, held_out };
                // The search evaluates no others.
                let open = position.outcome().is_none()
                    && position.threat_level() != ThreatLevel::Immediate
                    && position.verdict() == Verdict::Unknown;
                if open {
                    // A random move is not the best one, and one of a lost position says
                    // nothing.
                    let chosen = !game.random_moves.contains(&ply) && label.score > -PROVEN;
                    let best = chosen.then(|| stones.get(i).copied()).flatten();
                    let choice = best.and_then(|best| choice(&mut position, best));
                    push(&mut position, label, choice, &mut positions);
                    keys.push(position.key());
                }
            }
            if i == stones.len() {
                break;
            }
            // The stones of a pair of the opening come in any order.
            if i + 1 < first && !may_place(&mut position, stones[i]) {
                stones.swap(i, i + 1);
            }
            let text = stones[i].label(game.record.contest.height);
            let legal = may_place(&mut position, stones[i]);
            ensure!(legal, "stone {} cannot be placed on {text}", i + 1);
            position.make(Move::at(stones[i]));
        }
        Ok((positions, keys))
    }
}

/// Whether the search could place a stone on a cell.
fn may_place(position: &mut impl Tupled, cell: Cell) -> bool {
    let m = Move::at(cell);
    position.outcome().is_none() && position.is_pseudo_legal(m) && position.is_legal(m)
}

/// Adds a position.
fn push(
    position: &mut impl Tupled,
    label: Label,
    choice: Option<Choice>,
    positions: &mut Positions,
) {
    let span = position.board().geometry().span();
    let white = position.to_move() == Color::White;
    let own = |code: u16| if white { exchanged(code) } else { code };
    let touched = position.codes().tuples().iter().filter(|&&code| has_stones(code, span));
    let mut seen: Vec<u16> = touched.map(|&code| canonical(own(code), span)).collect();
    seen.sort_unstable();
    let counted = seen.chunk_by(|a, b| a == b).flat_map(|run| {
        // A byte can count so far.
        run.chunks(usize::from(u8::MAX)).map(|part| (part[0], part.len() as u8))
    });
    let states = 1 << (2 * span);
    positions.push(label, states + position.state(), counted, choice);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::point;
    use goren_core::opening::{Action, Seat};
    use goren_core::record::GameRecord;
    use goren_core::rules::{Contest, OpeningId};
    use goren_engine::eval::TupleNetWeights;
    use goren_engine::eval::net::{EMBEDDING_SCALE, LAYER_SCALE, WIDTH};

    #[test]
    fn pairs_of_an_opening_are_read_in_either_order() {
        let variant = Variant::from_name("connect6+collinear").unwrap();
        let contest = Contest { opening: OpeningId::Free, ..Contest::new(variant) };
        // Of the pair one stone is on a line with the stone before it.
        let positions = |opening: [&str; 3]| {
            let [first, rest @ ..] = opening.map(|text| point::cell(text, (19, 19)).unwrap());
            let game = TrainingGame {
                record: GameRecord {
                    contest,
                    players: Default::default(),
                    opening: vec![Action::stone(first), Action::stones(&rest)],
                    plies: Vec::new(),
                    black: Seat::First,
                    ending: None,
                    reason: String::new(),
                },
                seed: 0,
                stones: vec![point::cell("m10", (19, 19)).unwrap()],
                scores: vec![30],
                random_moves: Vec::new(),
            };
            let walk = Walk { game: &game, held_out: false };
            with_game(&contest, None, walk).map(|(positions, keys)| (positions.len(), keys))
        };
        let found = positions(["l14", "l9", "m9"]).unwrap();
        assert_eq!(found.0, 1);
        assert_eq!(positions(["l14", "m9", "l9"]).unwrap(), found);
        assert!(positions(["l14", "m9", "n9"]).is_err());
    }

    #[test]
    fn positions_are_worth_what_the_evaluation_says() {
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
            let vector = vector(family, &tuples);
            assert_eq!(weights(family, &vector).unwrap(), tuples, "{name}");
            let rows = (0..codes(family) * WIDTH).map(|i| (mix(i as u64) % 80) as i16 - 40);
            let net = TupleNetWeights {
                rows: rows.collect(),
                layers: Box::new(std::array::from_fn(|i| (mix(i as u64) % 1600) as i16 - 800)),
            };
            let rows = net.rows.iter().map(|&n| f32::from(n) / EMBEDDING_SCALE);
            let layers = net.layers.iter().map(|&n| f32::from(n) / LAYER_SCALE);
            let numbers: Vec<f32> = rows.chain(layers).collect();
            let with_net = tuples.clone().with_net(net);
            for (weights, net) in [(tuples, None), (with_net, Some(numbers))] {
                let visitor = Random { values: vector.clone(), family, net };
                for (points, score) in with_game(&contest, Some(Arc::new(weights)), visitor) {
                    assert!((points - score as f32).abs() <= 2.0, "{name}: {points} {score}");
                }
            }
        }
    }

    /// What the fit and the evaluation think of the positions of a random game, by tuple
    /// values and perhaps a network.
    struct Random {
        values: Vec<f32>,
        family: &'static TupleFamily,
        net: Option<Vec<f32>>,
    }

    impl GameVisitor for Random {
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
                let mut positions = Positions::default();
                let label = Label { score: 0, result: None, held_out: false };
                push(&mut position, label, None, &mut positions);
                let evaluation = Evaluation { positions: &positions, targets: &[0.5], scale: 1.0 };
                let alone = evaluation.odds(0, &self.values);
                let points = self.net.as_ref().map_or(alone, |numbers| {
                    TupleNet::new(self.family, &evaluation, &self.values).odds(0, numbers)
                });
                out.push((points, position.evaluate()));
            }
            assert!(out.len() > 8);
            out
        }
    }
}
