//! Help for a human who starts the engine in a terminal. All lines are MESSAGE
//! lines, so that a manager on a pseudo terminal can ignore them.

use goren_protocol::Reply;

const GREETING: [&str; 3] = [
    concat!("Goren ", env!("CARGO_PKG_VERSION"), ", an engine for Gomoku, Renju and Caro."),
    "It speaks the Gomocup protocol and is meant to be run by a manager or a board program.",
    "Type help for a list of commands, end to leave.",
];

const HELP: [&str; 11] = [
    "START 15 - a new game on a board of 15x15 (5 to 26); RECTSTART 20,15 - of 20 columns, 15 rows",
    "BEGIN - the engine makes the first move",
    "TURN 7,7 - your stone: column from the left, row from the top, from 0; the engine answers",
    "BOARD - sets a position: lines x,y,1 (engine) and x,y,2 (you), then DONE; the engine answers",
    "TAKEBACK 7,7 - removes the newest stone",
    "STOP - the engine moves at once",
    "INFO rule 0 - freestyle; 1 standard, 4 renju, 8 caro, 9 caro with exact fives",
    "INFO timeout_turn 5000 - milliseconds for each move; timeout_match for all, 0 no limit",
    "INFO max_memory 367001600 - bytes; max_depth, max_node, thread_num - further limits",
    "ABOUT - name and version",
    "END - leave",
];

/// The greeting.
pub fn greeting() -> impl Iterator<Item = Reply> {
    messages(&GREETING)
}

/// The help.
pub fn lines() -> impl Iterator<Item = Reply> {
    messages(&HELP)
}

/// Whether a line that is no command asks for help.
pub fn wanted(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "help" | "?" | "h")
}

fn messages(lines: &'static [&'static str]) -> impl Iterator<Item = Reply> {
    lines.iter().map(|&line| Reply::Message(line.to_owned()))
}
