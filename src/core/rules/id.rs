//! The variants of five in a row by name.

/// The variants. New ones come last: keys and files of weights hold their
/// places.
///
/// In formats of serde a variant is its name, as of `renju`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum RuleId {
    /// Five or more wins.
    Freestyle,
    /// Exactly five wins.
    Standard,
    /// Black: exactly five wins; overline, double four and double three are
    /// fouls. White: five or more wins.
    Renju,
    /// Exactly five wins unless opponent's stones stand at both its ends; six or
    /// more wins.
    Caro,
    /// Exactly five wins unless opponent's stones stand at both its ends.
    CaroExact,
    /// Five or more wins; double four and double three are fouls of Black.
    RenjuOverline,
}

impl RuleId {
    /// Every variant.
    pub const ALL: [RuleId; 6] = [
        RuleId::Freestyle,
        RuleId::Standard,
        RuleId::Renju,
        RuleId::Caro,
        RuleId::CaroExact,
        RuleId::RenjuOverline,
    ];
}
