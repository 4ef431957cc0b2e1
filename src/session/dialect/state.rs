//! The state of a session between commands. It is in this folder because its parts come
//! from all folders below and from the Yixin dialect. The running search is kept in `search`.

use std::time::Instant;

use super::yixin::OpeningSteps;
use crate::advice::Sources;
use crate::order::limits::Limits;
use crate::state::game_at_hand::GameAtHand;
use crate::state::settings::Settings;
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
    /// By how much searches exceeded their time.
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
        let State { settings, sources, .. } = self;
        let others = sources.proofs.bytes().saturating_add(sources.database.bytes());
        Limits {
            arrived: self.arrived,
            clock: settings.clock().with_overshoot(self.overshoot.worst()),
            max_depth: settings.max_depth(),
            max_nodes: settings.max_nodes(),
            threads: settings.threads(),
            table_bytes: settings.table_bytes(others),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::dialect::info::inform;
    use goren_core::rules::{RuleId, Setup};
    use goren_core::types::Cell;
    use goren_database::{Database, Place, Record};
    use goren_engine::Budget;
    use goren_protocol::Setting;

    /// The process exceeded the manager's memory limit by the size of the database.
    #[test]
    fn an_open_database_leaves_less_memory_for_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.db");
        let mut database = Database::open(&path).unwrap().0;
        let setup = Setup::new(RuleId::Freestyle, 15, 15).unwrap();
        let record = Record { text: vec![b'x'; 60_000], ..Record::default() };
        for i in 1..200 {
            let moves = [Cell::new(0, 0), Cell::new(i % 15, i / 15)].map(Some);
            let key = Place::after(setup, &moves).unwrap().key().unwrap();
            database.change_many().unwrap().set(&key, &record);
        }
        database.save().unwrap();
        let bytes = database.store().bytes();
        assert!(bytes > 5 << 20, "{bytes}");
        drop(database);
        let mut state = State::default();
        state.sources.database.set_usual(path);
        let alone = state.limits().table_bytes;
        inform(&mut state, &Setting::UseDatabase(true), &mut |_| {});
        let beside = state.limits().table_bytes;
        assert!(beside + bytes / 8 * 7 <= alone, "{bytes} bytes: {beside} of {alone}");
        inform(&mut state, &Setting::UseDatabase(false), &mut |_| {});
        assert_eq!(state.limits().table_bytes, alone);
    }

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
