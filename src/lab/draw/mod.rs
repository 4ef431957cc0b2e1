//! Pictures: boards as SVG, and any SVG of ours as PNG.

mod board;
mod png;
mod svg;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

pub(super) use board::{Candidate, Mark, Picture, Shape};
pub(super) use png::png;

/// Writes a picture to the files that were asked for.
///
/// # Errors
/// The picture cannot be drawn, or a file not be written.
pub(super) fn save(svg: &str, to_svg: Option<&Path>, to_png: Option<&Path>) -> Result<()> {
    if let Some(path) = to_svg {
        fs::write(path, svg).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = to_png {
        fs::write(path, png(svg)?).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
