//! Arguments for rule and board.

use anyhow::Result;

use crate::number::whole;
use crate::variant;
use goren_core::rules::{RuleId, Setup};
use goren_database::Store;

/// A variant and a board.
#[derive(clap::Args, Clone)]
pub(super) struct Board {
    /// Game: freestyle, gomoku, renju, caro or caro-exact, with its options as in
    /// renju+overline; default: that of the records, if the file has one game on one
    /// board, else freestyle.
    #[arg(long = "game", alias = "rule", value_parser = variant::rule)]
    rule: Option<RuleId>,
    /// Side of the board; default: that of the records, if the file has one game on
    /// one board, else 15.
    #[arg(long, value_parser = whole::<usize>(0..))]
    size: Option<usize>,
}

impl Board {
    /// The rule and the board.
    ///
    /// # Errors
    /// The rule is not played on a board of this size.
    pub(super) fn setup(&self) -> Result<Setup> {
        let (rule, size) = (self.rule.unwrap_or(RuleId::Freestyle), self.size.unwrap_or(15));
        Ok(Setup::new(rule, size, size)?)
    }

    /// The same for a database: where nothing is said and all its records are of one game
    /// on one board, that is it.
    ///
    /// # Errors
    /// As in [`Board::setup`].
    pub(super) fn setup_in(&self, store: &Store) -> Result<Setup> {
        if self.rule.is_none() && self.size.is_none() {
            let mut setups = store.iter().filter_map(|(key, _)| Some(key.place()?.setup()));
            if let Some(first) = setups.next()
                && setups.all(|setup| setup == first)
            {
                return Ok(first);
            }
        }
        self.setup()
    }
}
