//! Writes files atomically: to a temporary file, synced, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::locked_file::LockedFile;
use super::names::{with_stem_suffix, with_suffix};

/// Maximum number of names tried for a kept file or a temporary file.
const MAX_NAMES: u32 = 1000;
/// Suffix of the names of temporary files.
const NEW_SUFFIX: &str = ".goren-new";

/// Gives a file a second name by a hard link, or copies it if the system has no hard links.
fn link_or_copy(path: &Path, name: &Path) -> io::Result<()> {
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(path, name).or_else(|_| fs::copy(path, name).map(drop))
}

/// Keeps the file of a path under a name that no later [`replace`] touches: the stem followed by
/// `suffix`, and by a number if that name is taken (`a_damaged.db`, `a_damaged1.db`). Returns
/// the name. A file that is written in place needs [`write_new`].
///
/// # Errors
/// An I/O error.
pub fn keep(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let free =
        numbered(suffix).map(|suffix| with_stem_suffix(path, &suffix)).find(|name| !name.exists());
    let name = free.ok_or_else(|| io::Error::other("too many kept files"))?;
    link_or_copy(path, &name)?;
    Ok(name)
}

/// The suffix, then the suffix followed by numbers.
fn numbered(suffix: &str) -> impl Iterator<Item = String> {
    (0..MAX_NAMES).map(move |n| if n == 0 { suffix.to_owned() } else { format!("{suffix}{n}") })
}

/// Creates a temporary file beside `path`; returns it with its path. It stays locked while in
/// use, so that other runs can distinguish it from a leftover of a killed run.
///
/// # Errors
/// An I/O error.
pub(crate) fn temporary(path: &Path) -> io::Result<(LockedFile, PathBuf)> {
    for name in numbered(NEW_SUFFIX).map(|suffix| with_suffix(path, &suffix)) {
        let mut options = File::options();
        match LockedFile::open_with(&name, options.read(true).write(true).create_new(true)) {
            // Otherwise another run removed it before it was locked.
            Ok(Some(file)) if is_at(&file, &name) => return Ok((file, name)),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => remove_if_unlocked(&name),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many temporary files"))
}

/// Removes a temporary file that no run has locked. Does not follow links. Without lock support
/// the file stays.
fn remove_if_unlocked(name: &Path) {
    if fs::symlink_metadata(name).is_ok_and(|found| found.is_file())
        && let Ok(file) = File::options().write(true).open(name)
        && file.try_lock().is_ok()
        && is_at(&file, name)
    {
        drop(fs::remove_file(name));
    }
}

/// Whether a name still leads to this file, not to one created since.
#[cfg(unix)]
fn is_at(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |found: fs::Metadata| (found.dev(), found.ino());
    let own = file.metadata().map(number).ok();
    own.is_some() && own == fs::symlink_metadata(name).map(number).ok()
}

#[cfg(not(unix))]
fn is_at(_file: &File, name: &Path) -> bool {
    name.exists()
}

/// Writes bytes to a new file under the first of these names that is free, and waits until they
/// are on the disk. Returns the name.
///
/// # Errors
/// All names are taken, or an I/O error.
pub fn write_new(names: impl IntoIterator<Item = PathBuf>, bytes: &[u8]) -> io::Result<PathBuf> {
    for name in names {
        match File::create_new(&name) {
            Ok(mut file) => {
                if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
                    drop(file);
                    // A partial file would look complete.
                    let _ = fs::remove_file(&name);
                    return Err(error);
                }
                sync_folder(&name);
                return Ok(name);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Replaces the file at `path` atomically: at any moment either the old or the new file is there,
/// whole and on the disk. The old files stay as `_bak1` (the newest) to `_bakN`. The target of a
/// symbolic link is replaced, not the link.
///
/// Until it is complete the new file has the name of `path` followed by `.goren-new`, and by a
/// number if that name is taken. The next replacement removes the temporary file of a killed
/// run; no other file is touched.
///
/// # Errors
/// The path is not a plain file or is write-protected, or an I/O error; the old file is still
/// there.
pub fn replace(
    path: &Path,
    backups: u32,
    content: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| old.permissions().readonly()) {
        let protected = "the file is write-protected";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, protected));
    }
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // The rename would destroy a device or a pipe.
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    let (file, new) = temporary(path)?;
    let written = content(&file).and_then(|()| {
        if let Some(old) = &old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()
    });
    let placed = written.and_then(|()| {
        // An empty file gets no backup.
        if old.as_ref().is_some_and(|old| old.len() > 0) && backups > 0 {
            let name = |n: u32| with_stem_suffix(path, &format!("_bak{n}"));
            for n in (1..backups).rev() {
                match fs::rename(name(n), name(n + 1)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            link_or_copy(path, &name(1))?;
        }
        fs::rename(&new, path)
    });
    if placed.is_err() {
        // The incomplete new file is removed.
        drop(fs::remove_file(&new));
    }
    // Locked up to here, so that no other run takes it for a leftover.
    drop(file);
    placed?;
    sync_folder(path);
    Ok(())
}

/// Writes the new name itself to the disk. Systems that cannot open a folder do not need it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        drop(folder.sync_all());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    #[test]
    fn old_files_become_backups() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        for n in 1..=4_u8 {
            replace(&path, 2, |mut file| file.write_all(&[n])).unwrap();
        }
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        assert_eq!(
            (read("a.db"), read("a_bak1.db"), read("a_bak2.db")),
            (vec![4], vec![3], vec![2])
        );
        assert_eq!(fs::read_dir(folder.path().join("")).unwrap().count(), 3);
        assert_eq!(keep(&path, "_damaged").unwrap(), folder.path().join("a_damaged.db"));
        assert_eq!(keep(&path, "_damaged").unwrap(), folder.path().join("a_damaged1.db"));
    }

    #[test]
    fn a_failed_replacement_leaves_the_old_file() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        fs::write(&path, b"old").unwrap();
        let fail = |_: &File| Err(io::Error::other("the disk is full"));
        assert!(replace(&path, 2, fail).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path().join("")).unwrap().count(), 1);
        assert!(replace(&folder.path().join("no/such/a.db"), 2, |_| Ok(())).is_err());
        let mut rights = fs::metadata(&path).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).unwrap();
        assert!(replace(&path, 2, |mut file| file.write_all(b"new")).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_with_the_temporary_name_is_not_followed() {
        let folder = tempdir().unwrap();
        let [path, other] = ["a.db", "other"].map(|name| folder.path().join(name));
        fs::write(&other, b"other").unwrap();
        let link = with_suffix(&path, NEW_SUFFIX);
        std::os::unix::fs::symlink(&other, &link).unwrap();
        replace(&path, 0, |mut file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"other");
        assert!(!path.is_symlink() && fs::read(&path).unwrap() == b"new" && link.is_symlink());
    }

    /// It used to be taken for a leftover of an earlier run, and lost.
    #[test]
    fn a_file_whose_name_ends_in_new_is_not_touched() {
        let folder = tempdir().unwrap();
        let [path, other] = ["a.db", "a.db.new"].map(|name| folder.path().join(name));
        fs::write(&other, b"other").unwrap();
        replace(&path, 0, |mut file| file.write_all(b"new")).unwrap();
        for (path, text) in [(path, "new"), (other, "other")] {
            assert_eq!(fs::read_to_string(path).unwrap(), text);
        }
    }

    #[test]
    fn leftovers_of_killed_runs_are_removed_and_files_being_written_are_not() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let replace = || {
            replace(&path, 0, |mut file| file.write_all(b"new")).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
        };
        // Two leftovers, and another run that is writing.
        let names = [".goren-new", ".goren-new1", ".goren-new2"].map(|new| with_suffix(&path, new));
        names.iter().for_each(|name| fs::write(name, b"half").unwrap());
        let other = LockedFile::open(&names[1]).unwrap().unwrap();
        replace();
        assert_eq!(names.each_ref().map(|name| name.exists()), [false, true, false]);
        assert_eq!(fs::read(&names[1]).unwrap(), b"half");
        replace();
        drop(other);
        // A leftover is removed as soon as its name is needed.
        fs::create_dir(&names[0]).unwrap();
        replace();
        assert_eq!(names.each_ref().map(|name| name.exists()), [true, false, false]);
    }

    #[test]
    fn two_runs_that_replace_a_file_at_once_use_separate_temporary_files() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.db");
        let whole = |byte: u8| vec![byte; 10_000];
        replace(&path, 0, |mut outer| {
            outer.write_all(&whole(1))?;
            // The other run begins later and ends first.
            replace(&path, 0, |mut inner| inner.write_all(&whole(2)))?;
            assert_eq!(fs::read(&path)?, whole(2));
            outer.write_all(&whole(1))
        })
        .unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole(1).repeat(2));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_takes_the_first_free_name() {
        let folder = tempdir().unwrap();
        let names = || ["a", "b"].map(|name| folder.path().join(name));
        for (name, bytes) in names().into_iter().zip([b"1", b"2"]) {
            assert_eq!(write_new(names(), bytes).unwrap(), name);
            assert_eq!(fs::read(name).unwrap(), bytes);
        }
        let error = write_new(names(), b"3").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
}
