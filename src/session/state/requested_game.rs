//! The requested game: the values of `INFO variant`, `INFO opening` and `INFO tie_break`.

use goren_core::rules::{BadGame, Contest, OpeningId, Variant};

/// The value of `INFO variant` that returns to the games of `INFO rule`.
const GOMOCUP: &str = "gomocup";

/// Why the requested game cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRequest {
    /// An unknown game, or a game that does not have this board or opening.
    #[error(transparent)]
    Game(#[from] BadGame),
    /// An unknown opening.
    #[error("there is no opening {0:?}")]
    Opening(String),
    /// An opening without a game named by `INFO variant`.
    #[error("INFO opening {0} needs a game named by INFO variant")]
    NoGame(OpeningId),
    /// A value that cannot be read.
    #[error("INFO {key} {value:?} cannot be read")]
    Unreadable {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
}

/// The last values of `INFO variant`, `INFO opening` and `INFO tie_break`. Invalid values
/// are stored as errors, so that no other game begins instead.
#[derive(Clone, Default, Debug)]
pub struct RequestedGame {
    variant: Option<Result<Variant, BadRequest>>,
    opening: Option<Result<OpeningId, BadRequest>>,
    tie_break: Option<Result<bool, BadRequest>>,
}

impl RequestedGame {
    /// Stores the game to begin, or that `INFO rule` chooses it. Resets the opening if a game
    /// was named before; keeps an opening named before any game for this game.
    ///
    /// # Errors
    /// The game is unknown; no game can begin until another one is named.
    pub fn variant(&mut self, name: &str) -> Result<(), BadRequest> {
        let gomocup = name.trim().eq_ignore_ascii_case(GOMOCUP);
        if gomocup || matches!(self.variant, Some(Ok(_))) {
            (self.opening, self.tie_break) = (None, None);
        }
        let known = || Variant::from_name(name.trim()).map_err(BadRequest::from);
        self.variant = (!gomocup).then(known);
        self.variant.clone().transpose().map(drop)
    }

    /// Stores the opening.
    ///
    /// # Errors
    /// The opening is unknown; no game can begin until another one is named.
    pub fn opening(&mut self, name: &str) -> Result<(), BadRequest> {
        let known = OpeningId::from_name(name.trim());
        self.opening = Some(known.ok_or_else(|| BadRequest::Opening(name.trim().to_owned())));
        self.opening.clone().transpose().map(drop)
    }

    /// Stores whether the first to pass wins a drawn game.
    pub fn tie_break(&mut self, on: bool) {
        self.tie_break = Some(Ok(on));
    }

    /// Stores that the value of a key cannot be read.
    pub fn unreadable(&mut self, key: &str, value: &str) {
        let bad = BadRequest::Unreadable { key: key.to_owned(), value: value.to_owned() };
        match key {
            "variant" => self.variant = Some(Err(bad)),
            "opening" => self.opening = Some(Err(bad)),
            "tie_break" => self.tie_break = Some(Err(bad)),
            _ => {}
        }
    }

    /// Returns the game to begin on a board; `None` if none was named.
    ///
    /// # Errors
    /// A requested value is invalid, or the values do not fit together.
    pub fn contest(&self, width: usize, height: usize) -> Result<Option<Contest>, BadRequest> {
        let variant = self.variant.clone().transpose()?;
        let opening = self.opening.clone().transpose()?;
        let tie_break = self.tie_break.clone().transpose()?.unwrap_or(false);
        let Some(variant) = variant else {
            return match opening {
                None | Some(OpeningId::Free) => Ok(None),
                Some(opening) => Err(BadRequest::NoGame(opening)),
            };
        };
        // Without passes there is no tie to break.
        let tie_break = tie_break && variant.sheet().passes;
        let contest = Contest { tie_break, ..Contest::new(variant) };
        let opened = opening.map_or(Ok(contest), |opening| contest.opened(opening))?;
        Ok(Some(opened.on(width, height)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_belong_to_the_game_named_before_them() {
        let mut requested = RequestedGame::default();
        assert_eq!(requested.contest(15, 15), Ok(None));
        let contest = |requested: &RequestedGame| requested.contest(15, 15).unwrap().unwrap();
        requested.variant("renju").unwrap();
        requested.opening("rif").unwrap();
        assert_eq!(contest(&requested).opening, OpeningId::Rif);
        requested.variant("pente").unwrap();
        assert_eq!(contest(&requested).opening, OpeningId::Pro);
        requested.opening("rif").unwrap();
        assert!(requested.contest(15, 15).is_err());
        requested.variant("renju").unwrap();
        requested.tie_break(true);
        assert!(contest(&requested).tie_break);
        requested.variant("pente").unwrap();
        assert!(!contest(&requested).tie_break);
        requested.tie_break(true);
        assert!(!contest(&requested).tie_break);
        requested.variant("Gomocup").unwrap();
        assert_eq!(requested.contest(15, 15), Ok(None));
        // An opening named before any game is for the first game.
        requested.opening("Soos\u{f5}rv-8").unwrap();
        assert_eq!(requested.contest(15, 15), Err(BadRequest::NoGame(OpeningId::Soosorv8)));
        requested.variant("renju").unwrap();
        assert_eq!(contest(&requested).opening, OpeningId::Soosorv8);
    }

    #[test]
    fn an_unknown_name_does_not_begin_another_game() {
        let mut requested = RequestedGame::default();
        let error = |requested: &RequestedGame| requested.contest(15, 15).unwrap_err().to_string();
        assert!(requested.variant("chess").is_err() && error(&requested).contains("\"chess\""));
        requested.opening("rif").unwrap();
        assert!(error(&requested).contains("\"chess\""));
        // The opening stays with the game named next.
        requested.variant("renju").unwrap();
        assert_eq!(requested.contest(15, 15).unwrap().unwrap().opening, OpeningId::Rif);
        assert!(requested.opening("castling").is_err());
        assert_eq!(error(&requested), "there is no opening \"castling\"");
        requested.opening("free").unwrap();
        assert!(requested.contest(15, 15).is_ok());
        for key in ["variant", "opening", "tie_break"] {
            requested.unreadable(key, "?");
            assert_eq!(error(&requested), format!("INFO {key} \"?\" cannot be read"));
            requested.variant("gomocup").unwrap();
            assert_eq!(requested.contest(15, 15), Ok(None));
        }
        requested.unreadable("max_depth", "?");
        assert_eq!(requested.contest(15, 15), Ok(None));
    }
}
