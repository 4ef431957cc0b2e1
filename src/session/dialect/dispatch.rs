//! Dispatch of commands to the code that changes the state, sends immediate replies, and
//! may order a search.

use goren_protocol::{About, Command, Ply, Reply};

use super::state::State;
use super::{game, gomocup, info, plies, yixin};
use crate::order::search_order::SearchOrder;
use crate::out::Out;
use crate::state::command_error::CommandError;

/// Obeys a command. Returns the search that it orders, if any.
///
/// # Errors
/// The command cannot be obeyed; answered as ERROR.
pub fn dispatch(
    state: &mut State,
    command: Command,
    out: Out,
) -> Result<Option<SearchOrder>, CommandError> {
    let limits = state.limits();
    let State { settings, at_hand, .. } = state;
    let named = at_hand.is_named();
    let order = match command {
        Command::Begin => game::begin(at_hand, settings, &limits)?,
        Command::Turn(at) => game::turn(at_hand, settings, &limits, &Ply::one(at), out)?,
        Command::TurnPly(ply) if named => game::turn(at_hand, settings, &limits, &ply, out)?,
        Command::TurnPly(ply) => match ply.first().filter(|_| ply.is_single()) {
            // Gomocup ignores words after the coordinate.
            Some(at) => game::turn(at_hand, settings, &limits, &Ply::one(at), out)?,
            None => return at_hand.not_refused().and(Err(CommandError::NotNamed)),
        },
        Command::Plies(texts) => plies::plies(at_hand, &limits, &texts, out)?,
        Command::Board(_) | Command::Swap2Board(_) | Command::Play(_) if named => {
            return Err(CommandError::NotHere(command.keyword()));
        }
        Command::Board(list) => gomocup::board(at_hand, settings, &limits, &list, out)?,
        Command::Swap2Board(list) => gomocup::swap2(at_hand, settings, &limits, &list, out)?,
        Command::Play(at) => return gomocup::play(at_hand, settings, at, out).map(|()| None),
        Command::Start { width, height } | Command::RectStart { width, height } => {
            let side = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
            let size = (side(width), side(height));
            return game::start(at_hand, settings, &limits, size, out).map(|()| None);
        }
        Command::Restart => return game::restart(at_hand, settings, &limits, out).map(|()| None),
        Command::Takeback(at) => {
            game::take_back(at_hand, settings, at)?;
            out(Reply::Ok);
            return Ok(None);
        }
        Command::Info(info) => {
            info::inform(state, &info, out);
            return Ok(None);
        }
        Command::About => {
            out(Reply::About(about()));
            return Ok(None);
        }
        // STOP without a search does nothing: Yixin-Board sends yxstop with every undo. END
        // has ended the process.
        Command::Stop | Command::End => return Ok(None),
        Command::Yixin(command) => return yixin::obey(state, command, out),
    };
    yixin::swap_after_first(at_hand, settings, order).map(Some)
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}
