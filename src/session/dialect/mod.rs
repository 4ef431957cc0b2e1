//! What clients say and are told: commands become changes of the state and orders
//! of searches, decisions become replies.
//!
//! `dispatch` says what each command calls. `gomocup` has five in a row in the words of the Gomocup protocol, `family` the
//! games of `INFO variant`, `game` what both have in common, `info` the settings,
//! `yixin` the commands of the Yixin-Boards and of gomocalc. A client that sends
//! none of the latter never comes there.

pub mod axes;
pub mod dispatch;
pub mod family;
pub mod game;
pub mod gomocup;
pub mod info;
pub mod position;
pub mod report;
pub mod wire;
pub mod yixin;
