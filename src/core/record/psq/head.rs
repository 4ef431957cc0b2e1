//! The head of a game: `Piskvorky 15x15, 11:11, 0`.

use crate::record::quote::excerpt;
use crate::rules::read_size;

/// The first word of a head.
const NAME: &str = "Piskvorky";

/// The data of a head.
#[derive(Copy, Clone, Debug)]
pub(super) struct Head<'a> {
    pub(super) size: (usize, usize),
    /// Whether the second player begins.
    pub(super) second_begins: bool,
    /// The text behind that.
    pub(super) rest: &'a str,
}

/// The text behind the name of the program in a head; the case of letters does not matter.
fn behind_name(line: &str) -> Option<&str> {
    let (name, rest) = line.trim_start().split_at_checked(NAME.len())?;
    name.eq_ignore_ascii_case(NAME).then_some(rest)
}

/// Whether a line begins as a head.
pub(super) fn begins(line: &str) -> bool {
    behind_name(line).is_some()
}

/// Whether a line among others is a head, and not the name of a player.
pub(super) fn is_head(line: &str) -> bool {
    let is_size = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    behind_name(line).is_some_and(|rest| rest.contains(',') && is_size(rest))
}

/// Parses a head.
///
/// # Errors
/// It has another form.
pub(super) fn read(line: &str) -> Result<Head<'_>, String> {
    let other = || format!("the head is {:?}, not like \"{NAME} 15x15, 11:11, 0\"", excerpt(line));
    let mut parts = behind_name(line).ok_or_else(other)?.splitn(4, ',').map(str::trim);
    let size = parts.next().and_then(read_size).ok_or_else(other)?;
    parts.next().filter(|levels| levels.contains(':')).ok_or_else(other)?;
    let second_begins = match parts.next().ok_or_else(other)? {
        "0" => false,
        "1" => true,
        last => {
            let last = excerpt(last);
            return Err(format!(
                "the head ends in {last:?}, not in 0 or 1, which say that the first or the second \
                 player begins"
            ));
        }
    };
    Ok(Head { size, second_begins, rest: parts.next().unwrap_or_default() })
}
