//! Writes files atomically: to a temporary file, synced, then renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::read::UTF8;
use super::record::Record;
use super::source::NO_POSITION;
use super::store::Store;

/// Writes all records. `utf8` says that all texts are.
///
/// # Errors
/// What `out` says.
pub fn write(store: &Store, out: impl Write, packed: bool, utf8: bool) -> io::Result<()> {
    if !packed {
        let mut out = BufWriter::with_capacity(1 << 18, out);
        records(store, &mut out, utf8)?;
        return out.flush();
    }
    let frame = FrameInfo::new()
        .block_mode(BlockMode::Linked)
        .block_size(BlockSize::Max64KB)
        .content_checksum(true);
    let mut out = BufWriter::with_capacity(1 << 18, FrameEncoder::with_frame_info(frame, out));
    records(store, &mut out, utf8)?;
    let frame = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    frame.finish()?.flush()
}

fn records(store: &Store, out: &mut impl Write, utf8: bool) -> io::Result<()> {
    let count = store.len() + usize::from(utf8);
    let head = u32::try_from(count).map_err(|_| io::Error::other("too many records"))?;
    let list = store.in_order();
    let mark = [&Record::read(&[]).head()[..], UTF8].concat();
    let mark = utf8.then_some((&NO_POSITION[..], &mark[..]));
    out.write_all(&head.to_le_bytes())?;
    for part in mark.into_iter().chain(list).flat_map(|(key, record)| [key, record]) {
        // Keys and records are shorter than 64 KiB by construction.
        out.write_all(&(part.len() as u16).to_le_bytes())?;
        out.write_all(part)?;
    }
    Ok(())
}

/// A path with something between the stem of its name and the dot:
/// `rapfi.db` becomes `rapfi_bak1.db`.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}{suffix}{ending}"))
}

/// A path with something behind it.
pub fn behind(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(suffix);
    path.with_file_name(name)
}

/// A second name for a file, or a copy where the system has no second names.
fn also_as(path: &Path, name: &Path) -> io::Result<()> {
    match fs::remove_file(name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::hard_link(path, name).or_else(|_| fs::copy(path, name).map(drop))
}

/// Keeps the file of a path under a name that no later save touches; that
/// name.
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

/// Puts a file in the place of `path`: at any moment there is either the old
/// or the new one, whole and on the disk. The old ones stay as `_bak1` (the
/// newest) to `_bakN`.
///
/// # Errors
/// An I/O error; the old file is still there.
pub fn replace(
    path: &Path,
    backups: u32,
    content: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    // The target of a symbolic link is replaced, not the link.
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
        let file = File::create(&new)?;
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
    fn names_beside_and_behind() {
        let path = Path::new("/a b/rapfi.old.db");
        assert_eq!(beside(path, "_bak1"), Path::new("/a b/rapfi.old_bak1.db"));
        assert_eq!(beside(Path::new("x"), "_bak2"), Path::new("x_bak2"));
        assert_eq!(behind(path, ".new"), Path::new("/a b/rapfi.old.db.new"));
    }

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
}
