//! Shows the page in the browser of the person who started the program.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, TempPath};

/// The file that leads the browser to the page, until a page is open.
static LEADS: Mutex<Option<TempPath>> = Mutex::new(None);

fn leads() -> MutexGuard<'static, Option<TempPath>> {
    LEADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens an address in the browser.
///
/// Every user of the machine can see how a program was started, and the address holds the
/// token. So the browser is started with a file that leads there, which its owner alone can
/// read. It is removed when a page is open, or the server ends.
///
/// # Errors
/// There is no browser, it cannot be started, or the file cannot be written.
pub fn show(address: &str) -> io::Result<()> {
    // A browser in a sandbox may read no file but those of the home folder.
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let at_home = home.and_then(|home| leading_to(address, &home).ok());
    let file = match at_home {
        Some(file) => file,
        None => leading_to(address, &env::temp_dir())?,
    };
    let path = file.to_path_buf();
    *leads() = Some(file);
    open::that_detached(path).inspect_err(|_| forget())
}

/// Removes the file that led to the page, if there is one.
pub(super) fn forget() {
    drop(leads().take());
}

/// A file in a folder that leads a browser to an address. Its owner alone can read it.
fn leading_to(address: &str, folder: &Path) -> io::Result<TempPath> {
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

    /// Other users of the machine saw the token, as the browser was started with the address.
    #[test]
    fn the_browser_is_started_without_the_token() {
        let folder = tempfile::tempdir().unwrap();
        let address = "http://127.0.0.1:5515/abcdefgh/";
        let file = leading_to(address, folder.path()).unwrap();
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
