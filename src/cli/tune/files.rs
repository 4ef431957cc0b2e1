//! The files of a fit besides its data: the weights that it starts from, those that it
//! writes, and the plots of its losses.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::args::Args;
use super::train::Epoch;
use crate::picture;
use crate::plot::curves;
use goren_files::output_path;

/// Reads the weights of `--base` by `read`; `None` without `--base`.
///
/// # Errors
/// The file cannot be read, or the error of `read`, with the name of the file.
pub(super) fn read_base<W>(
    args: &Args,
    read: impl FnOnce(&[u8]) -> Result<W>,
) -> Result<Option<W>> {
    let Some(path) = &args.base else { return Ok(None) };
    let name = || format!("weights {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    read(&bytes).with_context(name).map(Some)
}

/// The losses of a stage, for a plot.
pub(super) struct Curve<'a> {
    /// What was fitted.
    pub name: &'a str,
    /// Losses by epoch.
    pub epochs: &'a [Epoch],
    /// Held-out loss of the weights before the fit.
    pub before: f64,
}

/// Writes the file of the weights, and with `--plot` a plot for each curve.
///
/// # Errors
/// A file cannot be written.
pub(super) fn write(args: &Args, weights: &[u8], curves: &[Curve]) -> Result<()> {
    output_path::replace(&args.out, weights)?;
    println!("Wrote {}.", args.out.display());
    plot_paths(args).iter().zip(curves).try_for_each(|(path, curve)| plot(path, curve))
}

/// The files of the plots that may be written: that of `--plot`, and with the fit of the
/// tables a second one beside it, for the ordering.
pub(super) fn plot_paths(args: &Args) -> Vec<PathBuf> {
    let Some(path) = &args.plot else { return Vec::new() };
    let has_ordering = args.window_epochs == 0 && args.policy_epochs == 0;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ordering = path.with_file_name(format!("{stem}-order.svg"));
    [Some(path.clone()), has_ordering.then_some(ordering)].into_iter().flatten().collect()
}

fn plot(path: &Path, Curve { name, epochs, before }: &Curve) -> Result<()> {
    let points = |loss: &dyn Fn(&Epoch) -> f64| {
        epochs.iter().enumerate().map(|(i, epoch)| ((i + 1) as f64, loss(epoch))).collect()
    };
    let series = [
        ("learnt from", points(&|epoch| epoch.train)),
        ("held out", points(&|epoch| epoch.valid)),
        ("held out, before", points(&|_| *before)),
    ];
    let svg = curves(&format!("Loss of the {name}"), &series, "epoch", "loss")?;
    picture::write(path, svg.as_bytes())
}
