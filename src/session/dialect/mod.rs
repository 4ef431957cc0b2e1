//! The protocol as clients use it: commands become changes of the state and search
//! orders, decisions become replies.
//!
//! `dispatch` passes each command to its code. `game` has the commands of every game,
//! `gomocup` those for positions of five in a row in the Gomocup protocol, `plies` those
//! of games named by `INFO variant`, `info` the settings, `yixin` the commands of the
//! Yixin-Boards and gomocalc. A client that sends none of the latter never runs code of
//! `yixin`.

pub mod dispatch;
pub mod game;
pub mod gomocup;
pub mod info;
pub mod plies;
pub mod report;
pub mod state;
pub mod yixin;
