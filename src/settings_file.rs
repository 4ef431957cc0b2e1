//! Settings that a manager does not send: lines `INFO key value` of a file beside the
//! program. They are obeyed before the first command, so what the manager sends holds.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use goren_protocol::{Command, Parser, Reply, Setting};
use goren_session::Session;

/// The variable that names the file; an empty one names none.
const VARIABLE: &str = "GOREN_SETTINGS";
/// Bytes of a file from here on are not read: it is another file.
const MOST_BYTES: u64 = 1 << 16;

/// Obeys the file that `GOREN_SETTINGS` names, or else the one beside the program that has
/// its name with `.txt`; that one may be missing. Returns messages about what cannot be
/// used.
pub fn apply(session: &mut Session) -> Vec<Reply> {
    let named = env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| beside(&env::current_exe().ok()?, EXE_SUFFIX)) else {
        return Vec::new();
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let refused = match read(&path) {
        Ok(text) => obey(session, &text, folder),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Vec::new(),
        Err(error) => vec![error.to_string()],
    };
    let name = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
    refused.into_iter().map(|text| Reply::Message(format!("{name}: {text}"))).collect()
}

/// The file beside a program, whose name may end in `suffix`. Upper and lower case are one:
/// Windows takes both, and some launchers write `.EXE`.
fn beside(program: &Path, suffix: &str) -> Option<PathBuf> {
    let name = program.file_name()?.to_str()?;
    let parts = name.len().checked_sub(suffix.len()).and_then(|at| name.split_at_checked(at));
    let ended = parts.filter(|(_, end)| end.eq_ignore_ascii_case(suffix));
    let stem = ended.map_or(name, |(stem, _)| stem);
    Some(program.with_file_name(format!("{stem}.txt")))
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let length = fs::metadata(path)?.len();
    if length > MOST_BYTES {
        let text = format!("{length} bytes are too many for settings");
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, text));
    }
    fs::read(path)
}

/// Obeys the lines of a file in a folder: settings, blank lines, and comments that begin with
/// `#`. Returns what cannot be used, in words.
fn obey(session: &mut Session, text: &[u8], folder: &Path) -> Vec<String> {
    let mut refused = Vec::new();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let reported = obey_line(session, line, folder);
        refused.extend(reported.into_iter().map(|text| format!("line {number}: {text}")));
    }
    refused
}

/// Obeys a line. Returns what cannot be used, in words.
fn obey_line(session: &mut Session, line: &[u8], folder: &Path) -> Vec<String> {
    let is_info = line
        .split(u8::is_ascii_whitespace)
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case(b"INFO"));
    if !is_info {
        let shown = String::from_utf8_lossy(line);
        return vec![format!("not a line INFO KEY VALUE: {shown}")];
    }
    let mut refused = Vec::new();
    for event in Parser::new().feed(line) {
        let event = match event {
            Ok(Command::Info(setting)) => {
                refused.extend(doubt(&setting));
                Ok(Command::Info(in_folder(setting, folder)))
            }
            Ok(_) => continue,
            Err(error) => Err(error),
        };
        let mut observer = |reply: Reply| {
            refused.push(match reply {
                Reply::Message(text) | Reply::Error(text) | Reply::Unknown(text) => text,
                other => other.to_wire().trim_end().to_owned(),
            });
        };
        let _ = session.handle(event, &mut observer);
    }
    refused
}

/// What is wrong with a setting about which the session says nothing, as managers send many
/// of them.
fn doubt(setting: &Setting) -> Option<String> {
    match setting {
        Setting::Unknown { key, .. } => Some(format!("INFO {key} means nothing here")),
        Setting::Malformed { value, .. } if value.is_empty() => {
            Some(format!("{setting}: INFO KEY VALUE is expected"))
        }
        _ => None,
    }
}

/// A setting whose path, if it has a relative one, counts from a folder: the engine may have
/// been started in any other.
fn in_folder(setting: Setting, folder: &Path) -> Setting {
    // A folder whose name is no text cannot be told.
    let whole = |path: String| folder.join(&path).into_os_string().into_string().unwrap_or(path);
    match setting {
        Setting::Weights(path) => Setting::Weights(whole(path)),
        Setting::Folder(path) => Setting::Folder(whole(path)),
        // What has nothing that only paths have may be the name of a tree.
        Setting::Proof(path) if path.contains(['/', '\\', '.']) || folder.join(&path).exists() => {
            Setting::Proof(whole(path))
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
    fn settings_are_obeyed_and_other_lines_are_told() {
        let mut session = Session::new(Box::new(|_| {})).unwrap();
        let text = b"\xef\xbb\xbf# of the club\r\n\r\ninfo max_node 9\nSTART 15\nINFO rule x\n\
                     INFO thread_nun 8\nINFO pondering\nINFO\n";
        let refused = obey(&mut session, text, Path::new(""));
        let reported = [
            "line 4: not a line INFO KEY VALUE: START 15",
            "line 5: INFO rule \"x\" cannot be read",
            "line 6: INFO thread_nun means nothing here",
            "line 7: INFO pondering: INFO KEY VALUE is expected",
            "line 8: INFO: INFO KEY VALUE is expected",
        ];
        assert_eq!(refused, reported);
    }

    #[test]
    fn relative_paths_count_from_the_folder_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let whole = |name: &str| folder.path().join(name).display().to_string();
        fs::write(whole("one.tree"), "not a tree").unwrap();
        let mut session = Session::new(Box::new(|_| {})).unwrap();
        let text = b"INFO weights no.bin\nINFO proof one.tree\nINFO proof no.tree\n\
                     INFO proof no-tree-has-this-name\n";
        let refused = obey(&mut session, text, folder.path());
        let begins = [
            format!("line 1: weights {} not used: ", whole("no.bin")),
            format!("line 2: proof {} not used: ", whole("one.tree")),
            format!("line 3: proof {} not used: ", whole("no.tree")),
            "line 4: proof no-tree-has-this-name not used: ".to_owned(),
        ];
        assert_eq!(refused.len(), begins.len(), "{refused:?}");
        for (reported, begin) in refused.iter().zip(&begins) {
            assert!(reported.starts_with(begin), "{reported}");
        }
    }
}
