//! Names next to that of a file.

use std::path::{Path, PathBuf};

/// The path with a suffix between the stem of its name and the dot:
/// `rapfi.db` becomes `rapfi_bak1.db`.
pub fn with_stem_suffix(path: &Path, suffix: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    path.with_file_name(format!("{stem}{suffix}{ending}"))
}

/// The path with a suffix at its end.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(suffix);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_go_before_or_after_the_extension() {
        let path = Path::new("/a b/rapfi.old.db");
        assert_eq!(with_stem_suffix(path, "_bak1"), Path::new("/a b/rapfi.old_bak1.db"));
        assert_eq!(with_stem_suffix(Path::new("x"), "_bak2"), Path::new("x_bak2"));
        assert_eq!(with_suffix(path, ".journal"), Path::new("/a b/rapfi.old.db.journal"));
    }
}
