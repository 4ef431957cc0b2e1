//! Arguments for rule and board.

use anyhow::Result;

use crate::number::whole;
use crate::variant;
use goren_core::rules::{RuleId, Setup};
use goren_database::Store;

/// Help of an option for a rule, without its default.
pub(super) const GAME: &str = "Game: freestyle, gomoku, renju, caro or caro-exact, with its \
                               options as in renju+overline";

/// Default game and side of the board.
const DEFAULT: (RuleId, usize) = (RuleId::Freestyle, 15);

/// A variant and a board.
#[derive(clap::Args, Clone)]
pub(super) struct SetupArgs {
    #[arg(
        long = "game",
        alias = "rule",
        help = GAME,
        default_value = DEFAULT.0.name(),
        value_parser = variant::rule,
    )]
    rule: RuleId,
    /// Side of the board.
    #[arg(long, default_value_t = DEFAULT.1, value_parser = whole::<usize>(0..))]
    size: usize,
}

impl SetupArgs {
    /// Returns the rule and the board.
    ///
    /// # Errors
    /// The rule is not played on a board of this size.
    pub(super) fn setup(&self) -> Result<Setup> {
        Ok(Setup::new(self.rule, self.size, self.size)?)
    }
}

/// A variant and a board of a database.
#[derive(clap::Args, Clone)]
pub(super) struct BoardOfRecords {
    #[arg(
        long = "game",
        alias = "rule",
        help = format!(
            "{GAME}; default: that of the records, if the file has one game on one board, else {}",
            DEFAULT.0.name()
        ),
        value_parser = variant::rule,
    )]
    rule: Option<RuleId>,
    #[arg(
        long,
        help = format!(
            "Side of the board; default: that of the records, if the file has one game on one \
             board, else {}",
            DEFAULT.1
        ),
        value_parser = whole::<usize>(0..),
    )]
    size: Option<usize>,
}

impl BoardOfRecords {
    /// Returns the rule and the board: those of the records, if all records that fit the given
    /// options have the same.
    ///
    /// # Errors
    /// The rule is not played on a board of this size.
    pub(super) fn setup(&self, store: &Store) -> Result<Setup> {
        if self.rule.is_none() || self.size.is_none() {
            let fits = |setup: &Setup| {
                self.rule.is_none_or(|rule| rule == setup.rule)
                    && self.size.is_none_or(|size| [setup.width, setup.height] == [size; 2])
            };
            let setups = store.iter().filter_map(|(key, _)| Some(key.place()?.setup()));
            let mut setups = setups.filter(fits);
            if let Some(first) = setups.next()
                && setups.all(|setup| setup == first)
            {
                return Ok(first);
            }
        }
        let (rule, size) = (self.rule.unwrap_or(DEFAULT.0), self.size.unwrap_or(DEFAULT.1));
        Ok(Setup::new(rule, size, size)?)
    }
}
