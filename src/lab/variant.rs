//! The arguments that choose a variant and a board.

use anyhow::Result;

use crate::rules::{RuleId, Setup};

/// Variant and board size.
#[derive(clap::Args)]
pub struct Variant {
    /// freestyle, standard, renju, caro or caro-exact.
    #[arg(long, default_value = "freestyle", value_parser = rule)]
    rule: RuleId,
    /// Side of the board, or columns and rows such as 20x15.
    #[arg(long, default_value = "15", value_parser = size)]
    size: (usize, usize),
}

impl Variant {
    /// The setup of these arguments.
    ///
    /// # Errors
    /// A size the engine does not play.
    pub(super) fn setup(&self) -> Result<Setup> {
        Ok(Setup::new(self.rule, self.size.0, self.size.1)?)
    }
}

/// The variant of a name.
///
/// # Errors
/// The names there are.
pub(super) fn rule(name: &str) -> Result<RuleId, String> {
    RuleId::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RuleId::ALL.iter().map(|id| id.name()).collect();
        format!("the rules are {}", names.join(", "))
    })
}

/// Columns and rows.
pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    match (width.parse(), height.parse()) {
        (Ok(width), Ok(height)) => Ok((width, height)),
        _ => Err("a size is a number such as 15, or two such as 20x15".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_squares_or_rectangles() {
        assert_eq!(size("15"), Ok((15, 15)));
        assert_eq!(size("20x15"), Ok((20, 15)));
        for bad in ["", "x", "15x", "-3", "15 x 15", "a"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
