//! Pente: five in a row or captures; Keryo, Poof and Boat.

use super::opening_id::OpeningId::{Centre, Free, LongPro, Pro, Swap1st, Swap2, Swap5};
use super::options::Pente;
use super::sheet::{GameOption, GameSheet};
use super::variant::Variant;

fn with(variant: Variant, option: &str) -> Option<Variant> {
    let Variant::Pente(mut game) = variant else { return None };
    match option {
        "keryo" => game.keryo = true,
        "poof" => game.poof = true,
        "boat" => game.boat = true,
        _ => return None,
    }
    Some(Variant::Pente(game))
}

/// The sheet.
pub(super) const PENTE: GameSheet = GameSheet {
    name: "pente",
    text: "Five or more in a row, or ten captured stones; two enemy stones between one's own are \
           captured",
    plain: Variant::Pente(Pente { keryo: false, poof: false, boat: false }),
    with,
    options: &[
        GameOption {
            name: "keryo",
            alias: "capture-2-3",
            text: "threes are captured as well, and fifteen stones win",
        },
        GameOption {
            name: "poof",
            alias: "self-capture",
            text: "a pair moved between two enemy stones is captured",
        },
        GameOption {
            name: "boat",
            alias: "overtime-capture",
            text: "a five wins only if it still stands after the answer",
        },
    ],
    sizes: &[(19, 19), (15, 15)],
    openings: &[Pro, Free, Centre, LongPro, Swap1st, Swap2, Swap5],
    passes: false,
};
