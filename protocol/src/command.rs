//! [`Command`]: what a manager or a GUI sends to an engine, and how it is printed. The parser
//! (`parser.rs`) reads it.

use std::fmt;

use crate::info::Setting;
use crate::list::{List, ListMut, ListRef};
use crate::placed::Placed;
use crate::ply::Ply;
use crate::point::Point;
use crate::text::one_line;
use crate::yixin::YixinCommand;

/// A complete command, including its list.
///
/// [`Display`](fmt::Display) prints it as a manager sends it: keywords in upper case, lists over
/// several lines closed by `DONE`, lines separated by LF, no line end after the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Prepare an empty board; answered `OK`. Settings made by [`Command::Info`] stay in force.
    Start {
        /// Number of columns.
        width: u32,
        /// Number of rows; equals `width` unless Yixin-Board 2.1 gave a second number.
        height: u32,
    },
    /// Prepare an empty board whose sides differ; answered `OK` or `ERROR`.
    RectStart {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
    },
    /// Empty the board, same size; answered `OK`.
    Restart,
    /// Play the first move on the empty board; answered by a move.
    Begin,
    /// The opponent has played here; answered by a move. May be the first command after `START`.
    Turn(Point),
    /// The opponent's ply in a game that needs more than a coordinate; answered by a ply.
    TurnPly(Ply),
    /// The plies of a game from its beginning, in the game's own notation and separated by blanks;
    /// answered by the next ply. A Goren extension.
    Plies(String),
    /// Replace the position and play; answered by a move. May be empty.
    Board(Vec<Placed>),
    /// Remove the newest stone, which stands here; answered `OK`.
    Takeback(Point),
    /// The manager agrees to a `SUGGEST`; answered by that move.
    Play(Point),
    /// The opening of swap2 so far (0, 3 or 5 stones, black first); answered by moves or `SWAP`.
    Swap2Board(Vec<Point>),
    /// A setting; answered by `MESSAGE` lines at most.
    Info(Setting),
    /// Identify the engine; answered by the `name="…"` line.
    About,
    /// Exit at once, without any output.
    End,
    /// Stop the search and play now (`YXSTOP`, also spelled `STOP`). Not answered when no search
    /// is running. c-gomoku-cli sends it too, so it does not prove a Yixin GUI.
    Stop,
    /// A command of the Yixin-Board extension.
    Yixin(YixinCommand),
}

impl Command {
    /// The command's keyword in upper case.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Start { .. } => "START",
            Self::RectStart { .. } => "RECTSTART",
            Self::Restart => "RESTART",
            Self::Begin => "BEGIN",
            Self::Turn(_) | Self::TurnPly(_) => "TURN",
            Self::Plies(_) => "PLIES",
            Self::Board(_) => "BOARD",
            Self::Takeback(_) => "TAKEBACK",
            Self::Play(_) => "PLAY",
            Self::Swap2Board(_) => "SWAP2BOARD",
            Self::Info(_) => "INFO",
            Self::About => "ABOUT",
            Self::End => "END",
            Self::Stop => "YXSTOP",
            Self::Yixin(command) => command.keyword(),
        }
    }

    /// The text to write to the engine: every line ends with LF.
    #[must_use]
    pub fn to_wire(&self) -> String {
        format!("{self}\n")
    }

    pub(crate) fn list(&self) -> Option<ListRef<'_>> {
        match self {
            Self::Board(list) => Some(List::Placed(list)),
            Self::Swap2Board(list) => Some(List::Points(list)),
            Self::Yixin(command) => command.list(),
            _ => None,
        }
    }

    pub(crate) fn list_mut(&mut self) -> Option<ListMut<'_>> {
        match self {
            Self::Board(list) => Some(List::Placed(list)),
            Self::Swap2Board(list) => Some(List::Points(list)),
            Self::Yixin(command) => command.list_mut(),
            _ => None,
        }
    }

    /// The path on the line after the command.
    pub(crate) fn path_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Yixin(command) => command.path_mut(),
            _ => None,
        }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info(info) => return write!(f, "{info}"),
            Self::Yixin(YixinCommand::Database(command)) if command.text().is_some() => {
                // The list follows the closing quote with no line end between them, as the
                // fork of Yixin-Board writes it.
                f.write_str(self.keyword())?;
                command.write_arguments(f)?;
            }
            _ => {
                f.write_str(self.keyword())?;
                self.write_arguments(f)?;
                if self.list().is_some() {
                    f.write_str("\n")?;
                }
            }
        }
        self.list().map_or(Ok(()), |list| list.write(f))
    }
}

impl Command {
    fn write_arguments(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start { width, height } if width == height => write!(f, " {width}"),
            Self::Start { width, height } => write!(f, " {width} {height}"),
            Self::RectStart { width, height } => write!(f, " {width},{height}"),
            Self::Turn(at) | Self::Takeback(at) | Self::Play(at) => write!(f, " {at}"),
            Self::TurnPly(ply) => write!(f, " {ply}"),
            Self::Plies(texts) if texts.is_empty() => Ok(()),
            Self::Plies(texts) => write!(f, " {}", one_line(texts)),
            Self::Yixin(command) => {
                command.write_arguments(f)?;
                match command.path() {
                    Some(path) => write!(f, "\n{}", one_line(path)),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
