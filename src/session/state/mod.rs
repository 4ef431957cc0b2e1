//! The state of a session between commands: settings, the game at hand, and what is known
//! from outside the search. The running search is kept in `search`.

pub mod continuous;
pub mod five_position;
pub mod game_at_hand;
pub mod last_score;
pub mod limits;
pub mod played_game;
pub mod requested_game;
pub mod settings;
pub mod weights;

use std::time::Instant;

use self::game_at_hand::GameAtHand;
use self::limits::Limits;
use self::settings::Settings;
use crate::advice::Sources;
use crate::dialect::yixin::OpeningSteps;
use goren_engine::Overshoot;

/// The state of a session between commands.
pub struct State {
    /// Settings sent by the client.
    pub settings: Settings,
    /// The client's game.
    pub at_hand: GameAtHand,
    /// Exclusions, database and winning trees.
    pub sources: Sources,
    /// The opening that a GUI asks about separately from the game.
    pub opening_steps: OpeningSteps,
    /// How much longer than allowed searches took.
    pub overshoot: Overshoot,
    /// When the current command arrived.
    pub arrived: Instant,
}

impl Default for State {
    fn default() -> State {
        State {
            settings: Settings::default(),
            at_hand: GameAtHand::default(),
            sources: Sources::default(),
            opening_steps: OpeningSteps::default(),
            overshoot: Overshoot::default(),
            arrived: Instant::now(),
        }
    }
}

impl State {
    /// The limits for the search of the current command.
    pub fn limits(&self) -> Limits {
        let settings = &self.settings;
        Limits {
            arrived: self.arrived,
            clock: settings.clock().with_overshoot(self.overshoot.worst()),
            max_depth: settings.max_depth(),
            max_nodes: settings.max_nodes(),
            threads: settings.threads(),
            table_bytes: settings.table_bytes(self.sources.proofs.bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use goren_engine::Budget;

    #[test]
    fn late_answers_shorten_the_next_search() {
        let mut state = State::default();
        let on_time = state.limits().clock;
        let second = Duration::from_secs(1);
        state.overshoot.note(&Budget::per_move(second), second * 2);
        let worst = state.overshoot.worst();
        assert!(worst > Duration::ZERO);
        assert_eq!(state.limits().clock, on_time.with_overshoot(worst));
        assert!(state.limits().clock.budget(0, 225).hard < on_time.budget(0, 225).hard);
    }
}
