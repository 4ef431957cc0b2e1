//! The common part of the game sheets of five in a row. The card of each rule completes it.

use crate::rules::opening_id::OpeningId::{
    Centre, Free, LongPro, Pro, Swap, Swap1st, Swap2, Swap5,
};
use crate::rules::sheet::{Alias, Bench, GameSheet, USUAL_WAIT};

/// The sheet of a game as Gomocup plays it.
pub const fn five(
    name: &'static str,
    text: &'static str,
    rules: &'static [&'static str],
    aliases: &'static [Alias],
    bench: Bench,
) -> GameSheet {
    GameSheet {
        name,
        text,
        rules,
        options: &[],
        sizes: &[(15, 15), (20, 20)],
        openings: &[Free, Centre, Pro, LongPro, Swap1st, Swap, Swap2, Swap5],
        passes: false,
        plies_before_passes: USUAL_WAIT,
        aliases,
        unknown_openings: &[],
        bench,
        balanced: &[],
    }
}
