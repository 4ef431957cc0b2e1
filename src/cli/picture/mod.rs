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
    /// Checks the output files of the picture before the work; a file that would be lost, or
    /// cannot be written, is refused.
    ///
    /// # Errors
    /// One of the `inputs` is read from one, there is no such folder, it holds something
    /// else, or both are one file.
    pub(super) fn ready<P: AsRef<Path>>(&self, inputs: &[P]) -> Result<()> {
        if let Some(path) = &self.svg {
            ready_svg(path, "--svg", inputs)?;
        }
        if let Some(path) = &self.png {
            ready_as(path, Form::Png, "--png", inputs)?;
        }
        Ok(output_path::check_apart(self.svg.iter().chain(&self.png))?)
    }

    /// Checks the output file of another picture of the command, as [`ready_by_name`] does;
    /// a file of this picture is refused.
    ///
    /// # Errors
    /// Those of [`ready_by_name`], or the file is one of these.
    pub(super) fn ready_beside<P: AsRef<Path>>(&self, other: &Path, inputs: &[P]) -> Result<()> {
        ready_by_name(other, inputs)?;
        let own = self.svg.iter().chain(&self.png).map(PathBuf::as_path);
        Ok(output_path::check_apart(own.chain([other]))?)
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

/// How a picture is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Form {
    Svg,
    Png,
}

impl Form {
    /// The form that the name of a file ends by.
    ///
    /// # Errors
    /// It ends by none.
    fn of(path: &Path) -> Result<Form> {
        let form = [Form::Svg, Form::Png].into_iter().find(|form| form.ends(path));
        form.with_context(|| format!("{}: a picture ends by .svg or .png", path.display()))
    }

    /// How names of its files end.
    const fn end(self) -> &'static str {
        match self {
            Form::Svg => "svg",
            Form::Png => "png",
        }
    }

    fn ends(self, path: &Path) -> bool {
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case(self.end()))
    }

    /// Whether bytes begin as such a picture. What other programs write before their SVG is
    /// passed over.
    fn is_front(self, bytes: &[u8]) -> bool {
        let text = bytes.trim_ascii_start();
        match self {
            Form::Svg => text.starts_with(b"<") && bytes.windows(4).any(|word| word == b"<svg"),
            Form::Png => bytes.starts_with(b"\x89PNG"),
        }
    }
}

/// Checks the output file of an option that writes SVG. A file with a wrong ending is
/// refused, and one that holds anything but an SVG.
///
/// # Errors
/// Its name ends otherwise, one of the `inputs` is read from it, it cannot be written, or it
/// holds something else.
pub(super) fn ready_svg<P: AsRef<Path>>(path: &Path, option: &str, inputs: &[P]) -> Result<()> {
    ready_as(path, Form::Svg, option, inputs)
}

/// The same with a picture of any form.
fn ready_as<P: AsRef<Path>>(path: &Path, form: Form, option: &str, inputs: &[P]) -> Result<()> {
    let (name, end) = (path.display(), form.end());
    ensure!(path != Path::new("-"), "{option} writes to a file, not to standard output");
    let fits = path.extension().is_none() || form.ends(path);
    ensure!(fits, "{name}: {option} writes a file .{end}");
    output_path::check(path, inputs)?;
    Ok(output_path::check_kind(path, output_path::FRONT, |front| form.is_front(front))?)
}

/// Checks the output file of a picture, whose ending names the form, as [`ready_svg`] does;
/// any other ending is refused.
///
/// # Errors
/// Another ending, or those of [`ready_svg`].
fn ready_by_name<P: AsRef<Path>>(path: &Path, inputs: &[P]) -> Result<()> {
    output_path::check(path, inputs)?;
    let form = Form::of(path)?;
    Ok(output_path::check_kind(path, output_path::FRONT, |front| form.is_front(front))?)
}

/// Writes a picture in the form that the name of the file ends by.
///
/// # Errors
/// The ending names no form, the picture cannot be drawn, or the file cannot be written.
pub(super) fn save_by_name(svg: &str, path: &Path) -> Result<()> {
    match Form::of(path)? {
        Form::Svg => write(path, svg.as_bytes()),
        Form::Png => write(path, &png(svg)?),
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
    fn only_pictures_of_the_form_are_replaced() {
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
    fn a_picture_does_not_go_to_a_file_named_by_a_hyphen() {
        let files = Files { no_forbidden: false, svg: Some("-".into()), png: None };
        let error = files.ready(&[] as &[&Path]).unwrap_err().to_string();
        assert_eq!(error, "--svg writes to a file, not to standard output");
    }

    #[test]
    fn pictures_of_a_command_have_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let [svg, other] = ["out.svg", "other.svg"].map(|name| folder.path().join(name));
        let files = Files { no_forbidden: false, svg: Some(svg.clone()), png: None };
        files.ready_beside(&other, &[] as &[&Path]).unwrap();
        let error = files.ready_beside(&svg, &[] as &[&Path]).unwrap_err().to_string();
        assert!(error.ends_with("need different names"), "{error}");
        // Without an ending both forms may be meant for one file.
        let bare = folder.path().join("out");
        let files = Files { no_forbidden: false, svg: Some(bare.clone()), png: Some(bare) };
        let error = files.ready(&[] as &[&Path]).unwrap_err().to_string();
        assert!(error.ends_with("need different names"), "{error}");
    }
}
