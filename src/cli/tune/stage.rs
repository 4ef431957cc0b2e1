//! A stage of a fit, with checkpoint and progress bar.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};

use super::checkpoint::Checkpoint;
use super::ties::Ties;
use super::train::{Epoch, Fit, FitSchedule, Problem, fit};

/// Fits one stage of the weights, such as the ordering, and shows a progress bar. Continues
/// from the checkpoint of the stage `name`, if there is one.
///
/// # Errors
/// Those of [`fit`], with the name of the stage; the checkpoint cannot be written.
pub(super) fn fit_stage(
    name: &str,
    problem: &impl Problem,
    ties: &Ties,
    [train, valid]: [&[u32]; 2],
    schedule: &FitSchedule,
    checkpoint: &mut Checkpoint,
) -> Result<Fit> {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {pos}/{len} {elapsed} {msg}")?;
    let bar = ProgressBar::new(schedule.epochs as u64).with_style(style);
    bar.set_prefix(name.to_owned());
    bar.tick();
    let saved = checkpoint.progress(name).cloned();
    let fit = fit(problem, ties, train, valid, schedule, saved.as_ref(), |progress| {
        bar.set_position(progress.epochs.len() as u64);
        if let Some(Epoch { train, valid }) = progress.epochs.last() {
            bar.set_message(format!("loss {train:.5}, held out {valid:.5}"));
        }
        checkpoint.save(name, progress)
    })
    .with_context(|| format!("cannot fit the {name}"))?;
    bar.finish_and_clear();
    Ok(fit)
}
