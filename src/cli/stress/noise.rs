//! Lines between the moves: settings that change nothing, and malformed lines.

use goren_protocol::Reply;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use super::fault::EngineFault;
use super::watched_engine::WatchedEngine;

/// Settings, valid or not, that the engine must not answer and that do not affect the game.
const SETTINGS: [&str; 14] = [
    "INFO game_type 1",
    "INFO game_type 2",
    "INFO evaluate 3,4",
    "INFO folder /nowhere/at all",
    "INFO max_depth 0",
    "INFO max_node 0",
    "INFO caution_factor 2",
    "INFO checkmate 0",
    "INFO no_such_key 17",
    "INFO",
    "INFO timeout_turn",
    "INFO timeout_turn soon",
    "INFO max_memory -",
    "Info  GAME_TYPE   0  ",
];

/// Draws a setting that changes nothing, as a line.
pub(super) fn setting(rng: &mut SmallRng) -> String {
    format!("{}\n", SETTINGS.choose(rng).unwrap_or(&"INFO"))
}

/// Lines that leave the position as it is, and whether the answer is `ERROR` (true),
/// `UNKNOWN` (false) or none. A refused BOARD is not among them: after it the engine waits
/// for a valid position.
const MALFORMED: [(&str, Option<bool>); 12] = [
    ("BANANA", Some(false)),
    ("TRUN 7,7", Some(false)),
    ("TURN 99,99", Some(true)),
    ("TURN -1,-1", Some(true)),
    ("TURN", Some(true)),
    ("TURN a,b", Some(true)),
    ("TAKEBACK 99,99", Some(true)),
    ("START 3", Some(true)),
    ("START 1000000", Some(true)),
    ("RECTSTART 5,99", Some(true)),
    ("YXSTOP", None),
    ("", None),
];

/// Sends a malformed line; checks the answer, and that no other line follows.
pub(super) fn malformed(engine: &mut WatchedEngine, rng: &mut SmallRng) -> Result<(), EngineFault> {
    let (lines, answer) = MALFORMED.choose(rng).unwrap_or(&MALFORMED[0]);
    let lines = format!("{lines}\n");
    match answer {
        Some(true) => engine.expect(&lines, "ERROR", |reply| matches!(reply, Reply::Error(_)))?,
        Some(false) => {
            engine.expect(&lines, "UNKNOWN", |reply| matches!(reply, Reply::Unknown(_)))?;
        }
        None => engine.send(&lines)?,
    }
    engine.expect_name()
}
