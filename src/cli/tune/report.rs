//! Quality of weights on the held-out positions.

use std::fmt;

use rayon::prelude::*;

use super::evaluation::{log_loss, search_odds};
use super::label::TrainingLabel;
use super::ordering::Ordering;
use super::train::mean_loss;

/// Losses of evaluations, and of the references they are compared with.
pub(super) struct EvaluationReport {
    positions: usize,
    /// Held-out positions with a result.
    with_result: usize,
    /// Name, loss against the results, loss against the targets.
    rows: Vec<(&'static str, f64, Option<f64>)>,
}

/// Log-odds of a position by its index.
pub(super) type Odds<'a> = &'a (dyn Fn(usize) -> f32 + Sync);

impl EvaluationReport {
    /// Judges evaluations by the held-out positions `valid`, given the labels and targets
    /// of all positions. Scores of the search count `search_scale` points a logit.
    pub fn new(
        labels: &[TrainingLabel],
        targets: &[f32],
        valid: &[u32],
        search_scale: f32,
        evaluations: &[(&'static str, Odds)],
    ) -> EvaluationReport {
        let result = |i: u32| labels[i as usize].result;
        let known: Vec<u32> = valid.iter().copied().filter(|&i| result(i).is_some()).collect();
        let against_results = |odds: &(dyn Fn(u32) -> f32 + Sync)| {
            let losses: Vec<f32> =
                known.par_iter().map(|&i| log_loss(odds(i), result(i).unwrap_or(0.5))).collect();
            losses.iter().map(|&loss| f64::from(loss)).sum::<f64>() / known.len().max(1) as f64
        };
        let constant = |values: &mut dyn Iterator<Item = f32>| {
            let (sum, count) = values.fold((0.0, 0), |(sum, n), value| (sum + value as f64, n + 1));
            let p = (sum / f64::from(count.max(1))).clamp(1e-6, 1.0 - 1e-6);
            -p * p.ln() - (1.0 - p) * (1.0 - p).ln()
        };
        let against_targets = |odds: Odds| {
            let loss = |&i: &u32| f64::from(log_loss(odds(i as usize), targets[i as usize]));
            let losses: Vec<f64> = valid.par_iter().map(loss).collect();
            losses.iter().sum::<f64>() / valid.len().max(1) as f64
        };
        let mut rows = vec![
            (
                "a constant",
                constant(&mut known.iter().filter_map(|&i| result(i))),
                Some(constant(&mut valid.iter().map(|&i| targets[i as usize]))),
            ),
            (
                "the search",
                against_results(&|i| search_odds(&labels[i as usize], search_scale)),
                None,
            ),
        ];
        rows.extend(evaluations.iter().map(|&(name, odds)| {
            (name, against_results(&|i| odds(i as usize)), Some(against_targets(odds)))
        }));
        EvaluationReport { positions: valid.len(), with_result: known.len(), rows }
    }

    /// Loss of an evaluation against the targets.
    pub fn loss(&self, evaluation: usize) -> f64 {
        self.rows[2 + evaluation].2.unwrap_or(f64::NAN)
    }
}

impl fmt::Display for EvaluationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Evaluation: loss in {} held-out positions, {} of them with a fair result",
            self.positions, self.with_result
        )?;
        write!(f, "{:12} {:>10} {:>10}", "", "result", "target")?;
        for (name, result, target) in &self.rows {
            write!(f, "\n{name:12} {result:>10.5}")?;
            if let Some(target) = target {
                write!(f, " {target:>10.5}")?;
            }
        }
        Ok(())
    }
}

/// Ranks up to which a best move counts as found.
const FIRSTS: [usize; 3] = [1, 3, 8];

/// How well weights order the moves.
pub(super) struct OrderingReport {
    positions: usize,
    /// Before and after: loss, and how often the best move is among the first few.
    rows: [(f64, [f64; FIRSTS.len()]); 2],
    /// Loss of a choice at random, where it was computed.
    random: Option<f64>,
}

impl OrderingReport {
    /// Judges weights from before and after by held-out positions.
    pub fn new(ordering: &Ordering, valid: &[u32], weights: [&[f32]; 2]) -> OrderingReport {
        let zeros = vec![0.0; weights[0].len()];
        let row = |weights: &[f32]| {
            (mean_loss(ordering, valid, weights), ordering.among_first(valid, weights, FIRSTS))
        };
        OrderingReport {
            positions: valid.len(),
            rows: weights.map(row),
            random: Some(mean_loss(ordering, valid, &zeros)),
        }
    }

    /// A report from the loss and the rank of the best move (from 1) at each position, before
    /// and after.
    pub fn of_ranks(losses_and_ranks: [Vec<(f64, usize)>; 2]) -> OrderingReport {
        let positions = losses_and_ranks[0].len();
        let rows = losses_and_ranks.map(|list| {
            let mean = |value: &dyn Fn(&(f64, usize)) -> f64| {
                list.iter().map(value).sum::<f64>() / list.len().max(1) as f64
            };
            let among = |n: usize| mean(&|&(_, rank)| f64::from(u8::from(rank <= n)));
            (mean(&|&(loss, _)| loss), FIRSTS.map(among))
        });
        OrderingReport { positions, rows, random: None }
    }

    /// Loss before and after.
    pub fn losses(&self) -> [f64; 2] {
        self.rows.map(|(loss, _)| loss)
    }
}

impl fmt::Display for OrderingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Ordering: the best move in {} held-out positions", self.positions)?;
        write!(f, "{:12} {:>10}", "", "loss")?;
        for first in FIRSTS {
            write!(f, " {:>8}", format!("first {first}"))?;
        }
        if let Some(random) = self.random {
            write!(f, "\n{:12} {random:>10.5}", "at random")?;
        }
        for (name, (loss, firsts)) in ["before", "after"].iter().zip(self.rows) {
            write!(f, "\n{name:12} {loss:>10.5}")?;
            for first in firsts {
                write!(f, " {:>7.1}%", 100.0 * first)?;
            }
        }
        Ok(())
    }
}
