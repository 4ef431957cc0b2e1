//! A fit with a progress bar, and the plot of its losses.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::checkpoint::Checkpoint;
use super::model::Ties;
use super::train::{Epoch, Fit, Problem, Schedule, fit};
use crate::picture;
use crate::plot::curves;

/// Fits one stage of the weights and shows a progress bar. Continues from the checkpoint of
/// the stage, if there is one.
pub(super) fn learn(
    name: &str,
    problem: &impl Problem,
    ties: &Ties,
    train: &[u32],
    valid: &[u32],
    schedule: &Schedule,
    checkpoint: &mut Checkpoint,
) -> Result<Fit> {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed} {msg}")?;
    let bar = ProgressBar::new(schedule.epochs as u64).with_style(style);
    bar.set_prefix(name.to_owned());
    bar.tick();
    let begun = checkpoint.progress(name).cloned();
    let fit = fit(problem, ties, train, valid, schedule, begun.as_ref(), |progress| {
        bar.set_position(progress.epochs.len() as u64);
        if let Some(Epoch { train, valid }) = progress.epochs.last() {
            bar.set_message(format!("loss {train:.5}, held out {valid:.5}"));
        }
        checkpoint.keep(name, progress)
    })
    .with_context(|| format!("no {name}"))?;
    bar.finish_and_clear();
    Ok(fit)
}

/// The file of the plot of the ordering, beside that of the evaluation.
pub(super) fn order_plot(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-order.svg"))
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
    let svg = curves(&format!("Loss of the {name}"), &series, "epoch", "loss")?;
    picture::write(path, svg.as_bytes())
}
