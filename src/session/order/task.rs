//! Tasks of searches.

use goren_decide::Balance;

/// Task of a search: what it has to decide.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Task {
    /// The next ply.
    Move,
    /// The best moves, for a user who analyses a position.
    Analyse,
    /// Nothing: pondering on the opponent's time.
    Ponder,
    /// The next ply of an opening with swaps in the Gomocup protocol: swap2, or a swap after
    /// the first stone.
    Opening,
    /// Stones that balance the position.
    Balance(Balance),
    /// The next ply of an opening that the GUI plays separately from the game.
    OpeningStep,
}
