//! Output paths: a result never overwrites a file that is read.

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};

/// Whether two paths lead to one file.
pub(super) fn same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).ok();
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Checks an output path before the work begins.
///
/// # Errors
/// One of the `inputs` is read from it, or there is no such folder.
pub(super) fn check<P: AsRef<Path>>(out: &Path, inputs: &[P]) -> Result<()> {
    let name = out.display();
    let read = inputs.iter().any(|input| same(out, input.as_ref()));
    ensure!(!read, "{name} is read; give what is written another name");
    ensure!(!out.is_dir(), "{name} is a folder");
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    ensure!(folder.is_none_or(Path::is_dir), "there is no folder for {name}");
    Ok(())
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
        assert!(error(&input).contains("is read"));
        assert!(error(&folder.join("inside/../input")).contains("is read"));
        assert!(error(folder).ends_with("is a folder"));
        assert!(error(&folder.join("nowhere/out")).starts_with("there is no folder"));
        check(&folder.join("out"), &[&input]).unwrap();
        check(Path::new("out"), &[] as &[&Path]).unwrap();
    }
}
