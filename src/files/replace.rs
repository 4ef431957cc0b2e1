//! Writes files atomically: to a temporary file, synced, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::names::{behind, beside};

/// A second name for a file, or a copy where the system has no second names.
fn also_as(path: &Path, name: &Path) -> io::Result<()> {
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(path, name).or_else(|_| fs::copy(path, name).map(drop))
}

/// Keeps the file of a path under a name that no later [`replace`] touches: `suffix`, and a
/// number where that is taken, stand behind the stem (`a_damaged.db`, `a_damaged1.db`).
/// Returns the name. A file that is written to where it stands needs [`write_new`].
///
/// # Errors
/// An I/O error.
pub fn keep(path: &Path, suffix: &str) -> io::Result<PathBuf> {
    let number = |n: u32| if n == 0 { String::new() } else { n.to_string() };
    let names = (0..1000).map(|n| beside(path, &format!("{suffix}{}", number(n))));
    let free = names.into_iter().find(|name| !name.exists());
    let name = free.ok_or_else(|| io::Error::other("too many kept files"))?;
    also_as(path, &name)?;
    Ok(name)
}

/// Writes bytes to a new file under the first of these names that nothing has yet, and
/// waits until they are on the disk. Returns the name.
///
/// # Errors
/// All names are taken, or an I/O error.
pub fn write_new(names: impl IntoIterator<Item = PathBuf>, bytes: &[u8]) -> io::Result<PathBuf> {
    for name in names {
        match File::create_new(&name) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                file.sync_all()?;
                sync_folder(&name);
                return Ok(name);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Puts a file in the place of `path`: at any moment there is either the old
/// or the new one, whole and on the disk. The old ones stay as `_bak1` (the
/// newest) to `_bakN`. The target of a symbolic link is replaced, not the link.
///
/// # Errors
/// The path is no plain file or is write-protected, or an I/O error; the old file is still
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
        // A device or a pipe would be gone.
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    let new = behind(path, ".new");
    let written = (|| {
        // What an interrupted run left there, or a link, is not written through.
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = File::create_new(&new)?;
        content(&file)?;
        if let Some(old) = &old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()
    })();
    let placed = written.and_then(|()| {
        // An empty file gets no backup.
        if old.as_ref().is_some_and(|old| old.len() > 0) && backups > 0 {
            let name = |n: u32| beside(path, &format!("_bak{n}"));
            for n in (1..backups).rev() {
                match fs::rename(name(n), name(n + 1)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            also_as(path, &name(1))?;
        }
        fs::rename(&new, path)
    });
    if placed.is_err() {
        // The incomplete new file is removed.
        drop(fs::remove_file(&new));
    }
    placed?;
    sync_folder(path);
    Ok(())
}

/// Has the new name itself on the disk. Systems that cannot do so need not.
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
    fn what_cannot_be_written_leaves_the_old_file() {
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
    fn a_link_in_the_place_of_the_new_file_is_not_written_through() {
        let folder = tempdir().unwrap();
        let [path, other] = ["a.db", "other"].map(|name| folder.path().join(name));
        fs::write(&other, b"other").unwrap();
        std::os::unix::fs::symlink(&other, folder.path().join("a.db.new")).unwrap();
        replace(&path, 0, |mut file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"other");
        assert!(!path.is_symlink() && fs::read(&path).unwrap() == b"new");
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
