//! Fits parameters by mini-batches and Adam (Kingma and Ba, 2015), with early stopping.

use anyhow::{Result, bail};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::ties::Ties;

/// A loss over many samples that is to be minimised. A sample is the index of a position.
pub(super) trait Problem: Sync {
    /// Loss of a sample at `weights`. Adds its derivative by each weight to `gradient`, of
    /// the same length.
    fn learn(&self, sample: usize, weights: &[f32], gradient: &mut [f32]) -> f32;
    /// Loss of a sample at `weights`.
    fn loss(&self, sample: usize, weights: &[f32]) -> f32;
}

/// Length and learning rate of a fit.
#[derive(Copy, Clone, Debug)]
pub(super) struct FitSchedule {
    /// Maximum number of passes over all samples.
    pub epochs: usize,
    /// Samples per step.
    pub batch: usize,
    /// Initial learning rate, in expected magnitudes of a parameter; it falls along a
    /// cosine.
    pub rate: f32,
    /// Random seed of the order of the samples.
    pub seed: u64,
}

/// Mean losses after an epoch.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Epoch {
    /// Over the samples learnt from, each at the weights of its step.
    pub train: f64,
    /// Over the samples held out, after the epoch.
    pub valid: f64,
}

/// The result of a fit.
pub(super) struct Fit {
    /// The weights of the epoch with the lowest held-out loss.
    pub weights: Vec<f32>,
    /// All epochs, in order.
    pub epochs: Vec<Epoch>,
}

/// The state of a fit between two epochs: the rest of the fit depends on nothing else.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct FitProgress {
    /// The epochs so far.
    pub epochs: Vec<Epoch>,
    /// Steps so far.
    pub steps: i32,
    /// The parameters.
    pub parameters: Vec<f32>,
    /// Moving averages of the gradient.
    pub mean: Vec<f32>,
    /// Moving averages of the squared gradient.
    pub square: Vec<f32>,
    /// The weights of the epoch with the lowest held-out loss.
    pub best: Vec<f32>,
}

impl FitProgress {
    /// The epoch with the lowest held-out loss, and how many came after it.
    fn best_epoch(&self) -> (f64, usize) {
        let (mut least, mut since) = (f64::INFINITY, 0);
        for epoch in &self.epochs {
            since += 1;
            if epoch.valid < least {
                (least, since) = (epoch.valid, 0);
            }
        }
        (least, since)
    }

    /// Whether the fit is finished by a schedule.
    fn is_finished(&self, schedule: &FitSchedule) -> bool {
        let out_of_patience = self.best_epoch().1 >= patience(schedule.epochs);
        self.epochs.len() >= schedule.epochs || out_of_patience
    }
}

/// Epochs without a new lowest held-out loss after which a fit ends: a share of all, as the
/// loss fluctuates while the rate is high and falls again when it is low.
fn patience(epochs: usize) -> usize {
    (epochs / 3).max(3)
}

/// Parts of a batch whose gradients are computed side by side. Fixed, as sums of floats
/// depend on their order, and the result must not depend on the number of threads.
const PARTS: usize = 8;
/// Samples of a part of a mean loss; fixed for the same reason.
const LOSS_PART: usize = 4096;
/// The rate at the end as a share of the initial one.
const LAST_RATE: f32 = 0.01;

/// Mean loss over samples.
pub(super) fn mean_loss(problem: &impl Problem, samples: &[u32], weights: &[f32]) -> f64 {
    let parts: Vec<f64> = samples
        .par_chunks(LOSS_PART)
        .map(|part| part.iter().map(|&i| f64::from(problem.loss(i as usize, weights))).sum())
        .collect();
    parts.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// Fits weights to the samples `train`, and stops when the loss over `valid` no longer falls.
/// Continues from `saved`, if given, with the result of a fit without interruption. Calls
/// `on_epoch` after each epoch.
///
/// # Errors
/// `train` or `valid` is empty; the loss is not finite; `saved` has another number of
/// parameters; the error of `on_epoch`.
pub(super) fn fit(
    problem: &impl Problem,
    ties: &Ties,
    train: &[u32],
    valid: &[u32],
    schedule: &FitSchedule,
    saved: Option<&FitProgress>,
    mut on_epoch: impl FnMut(&FitProgress) -> Result<()>,
) -> Result<Fit> {
    if train.is_empty() || valid.is_empty() {
        bail!("too few positions: {} to learn from, {} held out", train.len(), valid.len());
    }
    let mut order = train.to_vec();
    let mut rng = SmallRng::seed_from_u64(schedule.seed);
    let steps = train.len().div_ceil(schedule.batch) * schedule.epochs;
    let mut learner = Adam::new(ties);
    let mut parts = vec![(vec![0.0; ties.weights()], 0.0); PARTS];
    let mut progress = match saved {
        Some(saved) => {
            learner.restore(ties, saved)?;
            // The order of an epoch depends on those of all epochs before it.
            saved.epochs.iter().for_each(|_| order.shuffle(&mut rng));
            saved.clone()
        }
        None => learner.progress(),
    };
    while !progress.is_finished(schedule) {
        order.shuffle(&mut rng);
        let mut sum = 0.0;
        for batch in order.chunks(schedule.batch) {
            sum += gradient(problem, batch, &learner.weights, &mut parts);
            let done = learner.steps as f32 / steps as f32;
            let cosine = (std::f32::consts::PI * done).cos();
            let part = LAST_RATE + (1.0 - LAST_RATE) * (0.5 + 0.5 * cosine);
            learner.step(ties, &parts[0].0, train.len(), schedule.rate * part);
        }
        let valid = mean_loss(problem, valid, &learner.weights);
        let epoch = Epoch { train: sum / train.len() as f64, valid };
        if !(epoch.train.is_finite() && epoch.valid.is_finite()) {
            bail!("the loss is no longer finite; a lower learning rate may help");
        }
        let (least, _) = progress.best_epoch();
        if epoch.valid < least {
            progress.best.copy_from_slice(&learner.weights);
        }
        progress.epochs.push(epoch);
        learner.save(&mut progress);
        on_epoch(&progress)?;
    }
    Ok(Fit { weights: progress.best, epochs: progress.epochs })
}

/// Writes the mean gradient over a batch to the first of the parts; returns the sum of the
/// losses.
fn gradient(
    problem: &impl Problem,
    batch: &[u32],
    weights: &[f32],
    parts: &mut [(Vec<f32>, f64)],
) -> f64 {
    let size = batch.len().div_ceil(parts.len());
    parts.par_iter_mut().enumerate().for_each(|(i, (gradient, loss))| {
        gradient.fill(0.0);
        *loss = 0.0;
        for &sample in batch.iter().skip(i * size).take(size) {
            *loss += f64::from(problem.learn(sample as usize, weights, gradient));
        }
    });
    let share = 1.0 / batch.len() as f32;
    let Some(((total, loss), others)) = parts.split_first_mut() else { return 0.0 };
    let mut sum = *loss;
    for (gradient, loss) in others {
        for (total, part) in total.iter_mut().zip(gradient) {
            *total += *part;
        }
        sum += *loss;
    }
    for total in total {
        *total *= share;
    }
    sum
}

/// The parameters and the state of Adam.
struct Adam {
    parameters: Vec<f32>,
    weights: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

const BETA_MEAN: f32 = 0.9;
const BETA_SQUARE: f32 = 0.999;
/// Far below all gradients, which are tiny for rare codes.
const EPSILON: f32 = 1e-12;

impl Adam {
    fn new(ties: &Ties) -> Adam {
        let zeros = vec![0.0; ties.parameters()];
        let parameters = ties.start();
        let mut weights = vec![0.0; ties.weights()];
        ties.expand(&parameters, &mut weights);
        Adam {
            parameters,
            weights,
            gradient: zeros.clone(),
            mean: zeros.clone(),
            square: zeros,
            steps: 0,
        }
    }

    /// The state of a fit before its first epoch.
    fn progress(&self) -> FitProgress {
        FitProgress {
            epochs: Vec::new(),
            steps: 0,
            parameters: self.parameters.clone(),
            mean: self.mean.clone(),
            square: self.square.clone(),
            best: self.weights.clone(),
        }
    }

    /// Copies the state of the learner into that of the fit.
    fn save(&self, progress: &mut FitProgress) {
        progress.steps = self.steps;
        progress.parameters.copy_from_slice(&self.parameters);
        progress.mean.copy_from_slice(&self.mean);
        progress.square.copy_from_slice(&self.square);
    }

    /// Continues from the state of a fit.
    ///
    /// # Errors
    /// It has another number of parameters or weights.
    fn restore(&mut self, ties: &Ties, progress: &FitProgress) -> Result<()> {
        let FitProgress { steps, parameters, mean, square, best, .. } = progress;
        let lengths = [parameters.len(), mean.len(), square.len(), best.len()];
        let count = self.parameters.len();
        if lengths != [count, count, count, self.weights.len()] {
            bail!("the checkpoint has another number of weights");
        }
        self.steps = *steps;
        self.parameters.copy_from_slice(parameters);
        self.mean.copy_from_slice(mean);
        self.square.copy_from_slice(square);
        ties.expand(&self.parameters, &mut self.weights);
        Ok(())
    }

    fn step(&mut self, ties: &Ties, by_weight: &[f32], samples: usize, rate: f32) {
        ties.parameter_gradient(by_weight, samples, &self.parameters, &mut self.gradient);
        self.steps += 1;
        let bias = (1.0 - BETA_SQUARE.powi(self.steps)).sqrt() / (1.0 - BETA_MEAN.powi(self.steps));
        let state = self.mean.iter_mut().zip(&mut self.square).zip(&self.gradient);
        for (parameter, ((mean, square), &gradient)) in self.parameters.iter_mut().zip(state) {
            *mean += (1.0 - BETA_MEAN) * (gradient - *mean);
            *square += (1.0 - BETA_SQUARE) * (gradient * gradient - *square);
            *parameter -= rate * bias * *mean / (square.sqrt() + EPSILON);
        }
        ties.expand(&self.parameters, &mut self.weights);
    }
}
