//! Input paths: looked at before the work begins.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

/// Refuses inputs that are read more than once and cannot be: pipes.
///
/// # Errors
/// The first of them.
pub(super) fn no_pipes<P: AsRef<Path>>(inputs: &[P], command: &str) -> Result<()> {
    let is_pipe = |path: &Path| fs::metadata(path).is_ok_and(|of| !of.is_file() && !of.is_dir());
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
