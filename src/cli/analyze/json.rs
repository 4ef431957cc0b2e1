//! Findings of a search as JSON.
//!
//! ```json
//! {"game":"renju","width":15,"height":15,
//!  "stones":[{"at":"h8","color":"black","number":1}],
//!  "to_move":"white","left":1,"captured":[0,0],"ended":null,
//!  "forbidden":[{"at":"d5","color":"black","kinds":["double three"]}],
//!  "threats":[{"color":"black","kind":"wins","at":"h9"}],
//!  "depth":18,"seldepth":31,"nodes":4200000,"ms":5100,"best":"h9",
//!  "lines":[{"rank":1,"move":"h9","score":35,"plies":null,"win_rate":0.544,
//!            "depth":18,"seldepth":31,"pv":["h9","g8"]}]}
//! ```
//!
//! Points are a column letter and the row from the bottom; stones of one turn
//! are joined by commas. `left` is the number of stones that the side to move still
//! has to place in its turn. `score` is in points, or beyond 28,500 for a
//! proven end in `plies` plies; `win_rate` is the share of games that the side
//! to move should win, 0 to 1. `ended` says how the game ended, if it has:
//! `{"winner":"black","reason":"line"}`, where `winner` is null for a draw;
//! then there are no lines, and `best` is null. `due` says in words which decision
//! an opening asks for, if it is not a plain move:
//! `"due":"swap-2: place 3 stones in this order: Black, White, Black."`; the findings
//! are about plain moves nevertheless.

use serde::Serialize;

use super::findings::cells;
use super::threats::TurnThreat;
use crate::position::{GivenPosition, foul_names};
use goren_core::types::{Cell, Color, plies_to_end, win_rate};
use goren_engine::Findings;

/// Name of a colour in JSON.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Rounds a win rate to four decimals, so that files stay short.
pub(crate) fn rounded(rate: f64) -> f64 {
    (rate * 1e4).round() / 1e4
}

#[derive(Serialize)]
struct Root<'a> {
    game: String,
    width: usize,
    height: usize,
    stones: Vec<Stone>,
    to_move: &'static str,
    left: usize,
    captured: [usize; 2],
    ended: Option<Ended>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<&'a str>,
    forbidden: Vec<Forbidden>,
    threats: Vec<ThreatEntry>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    ms: u64,
    best: Option<String>,
    lines: Vec<PvLine>,
}

#[derive(Serialize)]
struct Stone {
    at: String,
    color: &'static str,
    number: Option<usize>,
}

/// End of a game.
#[derive(Serialize)]
pub(crate) struct Ended {
    winner: Option<&'static str>,
    reason: &'static str,
}

impl Ended {
    /// Returns the end of the game in a position.
    pub(crate) fn of(position: &GivenPosition) -> Option<Ended> {
        let ending = position.ending?;
        Some(Ended { winner: ending.winner.map(color_name), reason: ending.reason.name() })
    }
}

#[derive(Serialize)]
struct Forbidden {
    at: String,
    color: &'static str,
    kinds: Vec<&'static str>,
}

/// A threat of a colour.
#[derive(Serialize)]
pub(crate) struct ThreatEntry {
    color: &'static str,
    kind: &'static str,
    at: String,
}

impl ThreatEntry {
    /// Converts a threat in a position.
    pub(crate) fn of(
        position: &GivenPosition,
        (color, threat, cell): (Color, TurnThreat, Cell),
    ) -> ThreatEntry {
        ThreatEntry { color: color_name(color), kind: threat.name(), at: position.label(cell) }
    }
}

#[derive(Serialize)]
struct PvLine {
    rank: usize,
    #[serde(rename = "move")]
    first: String,
    score: i32,
    plies: Option<usize>,
    win_rate: f64,
    depth: u32,
    seldepth: u32,
    pv: Vec<String>,
}

/// Formats all findings as one line of JSON.
pub(super) fn text(
    position: &GivenPosition,
    threats: &[(Color, TurnThreat, Cell)],
    findings: &Findings,
) -> serde_json::Result<String> {
    let lines = findings.lines.iter().enumerate().map(|(i, info)| {
        let pv = position.turns(&cells(info));
        PvLine {
            rank: i + 1,
            first: pv.first().cloned().unwrap_or_default(),
            score: info.score,
            plies: plies_to_end(info.score),
            win_rate: rounded(win_rate(info.score)),
            depth: info.depth,
            seldepth: info.seldepth,
            pv,
        }
    });
    let lines: Vec<PvLine> = lines.collect();
    let stone = |stone: &crate::position::PlacedStone| Stone {
        at: position.label(stone.cell),
        color: color_name(stone.color),
        number: stone.number,
    };
    let forbidden = position.forbidden().into_iter().map(|point| Forbidden {
        at: position.label(point.cell),
        color: color_name(point.color),
        kinds: foul_names(point.kinds),
    });
    let threats = threats.iter().map(|&threat| ThreatEntry::of(position, threat));
    let (depth, seldepth) = findings.depth();
    serde_json::to_string(&Root {
        game: position.contest.variant.to_string(),
        width: position.contest.width,
        height: position.contest.height,
        stones: position.stones.iter().map(stone).collect(),
        to_move: color_name(position.to_move()),
        left: position.root.stones_to_place,
        captured: position.captured(),
        ended: Ended::of(position),
        due: position.due.as_deref(),
        forbidden: forbidden.collect(),
        threats: threats.collect(),
        depth,
        seldepth,
        nodes: findings.nodes(),
        ms: findings.elapsed().as_millis() as u64,
        best: lines.first().map(|line| line.first.clone()),
        lines,
    })
}
