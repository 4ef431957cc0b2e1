//! Names next to that of a file.

use std::path::{Path, PathBuf};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beside_and_behind() {
        let path = Path::new("/a b/rapfi.old.db");
        assert_eq!(beside(path, "_bak1"), Path::new("/a b/rapfi.old_bak1.db"));
        assert_eq!(beside(Path::new("x"), "_bak2"), Path::new("x_bak2"));
        assert_eq!(behind(path, ".journal"), Path::new("/a b/rapfi.old.db.journal"));
    }
}
