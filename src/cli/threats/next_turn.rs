//! Threats in games other than five in a row: the effect of a stone or a pair in the next turn,
//! for either side as if it were to move, as `goren analyze` shows it before its search.
//!
//! As JSON:
//!
//! ```json
//! {"game":"connect6","width":19,"height":19,"to_move":"black","left":2,"ended":null,
//!  "threats":[{"color":"black","kind":"wins with a second stone","at":"h9"}]}
//! ```

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::analyze::json::{Ended, ThreatEntry, color_name};
use crate::analyze::picture;
use crate::analyze::table::{TextStyle, head};
use crate::analyze::threats::{TurnThreat, threats};
use crate::position::{ForbiddenPoint, GivenPosition};
use goren_core::types::{Cell, Color};

#[derive(Serialize)]
struct Root {
    game: String,
    width: usize,
    height: usize,
    to_move: &'static str,
    left: usize,
    ended: Option<Ended>,
    threats: Vec<ThreatEntry>,
}

/// The threats of both sides.
pub(super) struct NextTurnThreats<'a> {
    position: &'a GivenPosition,
    found: Vec<(Color, TurnThreat, Cell)>,
    /// The forbidden points to be marked.
    forbidden: Vec<ForbiddenPoint>,
}

impl NextTurnThreats<'_> {
    /// Finds the threats on these cells of a position, or on all if none are given, of one
    /// colour or of both.
    ///
    /// # Errors
    /// A cell that is not empty.
    pub(super) fn of<'a>(
        position: &'a GivenPosition,
        cells: &[Cell],
        color: Option<Color>,
        forbidden: Vec<ForbiddenPoint>,
    ) -> Result<NextTurnThreats<'a>> {
        for &cell in cells {
            let taken = position.stones.iter().any(|stone| stone.cell == cell);
            ensure!(!taken, "{} is not empty", position.label(cell));
        }
        let mut found = threats(position);
        found.retain(|&(of, _, cell)| {
            color.is_none_or(|only| only == of) && (cells.is_empty() || cells.contains(&cell))
        });
        Ok(NextTurnThreats { position, found, forbidden })
    }

    /// Formats the board and the threats as text.
    pub(super) fn lines(&self, style: TextStyle) -> Vec<String> {
        let mut lines = head(self.position, &self.found, &self.forbidden, style);
        if self.found.is_empty() && self.position.ending.is_none() {
            lines.push("No threats.".to_owned());
        }
        lines
    }

    /// Formats the threats as one line of JSON.
    pub(super) fn json(&self) -> serde_json::Result<String> {
        let NextTurnThreats { position, found, .. } = self;
        serde_json::to_string(&Root {
            game: position.contest.variant.to_string(),
            width: position.contest.width,
            height: position.contest.height,
            to_move: color_name(position.to_move()),
            left: position.root.stones_to_place,
            ended: Ended::of(position),
            threats: found.iter().map(|&threat| ThreatEntry::of(position, threat)).collect(),
        })
    }

    /// Draws the threats.
    pub(super) fn svg(&self) -> String {
        picture::board(self.position, &self.found, &self.forbidden).svg()
    }
}
