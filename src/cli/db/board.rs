//! Arguments for rule and board.

use anyhow::Result;

use crate::variant;
use goren_core::rules::{RuleId, Setup};

/// A variant and a board.
#[derive(clap::Args, Clone)]
pub(super) struct Board {
    /// Game: freestyle, gomoku, renju, caro, caro-exact or renju+overline.
    #[arg(long = "game", alias = "rule", default_value = "freestyle", value_parser = variant::rule)]
    rule: RuleId,
    /// Side of the board.
    #[arg(long, default_value_t = 15)]
    size: usize,
}

impl Board {
    /// The rule and the board.
    ///
    /// # Errors
    /// The rule is not played on a board of this size.
    pub(super) fn setup(&self) -> Result<Setup> {
        Ok(Setup::new(self.rule, self.size, self.size)?)
    }
}
