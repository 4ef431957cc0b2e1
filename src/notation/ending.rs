//! The reason why a game ended, in words.

use crate::lettering::Lettering;
use crate::words::{because, foul_names};
use goren_core::opening::GameState;
use goren_core::rules::referee::Reason;

/// Why a game ended, as the beginning of a sentence, with the name of a foul; `None` if the
/// game goes on.
pub fn reason(game_state: &GameState, lettering: Lettering) -> Option<String> {
    let reason = game_state.result()?.reason;
    let foul = || foul(game_state, lettering);
    let named = (reason == Reason::Foul).then(foul).flatten();
    Some(named.unwrap_or_else(|| because(reason)))
}

fn foul(game_state: &GameState, lettering: Lettering) -> Option<String> {
    let cell = *game_state.actions().last()?.placed().last()?;
    let mut before = game_state.clone();
    before.take_back(1);
    let fouls = before.referee().fouls(before.to_move(), cell);
    let names = foul_names(fouls).join(" and ");
    fouls.any().then(|| format!("{} was a foul, {names}: ", lettering.label(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plies;
    use goren_core::rules::{Contest, OpeningId, Variant};

    fn reason_of(game: &str, moves: &str) -> Option<String> {
        let contest = Contest::new(Variant::from_name(game).unwrap());
        let contest = contest.opened(OpeningId::Free).unwrap();
        let game_state = plies::game(&contest, moves.split(' ')).unwrap();
        reason(&game_state, Lettering::of((contest.width, contest.height)))
    }

    #[test]
    fn fouls_are_named() {
        let cross = "f8 a1 g8 a3 h6 a5 h7 a7 h8";
        assert_eq!(reason_of("renju", cross).unwrap(), "h8 was a foul, double three: ");
        assert_eq!(reason_of("freestyle", cross), None);
        assert_eq!(reason_of("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7 h12").unwrap(), "");
    }
}
