//! Dispatch of commands to the code that changes the state, sends immediate replies, and
//! may order a search.

use goren_protocol::{About, Command, Ply, Reply};

use super::{game, gomocup, info, plies, yixin};
use crate::command_error::CommandError;
use crate::out::Out;
use crate::search::order::SearchOrder;
use crate::state::State;

/// Obeys a command. Returns the search that it orders, if any.
///
/// # Errors
/// The command cannot be obeyed; answered as ERROR.
pub fn dispatch(
    state: &mut State,
    command: Command,
    out: Out,
) -> Result<Option<SearchOrder>, CommandError> {
    match command {
        Command::Begin
        | Command::Turn(_)
        | Command::TurnPly(_)
        | Command::Plies(_)
        | Command::Board(_)
        | Command::Swap2Board(_) => order_move(state, command, out).map(Some),
        Command::Yixin(command) => yixin::obey(state, command, out),
        Command::Start { .. }
        | Command::RectStart { .. }
        | Command::Restart
        | Command::Takeback(_)
        | Command::Play(_)
        | Command::Info(_)
        | Command::About
        | Command::Stop
        | Command::End => obey(state, command, out).map(|()| None),
    }
}

/// Orders the search for a move or for a ply of an opening.
fn order_move(state: &mut State, command: Command, out: Out) -> Result<SearchOrder, CommandError> {
    let limits = state.limits();
    let State { settings, at_hand, .. } = state;
    let named = at_hand.is_named();
    let order = match command {
        Command::Begin => game::begin(at_hand, settings, &limits),
        Command::Turn(at) => game::turn(at_hand, settings, &limits, &Ply::one(at), out),
        Command::TurnPly(ply) if named => game::turn(at_hand, settings, &limits, &ply, out),
        Command::TurnPly(ply) => match ply.first().filter(|_| ply.is_single()) {
            // Gomocup ignores words after the coordinate.
            Some(at) => game::turn(at_hand, settings, &limits, &Ply::one(at), out),
            None => at_hand.not_refused().and(Err(CommandError::NotNamed)),
        },
        Command::Plies(texts) => plies::plies(at_hand, &limits, &texts, out),
        Command::Board(list) if !named => gomocup::board(at_hand, settings, &limits, &list, out),
        Command::Swap2Board(list) if !named => {
            gomocup::swap2(at_hand, settings, &limits, &list, out)
        }
        _ => Err(CommandError::NotHere(command.keyword())),
    }?;
    yixin::swap_after_first(at_hand, settings, order)
}

/// Obeys a command that orders no search.
fn obey(state: &mut State, command: Command, out: Out) -> Result<(), CommandError> {
    let limits = state.limits();
    let State { settings, at_hand, .. } = state;
    match command {
        Command::Start { width, height } | Command::RectStart { width, height } => {
            let side = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
            game::start(at_hand, settings, &limits, (side(width), side(height)), out)
        }
        Command::Restart => game::restart(at_hand, settings, &limits, out),
        Command::Takeback(at) => {
            game::take_back(at_hand, settings, at)?;
            out(Reply::Ok);
            Ok(())
        }
        Command::Play(_) if at_hand.is_named() => Err(CommandError::NotHere(command.keyword())),
        Command::Play(at) => gomocup::play(at_hand, settings, at, out),
        Command::Info(info) => {
            info::inform(state, &info, out);
            Ok(())
        }
        Command::About => {
            out(Reply::About(about()));
            Ok(())
        }
        // STOP without a search does nothing: Yixin-Board sends yxstop with every undo. END
        // has ended the process, and `dispatch` passes the others elsewhere.
        Command::Stop
        | Command::End
        | Command::Begin
        | Command::Turn(_)
        | Command::TurnPly(_)
        | Command::Plies(_)
        | Command::Board(_)
        | Command::Swap2Board(_)
        | Command::Yixin(_) => Ok(()),
    }
}

fn about() -> About {
    About::new("Goren", env!("CARGO_PKG_VERSION"), "the Goren authors", "international")
}
