//! Ends of a game that the players or the clock make.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};

use super::pending_decision_text;
use super::table::{Closed, LATE, Match};
use goren_decide::Strength;

/// From this score on, for its own side, the engine accepts no draw.
const AHEAD: i32 = 30;
/// Part of the time for a move in which it decides on a draw.
const DRAW_SHARE: u32 = 2;

impl Match {
    /// Takes the time off the clock of whoever was asked; whether it ran out.
    pub(super) fn is_late(&mut self, used: Duration) -> bool {
        let Some(seat) = self.pending().map(|pending| pending.seat) else { return false };
        let late = self.clock.as_mut().is_some_and(|clock| !clock.use_up(seat, used));
        if late {
            self.closed = Some(Closed { winner: Some(!seat), reason: LATE });
        }
        late
    }

    pub(super) fn resign(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        self.closed = Some(Closed { winner: Some(!self.person()), reason: "resignation" });
        self.show(out)
    }

    pub(super) fn offer_draw(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        let agreed = Closed { winner: None, reason: "agreement" };
        if self.are_two() {
            self.closed = Some(agreed);
            return self.show(out);
        }
        let plain = self.pending().is_some_and(|pending| pending_decision_text::is_plain(&pending));
        let score = match self.think(Strength::FULL, DRAW_SHARE, live, out)? {
            Some(decision) if plain => decision.info.searched(),
            _ => None,
        };
        // The score is the person's.
        if score.is_some_and(|score| -score <= AHEAD) {
            self.closed = Some(agreed);
            return self.show(out);
        }
        writeln!(out, "The engine would rather play on.")?;
        Ok(())
    }
}
