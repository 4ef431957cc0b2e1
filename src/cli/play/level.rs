//! Levels of strength as an argument.

use goren_decide::{LEVELS, Level};

/// Parses a level: a name or a number.
///
/// # Errors
/// The text is no level; the message lists the names.
pub(super) fn level(text: &str) -> Result<Level, String> {
    Level::read(text).map_err(|error| error.to_string())
}

/// Returns the help of `--level`, with all names.
pub(super) fn help() -> String {
    let names = LEVELS
        .iter()
        .map(|level| format!("\n  {:<9} {:>3}  {}", level.name, level.strength, level.text));
    format!(
        "Strength: a name or a number from 0 to 100; default: full, or that of a file saved by \
         this command. Each level wins about three of four games against the one before; the \
         descriptions are for freestyle{}",
        names.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_describes_every_level() {
        assert!(LEVELS.iter().all(|level| help().contains(level.text)));
        assert!(LEVELS.iter().all(|named| level(named.name).is_ok()));
    }
}
