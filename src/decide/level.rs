//! Levels of strength by name or number. The named ones are evenly spaced.

use std::fmt;

use super::strength::Strength;

/// A level of strength with a name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NamedLevel {
    /// The name, in lower case.
    pub name: &'static str,
    /// The strength, 0 to 100.
    pub strength: u8,
    /// Description of its play, in a sentence.
    pub text: &'static str,
}

const fn level(name: &'static str, strength: u8, text: &'static str) -> NamedLevel {
    NamedLevel { name, strength, text }
}

/// All named levels, weakest first. The texts describe freestyle. In other games a level searches
/// and overlooks other amounts, so that steps between levels are worth the same Elo.
pub const LEVELS: [NamedLevel; 11] = [
    level("beginner", 0, "Makes and stops lines of five, but overlooks every second open three."),
    level(
        "novice",
        10,
        "Overlooks two open threes in five, and most quiet moves far from the last stones.",
    ),
    level("learner", 20, "Overlooks nearly every third open three, and chooses among many moves."),
    level("casual", 30, "Overlooks an open three in six."),
    level("regular", 40, "Overlooks an open three in twelve, and judges by a small search."),
    level("club", 50, "Overlooks few threats, and searches about 1,500 positions a move."),
    level("strong", 60, "Rarely overlooks a threat, and searches about 3,000 positions a move."),
    level("expert", 70, "Looks at every move, and searches about 7,000 positions."),
    level("master", 80, "Rarely errs, and searches about 15,000 positions."),
    level("champion", 90, "Hardly ever errs, and searches about 70,000 positions."),
    level("full", 100, "Plays the best move that it finds in its time."),
];

/// The error of a text that is no level.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the levels are {}, or a number from 0 to 100", LEVELS.map(|level| level.name).join(", "))]
pub struct LevelError;

/// End of the displayed text of a level without a name.
const OF_MAX: &str = " of 100";

/// A strength from 0 to 100, by its name or its number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Level(u8);

impl Level {
    /// Full strength.
    pub const FULL: Level = Level(100);

    /// Reads a level from its name or its number, also as it is displayed (`37 of 100`).
    ///
    /// # Errors
    /// The text is neither the name of a level nor a number from 0 to 100.
    pub fn read(text: &str) -> Result<Level, LevelError> {
        let lower = text.trim().to_lowercase();
        let named = LEVELS.iter().find(|level| level.name == lower).map(|level| level.strength);
        let number = lower.strip_suffix(OF_MAX).unwrap_or(&lower);
        let number = named.or_else(|| number.parse().ok().filter(|number| *number <= 100));
        number.map(Level).ok_or(LevelError)
    }

    /// The name, if it has one.
    pub fn name(self) -> Option<&'static str> {
        LEVELS.iter().find(|level| level.strength == self.0).map(|level| level.name)
    }

    /// The strength to play at.
    pub fn strength(self) -> Strength {
        Strength::new(self.0.into())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "{}{OF_MAX}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_and_numbers() {
        assert_eq!(Level::read(" Club ").unwrap(), Level(50));
        assert_eq!(Level::read("37").unwrap().to_string(), "37 of 100");
        assert_eq!(Level::read("100").unwrap(), Level::FULL);
        for bad in ["", "101", "-1", "grandmaster", "club of 100", "101 of 100", " of 100"] {
            assert!(Level::read(bad).unwrap_err().to_string().contains("beginner"), "{bad}");
        }
    }

    /// Regression: files and settings with a level without a name were not read again.
    #[test]
    fn a_level_is_read_as_it_is_displayed() {
        for number in 0..=100 {
            assert_eq!(Level::read(&Level(number).to_string()), Ok(Level(number)));
        }
    }

    #[test]
    fn levels_lie_at_even_distances_and_say_what_they_are() {
        let steps = LEVELS.windows(2).map(|pair| pair[1].strength - pair[0].strength);
        assert!(steps.into_iter().all(|step| step == 10));
        assert_eq!((LEVELS[0].strength, LEVELS[LEVELS.len() - 1].strength), (0, 100));
        assert!(LEVELS.iter().all(|level| level.text.len() > 20 && level.text.ends_with('.')));
    }
}
