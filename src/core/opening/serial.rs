//! Games in formats of serde.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::action::Action;
use super::game_state::{Beginning, GameState};
use crate::rules::Contest;
use crate::rules::referee::set_up_position;

/// A game as it is serialised.
#[derive(Serialize, Deserialize)]
#[serde(rename = "GameState", deny_unknown_fields)]
struct Serialized<'a> {
    contest: Contest,
    beginning: Cow<'a, Beginning>,
    actions: Cow<'a, [Action]>,
}

impl Serialize for GameState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (beginning, actions) = (Cow::Borrowed(&self.beginning), Cow::Borrowed(self.actions()));
        Serialized { contest: self.contest, beginning, actions }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GameState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameState, D::Error> {
        let Serialized { contest, beginning, actions } = Serialized::deserialize(deserializer)?;
        if !(1..=contest.variant.turn()).contains(&beginning.left) {
            return Err(D::Error::custom("a game begins with a turn of the game's stones"));
        }
        let referee = set_up_position(&contest, &beginning.laid).map_err(D::Error::custom)?;
        let mut game_state = GameState::on(referee, contest, beginning.into_owned());
        for (at, action) in actions.iter().enumerate() {
            let illegal = |error| D::Error::custom(format_args!("ply {}: {error}", at + 1));
            game_state.apply(action).map_err(illegal)?;
        }
        Ok(game_state)
    }
}
