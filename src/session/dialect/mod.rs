//! What clients say and are told: commands become changes of the state and orders
//! of searches, decisions become replies.
//!
//! `dispatch` says what each command calls: `game` has the commands of every game,
//! `gomocup` those for positions of five in a row in the Gomocup protocol, `plies` those
//! of games named by `INFO variant`, `info` the settings, `yixin` the commands of the
//! Yixin-Boards and of gomocalc. A client that sends none of the latter never comes there.

pub mod axes;
pub mod dispatch;
pub mod game;
pub mod gomocup;
pub mod info;
pub mod plies;
pub mod position;
pub mod report;
pub mod wire;
pub mod yixin;
