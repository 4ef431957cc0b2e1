//! Levels of strength by their names.

use anyhow::{Result, bail};

use goren_session::decide::{LEVELS, Strength};

/// A strength from 0 to 100.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Level(u8);

impl Level {
    /// The level of a name or a number.
    ///
    /// # Errors
    /// The names there are.
    pub(super) fn read(text: &str) -> Result<Level> {
        let lower = text.trim().to_lowercase();
        let named = LEVELS.iter().find(|level| level.name == lower).map(|level| level.strength);
        match named.or_else(|| lower.parse().ok().filter(|number| *number <= 100)) {
            Some(number) => Ok(Level(number)),
            None => {
                let names = LEVELS.map(|level| level.name).join(", ");
                bail!("the levels are {names}, or a number from 0 to 100")
            }
        }
    }

    pub(super) fn strength(self) -> Strength {
        Strength::new(self.0.into())
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match LEVELS.iter().find(|level| level.strength == self.0) {
            Some(level) => f.write_str(level.name),
            None => write!(f, "{} of 100", self.0),
        }
    }
}

/// What `--level` means, with all names.
pub(super) fn help() -> String {
    let names = LEVELS
        .iter()
        .map(|level| format!("\n  {:<9} {:>3}  {}", level.name, level.strength, level.text));
    format!(
        "Strength: a name or a number from 0 to 100. Each name beats the one before in about \
         three games of four; what each does is told for freestyle{}",
        names.collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_numbers() {
        assert_eq!(Level::read(" Club ").unwrap(), Level(50));
        assert_eq!(Level::read("37").unwrap().to_string(), "37 of 100");
        assert_eq!(Level::read("100").unwrap(), Level(100));
        for bad in ["", "101", "-1", "wizard"] {
            assert!(Level::read(bad).unwrap_err().to_string().contains("beginner"), "{bad}");
        }
        assert!(LEVELS.iter().all(|level| help().contains(level.text)));
    }
}
