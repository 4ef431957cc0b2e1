//! Pictures: boards as SVG, and any SVG of ours as PNG.
//!
//! SVG is written by hand, and PNG is made from that very SVG with a font of
//! our own.

mod board;
mod png;
mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::output_path;

pub(super) use board::{Candidate, Mark, Picture, Shape};
pub(super) use png::png;

/// Where a picture goes and what is marked on boards, as arguments of a command.
#[derive(clap::Args)]
pub(super) struct Files {
    /// Do not mark forbidden points, neither in text nor in pictures.
    #[arg(long)]
    no_forbidden: bool,
    /// Write a picture of the board as SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the same picture as PNG.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

impl Files {
    /// Sees that the picture can go to its files.
    ///
    /// # Errors
    /// One of the `inputs` is read from one, or there is no such folder.
    pub(super) fn ready<P: AsRef<Path>>(&self, inputs: &[P]) -> Result<()> {
        for (path, end) in [(&self.svg, "svg"), (&self.png, "png")] {
            let Some(path) = path else { continue };
            let other = path.extension().filter(|own| !own.eq_ignore_ascii_case(end));
            ensure!(other.is_none(), "{}: --{end} writes a file .{end}", path.display());
            output_path::check(path, inputs)?;
        }
        Ok(())
    }

    /// Whether forbidden points are to be marked.
    pub(super) const fn mark_forbidden(&self) -> bool {
        !self.no_forbidden
    }

    /// The forbidden points that are to be marked: those found, or none.
    pub(super) fn marked<T>(&self, find: impl FnOnce() -> Vec<T>) -> Vec<T> {
        if self.no_forbidden { Vec::new() } else { find() }
    }

    /// Draws a picture if a file was asked for, and writes it there.
    ///
    /// # Errors
    /// The picture cannot be drawn, or a file not be written.
    pub(super) fn save(&self, picture: impl FnOnce() -> Result<String>) -> Result<()> {
        if self.svg.is_none() && self.png.is_none() {
            return Ok(());
        }
        let svg = picture()?;
        if let Some(path) = &self.svg {
            write(path, svg.as_bytes())?;
        }
        self.png.as_ref().map_or(Ok(()), |path| write(path, &png(&svg)?))
    }
}

/// Sees that a picture can go to a file in the form that its name ends by.
///
/// # Errors
/// It ends by none; one of the `inputs` is read from it, or there is no such folder.
pub(super) fn ready_by_name<P: AsRef<Path>>(path: &Path, inputs: &[P]) -> Result<()> {
    output_path::check(path, inputs)?;
    is_png(path).map(drop)
}

/// Writes a picture in the form that the name of the file ends by.
///
/// # Errors
/// It ends by none, the picture cannot be drawn, or the file not be written.
pub(super) fn save_by_name(svg: &str, path: &Path) -> Result<()> {
    if is_png(path)? { write(path, &png(svg)?) } else { write(path, svg.as_bytes()) }
}

/// Whether a picture is PNG by the end of its name, and not SVG.
///
/// # Errors
/// It ends by neither.
fn is_png(path: &Path) -> Result<bool> {
    let ends = |end| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(end));
    ensure!(ends("png") || ends("svg"), "{}: a picture ends by .svg or .png", path.display());
    Ok(ends("png"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}
