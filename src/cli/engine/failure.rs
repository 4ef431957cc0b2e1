//! Failures of an engine process.

use std::time::Duration;

/// Reason why an engine did not answer as it should. Printed after the engine's name:
/// `<name> <failure>`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// The command cannot be read or run.
    #[error("cannot be run: {0}")]
    Spawn(String),
    /// The engine sent no valid answer in time.
    #[error("did not answer {asked} within {:.1} s", wait.as_secs_f64())]
    Silent {
        /// The command, or `a request for a move`.
        asked: &'static str,
        /// Time waited.
        wait: Duration,
    },
    /// The engine answered `ERROR` or `UNKNOWN` to the start of a game.
    #[error("refused {asked}: {text}")]
    Refused {
        /// The command.
        asked: &'static str,
        /// Text of the refusal.
        text: String,
    },
    /// The process ended or no longer reads.
    #[error("ended ({0})")]
    Crash(String),
    /// The engine printed more than can be read.
    #[error("floods its output")]
    Flood,
    /// The engine printed something else where an answer was due.
    #[error("{0}")]
    Protocol(String),
    /// A move to a cell that is occupied or not on the board.
    #[error("made an illegal move: {0}")]
    Illegal(String),
}
