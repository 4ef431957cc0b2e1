//! Order of coordinates, as the settings say. If a client announces another
//! order, it has meant that order all along: what it sent before is read again.

use super::position::{Axes, turned};
use super::state::{Session, State};
use goren_core::opening::{Action, GameState, IllegalAction};
use goren_core::types::Cell;

impl Session {
    /// The order of coordinates.
    pub(super) fn axes(&self) -> Axes {
        self.settings.axes()
    }

    /// Notes that the client is one of the Yixin-Boards, which say rows first.
    pub(super) fn meet_yixin_board(&mut self) {
        let before = self.axes();
        self.settings.meet_yixin_board();
        if self.axes() != before {
            self.read_anew();
        }
    }

    /// Reads all that was told in coordinates in the other order. A position that
    /// is none then was refused.
    fn read_anew(&mut self) {
        self.user_exclusions.turn();
        self.database_state.turn();
        self.opinion = None;
        match &mut self.state {
            State::Idle(game) => {
                let stones: Vec<_> =
                    game.stones().into_iter().map(|(cell, stone)| (turned(cell), stone)).collect();
                let to_move = game.to_move();
                self.refused |= !stones.is_empty() && game.set_up(&stones, to_move).is_err();
            }
            State::Family(family_game) => match anew(&family_game.game_state) {
                Ok(game_state) => family_game.game_state = game_state,
                Err(_) => self.refused = true,
            },
            State::Unstarted | State::Searching(_) => {}
        }
    }
}

/// A game with its coordinates in the other order.
fn anew(game_state: &GameState) -> Result<GameState, IllegalAction> {
    let all = |cells: &[Cell]| cells.iter().copied().map(turned).collect();
    let mut game = GameState::new(*game_state.contest());
    for action in game_state.actions() {
        game.apply(&match action {
            Action::Swap => Action::Swap,
            Action::Pass => Action::Pass,
            Action::Stones { cells, count } => Action::Stones { cells: all(cells), count: *count },
            Action::Offer(cells) => Action::Offer(all(cells)),
            Action::Choose { fifth, sixth } => {
                Action::Choose { fifth: turned(*fifth), sixth: turned(*sixth) }
            }
        })?;
    }
    Ok(game)
}
