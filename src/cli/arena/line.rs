//! A game of a match as a line of JSON.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::game::{FinishedGame, GameFault, SideReport};
use super::schedule::Slot;
use crate::json_game;
use goren_core::opening::Seat;
use goren_core::record::{Ending, GameRecord};
use goren_core::rules::Contest;

/// A finished game with its place in the match.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MatchRecord {
    /// Number in the schedule.
    pub(super) game: u64,
    /// Engine of each seat, by its number in the match.
    pub(super) players: [usize; 2],
    /// The fault that ended the game, if any: seat, kind and description.
    pub(super) fault: Option<(Seat, GameFault, String)>,
    /// By seats.
    pub(super) sides: [SideReport; 2],
    /// Microseconds during which neither engine was thinking.
    pub(super) overhead_us: u64,
    pub(super) record: GameRecord,
}

impl MatchRecord {
    pub(super) fn new(slot: Slot, played: FinishedGame, record: GameRecord) -> MatchRecord {
        MatchRecord {
            game: slot.game,
            players: slot.players,
            fault: played.fault,
            sides: played.sides,
            overhead_us: u64::try_from(played.overhead.as_micros()).unwrap_or(u64::MAX),
            record,
        }
    }

    /// Half points of `first`, the first engine of the pairing: 2 for a win.
    pub(super) fn half_points(&self, first: usize) -> usize {
        match self.record.ending {
            Some(Ending::Win(seat)) if self.players[seat.index()] == first => 2,
            Some(Ending::Win(_)) => 0,
            Some(Ending::Draw) | None => 1,
        }
    }

    /// Formats the line, with a line feed.
    ///
    /// # Errors
    /// None in practice.
    pub(super) fn write(&self) -> Result<String> {
        let place = Place {
            game: self.game,
            engines: self.players,
            fault: self.fault.as_ref().map(|(seat, kind, words)| JsonFault {
                seat: seat.index(),
                kind: *kind,
                words: words.clone(),
            }),
            sides: self.sides.clone(),
            overhead_us: self.overhead_us,
        };
        let Value::Object(extra) = serde_json::to_value(place)? else {
            bail!("a game is written as an object");
        };
        Ok(json_game::write(&self.record, extra) + "\n")
    }

    /// Reads a line.
    ///
    /// # Errors
    /// The line is no game of a match of this contest.
    pub(super) fn read(line: &[u8], contest: &Contest) -> Result<MatchRecord> {
        let (record, extra) = json_game::read(str::from_utf8(line)?)?;
        ensure!(record.contest == *contest, "it is of another game, board or opening");
        ensure!(record.ending.is_some(), "a game without a result");
        let place: Place = serde_json::from_value(Value::Object(extra))?;
        let fault = place.fault.map(|JsonFault { seat, kind, words }| {
            let seat = Seat::ALL.get(seat).with_context(|| format!("no seat {seat}"))?;
            Ok::<_, anyhow::Error>((*seat, kind, words))
        });
        Ok(MatchRecord {
            game: place.game,
            players: place.engines,
            fault: fault.transpose()?,
            sides: place.sides,
            overhead_us: place.overhead_us,
            record,
        })
    }
}

/// Fields of a line beyond those of the game itself.
#[derive(Serialize, Deserialize)]
struct Place {
    game: u64,
    engines: [usize; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<JsonFault>,
    sides: [SideReport; 2],
    overhead_us: u64,
}

#[derive(Serialize, Deserialize)]
struct JsonFault {
    /// 0 for the seat that acts first, 1 for the other.
    seat: usize,
    kind: GameFault,
    words: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use goren_core::opening::Action;
    use goren_core::record::PlayedPly;
    use goren_core::record::import::MoveStats;
    use goren_core::rules::{OpeningId, RuleId, Variant};
    use goren_core::types::Cell;

    pub(in super::super) fn contest() -> Contest {
        Contest::new(Variant::Five(RuleId::Renju)).opened(OpeningId::Free).unwrap()
    }

    pub(in super::super) fn line(game: u64, players: [usize; 2], ending: Ending) -> MatchRecord {
        let white = SideReport { time_us: 5, longest_us: 4, ..SideReport::default() };
        let black = SideReport {
            memory: Some(1 << 20),
            over_memory: true,
            complaint: Some("ERROR \"x\"\n".into()),
            ..white.clone()
        };
        let played = PlayedPly {
            action: Action::stone(Cell::new(14, 0)),
            stats: MoveStats { ms: 17, eval: "+M13".into(), depth: 9, nodes: 1 << 40 },
        };
        MatchRecord {
            game,
            players,
            fault: Some((Seat::Second, GameFault::Overtime, "took é".into())),
            sides: [black, white],
            overhead_us: 77,
            record: GameRecord {
                contest: contest(),
                players: ["a".into(), "b".into()],
                opening: [Cell::new(7, 7), Cell::new(0, 14)].map(Action::stone).to_vec(),
                plies: vec![played],
                black: Seat::First,
                ending: Some(ending),
                reason: "overtime".into(),
            },
        }
    }

    #[test]
    fn a_line_is_read_back_as_it_was_written() {
        for ending in [Ending::Draw, Ending::Win(Seat::First), Ending::Win(Seat::Second)] {
            let line = line(3, [1, 0], ending);
            let text = line.write().unwrap();
            assert_eq!(text.matches('\n').count(), 1);
            assert!(text.contains("\"a1\"") && text.contains("\"o15\""), "{text}");
            assert!(text.contains("\"seat\":1"), "{text}");
            assert_eq!(MatchRecord::read(text.as_bytes(), &contest()).unwrap(), line);
        }
    }

    #[test]
    fn a_ply_may_hold_two_stones() {
        let mut line = line(3, [1, 0], Ending::Win(Seat::First));
        let contest = Contest::new(Variant::from_name("connect6").unwrap());
        line.record.contest = contest;
        line.record.opening = vec![Action::stone(Cell::new(9, 9))];
        line.record.plies[0].action = Action::stones(&[Cell::new(14, 0), Cell::new(15, 0)]);
        let text = line.write().unwrap();
        assert!(text.contains("\"ply\":\"o19,p19\""), "{text}");
        assert!(text.contains("\"result\":\"first\""), "{text}");
        assert_eq!(MatchRecord::read(text.as_bytes(), &contest).unwrap(), line);
    }

    #[test]
    fn half_points_follow_the_engine_not_the_seat() {
        let half = |players, seat| line(0, players, Ending::Win(seat)).half_points(4);
        assert_eq!((half([4, 5], Seat::First), half([5, 4], Seat::First)), (2, 0));
        assert_eq!((half([4, 5], Seat::Second), half([5, 4], Seat::Second)), (0, 2));
        assert_eq!(line(0, [4, 5], Ending::Draw).half_points(4), 1);
    }

    #[test]
    fn a_line_that_is_no_game_is_refused() {
        let good = line(0, [0, 1], Ending::Draw).write().unwrap();
        for (old, new) in [
            ("\"draw\"", "null"),
            ("\"renju\"", "\"caro\""),
            ("\"sides\"", "\"aside\""),
            ("\"a1\"", "\"a16\""),
            ("\"a1\"", "\"?\""),
            ("\"seat\":1", "\"seat\":2"),
            ("\"seat\":1,", ""),
        ] {
            assert!(good.contains(old), "{good}");
            let bad = good.replace(old, new);
            assert!(MatchRecord::read(bad.as_bytes(), &contest()).is_err(), "{bad}");
        }
    }
}
