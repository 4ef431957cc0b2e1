//! [`ParseError`]: why a line cannot be read. The caller decides whether to answer it, which
//! depends on the client.

use thiserror::Error;

use crate::reason::Reason;
use crate::reply::Reply;

/// Why [`Parser::feed`](crate::Parser::feed) cannot read a line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseError {
    /// Unknown command. The engine answers `UNKNOWN`, or nothing when it talks to a Yixin GUI.
    #[error("{text}")]
    Unknown {
        /// The line, short and printable.
        text: String,
    },
    /// A bare coordinate line or `DONE` outside any list, as an unknown list command leaves it
    /// behind. An engine that talks to a Yixin GUI must ignore it.
    #[error("{text}")]
    Stray {
        /// The line, short and printable.
        text: String,
    },
    /// A known command that cannot be read. The engine answers `ERROR`.
    #[error("{command}: {reason}")]
    Invalid {
        /// The command's keyword in upper case.
        command: &'static str,
        /// What is wrong with it.
        reason: Reason,
    },
}

impl ParseError {
    /// The line with which a plain Gomocup engine answers.
    #[must_use]
    pub fn reply(&self) -> Reply {
        match self {
            Self::Unknown { text } | Self::Stray { text } => Reply::Unknown(text.clone()),
            Self::Invalid { .. } => Reply::Error(self.to_string()),
        }
    }

    /// Whether the line belongs to the Yixin-Board extension (its keyword begins with `yx`), so
    /// that a Gomocup manager cannot have sent it and a Yixin GUI expects silence.
    #[must_use]
    pub fn is_extension(&self) -> bool {
        let keyword = match self {
            Self::Unknown { text } => text.as_str(),
            Self::Invalid { command, .. } => command,
            Self::Stray { .. } => return false,
        };
        keyword.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("yx"))
    }
}

/// Why a line of an engine is not a [`Reply`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The line is blank.
    #[error("blank line")]
    Blank,
    /// The line is not a reply of the protocol.
    #[error("cannot read '{text}'")]
    Unreadable {
        /// The line, short and printable.
        text: String,
    },
}
