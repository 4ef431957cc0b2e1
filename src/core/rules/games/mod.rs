//! The games, a folder for each: its sheet, its options and its referee. A new
//! game is a folder here with its `mod` line, a line in the list below, and a
//! folder of the same name in the engine.

pub(super) mod connect6;
pub(super) mod five;
pub(super) mod four_in_a_row;
pub(super) mod irensei;
pub(super) mod pente;
pub(super) mod torus_four;

/// The registry: calls a macro with every game, in the order in which they are
/// listed. A line is the arm of [`Variant`](crate::rules::Variant), the type of its
/// options, and its folder, which has the same name in each crate:
///
/// ```
/// macro_rules! folders {
///     ($($(#[$doc:meta])* $Game:ident($Options:ident): $folder:ident;)*) => {
///         [$(stringify!($folder)),*]
///     };
/// }
/// assert!(goren_core::for_each_game!(folders).contains(&"pente"));
/// ```
#[macro_export]
macro_rules! for_each_game {
    ($then:ident) => {
        $then! {
            /// Five in a row without captures, one stone a turn.
            Five(RuleId): five;
            /// Five in a row, or captures.
            Pente(Pente): pente;
            /// Six in a row, two stones a turn.
            Connect6(Connect6): connect6;
            /// Four in a row of pieces that fall.
            FourInARow(FourInARow): four_in_a_row;
            /// Seven in a row on a Go board.
            Irensei(Irensei): irensei;
            /// Four in a row on a board whose opposite edges are joined.
            TorusFour(TorusFour): torus_four;
        }
    };
}
