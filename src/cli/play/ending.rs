//! Ends of a game by the players.

use std::io::Write;

use anyhow::{Result, bail};

use super::pending_decision_text;
use super::table::{Closed, Match};
use goren_core::record::Ending;
use goren_decide::Strength;
use goren_notation::ending::{AGREEMENT, RESIGNATION};

/// Maximum score, from the engine's side, with which it accepts a draw.
const MAX_DRAW_SCORE: i32 = 30;
/// Divisor of the time per move for the decision on a draw.
const DRAW_SHARE: u32 = 2;

impl Match {
    pub(super) fn resign(&mut self, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        let ending = Ending::Win(!self.person());
        self.closed = Some(Closed { ending, reason: RESIGNATION });
        self.show(out)
    }

    pub(super) fn offer_draw(&mut self, live: bool, out: &mut dyn Write) -> Result<()> {
        if self.pending().is_none() {
            bail!("The game is over.");
        }
        let agreed = Closed { ending: Ending::Draw, reason: AGREEMENT };
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
