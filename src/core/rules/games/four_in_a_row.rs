//! Four In A Row: pieces that fall, from one side or from four, and lines
//! that are cleared.

use super::OpeningId::{Free, Swap2, Swap5};
use super::{GameOption, GameSheet, Variant};

/// Where a piece comes to rest.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Placement {
    /// On the lowest empty point of a column.
    #[default]
    Gravity,
    /// On the first empty point from any edge, along a row or a column.
    Edges,
    /// Where it stops on its way from an empty point to the nearest edge, or
    /// to the corner from a diagonal.
    Inward,
}

/// The options of Four In A Row.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct FourInARow {
    /// Where pieces come to rest.
    pub placement: Placement,
    /// Whether full lines at the edges pieces fall to are taken off.
    pub clear: bool,
}

fn with(variant: Variant, option: &str) -> Option<Variant> {
    let Variant::FourInARow(mut game) = variant else { return None };
    let placement = match option {
        "clear" => {
            game.clear = true;
            return Some(Variant::FourInARow(game));
        }
        "edge-grow" => Placement::Edges,
        "interior-gravity" => Placement::Inward,
        _ => return None,
    };
    let free = game.placement == Placement::Gravity || game.placement == placement;
    game.placement = placement;
    free.then_some(Variant::FourInARow(game))
}

/// The sheet.
pub(super) const FOUR_IN_A_ROW: GameSheet = GameSheet {
    name: "four-in-a-row",
    text: "Four or more in a row; pieces fall to the bottom",
    plain: Variant::FourInARow(FourInARow { placement: Placement::Gravity, clear: false }),
    with,
    options: &[
        GameOption {
            name: "edge-grow",
            alias: "edge-grow-4",
            text: "pieces rest on the first empty point from any of the four edges",
        },
        GameOption {
            name: "interior-gravity",
            alias: "interior-gravity-4",
            text: "pieces slide from any empty point to the nearest edge",
        },
        GameOption {
            name: "clear",
            alias: "clear",
            text: "a full line at an edge is taken off, and the board moves there",
        },
    ],
    sizes: &[(8, 8), (10, 10), (7, 6)],
    openings: &[Free, Swap2, Swap5],
    passes: false,
};
