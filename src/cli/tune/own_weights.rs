//! The rules of five in a row that have weights of their own.

use anyhow::{Result, bail};

use goren_core::rules::{Caro, Freestyle, Renju, Rule, RuleId, Standard, Visitor};
use goren_engine::eval::weights_rule;

/// Passes a rule that has weights of its own to a visitor. The fit is compiled for these
/// alone, as it would add much to the build time if it were for all rules.
///
/// # Errors
/// The rule has none, or the visitor fails.
pub(super) fn with_own_weights<T>(
    rule: RuleId,
    visitor: impl Visitor<Out = Result<T>>,
) -> Result<T> {
    match rule {
        RuleId::Freestyle => visitor.visit::<Freestyle>(),
        RuleId::Standard => visitor.visit::<Standard>(),
        RuleId::Renju => visitor.visit::<Renju>(),
        RuleId::Caro => visitor.visit::<Caro>(),
        _ => bail!("{rule} uses the weights of {0}: tune {0} instead", weights_rule(rule)),
    }
}

/// Checks that a rule has weights of its own.
///
/// # Errors
/// The rule has none; names the rule whose weights it plays by.
pub(super) fn check_own_weights(rule: RuleId) -> Result<()> {
    struct Nothing;

    impl Visitor for Nothing {
        type Out = Result<()>;

        fn visit<R: Rule>(self) -> Result<()> {
            Ok(())
        }
    }

    with_own_weights(rule, Nothing)
}
