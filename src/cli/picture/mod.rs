//! Pictures: boards as SVG, and any SVG of ours as PNG.
//!
//! SVG is written directly, and PNG is rendered from the same SVG with our own font.

mod board;
mod png;
mod svg;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use goren_files::output_path;

pub(super) use board::{Picture, PointMark, StonePlacement, WeighedMove};
pub(super) use png::png;

/// Where a picture goes and what is marked on boards, as arguments of a command.
#[derive(clap::Args)]
pub(super) struct Files {
    /// Do not mark forbidden points, neither in text nor in pictures.
    #[arg(long)]
    no_forbidden: bool,
    /// Write a picture of the board as SVG. An SVG is replaced; a file that holds something
    /// else stays as it is.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the same picture as PNG. A PNG is replaced; a file that holds something else
    /// stays as it is.
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
}

impl Files {
    /// Checks the output files of the picture before the work begins.
    ///
    /// # Errors
    /// A file is one of the `inputs`, has no folder or holds something else, or both are the
    /// same file.
    pub(super) fn ready<P: AsRef<Path>>(&self, inputs: &[P]) -> Result<()> {
        if let Some(path) = &self.svg {
            ready_svg(path, "--svg", inputs)?;
        }
        if let Some(path) = &self.png {
            ready_as(path, Format::Png, "--png", inputs)?;
        }
        Ok(output_path::check_apart(self.svg.iter().chain(&self.png))?)
    }

    /// Checks the output file of another picture of the command, as [`ready_by_name`] does.
    ///
    /// # Errors
    /// Those of [`ready_by_name`], or the file is also an output file of this picture.
    pub(super) fn ready_beside<P: AsRef<Path>>(&self, other: &Path, inputs: &[P]) -> Result<()> {
        ready_by_name(other, inputs)?;
        let own = self.svg.iter().chain(&self.png).map(PathBuf::as_path);
        Ok(output_path::check_apart(own.chain([other]))?)
    }

    /// Whether to mark forbidden points.
    pub(super) const fn mark_forbidden(&self) -> bool {
        !self.no_forbidden
    }

    /// Returns the forbidden points to mark: those of `find`, or none.
    pub(super) fn marked<T>(&self, find: impl FnOnce() -> Vec<T>) -> Vec<T> {
        if self.no_forbidden { Vec::new() } else { find() }
    }

    /// Draws a picture and writes it, if a file is requested.
    ///
    /// # Errors
    /// The picture cannot be drawn, or a file cannot be written.
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

/// File format of a picture.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Format {
    Svg,
    Png,
}

impl Format {
    /// Returns the format by the extension of a file.
    ///
    /// # Errors
    /// The extension names no format.
    fn of(path: &Path) -> Result<Format> {
        let form = [Format::Svg, Format::Png].into_iter().find(|form| form.matches(path));
        form.with_context(|| format!("{}: the name must end in .svg or .png", path.display()))
    }

    /// Extension of its files.
    const fn extension(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
    }

    fn matches(self, path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(self.extension()))
    }

    /// Whether bytes begin a picture of this format. Text before an SVG is skipped, as some
    /// programs write it.
    fn is_front(self, bytes: &[u8]) -> bool {
        let text = bytes.trim_ascii_start();
        match self {
            Format::Svg => text.starts_with(b"<") && bytes.windows(4).any(|word| word == b"<svg"),
            Format::Png => bytes.starts_with(b"\x89PNG"),
        }
    }
}

/// Checks the output file of an option that writes SVG.
///
/// # Errors
/// The file has another extension, is one of the `inputs`, cannot be written, or holds
/// something else.
pub(super) fn ready_svg<P: AsRef<Path>>(path: &Path, option: &str, inputs: &[P]) -> Result<()> {
    ready_as(path, Format::Svg, option, inputs)
}

/// Checks the output file of an option that writes a picture of any format.
fn ready_as<P: AsRef<Path>>(path: &Path, form: Format, option: &str, inputs: &[P]) -> Result<()> {
    let (name, extension) = (path.display(), form.extension());
    ensure!(path != Path::new("-"), "{option} writes to a file, not to standard output");
    let fits = path.extension().is_none() || form.matches(path);
    ensure!(fits, "{name}: {option} needs a name that ends in .{extension}");
    output_path::check(path, inputs)?;
    Ok(output_path::check_kind(path, output_path::FRONT, |front| form.is_front(front))?)
}

/// Checks the output file of a picture whose extension names the format, as [`ready_svg`] does.
///
/// # Errors
/// The extension names no format, or those of [`ready_svg`].
fn ready_by_name<P: AsRef<Path>>(path: &Path, inputs: &[P]) -> Result<()> {
    output_path::check(path, inputs)?;
    let form = Format::of(path)?;
    Ok(output_path::check_kind(path, output_path::FRONT, |front| form.is_front(front))?)
}

/// Writes a picture in the format named by the extension of the file.
///
/// # Errors
/// The extension names no format, the picture cannot be drawn, or the file cannot be written.
pub(super) fn save_by_name(svg: &str, path: &Path) -> Result<()> {
    match Format::of(path)? {
        Format::Svg => write(path, svg.as_bytes()),
        Format::Png => write(path, &png(svg)?),
    }
}

/// Writes the bytes of a picture.
///
/// # Errors
/// An I/O error, with the name of the file.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pictures_of_the_format_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [svg, png] = ["out.svg", "out.png"].map(|name| folder.path().join(name));
        let files = Files { no_forbidden: false, svg: Some(svg.clone()), png: Some(png.clone()) };
        let ready = || files.ready(&[] as &[&Path]);
        ready().unwrap();
        for front in ["<svg xmlns", "<?xml version=\"1.0\"?>\n<svg>"] {
            fs::write(&svg, front).unwrap();
            fs::write(&png, "").unwrap();
            ready().unwrap();
        }
        for (path, other) in [(&svg, "(;GM[4]B[hh])"), (&svg, "\u{89}PNG"), (&png, "<svg")] {
            fs::write(&svg, "<svg>").unwrap();
            fs::write(&png, b"\x89PNG\r\n").unwrap();
            ready().unwrap();
            fs::write(path, other).unwrap();
            let error = ready().unwrap_err().to_string();
            assert!(error.ends_with(output_path::HOLDS_OTHER), "{error}");
        }
    }

    #[test]
    fn a_hyphen_as_the_file_of_a_picture_is_refused() {
        let files = Files { no_forbidden: false, svg: Some("-".into()), png: None };
        let error = files.ready(&[] as &[&Path]).unwrap_err().to_string();
        assert_eq!(error, "--svg writes to a file, not to standard output");
    }

    #[test]
    fn pictures_of_a_command_need_different_files() {
        let folder = tempfile::tempdir().unwrap();
        let [svg, other] = ["out.svg", "other.svg"].map(|name| folder.path().join(name));
        let files = Files { no_forbidden: false, svg: Some(svg.clone()), png: None };
        files.ready_beside(&other, &[] as &[&Path]).unwrap();
        let error = files.ready_beside(&svg, &[] as &[&Path]).unwrap_err().to_string();
        assert!(error.ends_with("need different names"), "{error}");
        // Without an extension both formats could name the same file.
        let bare = folder.path().join("out");
        let files = Files { no_forbidden: false, svg: Some(bare.clone()), png: Some(bare) };
        let error = files.ready(&[] as &[&Path]).unwrap_err().to_string();
        assert!(error.ends_with("need different names"), "{error}");
    }
}
