//! Levels of strength that have names, at even distances on the scale.

/// A level of strength with a name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NamedLevel {
    /// The name, in lower case.
    pub name: &'static str,
    /// The strength, 0 to 100.
    pub strength: u8,
    /// What to expect, in a sentence.
    pub text: &'static str,
}

const fn level(name: &'static str, strength: u8, text: &'static str) -> NamedLevel {
    NamedLevel { name, strength, text }
}

/// All of them, the weakest first. What they overlook and search is told for freestyle; in
/// other games it differs, so that the distances are the same.
pub const LEVELS: [NamedLevel; 11] = [
    level("beginner", 0, "Makes and stops lines of five, but overlooks every second open three."),
    level(
        "novice",
        10,
        "Overlooks two open threes of five, and most quiet moves far from the last stones.",
    ),
    level("learner", 20, "Overlooks nearly every third open three, and chooses among many moves."),
    level("casual", 30, "Overlooks an open three in six."),
    level("regular", 40, "Overlooks an open three in twelve, and judges by a small search."),
    level("club", 50, "Overlooks few threats, and searches about 1,500 positions a move."),
    level("strong", 60, "Overlooks hardly a threat, and searches about 3,000 positions a move."),
    level("expert", 70, "Looks at every move, and searches about 7,000 positions."),
    level("master", 80, "Errs little, and searches about 15,000 positions."),
    level("champion", 90, "Errs hardly at all, and searches about 45,000 positions."),
    level("full", 100, "Plays the best move that it finds in its time."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_at_even_distances_and_say_what_they_are() {
        let steps = LEVELS.windows(2).map(|pair| pair[1].strength - pair[0].strength);
        assert!(steps.into_iter().all(|step| step == 10));
        assert_eq!((LEVELS[0].strength, LEVELS[LEVELS.len() - 1].strength), (0, 100));
        assert!(LEVELS.iter().all(|level| level.text.len() > 20 && level.text.ends_with('.')));
    }
}
