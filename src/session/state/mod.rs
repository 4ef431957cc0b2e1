//! What a session holds between commands: data of the game at hand, of the
//! settings, and of what is known from outside. The running search is not part of
//! it (`search`).

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

/// What a session holds between commands.
pub struct State {
    /// What the client has set.
    pub settings: Settings,
    /// The game of the client.
    pub at_hand: GameAtHand,
    /// What is known from outside the search.
    pub sources: Sources,
    /// The opening that a GUI asks about apart from the game.
    pub opening_steps: OpeningSteps,
    /// By how much searches took longer than they might.
    pub overshoot: Overshoot,
    /// When the command being obeyed arrived.
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
    /// The limits of the search of the current command.
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
