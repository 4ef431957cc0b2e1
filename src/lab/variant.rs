//! The arguments that choose a variant and a board.

use anyhow::Result;

use crate::rules::{RuleId, Setup};

/// Variant and board size.
#[derive(clap::Args)]
pub struct Variant {
    /// freestyle, standard, renju, caro or caro-exact.
    #[arg(long, default_value = "freestyle", value_parser = rule)]
    rule: RuleId,
    /// Rows and columns of the board.
    #[arg(long, default_value_t = 15)]
    size: usize,
}

impl Variant {
    /// The setup of these arguments.
    ///
    /// # Errors
    /// A size the engine does not play.
    pub(super) fn setup(&self) -> Result<Setup> {
        Ok(Setup::new(self.rule, self.size, self.size)?)
    }
}

fn rule(name: &str) -> Result<RuleId, String> {
    RuleId::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleId::ALL.iter().map(|id| id.name()).collect();
        format!("the rules are {}", names.join(", "))
    })
}
