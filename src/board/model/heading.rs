//! The heading of a game: players, event and result as its file gives them. It is stored with
//! the tree and written back with it.

use serde::{Deserialize, Serialize};

use goren_core::opening::GameState;
use goren_core::record::Ending;
use goren_core::rules::Outcome;
use goren_core::types::Color;

/// The heading of a game; empty for a game that was started here.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Heading {
    /// The names of the players by seat; empty if unknown.
    #[serde(skip_serializing_if = "are_empty")]
    pub(super) players: [String; 2],
    /// The title, in one line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) title: String,
    /// Further properties, with their SGF names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) info: Vec<(String, String)>,
    /// The result, if it does not follow from the stones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<End>,
    /// The node after the last ply made before the players took over; the root if there is no
    /// such ply. In a stored tree, the index of that node.
    #[serde(skip_serializing_if = "is_beginning")]
    pub(super) opening: usize,
}

/// The result of a game as its file gives it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    /// The node of its last position; in a stored tree, the index of that node.
    pub(super) node: usize,
    /// The winner: both sides in a draw, neither if unknown.
    winners: Vec<Color>,
    /// The reason; may be empty.
    pub(super) reason: String,
}

fn is_beginning(node: &usize) -> bool {
    *node == 0
}

fn are_empty(names: &[String; 2]) -> bool {
    names.iter().all(String::is_empty)
}

impl Heading {
    /// Returns the names of the players by seat; `None` if none is known.
    pub(super) fn names(&self) -> Option<[String; 2]> {
        Some(self.players.clone()).filter(|names| !are_empty(names))
    }

    /// Sets the node of the last position of the game.
    pub(super) fn ending_at(self, node: usize) -> Heading {
        Heading { end: self.end.map(|end| End { node, ..end }), ..self }
    }

    /// Renumbers the nodes; `number` returns `None` for removed nodes.
    pub(super) fn renumbered(&self, number: impl Fn(usize) -> Option<usize>) -> Heading {
        let end = |end: &End| Some(End { node: number(end.node)?, ..end.clone() });
        Heading {
            end: self.end.as_ref().and_then(end),
            opening: number(self.opening).unwrap_or(0),
            ..self.clone()
        }
    }

    /// Returns the result if the game ended with the position of this node.
    pub(super) fn end_at(&self, node: usize) -> Option<&End> {
        self.end.as_ref().filter(|end| end.node == node)
    }
}

impl End {
    /// Builds the result that a file gives, if any. [`Heading::ending_at`] sets its node.
    pub(super) fn of(result: Option<Outcome>, reason: String) -> Option<End> {
        let winners = match result {
            Some(Outcome::Win(color)) => vec![color],
            Some(Outcome::Draw) => Color::ALL.to_vec(),
            None => Vec::new(),
        };
        (result.is_some() || !reason.is_empty()).then_some(End { node: 0, winners, reason })
    }

    /// Returns the result; `None` if unknown.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.winners[..] {
            [] => None,
            [color] => Some(Outcome::Win(color)),
            _ => Some(Outcome::Draw),
        }
    }

    /// Returns the winning colour; `None` for a draw, and if unknown.
    pub(super) fn winner(&self) -> Option<Color> {
        match self.winners[..] {
            [color] => Some(color),
            _ => None,
        }
    }

    /// Returns the result by seat of a game with this last position; `None` if unknown.
    pub(super) fn ending(&self, last: &GameState) -> Option<Ending> {
        self.outcome().map(|outcome| match outcome {
            Outcome::Win(color) => Ending::Win(last.owner(color)),
            Outcome::Draw => Ending::Draw,
        })
    }
}
