//! A fit with a progress bar, and the plot of its losses.

use std::path::Path;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::finish;
use super::model::Ties;
use super::train::{Epoch, Fit, Problem, Schedule, fit};
use crate::plot::losses;

/// Fits one of the two, with a bar of progress.
pub(super) fn learn(
    name: &str,
    problem: &impl Problem,
    ties: &Ties,
    train: &[u32],
    valid: &[u32],
    schedule: &Schedule,
) -> Result<Fit> {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed} {msg}")?;
    let bar = ProgressBar::new(schedule.epochs as u64).with_style(style);
    bar.set_prefix(name.to_owned());
    bar.tick();
    let fit = fit(problem, ties, train, valid, schedule, |epoch| {
        bar.inc(1);
        bar.set_message(format!("loss {:.5}, held out {:.5}", epoch.train, epoch.valid));
    })
    .with_context(|| format!("no {name}"))?;
    bar.finish_and_clear();
    Ok(fit)
}

/// Writes the curves of a fit, and the loss before it.
pub(super) fn plot(path: &Path, name: &str, epochs: &[Epoch], before: f64) -> Result<()> {
    let points = |loss: &dyn Fn(&Epoch) -> f64| {
        epochs.iter().enumerate().map(|(i, epoch)| ((i + 1) as f64, loss(epoch))).collect()
    };
    let series = [
        ("learnt from", points(&|epoch| epoch.train)),
        ("held out", points(&|epoch| epoch.valid)),
        ("held out, before", points(&|_| before)),
    ];
    let svg = losses(&format!("Loss of the {name}"), &series, "epoch", "loss")?;
    finish::save(path, svg.as_bytes())
}
