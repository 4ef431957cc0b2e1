//! Commands that begin a game: START, RECTSTART and RESTART.

use goren_protocol::Reply;

use super::command_error::CommandError;
use super::out::Out;
use super::state::{REHEARSAL, Session, State, WARM_UP};
use goren_core::rules::Setup;
use goren_core::types::Color;
use goren_engine::{Game, has_room, reserve};

impl Session {
    pub(super) fn start(&mut self, width: u32, height: u32, out: Out) -> Result<(), CommandError> {
        let side = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
        if !reserve::hold() || !has_room() {
            return Err(CommandError::NoRoom);
        }
        if let Some(contest) = self.requested_game.contest(side(width), side(height))? {
            return self.start_family(&contest, out);
        }
        let rule = self.settings.variant()?.rule;
        let setup = Setup::new(rule, side(width), side(height))?;
        let same = |game: &dyn Game| game.setup() == setup && self.weights.in_use();
        // While there may be no room for it, the game before is kept.
        let new = match &self.state {
            State::Idle(game) if same(&**game) => None,
            _ => Some(self.weights.new_game(setup)),
        };
        if let Some(game) = &new {
            self.engine.rehearse(&**game, self.arrived + REHEARSAL);
            self.warm_up();
        }
        if reserve::is_released() {
            return Err(CommandError::NoRoom);
        }
        // Emptying a large table takes a moment.
        out(Reply::Ok);
        self.settings.new_game();
        self.games += 1;
        let mut game = match (new, std::mem::replace(&mut self.state, State::Unstarted)) {
            (None, State::Idle(game)) => game,
            (new, _) => new.unwrap_or_else(|| self.weights.new_game(setup)),
        };
        self.engine.forget();
        if game.set_up(&[], Color::Black).is_err() {
            game = self.weights.new_game(setup);
        }
        self.refused = false;
        self.state = State::Idle(game);
        self.settle_weights();
        Ok(())
    }

    /// Has the memory that the first search needs fetched in the time for START,
    /// which nobody counts.
    pub(super) fn warm_up(&self) {
        self.hash.set_limit(self.table_bytes());
        self.hash.prepare(self.arrived + WARM_UP);
    }

    /// After the game at hand was built anew.
    pub(super) fn settle_weights(&mut self) {
        if self.weights.settle() {
            // What the table knows was measured by the old weights.
            self.hash.clear();
        }
    }

    pub(super) fn restart(&mut self, out: Out) -> Result<(), CommandError> {
        let (width, height) = match &self.state {
            State::Family(family_game) => {
                let contest = family_game.game_state.contest();
                (contest.width, contest.height)
            }
            _ => {
                let setup = self.idle()?.setup();
                (setup.width, setup.height)
            }
        };
        self.start(width as u32, height as u32, out)
    }
}
