//! Levels of strength by their names.

use super::strength::Strength;

/// The names, weakest first, and what they are of `INFO strength`.
pub const LEVELS: [(&str, u8); 8] = [
    ("beginner", 0),
    ("novice", 15),
    ("learner", 30),
    ("casual", 45),
    ("club", 60),
    ("strong", 75),
    ("expert", 90),
    ("full", 100),
];

/// A text that is no level.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the levels are {}, or a number from 0 to 100", LEVELS.map(|(name, _)| name).join(", "))]
pub struct NoLevel;

/// A strength from 0 to 100.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Level(u8);

impl Level {
    /// Full strength.
    pub const FULL: Level = Level(100);

    /// The level of a name or a number.
    ///
    /// # Errors
    /// The names there are.
    pub fn read(text: &str) -> Result<Level, NoLevel> {
        let lower = text.trim().to_lowercase();
        let named = LEVELS.iter().find(|(name, _)| *name == lower).map(|&(_, number)| number);
        let number = named.or_else(|| lower.parse().ok().filter(|number| *number <= 100));
        number.map(Level).ok_or(NoLevel)
    }

    /// The strength to play at.
    pub fn strength(self) -> Strength {
        Strength::new(self.0.into())
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match LEVELS.iter().find(|(_, number)| *number == self.0) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{} of 100", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_numbers() {
        assert_eq!(Level::read(" Club ").unwrap(), Level(60));
        assert_eq!(Level::read("37").unwrap().to_string(), "37 of 100");
        assert_eq!(Level::read("100").unwrap(), Level(100));
        for bad in ["", "101", "-1", "master"] {
            assert!(Level::read(bad).unwrap_err().to_string().contains("beginner"), "{bad}");
        }
        assert!(LEVELS.is_sorted_by_key(|(_, number)| *number));
    }
}
