//! Checks of output paths before the work begins. A result never overwrites an input file, a
//! file with other content, or another result of the same command.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::replace::temporary;

/// Why a file that the command did not create is not replaced.
pub const HOLDS_OTHER: &str = "it holds something else, and stays as it is: name another file";

/// Why a path cannot take an output.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The path is one of the inputs.
    #[error("{} is also an input; give the output another name", .0.display())]
    IsRead(PathBuf),
    /// The path is a folder.
    #[error("{} is a folder", .0.display())]
    IsFolder(PathBuf),
    /// The path of a folder, or of one of its parents, is a file.
    #[error("{} is a file: a folder is needed", .0.display())]
    IsFile(PathBuf),
    /// The parent folder does not exist.
    #[error("there is no folder for {}", .0.display())]
    NoFolder(PathBuf),
    /// The path is a device or a pipe, which a replacement would destroy.
    #[error("{} is not a plain file: a device or a pipe is not replaced", .0.display())]
    NotPlain(PathBuf),
    /// The permissions of the file forbid writing.
    #[error("{} is write-protected", .0.display())]
    Protected(PathBuf),
    /// The command did not create the file.
    #[error("{}: {other}", .0.display(), other = HOLDS_OTHER)]
    HoldsOther(PathBuf),
    /// Another output has the same name.
    #[error("{}: two outputs of a command need different names", .0.display())]
    Twice(PathBuf),
    /// The existing file cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// No file can be created in the folder.
    #[error("cannot write into {}", .path.display())]
    WriteInto {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Whether two paths lead to one file.
pub fn same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).ok();
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Checks, before the work begins, the path of a file that is written in place.
///
/// # Errors
/// The path is one of the `inputs` or a folder, its folder does not exist, or the system refuses
/// to write it.
pub fn check<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
    check_place(out, inputs)?;
    try_to_write(out).map_err(|source| cannot_write(out, source))
}

/// Checks the path of a file that is replaced by way of a temporary file, as [`replace`] does.
///
/// # Errors
/// Those of [`check`]; the path is a device or a pipe, or is write-protected.
pub fn check_replaced<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
    check_place(out, inputs)?;
    // The target of a symbolic link is replaced, not the link.
    let out = fs::canonicalize(out).unwrap_or_else(|_| out.to_path_buf());
    match fs::metadata(&out) {
        Ok(old) if !old.is_file() => return Err(OutputError::NotPlain(out)),
        Ok(old) if old.permissions().readonly() => return Err(OutputError::Protected(out)),
        _ => {}
    }
    // Locked while it is removed: another run could take it for a leftover and remove it first.
    let tried = temporary(&out).and_then(|(_locked, new)| fs::remove_file(new));
    tried.map_err(|source| cannot_write(&out, source))
}

/// Replaces the file at `path` by one of these bytes, without a backup; see [`crate::replace()`].
///
/// # Errors
/// The path is not a plain file or is write-protected, or an I/O error, with the name of the
/// file; the old file stays.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let content = |mut file: &File| file.write_all(bytes);
    crate::replace(path, 0, content).map_err(|source| cannot_write(path, source))
}

fn cannot_write(path: &Path, source: io::Error) -> OutputError {
    OutputError::Write { path: path.to_path_buf(), source }
}

/// Number of first bytes by which most kinds of files are recognised.
pub const FRONT: u64 = 1 << 12;

/// Checks that an output replaces only an earlier output of its kind, which `is_own` recognises
/// by its first bytes, at most `max_bytes` of them; a file with other content is refused. Empty
/// files, devices and pipes are allowed.
///
/// # Errors
/// The file has other content, or cannot be read.
pub fn check_kind(
    out: &Path,
    max_bytes: u64,
    is_own: impl FnOnce(&[u8]) -> bool,
) -> Result<(), OutputError> {
    if fs::metadata(out).is_ok_and(|old| old.is_file() && old.len() > 0) {
        let path = out.to_path_buf();
        let mut front = Vec::new();
        let read = File::open(out).and_then(|old| old.take(max_bytes).read_to_end(&mut front));
        if let Err(source) = read {
            return Err(OutputError::Read { path, source });
        }
        if !is_own(&front) {
            return Err(OutputError::HoldsOther(path));
        }
    }
    Ok(())
}

/// Checks that the outputs of a command go to different files. A device or a pipe may take
/// several outputs.
///
/// # Errors
/// The first file that is named twice.
pub fn check_apart<P: AsRef<Path>>(
    outputs: impl IntoIterator<Item = P>,
) -> Result<(), OutputError> {
    let mut places: Vec<PathBuf> = Vec::new();
    for out in outputs {
        let out = out.as_ref();
        if fs::metadata(out).is_ok_and(|old| !old.is_file()) {
            continue;
        }
        let place = place_of(out);
        if places.contains(&place) {
            return Err(OutputError::Twice(out.to_path_buf()));
        }
        places.push(place);
    }
    Ok(())
}

/// The path without links and detours, also of a file that does not exist yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    let new = || Some(folder.ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(new).unwrap_or_else(|| path.to_path_buf())
}

/// Checks the path of a folder that is created if missing, and written into.
///
/// # Errors
/// The path or one of its parents is a file, or the system refuses to write into the folder.
pub fn check_folder(out: &Path) -> Result<(), OutputError> {
    let exists = |path: &&Path| path.as_os_str().is_empty() || path.exists();
    let existing = out.ancestors().find(exists).unwrap_or(Path::new(""));
    if !existing.as_os_str().is_empty() && !existing.is_dir() {
        return Err(OutputError::IsFile(existing.to_path_buf()));
    }
    // An unused name.
    try_to_write(&existing.join(format!(".goren-{}", std::process::id())))
        .map_err(|source| OutputError::WriteInto { path: out.to_path_buf(), source })
}

/// Checks that a path can take an output: its folder exists, and it is neither a folder nor an
/// input.
fn check_place<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
    if inputs.iter().any(|input| same(out, input.as_ref())) {
        return Err(OutputError::IsRead(out.to_path_buf()));
    }
    if out.is_dir() {
        return Err(OutputError::IsFolder(out.to_path_buf()));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(OutputError::NoFolder(out.to_path_buf()));
    }
    Ok(())
}

/// Tests whether a file can be written. An existing file is not changed; a new one is removed
/// again.
///
/// # Errors
/// An I/O error.
fn try_to_write(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // Opening a pipe would wait for its reader.
        Ok(old) if !old.is_file() => Ok(()),
        Ok(_) => File::options().append(true).open(path).map(drop),
        Err(_) => match File::create_new(path) {
            Ok(_) => fs::remove_file(path),
            // A link to a file that does not exist yet.
            Err(_) if path.is_symlink() => Ok(()),
            Err(error) => Err(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_not_overwritten() {
        let own = tempfile::tempdir().unwrap();
        let folder = own.path();
        fs::create_dir_all(folder.join("inside")).unwrap();
        let input = folder.join("input");
        fs::write(&input, "worth keeping").unwrap();
        let error = |out: &Path| check(out, &[&input]).unwrap_err().to_string();
        assert!(error(&input).contains("is also an input"));
        assert!(error(&folder.join("inside/../input")).contains("is also an input"));
        assert!(error(folder).ends_with("is a folder"));
        assert!(error(&folder.join("nowhere/out")).starts_with("there is no folder"));
        check(&folder.join("out"), &[&input]).unwrap();
        check(Path::new("out"), &[] as &[&Path]).unwrap();
        // The check leaves no file behind.
        assert!(!folder.join("out").exists());
    }

    #[test]
    fn unwritable_paths_are_found_beforehand() {
        let own = tempfile::tempdir().unwrap();
        let none: &[&Path] = &[];
        let old = own.path().join("old");
        fs::write(&old, "worth keeping").unwrap();
        for check in [check, check_replaced] {
            check(&old, none).unwrap();
            check(&own.path().join("new"), none).unwrap();
            let long = own.path().join("x".repeat(300));
            let error = check(&long, none).unwrap_err().to_string();
            assert!(error.starts_with("cannot write"), "{error}");
        }
        assert_eq!(fs::read(&old).unwrap(), b"worth keeping");
        assert_eq!(fs::read_dir(own.path()).unwrap().count(), 1);
        let mut rights = fs::metadata(&old).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&old, rights).unwrap();
        let error = check_replaced(&old, none).unwrap_err().to_string();
        assert!(error.ends_with("is write-protected"), "{error}");
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let own = tempfile::tempdir().unwrap();
        let path = own.path().join("file");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let taken = own.path().join("folder");
        fs::create_dir_all(taken.join("within")).unwrap();
        let error = replace(&taken, b"new").unwrap_err().to_string();
        assert!(error.starts_with("cannot write "), "{error}");
        assert_eq!(fs::read_dir(own.path()).unwrap().count(), 2, "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_leads_to_the_new_file() {
        let own = tempfile::tempdir().unwrap();
        fs::create_dir(own.path().join("inside")).unwrap();
        let (file, link) = (own.path().join("inside/file"), own.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        for (folder, files) in [(own.path().to_owned(), 2), (own.path().join("inside"), 1)] {
            assert_eq!(fs::read_dir(folder).unwrap().count(), files, "nothing is left behind");
        }
    }

    #[test]
    fn only_outputs_of_the_kind_are_replaced() {
        let own = tempfile::tempdir().unwrap();
        let out = own.path().join("out");
        let check = || check_kind(&out, 3, |front| front == b"own");
        check().unwrap();
        for (text, replaced) in [("", true), ("own and more", true), ("other", false)] {
            fs::write(&out, text).unwrap();
            let result = check().map_err(|error| error.to_string());
            assert_eq!(result.is_ok(), replaced, "{text}");
            assert!(replaced || result.unwrap_err().ends_with(HOLDS_OTHER));
        }
        check_kind(own.path(), 3, |_| false).unwrap();
    }

    #[test]
    fn two_outputs_need_different_names() {
        let own = tempfile::tempdir().unwrap();
        fs::create_dir(own.path().join("inside")).unwrap();
        let [one, detour, other] = ["one", "inside/../one", "other"].map(|n| own.path().join(n));
        check_apart([&one, &other]).unwrap();
        let twice = || check_apart([&one, &other, &detour]).unwrap_err().to_string();
        assert!(twice().ends_with("two outputs of a command need different names"));
        // The same if the file exists.
        fs::write(&one, "").unwrap();
        assert!(twice().contains("inside/../one: "));
        #[cfg(unix)]
        check_apart(["/dev/null"; 2]).unwrap();
    }

    #[test]
    fn folders_are_accepted_and_files_in_their_place_refused() {
        let own = tempfile::tempdir().unwrap();
        let file = own.path().join("file");
        fs::write(&file, "worth keeping").unwrap();
        check_folder(own.path()).unwrap();
        check_folder(&own.path().join("new/inner")).unwrap();
        check_folder(Path::new("new/inner")).unwrap();
        for bad in [&file, &file.join("inner")] {
            let error = check_folder(bad).unwrap_err().to_string();
            assert!(error.ends_with("file is a file: a folder is needed"), "{error}");
        }
        assert_eq!(fs::read_dir(own.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_but_not_replaced() {
        let none: &[&Path] = &[];
        check(Path::new("/dev/null"), none).unwrap();
        let error = check_replaced(Path::new("/dev/null"), none).unwrap_err().to_string();
        assert!(error.contains("not a plain file"), "{error}");
    }
}
