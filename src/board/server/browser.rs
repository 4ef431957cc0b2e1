//! Opens the page in the user's browser.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

/// The file that redirects the browser to the page, until a page is open.
static REDIRECT: Mutex<Option<TempPath>> = Mutex::new(None);

fn redirect() -> MutexGuard<'static, Option<TempPath>> {
    REDIRECT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a URL in the browser.
///
/// Every user of the machine can see the arguments of a program, and the URL contains the
/// token. So the browser is started with a file that redirects to the URL, which only its owner
/// can read. The file is removed when a page is open, or when the server ends.
///
/// # Errors
/// There is no browser, it cannot be started, or the file cannot be written.
pub fn show(address: &str) -> io::Result<()> {
    // A sandboxed browser may only be able to read files of the home folder.
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let in_home = home.and_then(|home| write_redirect(address, &home).ok());
    let file = match in_home {
        Some(file) => file,
        None => write_redirect(address, &env::temp_dir())?,
    };
    let path = file.to_path_buf();
    *redirect() = Some(file);
    open::that_detached(path).inspect_err(|_| forget())
}

/// Removes the redirect file, if there is one.
pub(super) fn forget() {
    drop(redirect().take());
}

/// Writes a file in a folder that redirects a browser to a URL. Only its owner can read it.
fn write_redirect(address: &str, folder: &Path) -> io::Result<TempPath> {
    let mut file = Builder::new().prefix("goren-board-").suffix(".html").tempfile_in(folder)?;
    writeln!(
        file,
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>Goren</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <p><a href=\"{address}\">Goren</a></p>"
    )?;
    Ok(file.into_temp_path())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Regression: the browser was started with the URL, so other users could see the token.
    #[test]
    fn the_browser_is_started_without_the_token() {
        let folder = tempfile::tempdir().unwrap();
        let address = "http://127.0.0.1:5515/abcdefgh/";
        let file = write_redirect(address, folder.path()).unwrap();
        let path = file.to_path_buf();
        assert!(!path.to_string_lossy().contains("abcdefgh"), "{path:?}");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(&format!("url={address}\"")), "{text}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(file);
        assert!(!path.exists());
    }
}
