//! Ends of a game by the players or the clock.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, bail};

use super::pending_decision_text;
use super::table::{Closed, Match, TIMEOUT};
use goren_decide::Strength;

/// Maximum score, from the engine's side, with which it accepts a draw.
const MAX_DRAW_SCORE: i32 = 30;
/// Divisor of the time per move for the decision on a draw.
const DRAW_SHARE: u32 = 2;

impl Match {
    /// Deducts time from the clock of the seat to act; returns whether it ran out.
    pub(super) fn is_late(&mut self, used: Duration) -> bool {
        let Some(seat) = self.pending().map(|pending| pending.seat) else { return false };
        let late = self.clock.as_mut().is_some_and(|clock| !clock.deduct(seat, used));
        if late {
            self.closed = Some(Closed { winner: Some(!seat), reason: TIMEOUT });
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
        if self.two_people() {
            self.closed = Some(agreed);
            return self.show(out);
        }
        let plain = self.pending().is_some_and(|pending| pending_decision_text::is_plain(&pending));
        let score = match self.think(Strength::FULL, DRAW_SHARE, live, out)? {
            Some(decision) if plain => decision.info.searched(),
            _ => None,
        };
        // The score is from the user's side.
        if score.is_some_and(|score| -score <= MAX_DRAW_SCORE) {
            self.closed = Some(agreed);
            return self.show(out);
        }
        writeln!(out, "The engine would rather play on.")?;
        Ok(())
    }
}
