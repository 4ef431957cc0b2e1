//! Settings that a manager does not send: lines `INFO key value` of a file beside the
//! program. They are applied before the first command, so that the manager's own settings
//! override them.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use goren_protocol::{Command, Parser, Reply, Setting};
use goren_session::Session;

/// The environment variable with the path of the file; ignored if empty.
const VARIABLE: &str = "GOREN_SETTINGS";
/// Maximum size of the file in bytes: a larger one is no settings file.
const MAX_BYTES: u64 = 1 << 16;

/// Applies the file that `GOREN_SETTINGS` names, or else the file beside the program that
/// has its name with `.txt`, which may be missing. Returns messages about unusable lines.
pub fn apply(session: &mut Session) -> Vec<Reply> {
    let named = env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| beside(&env::current_exe().ok()?, EXE_SUFFIX)) else {
        return Vec::new();
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let messages = match read(&path) {
        Ok(text) => apply_text(session, &text, folder),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Vec::new(),
        Err(error) => vec![error.to_string()],
    };
    let name = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
    messages.into_iter().map(|text| Reply::Message(format!("{name}: {text}"))).collect()
}

/// Returns the path of the file beside a program, whose name may end in `suffix`. Ignores the
/// case of the suffix: Windows accepts both, and some launchers write `.EXE`.
fn beside(program: &Path, suffix: &str) -> Option<PathBuf> {
    let name = program.file_name()?.to_str()?;
    let parts = name.len().checked_sub(suffix.len()).and_then(|at| name.split_at_checked(at));
    let ended = parts.filter(|(_, end)| end.eq_ignore_ascii_case(suffix));
    let stem = ended.map_or(name, |(stem, _)| stem);
    Some(program.with_file_name(format!("{stem}.txt")))
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let length = fs::metadata(path)?.len();
    if length > MAX_BYTES {
        let text = format!("{length} bytes; a settings file has at most {MAX_BYTES}");
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, text));
    }
    fs::read(path)
}

/// Applies the lines of a file in a folder: settings, blank lines, and comments that begin
/// with `#`. Returns messages about unusable lines.
fn apply_text(session: &mut Session, text: &[u8], folder: &Path) -> Vec<String> {
    let mut messages = Vec::new();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let of_line = apply_line(session, line, folder);
        messages.extend(of_line.into_iter().map(|text| format!("line {number}: {text}")));
    }
    messages
}

/// Applies a line. Returns messages if it is unusable.
fn apply_line(session: &mut Session, line: &[u8], folder: &Path) -> Vec<String> {
    let is_info = line
        .split(u8::is_ascii_whitespace)
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case(b"INFO"));
    if !is_info {
        let shown = String::from_utf8_lossy(line);
        return vec![format!("expected INFO KEY VALUE, found {shown}")];
    }
    let mut messages = Vec::new();
    for event in Parser::new().feed(line) {
        let event = match event {
            Ok(Command::Info(setting)) => {
                messages.extend(warning(&setting));
                Ok(Command::Info(in_folder(setting, folder)))
            }
            Ok(_) => continue,
            Err(error) => Err(error),
        };
        let mut observer = |reply: Reply| {
            messages.push(match reply {
                Reply::Message(text) | Reply::Error(text) | Reply::Unknown(text) => text,
                other => other.to_wire().trim_end().to_owned(),
            });
        };
        let _ = session.handle(event, &mut observer);
    }
    messages
}

/// Returns a warning about a setting that the session ignores silently, because managers send
/// many such settings.
fn warning(setting: &Setting) -> Option<String> {
    match setting {
        Setting::Unknown { key, .. } => Some(format!("INFO {key} is unknown and has no effect")),
        Setting::Malformed { value, .. } if value.is_empty() => {
            Some(format!("expected INFO KEY VALUE, found {setting}"))
        }
        _ => None,
    }
}

/// Makes a relative path in a setting count from a folder: the engine may have been started
/// in another one.
fn in_folder(setting: Setting, folder: &Path) -> Setting {
    // A folder whose name is not Unicode cannot be part of a setting.
    let resolve = |path: String| folder.join(&path).into_os_string().into_string().unwrap_or(path);
    match setting {
        Setting::Weights(path) => Setting::Weights(resolve(path)),
        Setting::Folder(path) => Setting::Folder(resolve(path)),
        // A value without the characters of a path may be the name of a tree.
        Setting::Proof(path) if path.contains(['/', '\\', '.']) || folder.join(&path).exists() => {
            Setting::Proof(resolve(path))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_name_of_the_program() {
        let file = Path::new("engines").join("pbrain-goren 1.2.txt");
        for (suffix, end) in [("", ""), (".exe", ".exe"), (".exe", ".EXE"), (".exe", "")] {
            let program = Path::new("engines").join(format!("pbrain-goren 1.2{end}"));
            assert_eq!(beside(&program, suffix).as_ref(), Some(&file), "{end}");
        }
    }

    #[test]
    fn settings_are_applied_and_other_lines_are_reported() {
        let mut session = Session::new(Box::new(|_| {})).unwrap();
        let text = b"\xef\xbb\xbf# of the club\r\n\r\ninfo max_node 9\nSTART 15\nINFO rule x\n\
                     INFO thread_nun 8\nINFO pondering\nINFO\n";
        let messages = apply_text(&mut session, text, Path::new(""));
        let expected = [
            "line 4: expected INFO KEY VALUE, found START 15",
            "line 5: INFO rule \"x\" cannot be read",
            "line 6: INFO thread_nun is unknown and has no effect",
            "line 7: expected INFO KEY VALUE, found INFO pondering",
            "line 8: expected INFO KEY VALUE, found INFO",
        ];
        assert_eq!(messages, expected);
    }

    #[test]
    fn relative_paths_count_from_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("one.tree"), "not a tree").unwrap();
        let mut session = Session::new(Box::new(|_| {})).unwrap();
        let text = b"INFO weights no.bin\nINFO proof one.tree\nINFO proof no.tree\n\
                     INFO proof no-tree-has-this-name\n";
        let messages = apply_text(&mut session, text, folder.path());
        let begins = [
            format!("line 1: weights {} not used: ", path("no.bin")),
            format!("line 2: proof {} not used: ", path("one.tree")),
            format!("line 3: proof {} not used: ", path("no.tree")),
            "line 4: proof no-tree-has-this-name not used: ".to_owned(),
        ];
        assert_eq!(messages.len(), begins.len(), "{messages:?}");
        for (message, begin) in messages.iter().zip(&begins) {
            assert!(message.starts_with(begin), "{message}");
        }
    }
}
