//! Settings that a manager does not send: lines `INFO key value` of a file beside the
//! program. They are obeyed before the first command, so what the manager sends holds.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use goren_protocol::{Command, Parser, Reply};
use goren_session::Session;

/// The variable that names the file.
const VARIABLE: &str = "GOREN_SETTINGS";
/// Bytes of a file from here on are not read: it is another file.
const MOST_BYTES: u64 = 1 << 16;

/// Obeys the file that `GOREN_SETTINGS` names, or else the one beside the program that has
/// its name with `.txt`; that one may be missing. Returns messages about what cannot be
/// used.
pub fn apply(session: &mut Session) -> Vec<Reply> {
    let named = env::var_os(VARIABLE).map(PathBuf::from);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| beside(&env::current_exe().ok()?)) else {
        return Vec::new();
    };
    let refused = match read(&path) {
        Ok(text) => obey(session, &text),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Vec::new(),
        Err(error) => vec![error.to_string()],
    };
    let name = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
    refused.into_iter().map(|text| Reply::Message(format!("{name}: {text}"))).collect()
}

/// The file beside a program.
fn beside(program: &Path) -> Option<PathBuf> {
    let name = program.file_name()?.to_str()?;
    let stem = name.strip_suffix(EXE_SUFFIX).unwrap_or(name);
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

/// Obeys the lines of a file: settings, blank lines, and comments that begin with `#`.
/// Returns what cannot be used, in words.
fn obey(session: &mut Session, text: &[u8]) -> Vec<String> {
    let mut refused = Vec::new();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let is_info = line
            .split(u8::is_ascii_whitespace)
            .next()
            .is_some_and(|word| word.eq_ignore_ascii_case(b"INFO"));
        if !is_info {
            let shown = String::from_utf8_lossy(line);
            refused.push(format!("line {number}: not a line INFO KEY VALUE: {shown}"));
            continue;
        }
        for event in Parser::new().feed(line) {
            let mut tell = |reply: Reply| {
                let said = match reply {
                    Reply::Message(text) | Reply::Error(text) | Reply::Unknown(text) => text,
                    other => other.to_wire().trim_end().to_owned(),
                };
                refused.push(format!("line {number}: {said}"));
            };
            match event {
                Ok(Command::Info(_)) | Err(_) => drop(session.handle(event, &mut tell)),
                Ok(_) => {}
            }
        }
    }
    refused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_name_of_the_program() {
        let program = Path::new("engines").join(format!("pbrain-goren 1.2{EXE_SUFFIX}"));
        let file = Path::new("engines").join("pbrain-goren 1.2.txt");
        assert_eq!(beside(&program), Some(file));
    }

    #[test]
    fn settings_are_obeyed_and_other_lines_are_told() {
        let mut session = Session::new(Box::new(|_| {})).unwrap();
        let text = b"\xef\xbb\xbf# of the club\r\n\r\ninfo max_node 9\nSTART 15\nINFO rule x\n";
        let refused = obey(&mut session, text);
        let told = ["not a line INFO KEY VALUE: START 15", "INFO rule \"x\" cannot be read"];
        assert_eq!(refused, [format!("line 4: {}", told[0]), format!("line 5: {}", told[1])]);
    }
}
