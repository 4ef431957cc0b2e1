//! Output paths: looked at before the work begins. A result never overwrites a file that
//! is read, one that holds something else, or another result of the same command.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::replace::temporary;

/// Why a file that was not made by the command is not replaced.
pub const HOLDS_OTHER: &str = "it holds something else, and stays as it is: name another file";

/// Why there can be no output at a path.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// It is one of the inputs.
    #[error("{} is also an input; give the output another name", .0.display())]
    IsRead(PathBuf),
    /// A folder has its name.
    #[error("{} is a folder", .0.display())]
    IsFolder(PathBuf),
    /// A file has the name of the folder, or of one that it would lie in.
    #[error("{} is a file: a folder is needed", .0.display())]
    IsFile(PathBuf),
    /// It would lie in a folder that is not there.
    #[error("there is no folder for {}", .0.display())]
    NoFolder(PathBuf),
    /// A device or a pipe would be gone.
    #[error("{} is not a plain file: a device or a pipe is not replaced", .0.display())]
    NotPlain(PathBuf),
    /// Its owner lets nobody write to it.
    #[error("{} is write-protected", .0.display())]
    Protected(PathBuf),
    /// It was not made by the command.
    #[error("{}: {other}", .0.display(), other = HOLDS_OTHER)]
    HoldsOther(PathBuf),
    /// Another output has its name.
    #[error("{}: two outputs of a command need different names", .0.display())]
    Twice(PathBuf),
    /// What is there cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system does not let it be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system does not let a file be made in a folder.
    #[error("cannot write into {}", .path.display())]
    WriteInto {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Whether two paths lead to one file.
pub fn same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).ok();
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Checks the path of a file that is written where it stands, before the work begins.
///
/// # Errors
/// One of the `inputs` is read from it, it is a folder, there is no such folder, or the
/// system does not let it be written.
pub fn check<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
    is_place(out, inputs)?;
    try_to_write(out).map_err(|source| cannot_write(out, source))
}

/// Checks the path of a file that is written beside it and then put in its place, as
/// [`replace`] does.
///
/// # Errors
/// Those of [`check`]; it is a device or a pipe, or is write-protected.
pub fn check_replaced<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
    is_place(out, inputs)?;
    // The target of a symbolic link is replaced, not the link.
    let out = fs::canonicalize(out).unwrap_or_else(|_| out.to_path_buf());
    match fs::metadata(&out) {
        Ok(old) if !old.is_file() => return Err(OutputError::NotPlain(out)),
        Ok(old) if old.permissions().readonly() => return Err(OutputError::Protected(out)),
        _ => {}
    }
    // Unlocked, another run could take it for left over and remove it first.
    let tried = temporary(&out).and_then(|(_locked, new)| fs::remove_file(new));
    tried.map_err(|source| cannot_write(&out, source))
}

/// Puts a file of these bytes in the place of `path`, without a backup; see
/// [`crate::replace()`].
///
/// # Errors
/// The path is no plain file or is write-protected, or an I/O error, with the name of the
/// file; what was there before stays.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let content = |mut file: &File| file.write_all(bytes);
    crate::replace(path, 0, content).map_err(|source| cannot_write(path, source))
}

fn cannot_write(path: &Path, source: io::Error) -> OutputError {
    OutputError::Write { path: path.to_path_buf(), source }
}

/// First bytes of a file by which most kinds are known.
pub const FRONT: u64 = 1 << 12;

/// Checks that an output replaces nothing but an earlier one of its kind, which `is_own`
/// knows by its first bytes, `most` of them at most; a file with other content is refused.
/// An empty file holds nothing; a device or a pipe is only written to.
///
/// # Errors
/// It holds something else, or cannot be read.
pub fn check_kind(
    out: &Path,
    most: u64,
    is_own: impl FnOnce(&[u8]) -> bool,
) -> Result<(), OutputError> {
    if fs::metadata(out).is_ok_and(|old| old.is_file() && old.len() > 0) {
        let path = out.to_path_buf();
        let mut front = Vec::new();
        let read = File::open(out).and_then(|old| old.take(most).read_to_end(&mut front));
        if let Err(source) = read {
            return Err(OutputError::Read { path, source });
        }
        if !is_own(&front) {
            return Err(OutputError::HoldsOther(path));
        }
    }
    Ok(())
}

/// Checks that the outputs of a command go to different files; a file named twice is
/// refused. A device or a pipe may take several.
///
/// # Errors
/// The first that is named again.
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

/// A path without links and detours, also of a file that is not there yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
    let new = || Some(folder.ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(new).unwrap_or_else(|| path.to_path_buf())
}

/// Checks the path of a folder that is made where it is not there, and written into.
///
/// # Errors
/// There is a file of its name or on the way to it, or the system does not let it be
/// written into.
pub fn check_folder(out: &Path) -> Result<(), OutputError> {
    let is_there = |path: &&Path| path.as_os_str().is_empty() || path.exists();
    let there = out.ancestors().find(is_there).unwrap_or(Path::new(""));
    if !there.as_os_str().is_empty() && !there.is_dir() {
        return Err(OutputError::IsFile(there.to_path_buf()));
    }
    // A name that nothing has.
    try_to_write(&there.join(format!(".goren-{}", std::process::id())))
        .map_err(|source| OutputError::WriteInto { path: out.to_path_buf(), source })
}

/// Whether there may be an output at a path: its folder is there, and it is neither a
/// folder nor an input.
///
/// # Errors
/// Why not.
fn is_place<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<(), OutputError> {
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

/// Tries whether a file can be written. An existing file is not changed; a new one is removed
/// again.
///
/// # Errors
/// An I/O error.
fn try_to_write(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        // To open a pipe would wait for who reads it.
        Ok(old) if !old.is_file() => Ok(()),
        Ok(_) => File::options().append(true).open(path).map(drop),
        Err(_) => match File::create_new(path) {
            Ok(_) => fs::remove_file(path),
            // A link that leads to no file yet.
            Err(_) if path.is_symlink() => Ok(()),
            Err(error) => Err(error),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_not_written() {
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
        // What was tried leaves nothing behind.
        assert!(!folder.join("out").exists());
    }

    #[test]
    fn what_cannot_be_written_is_found_out_beforehand() {
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
            let reported = check().map_err(|error| error.to_string());
            assert_eq!(reported.is_ok(), replaced, "{text}");
            assert!(replaced || reported.unwrap_err().ends_with(HOLDS_OTHER));
        }
        check_kind(own.path(), 3, |_| false).unwrap();
    }

    #[test]
    fn two_outputs_have_different_names() {
        let own = tempfile::tempdir().unwrap();
        fs::create_dir(own.path().join("inside")).unwrap();
        let [one, detour, other] = ["one", "inside/../one", "other"].map(|n| own.path().join(n));
        check_apart([&one, &other]).unwrap();
        let twice = || check_apart([&one, &other, &detour]).unwrap_err().to_string();
        assert!(twice().ends_with("two outputs of a command need different names"));
        // Whether it is there or not.
        fs::write(&one, "").unwrap();
        assert!(twice().contains("inside/../one: "));
        #[cfg(unix)]
        check_apart(["/dev/null"; 2]).unwrap();
    }

    #[test]
    fn folders_that_can_be_made_or_written_are_told() {
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
