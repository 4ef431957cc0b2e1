//! Help for a person who starts the engine in a terminal, all in MESSAGE lines, so that a
//! manager on a pseudo terminal can ignore it.

use goren_core::rules::Variant;
use goren_core::types::read_point;
use goren_protocol::{Command, ParseError, Reply, Setting};

use crate::dialect::state::State;

const GREETING: [&str; 3] = [
    concat!("Goren ", env!("CARGO_PKG_VERSION"), ", an engine for board programs and tournaments."),
    "To play in a terminal, use the tool goren: goren play (from the sources: cargo goren play).",
    "This is the Gomocup protocol: START 15, then BEGIN or TURN 7,7; 30 s a move unless told \
     otherwise. Type help for a list of commands, end to leave.",
];

const HELP: [&str; 14] = [
    "START 15 - a new game on a 15x15 board (5 to 26); RECTSTART 20,15 - 20 columns, 15 rows",
    "BEGIN - the engine makes the first move",
    "TURN 7,7 - your stone: column from the left, row from the top, from 0; the engine answers",
    "Its MESSAGE lines use letters: H8 is column H, row 8 from the bottom",
    "BOARD - sets a position: lines x,y,1 (engine) and x,y,2 (you), then DONE; the engine answers",
    "TAKEBACK 7,7 - removes the newest stone",
    "STOP - the engine moves at once",
    "INFO rule 0 - freestyle; 1 standard, 4 renju, 8 caro, 9 caro with exact fives",
    "INFO variant pente - another game; INFO opening swap-2 - an opening; both before START",
    "INFO timeout_turn 5000 - milliseconds a move; timeout_match - for the whole game, 0: no limit",
    "INFO strength 50 - 0 to 100 (full)",
    "INFO max_memory 367001600 - bytes; max_depth, max_node, thread_num - further limits",
    "ABOUT - name and version",
    "END, quit, exit - leave",
];

/// The lines of the greeting.
pub fn greeting() -> impl Iterator<Item = Reply> {
    let names: Vec<&str> = Variant::games().map(|game| game.sheet().name).collect();
    let games = Reply::Message(format!("Games: {}.", names.join(", ")));
    let mut lines: Vec<Reply> = messages(&GREETING).collect();
    lines.insert(1, games);
    lines.into_iter()
}

/// The lines of the help.
pub fn lines() -> impl Iterator<Item = Reply> {
    messages(&HELP)
}

/// Whether an unknown line asks for help.
fn asks_for_help(line: &str) -> bool {
    matches!(line.trim().to_ascii_lowercase().as_str(), "help" | "?" | "h")
}

/// Whether an unknown line asks to leave.
pub fn leaves(error: &ParseError) -> bool {
    let ParseError::Unknown { text } = error else { return false };
    matches!(text.trim().to_ascii_lowercase().as_str(), "quit" | "exit" | "q" | "bye")
}

/// Advice on a line that cannot be parsed; empty if the protocol's own answer suffices.
pub fn advice(error: &ParseError, state: &mut State) -> Vec<Reply> {
    let text = match error {
        ParseError::Unknown { text } if asks_for_help(text) => return lines().collect(),
        ParseError::Unknown { text } => text.trim(),
        ParseError::Invalid { command: "TURN", .. } => {
            return vec![message(
                "TURN takes column and row as numbers from 0, the row from the top: \
                             TURN 7,7"
                    .into(),
            )];
        }
        _ => return Vec::new(),
    };
    let lower = text.to_ascii_lowercase();
    let word = lower.split_whitespace().next().unwrap_or_default();
    match word {
        "undo" | "back" => vec![message(
            "TAKEBACK 7,7 removes the newest stone, named by its column and row".into(),
        )],
        "play" | "new" | "go" | "start" => {
            vec![message("START 15 begins a game, BEGIN has the engine move first".into())]
        }
        _ => point(word, state).into_iter().map(message).collect(),
    }
}

fn message(text: String) -> Reply {
    Reply::Message(text)
}

/// How to write a point such as `h8` in the protocol.
fn point(word: &str, state: &mut State) -> Option<String> {
    let (x, row) = read_point(word)?;
    let height = state.at_hand.game.as_ref().map(|game| game.size().1);
    let Some(height) = height else {
        return Some(format!(
            "START 15 begins a game; points are numbers here, {word} is TURN x,y"
        ));
    };
    let y = height.checked_sub(row)?;
    Some(format!("{word} is TURN {x},{y} here: column, and row from the top, both from 0"))
}

/// Warns about an unknown setting. Managers get no such warning, as they send many of them.
pub fn unknown_setting(command: &Command) -> Option<Reply> {
    match command {
        Command::Info(Setting::Unknown { key, .. }) => {
            Some(message(format!("INFO {key} is unknown and has no effect")))
        }
        _ => None,
    }
}

fn messages(lines: &'static [&'static str]) -> impl Iterator<Item = Reply> {
    lines.iter().map(|&line| Reply::Message(line.to_owned()))
}
