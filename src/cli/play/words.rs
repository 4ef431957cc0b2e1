//! Scores and results in words, from the user's side.

use std::time::Duration;

use goren_core::types::{Score, plies_to_end, win_rate};
use goren_engine::Info;
use goren_notation::words::plural;

/// The side from which a score is shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ScoreSide<'a> {
    /// The user's side.
    You,
    /// A player's side, if two people play.
    Named(&'a str),
}

/// Formats a score from a side.
pub(super) fn chances(side: ScoreSide<'_>, score: Score) -> String {
    let plies = |number: usize| plural(number, "ply", "plies");
    match (plies_to_end(score), side) {
        (Some(number), ScoreSide::You) if score > 0 => format!("you win within {}", plies(number)),
        (Some(number), ScoreSide::You) => format!("you lose within {}", plies(number)),
        (Some(number), ScoreSide::Named(who)) => {
            let verb = if score > 0 { "wins" } else { "loses" };
            format!("{who} {verb} within {}", plies(number))
        }
        (None, ScoreSide::You) => format!("your chances {:.0} %", 100.0 * win_rate(score)),
        (None, ScoreSide::Named(who)) => {
            format!("{who}'s chances {:.0} %", 100.0 * win_rate(score))
        }
    }
}

/// Formats the result of a search for a side; `mine` says whether that is the side to move.
pub(super) fn verdict(info: &Info, side: ScoreSide<'_>, mine: bool) -> String {
    let Some(score) = info.searched() else { return "the only good move".into() };
    let score = if mine { score } else { -score };
    let depth = if info.depth > 0 { format!(", depth {}", info.depth) } else { String::new() };
    format!("{}{depth}, {}", chances(side, score), seconds(info.elapsed))
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Formats minutes and seconds.
pub(super) fn minutes_seconds(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goren_core::types::{loss_in, win_in};
    use goren_engine::Basis;

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(minutes_seconds(Duration::from_millis(65_999)), "1:05");
    }

    #[test]
    fn scores_are_shown_from_one_side() {
        let info = Info { score: win_in(1), basis: Basis::Search, depth: 3, ..Info::NOTHING };
        assert_eq!(verdict(&info, ScoreSide::You, true), "you win within 1 ply, depth 3, 0.0 s");
        assert_eq!(verdict(&info, ScoreSide::You, false), "you lose within 1 ply, depth 3, 0.0 s");
        let black = verdict(&info, ScoreSide::Named("Black"), true);
        assert!(black.starts_with("Black wins within 1 ply"), "{black}");
        assert_eq!(chances(ScoreSide::You, loss_in(4)), "you lose within 4 plies");
        assert_eq!(chances(ScoreSide::You, 200), "your chances 73 %");
        assert_eq!(chances(ScoreSide::Named("White"), -200), "White's chances 27 %");
        assert_eq!(verdict(&Info::NOTHING, ScoreSide::You, true), "the only good move");
    }
}
