//! The user's folder: the files in it, and nothing outside it.

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::model::{Folder, MAX_BYTES};
use goren_files::replace;

/// Maximum number of names listed.
const MAX_NAMES: usize = 5_000;

/// A folder that the user has named.
#[derive(Clone, Debug)]
pub(super) struct NamedFolder {
    path: PathBuf,
    /// Extensions of the files that are listed, read and written.
    extensions: &'static [&'static str],
}

impl NamedFolder {
    /// Opens an existing folder, for files with these extensions.
    ///
    /// # Errors
    /// The path is not a folder.
    pub(super) fn open(path: &Path, extensions: &'static [&'static str]) -> Result<NamedFolder> {
        let shown = path.display();
        let real = path.canonicalize().with_context(|| format!("there is no folder {shown}"))?;
        ensure!(real.is_dir(), "{shown} is not a folder");
        Ok(NamedFolder { path: real, extensions })
    }

    /// Returns the path of a file name.
    ///
    /// # Errors
    /// It is not a plain name, or has another extension.
    pub(super) fn path_of(&self, name: &str) -> Result<PathBuf> {
        let is_plain = {
            let mut parts = Path::new(name).components();
            matches!(parts.next(), Some(Component::Normal(part)) if part == name)
                && parts.next().is_none()
        };
        let is_forbidden = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
        if !is_plain || name.starts_with('.') || name.contains(is_forbidden) || name.len() > 200 {
            bail!("{name:?} is not a valid file name");
        }
        let extension = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
        ensure!(
            self.extensions.contains(&extension.as_str()),
            "{name} has none of the extensions {}",
            self.extensions.join(", ")
        );
        Ok(self.path.join(name))
    }

    /// Returns the path of an existing file.
    ///
    /// # Errors
    /// No file of the folder has this name.
    pub(super) fn path_inside(&self, name: &str) -> Result<PathBuf> {
        let path = self.path_of(name)?;
        self.inside(&path, name)?;
        Ok(path)
    }

    /// Checks that a path is a file in the folder after following links; refuses anything else.
    fn inside(&self, path: &Path, name: &str) -> Result<()> {
        let real = path.canonicalize().with_context(|| format!("there is no file {name}"))?;
        ensure!(
            real.parent() == Some(&self.path) && real.is_file(),
            "{name} is not a file in the folder"
        );
        Ok(())
    }
}

impl NamedFolder {
    /// Returns the names of the files, in order.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(super) fn list(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path).context("cannot read the folder")? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            let fits = self.path_of(name).and_then(|path| self.inside(&path, name)).is_ok();
            if fits && names.len() < MAX_NAMES {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}

impl Folder for NamedFolder {
    fn names(&self) -> Result<Vec<String>> {
        self.list()
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.path_inside(name)?;
        let size = fs::metadata(&path)?.len();
        ensure!(size <= MAX_BYTES as u64, "{name} has more than {} MiB", MAX_BYTES >> 20);
        fs::read(&path).with_context(|| format!("cannot read {name}"))
    }

    fn write(&self, name: &str, bytes: &[u8], over: bool) -> Result<()> {
        let path = self.path_of(name)?;
        if fs::symlink_metadata(&path).is_ok() {
            self.inside(&path, name)?;
            ensure!(over, "{name} already exists");
        }
        // Atomic: the file is never left half written.
        replace(&path, 0, |mut file| file.write_all(bytes))
            .with_context(|| format!("cannot write {name}"))
    }
}

#[cfg(test)]
mod tests {
    use goren_notation::forms::ENDINGS;

    use super::*;

    #[test]
    fn names_outside_the_folder_are_refused() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("games");
        fs::create_dir(&path).unwrap();
        fs::write(above.path().join("secret.sgf"), "x").unwrap();
        let folder = NamedFolder::open(&path, ENDINGS).unwrap();
        folder.write("a.sgf", b"(;)", false).unwrap();
        assert_eq!(folder.read("a.sgf").unwrap(), b"(;)");
        assert_eq!(folder.names().unwrap(), ["a.sgf"]);
        let absolute = above.path().join("secret.sgf").display().to_string();
        for name in [
            "../secret.sgf",
            "..\\secret.sgf",
            "./a.sgf",
            "a.sgf/",
            "sub/a.sgf",
            "..",
            "",
            ".a.sgf",
            "a.exe",
            "a",
            "a\0.sgf",
            "c:a.sgf",
            &absolute,
        ] {
            assert!(folder.read(name).is_err(), "{name}");
            assert!(folder.write(name, b"x", true).is_err(), "{name}");
        }
        assert_eq!(fs::read(above.path().join("secret.sgf")).unwrap(), b"x");
    }

    #[test]
    fn files_are_overwritten_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let named = NamedFolder::open(folder.path(), ENDINGS).unwrap();
        named.write("a.sgf", b"1", false).unwrap();
        let error = named.write("a.sgf", b"2", false).unwrap_err().to_string();
        assert_eq!(error, "a.sgf already exists");
        assert_eq!(named.read("a.sgf").unwrap(), b"1");
        named.write("a.sgf", b"2", true).unwrap();
        assert_eq!((named.read("a.sgf").unwrap(), named.names().unwrap().len()), (b"2".into(), 1));
        assert!(named.read("b.sgf").unwrap_err().to_string().contains("there is no file b.sgf"));
        assert!(NamedFolder::open(&folder.path().join("none"), ENDINGS).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("games");
        fs::create_dir(&path).unwrap();
        let secret = above.path().join("secret.sgf");
        fs::write(&secret, "x").unwrap();
        std::os::unix::fs::symlink(&secret, path.join("link.sgf")).unwrap();
        let folder = NamedFolder::open(&path, ENDINGS).unwrap();
        assert!(folder.read("link.sgf").is_err() && folder.names().unwrap().is_empty());
        assert!(folder.write("link.sgf", b"y", true).is_err());
        assert_eq!(fs::read(&secret).unwrap(), b"x");
    }
}
