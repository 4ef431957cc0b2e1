//! Levels of strength as an argument.

use goren_decide::{LEVELS, Level};

/// The level of a name or a number.
///
/// # Errors
/// The names there are.
pub(super) fn level(text: &str) -> Result<Level, String> {
    Level::read(text).map_err(|error| error.to_string())
}

/// The help of `--level`, with all names.
pub(super) fn help() -> String {
    let names = LEVELS
        .iter()
        .map(|level| format!("\n  {:<9} {:>3}  {}", level.name, level.strength, level.text));
    format!(
        "Strength: a name or a number from 0 to 100; default: full, or that of a file that was \
         saved here. Each name beats the one before in about three games of four; what each does \
         is told for freestyle{}",
        names.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_tells_of_every_level() {
        assert!(LEVELS.iter().all(|level| help().contains(level.text)));
        assert!(LEVELS.iter().all(|named| level(named.name).is_ok()));
    }
}
