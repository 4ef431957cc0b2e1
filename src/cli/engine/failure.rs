//! Failures of an engine process.

use std::time::Duration;

/// Why an engine did not answer as it should. Printed after its name:
/// `<name> <failure>`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// Its command cannot be read or run.
    #[error("cannot be run: {0}")]
    Spawn(String),
    /// It said nothing of use in time.
    #[error("did not answer {asked} within {:.1} s", wait.as_secs_f64())]
    Silent {
        /// The command, or `a move`.
        asked: &'static str,
        /// How long it was waited for.
        wait: Duration,
    },
    /// It answered `ERROR` or `UNKNOWN` to the start of a game.
    #[error("refused {asked}: {text}")]
    Refused {
        /// The command.
        asked: &'static str,
        /// Its words.
        text: String,
    },
    /// Its process ended or no longer reads.
    #[error("ended ({0})")]
    Crash(String),
    /// It printed more than can be read.
    #[error("floods its output")]
    Flood,
    /// It printed something that is no answer where one was due.
    #[error("{0}")]
    Protocol(String),
    /// A move to a cell that is occupied or not on the board.
    #[error("made an illegal move: {0}")]
    Illegal(String),
}
