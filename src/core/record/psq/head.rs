//! Header of a psq game: `Piskvorky 15x15, 11:11, 0`.

use crate::record::quote::excerpt;
use crate::rules::read_size;

/// First word of a header.
const NAME: &str = "Piskvorky";

/// Data of a header.
#[derive(Copy, Clone, Debug)]
pub(super) struct Head<'a> {
    pub(super) size: (usize, usize),
    /// Whether the second player begins.
    pub(super) second_begins: bool,
    /// Text after the known fields.
    pub(super) rest: &'a str,
}

/// Returns the text after the program name in a header; the case of letters does not matter.
fn after_name(line: &str) -> Option<&str> {
    let (name, rest) = line.trim_start().split_at_checked(NAME.len())?;
    name.eq_ignore_ascii_case(NAME).then_some(rest)
}

/// Whether a line begins like a header.
pub(super) fn begins(line: &str) -> bool {
    after_name(line).is_some()
}

/// Whether a line within a file is a header and not the name of a player.
pub(super) fn is_head(line: &str) -> bool {
    let is_size = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    after_name(line).is_some_and(|rest| rest.contains(',') && is_size(rest))
}

/// Parses a header.
///
/// # Errors
/// The header has another form.
pub(super) fn read(line: &str) -> Result<Head<'_>, String> {
    let bad = || format!("the head is {:?}, not like \"{NAME} 15x15, 11:11, 0\"", excerpt(line));
    let mut parts = after_name(line).ok_or_else(bad)?.splitn(4, ',').map(str::trim);
    let size = parts.next().and_then(read_size).ok_or_else(bad)?;
    parts.next().filter(|levels| levels.contains(':')).ok_or_else(bad)?;
    let second_begins = match parts.next().ok_or_else(bad)? {
        "0" => false,
        "1" => true,
        last => {
            let last = excerpt(last);
            return Err(format!(
                "the head ends in {last:?}, not in 0 (the first player begins) or 1 (the second)"
            ));
        }
    };
    Ok(Head { size, second_begins, rest: parts.next().unwrap_or_default() })
}
