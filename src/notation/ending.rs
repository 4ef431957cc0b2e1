//! How a game ended, in words.

use crate::lettering::Lettering;
use crate::words::{because, capital, foul_names};
use goren_core::opening::GameState;
use goren_core::rules::referee::Reason;
use goren_core::types::Color;

/// Reason in files: a player has resigned.
pub const RESIGNATION: &str = "resign";
/// Reason in files: a player has run out of time.
pub const OVERTIME: &str = "overtime";
/// Reason in files: the players have agreed on a draw.
pub const AGREEMENT: &str = "agreement";

/// The reason of a result that is not on the board in words, such as `on time`, from that in a
/// file; `None` if it is not a common one.
pub fn phrase(reason: &str) -> Option<&'static str> {
    match reason {
        RESIGNATION | "resignation" => Some("by resignation"),
        OVERTIME | "time" => Some("on time"),
        AGREEMENT => Some("by agreement"),
        _ => None,
    }
}

/// How a game ended on the board, as a sentence; `winner` names the winner. `None` if the game
/// goes on.
pub fn sentence(
    game_state: &GameState,
    lettering: Lettering,
    winner: impl FnOnce(Color) -> String,
) -> Option<String> {
    let reason = reason(game_state, lettering)?;
    Some(capital(&match game_state.result()?.colors[..] {
        [color] => format!("{reason}{} wins.", winner(color)),
        _ => format!("{reason}a draw."),
    }))
}

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

    fn game_of(game: &str, moves: &str) -> (GameState, Lettering) {
        let contest = Contest::new(Variant::from_name(game).unwrap());
        let contest = contest.opened(OpeningId::Free).unwrap();
        let game_state = plies::game(&contest, moves.split(' ')).unwrap();
        (game_state, Lettering::of((contest.width, contest.height)))
    }

    fn reason_of(game: &str, moves: &str) -> Option<String> {
        let (game_state, lettering) = game_of(game, moves);
        reason(&game_state, lettering)
    }

    #[test]
    fn an_end_is_a_sentence() {
        let sentence_of = |game: &str, moves: &str| {
            let (game_state, lettering) = game_of(game, moves);
            sentence(&game_state, lettering, |color| format!("{color:?} (you)"))
        };
        assert_eq!(sentence_of("freestyle", "h8"), None);
        let line = "h8 a1 h9 a3 h10 a5 h11 a7 h12";
        assert_eq!(sentence_of("freestyle", line).unwrap(), "Black (you) wins.");
        let cross = "f8 a1 g8 a3 h6 a5 h7 a7 h8";
        let foul = "h8 was a foul, double three: White (you) wins.";
        assert_eq!(sentence_of("renju", cross).unwrap(), foul);
        let passes = "Both passed: a draw.";
        assert_eq!(sentence_of("renju", "h8 h9 pass pass").unwrap(), passes);
    }

    #[test]
    fn reasons_that_are_not_on_the_board_have_phrases() {
        for (reason, words) in [
            (RESIGNATION, "by resignation"),
            ("resignation", "by resignation"),
            (OVERTIME, "on time"),
            ("time", "on time"),
            (AGREEMENT, "by agreement"),
        ] {
            assert_eq!(phrase(reason), Some(words));
        }
        assert_eq!((phrase("line"), phrase("")), (None, None));
    }

    #[test]
    fn fouls_are_named() {
        let cross = "f8 a1 g8 a3 h6 a5 h7 a7 h8";
        assert_eq!(reason_of("renju", cross).unwrap(), "h8 was a foul, double three: ");
        assert_eq!(reason_of("freestyle", cross), None);
        assert_eq!(reason_of("freestyle", "h8 a1 h9 a3 h10 a5 h11 a7 h12").unwrap(), "");
    }
}
