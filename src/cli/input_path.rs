//! Checks of input paths before the work begins.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

/// Refuses pipes among inputs that are read more than once.
///
/// # Errors
/// Names the first pipe.
pub(super) fn no_pipes<P: AsRef<Path>>(inputs: &[P], command: &str) -> Result<()> {
    let is_pipe = |path: &Path| fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir());
    match inputs.iter().map(AsRef::as_ref).find(|path| is_pipe(path)) {
        Some(path) => bail!(
            "{} is a pipe, which can be read only once; `goren {command}` reads its input several \
             times: give a file",
            path.display()
        ),
        None => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn pipes_are_refused() {
        let error = no_pipes(&[Path::new("/dev/null")], "tune").unwrap_err().to_string();
        assert!(error.contains("read only once; `goren tune`"), "{error}");
    }
}
