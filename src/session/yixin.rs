//! The commands of the Yixin-Board extension. Those that are not served are
//! consumed without a word: Yixin-Board 2.1 would take any unknown line for a
//! move.

use goren_protocol::{Limit, Placed, Reply, YixinCommand};

use super::settings::{MAX_HASH_LOG2_KIB, max_threads};
use super::trouble::Trouble;
use super::{Out, Session, State, position};
use crate::types::Color;

impl Session {
    pub(super) fn yixin(&mut self, command: YixinCommand, out: Out) -> Result<(), Trouble> {
        match command {
            YixinCommand::ShowInfo => {
                self.settings.meet_yixin_board();
                // Without these the GUI allows one thread only.
                let threads = u32::try_from(max_threads()).unwrap_or(u32::MAX);
                out(Reply::Limit(Limit::MaxThreadNum(threads)));
                out(Reply::Limit(Limit::MaxHashSize(MAX_HASH_LOG2_KIB)));
                Ok(())
            }
            YixinCommand::Board(list) => {
                self.settings.meet_yixin();
                self.show_position(&list)
            }
            YixinCommand::ShowForbid => {
                out(self.forbidden());
                Ok(())
            }
            YixinCommand::HashClear => {
                self.memory.clear();
                match &mut self.state {
                    State::Idle(game) => game.forget(),
                    State::Table(table) => table.decider.forget(),
                    _ => {}
                }
                Ok(())
            }
            YixinCommand::Database(command) => {
                self.database(&command, out);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Sets a position without thinking about it; it may be over.
    fn show_position(&mut self, list: &[Placed]) -> Result<(), Trouble> {
        if matches!(self.state, State::Table(_)) {
            return Err(Trouble::NotHere("YXBOARD"));
        }
        let setup = self.idle()?.setup();
        self.replace(position::from_board(list, self.axes, &setup)?, false)
    }

    /// The points forbidden to Black, if he is to move; none in any trouble,
    /// since the GUI reads this line only.
    fn forbidden(&mut self) -> Reply {
        let axes = self.axes;
        let at_table = self.forbidden_at_table();
        let cells = match self.game() {
            Err(_) => at_table,
            Ok((game, _)) if game.to_move() == Color::Black => game.forbidden(),
            _ => Vec::new(),
        };
        Reply::Forbid(cells.into_iter().map(|cell| axes.point(cell)).collect())
    }
}
