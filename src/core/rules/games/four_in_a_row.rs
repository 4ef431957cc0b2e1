//! Four In A Row: pieces that fall, from one side or from four, and lines
//! that are cleared.

use super::opening_id::OpeningId::{Free, Swap2, Swap5};
use super::options::{FourInARow, Placement};
use super::sheet::{GameOption, GameSheet};
use super::variant::Variant;

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
