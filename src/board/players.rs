//! Names of players in files, which say who played: a person, or the engine at a level.

use crate::schema::Player;
use goren_decide::Level;

/// The name of a person.
const PERSON: &str = "Person";
/// The beginning of the engine's name, before its version.
const ENGINE: &str = "Goren ";

/// Returns names of players. That of the engine has its version, and its level unless it plays
/// at full strength; `levels` of persons have no effect.
pub fn names(players: [Player; 2], levels: [Level; 2]) -> [String; 2] {
    [0, 1].map(|seat| {
        let level = levels[seat];
        match players[seat] {
            Player::Person => PERSON.to_owned(),
            Player::Engine if level == Level::FULL => {
                format!("{ENGINE}{}", env!("CARGO_PKG_VERSION"))
            }
            Player::Engine => format!("{ENGINE}{} ({level})", env!("CARGO_PKG_VERSION")),
        }
    })
}

/// Reads who has a name that [`names`] has written; `None` for any other name. The level is that
/// of the engine, `None` if it cannot be read.
pub fn player(name: &str) -> Option<(Player, Option<Level>)> {
    if name == PERSON {
        return Some((Player::Person, None));
    }
    let version = name.strip_prefix(ENGINE)?;
    let level = match version.strip_suffix(')').and_then(|version| version.rsplit_once('(')) {
        Some((_, level)) => Level::read(level).ok(),
        None => Some(Level::FULL),
    };
    Some((Player::Engine, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: levels without a name, and full strength as the board writes it, were not
    /// read.
    #[test]
    fn players_are_read_from_their_names() {
        for text in ["beginner", "club", "37", "full"] {
            let level = Level::read(text).unwrap();
            let names = names([Player::Person, Player::Engine], [level; 2]);
            assert_eq!(player(&names[0]), Some((Player::Person, None)));
            assert_eq!(player(&names[1]), Some((Player::Engine, Some(level))), "{names:?}");
        }
        // As former versions wrote it.
        assert_eq!(player("Goren 0.1.0 (full)"), Some((Player::Engine, Some(Level::FULL))));
        assert_eq!(player("Goren 0.1.0 (beta)"), Some((Player::Engine, None)));
        for other in ["", "person", "Alice", "Goren"] {
            assert_eq!(player(other), None);
        }
    }
}
