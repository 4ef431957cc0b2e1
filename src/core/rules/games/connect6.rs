//! Connect6: six in a row, two stones a turn; on a torus, and with pairs that
//! must or must not share a line.

use super::opening_id::OpeningId::{Centre, Free, Swap3rd};
use super::options::{Connect6, Pairs};
use super::sheet::{GameOption, GameSheet};
use super::variant::Variant;

/// The board with joined edges.
pub(super) const TORUS: (usize, usize) = (15, 15);

fn with(variant: Variant, option: &str) -> Option<Variant> {
    let Variant::Connect6(mut game) = variant else { return None };
    let pairs = match option {
        "torus" => {
            game.torus = true;
            return Some(Variant::Connect6(game));
        }
        "collinear" => Pairs::Collinear,
        "noncollinear" => Pairs::Apart,
        _ => return None,
    };
    let free = game.pairs == Pairs::Any || game.pairs == pairs;
    game.pairs = pairs;
    free.then_some(Variant::Connect6(game))
}

/// The sheet.
pub(super) const CONNECT6: GameSheet = GameSheet {
    name: "connect6",
    text: "Six or more in a row; one stone, then two a turn",
    plain: Variant::Connect6(Connect6 { torus: false, pairs: Pairs::Any }),
    with,
    options: &[
        GameOption {
            name: "torus",
            alias: "toroidal-15",
            text: "opposite edges are joined; 15x15 by default",
        },
        GameOption {
            name: "collinear",
            alias: "collinear6",
            text: "the stones of a turn share a line with each other and with the turn before",
        },
        GameOption {
            name: "noncollinear",
            alias: "noncollinear5",
            text: "the stones of a turn share no line; five in a row wins",
        },
    ],
    sizes: &[(19, 19), (15, 15)],
    openings: &[Centre, Free, Swap3rd],
    passes: true,
};
