//! [`Reply`]: the lines that an engine prints. The caller decides when to print: one answer to
//! each command that expects an answer, and none at other times.

use std::fmt;

use crate::about::About;
use crate::detail::{Detail, Limit, Realtime};
use crate::ply::Ply;
use crate::point::Point;
use crate::search_info::SearchInfo;
use crate::text::{MAX_TEXT, never_empty, quotable};

/// One line that an engine prints.
///
/// [`Display`](fmt::Display) prints exactly one line without its end ([`Reply::DatabaseText`] as
/// many as its text has). Write it together with a plain LF in one write: JudgeLocal refuses `OK`
/// followed by CR, and qpiskvork reads each chunk as whole lines.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// `OK`, and nothing else on the line: three managers refuse the `OK - text` of the official
    /// example.
    Ok,
    /// A move.
    Move(Point),
    /// Two stones: an answer in swap2 or to `yxbalancetwo`.
    TwoMoves([Point; 2]),
    /// The three stones that begin swap2: black, white, black.
    ThreeMoves([Point; 3]),
    /// Swap2: take the other colour.
    Swap,
    /// A ply that the replies above cannot express: a pass, four points or more, a number.
    Ply(Ply),
    /// Why a known command cannot be obeyed.
    Error(String),
    /// An unknown command.
    Unknown(String),
    /// Text for the user. Printed as `MESSAGE -` when it is empty, because Piskvork takes a bare
    /// `MESSAGE` for the answer; read back as empty when another engine sends a bare one.
    Message(String),
    /// The text of a database record, the only reply of several lines: the GUIs read it up to its
    /// closing quote, line ends included. Printed as `MESSAGE DATABASE TEXT "..."`.
    DatabaseText(String),
    /// A report of the search, printed as a `MESSAGE`.
    Search(SearchInfo),
    /// Marks on the board of a Yixin GUI.
    Realtime(Realtime),
    /// Limits for the settings of a Yixin GUI.
    Limit(Limit),
    /// A line of the block asked for by `INFO show_detail 2` or `3`.
    Detail(Detail),
    /// The cells forbidden to the side to move, in the axes the GUI uses (`row,col`).
    Forbid(Vec<Point>),
    /// The answer to `ABOUT`.
    About(About),
    /// Text for an engine's author. Never print it: JudgeLocal takes it for the answer.
    Debug(String),
    /// A proposal that awaits `PLAY`. Never print it: it loses the game under every manager but
    /// Piskvork.
    Suggest(Point),
}

impl From<Ply> for Reply {
    fn from(ply: Ply) -> Self {
        match &ply {
            Ply::Swap => Self::Swap,
            Ply::Points { points, count: None } => match points[..] {
                [at] => Self::Move(at),
                [first, second] => Self::TwoMoves([first, second]),
                [first, second, third] => Self::ThreeMoves([first, second, third]),
                _ => Self::Ply(ply),
            },
            _ => Self::Ply(ply),
        }
    }
}

impl Reply {
    /// The ply that the reply states, if any.
    #[must_use]
    pub fn ply(&self) -> Option<Ply> {
        let points = |list: &[Point]| Ply::Points { points: list.into(), count: None };
        match self {
            Self::Move(at) => Some(Ply::one(*at)),
            Self::TwoMoves(list) => Some(points(list)),
            Self::ThreeMoves(list) => Some(points(list)),
            Self::Swap => Some(Ply::Swap),
            Self::Ply(ply) => Some(ply.clone()),
            _ => None,
        }
    }

    /// The bytes to write at once: the line and its LF.
    #[must_use]
    pub fn to_wire(&self) -> String {
        format!("{self}\n")
    }
}

fn text(f: &mut fmt::Formatter<'_>, keyword: &str, text: &str) -> fmt::Result {
    write!(f, "{keyword} {}", never_empty(text, MAX_TEXT - keyword.len() - 1))
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok => f.write_str("OK"),
            Self::Move(at) => write!(f, "{at}"),
            Self::TwoMoves([first, second]) => write!(f, "{first} {second}"),
            Self::ThreeMoves([first, second, third]) => write!(f, "{first} {second} {third}"),
            Self::Swap => f.write_str("SWAP"),
            Self::Ply(ply) => write!(f, "{ply}"),
            Self::Error(reason) => text(f, "ERROR", reason),
            Self::Unknown(command) => text(f, "UNKNOWN", command),
            Self::Message(message) => text(f, "MESSAGE", message),
            Self::DatabaseText(text) => {
                write!(f, "MESSAGE DATABASE TEXT \"{}\"", quotable(text))
            }
            Self::Search(info) => write!(f, "MESSAGE {info}"),
            Self::Realtime(mark) => write!(f, "{mark}"),
            Self::Limit(limit) => write!(f, "{limit}"),
            Self::Detail(detail) => write!(f, "{detail}"),
            Self::Forbid(points) => forbid(f, points),
            Self::About(about) => write!(f, "{about}"),
            Self::Debug(message) => text(f, "DEBUG", message),
            Self::Suggest(at) => write!(f, "SUGGEST {at}"),
        }
    }
}

/// Writes two digits for each number and a dot at the end, without which Yixin-Board reads past
/// its buffer. Cells that two digits cannot name are left out: the GUI checks no range.
fn forbid(f: &mut fmt::Formatter<'_>, points: &[Point]) -> fmt::Result {
    let digits = 0..100;
    f.write_str("FORBID ")?;
    for point in points.iter().filter(|at| digits.contains(&at.x) && digits.contains(&at.y)) {
        write!(f, "{:02}{:02}", point.x, point.y)?;
    }
    f.write_str(".")
}
