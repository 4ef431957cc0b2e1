//! Reads a line of an engine, for a manager. As tolerant as the managers in use. The caller checks
//! whether the line was expected at this point.

use crate::about::About;
use crate::detail::{Detail, Limit, Realtime};
use crate::error::ReplyError;
use crate::ply::Ply;
use crate::point::Point;
use crate::reply::Reply;
use crate::scan::Scan;
use crate::search_info::SearchInfo;
use crate::text::{MAX_LINE, one_line, shown};

impl Reply {
    /// Reads one line, with or without its line end. Keywords in any case; blanks around a comma
    /// are tolerated, text after a move is not. Only the beginning of a line longer than
    /// [`MAX_LINE`] is read.
    ///
    /// # Errors
    ///
    /// If the line is blank or not a reply of the protocol. Managers differ in what they make of
    /// such a line: Piskvork ends the game, others skip it.
    pub fn parse(line: &[u8]) -> Result<Self, ReplyError> {
        let line = one_line(&String::from_utf8_lossy(&line[..line.len().min(MAX_LINE)]));
        let line = line.trim();
        if line.is_empty() {
            return Err(ReplyError::Blank);
        }
        let mut scan = Scan::new(line);
        let keyword = scan.word().to_ascii_uppercase();
        let rest = scan.remainder();
        let reply = match keyword.as_str() {
            // The official example says `OK - text`; engines that follow it exist.
            "OK" => Some(Self::Ok),
            "SWAP" => Some(Self::Swap),
            "PASS" => Some(Self::Ply(Ply::Pass)),
            "ERROR" => Some(Self::Error(rest.to_owned())),
            "UNKNOWN" => Some(Self::Unknown(rest.to_owned())),
            "MESSAGE" => Some(message(rest)),
            "DEBUG" => Some(Self::Debug(rest.to_owned())),
            "INFO" => Detail::parse(rest).map(Self::Detail),
            "FORBID" => forbid(rest).map(Self::Forbid),
            "SUGGEST" => Scan::new(rest).point().ok().map(Self::Suggest),
            _ => moves(line).or_else(|| About::parse(line).map(Self::About)),
        };
        reply.ok_or_else(|| ReplyError::Unreadable { text: shown(line) })
    }
}

fn message(text: &str) -> Reply {
    let mut scan = Scan::new(text);
    let special = match scan.word().to_ascii_uppercase().as_str() {
        "REALTIME" => Realtime::parse(scan.rest()).map(Reply::Realtime),
        "INFO" => Limit::parse(scan.rest()).map(Reply::Limit),
        _ => SearchInfo::parse(text).map(Reply::Search),
    };
    special.unwrap_or_else(|| Reply::Message(text.to_owned()))
}

fn moves(line: &str) -> Option<Reply> {
    let mut scan = Scan::new(line);
    let ply = Ply::read(&mut scan).ok()?;
    scan.remainder().is_empty().then(|| ply.into())
}

/// Reads four digits for each cell, up to the mandatory dot.
fn forbid(text: &str) -> Option<Vec<Point>> {
    let (cells, _) = text.split_once('.')?;
    let cells = cells.trim().as_bytes();
    if cells.len() % 4 != 0 || !cells.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let pair = |digits: &[u8]| digits.iter().fold(0, |n, d| n * 10 + i32::from(d - b'0'));
    Some(cells.chunks_exact(4).map(|cell| Point::new(pair(&cell[..2]), pair(&cell[2..]))).collect())
}
