//! A game of a match as a line of JSON.

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::game::{Fault, Played, SideReport};
use super::schedule::Slot;
use crate::engine::Terms;
use crate::json_family::{Ending, FamilyRecord};
use goren_core::opening::Seat;

/// A game that was played, with its place in the match.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameLine {
    /// Number in the schedule.
    pub(super) game: u64,
    /// Numbers of the seats among the engines of the match.
    pub(super) players: [usize; 2],
    /// Who lost by what beside the board, and in what words.
    pub(super) fault: Option<(Seat, Fault, String)>,
    /// By seats.
    pub(super) sides: [SideReport; 2],
    /// Microseconds in which neither engine thought.
    pub(super) overhead_us: u64,
    pub(super) record: FamilyRecord,
}

impl GameLine {
    pub(super) fn new(slot: Slot, played: Played, record: FamilyRecord) -> GameLine {
        GameLine {
            game: slot.game,
            players: slot.players,
            fault: played.fault,
            sides: played.sides,
            overhead_us: u64::try_from(played.overhead.as_micros()).unwrap_or(u64::MAX),
            record,
        }
    }

    /// Half points of the first of the two engines of a pairing: 2 for a win.
    pub(super) fn half_points(&self, first: usize) -> usize {
        match self.record.ending {
            Ending::Win(seat) if self.players[seat.index()] == first => 2,
            Ending::Win(_) => 0,
            Ending::Draw => 1,
        }
    }

    /// The line, with its end.
    ///
    /// # Errors
    /// None that can happen.
    pub(super) fn write(&self) -> Result<String> {
        let gomocup = matches!(self.record.terms, Terms::Gomocup(_));
        let place = Place {
            game: self.game,
            engines: self.players,
            fault: self.fault.as_ref().map(|(seat, kind, words)| JsonFault {
                color: gomocup.then_some(seat.index()),
                seat: (!gomocup).then_some(seat.index()),
                kind: *kind,
                words: words.clone(),
            }),
            sides: self.sides.clone(),
            overhead_us: self.overhead_us,
        };
        let Value::Object(extra) = serde_json::to_value(place)? else {
            bail!("a game is written as an object");
        };
        Ok(self.record.to_line(extra) + "\n")
    }

    /// Reads a line, the `number`th of its file.
    ///
    /// # Errors
    /// It is no game of such a match.
    pub(super) fn read(line: &[u8], number: usize, terms: Terms) -> Result<GameLine> {
        let (record, extra) = FamilyRecord::from_line(str::from_utf8(line)?, number, terms)?;
        let place: Place = serde_json::from_value(Value::Object(extra))?;
        let fault = place.fault.map(|JsonFault { color, seat, kind, words }| {
            let index = color.or(seat).context("a fault of nobody")?;
            let seat = Seat::ALL.get(index).with_context(|| format!("no seat {index}"))?;
            Ok::<_, anyhow::Error>((*seat, kind, words))
        });
        Ok(GameLine {
            game: place.game,
            players: place.engines,
            fault: fault.transpose()?,
            sides: place.sides,
            overhead_us: place.overhead_us,
            record,
        })
    }
}

/// What a line says beside the game itself.
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
    /// In the words of Gomocup: 0 for Black, 1 for White.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<usize>,
    /// In other games: 0 for who acts first, 1 for the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<usize>,
    kind: Fault,
    words: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::json_family::PlayedPly;
    use goren_core::opening::Action;
    use goren_core::rules::{Contest, RuleId, Setup, Variant};
    use goren_core::types::Cell;

    pub(in super::super) fn terms() -> Terms {
        Terms::Gomocup(Setup::new(RuleId::Renju, 15, 15).unwrap())
    }

    pub(in super::super) fn line(game: u64, players: [usize; 2], ending: Ending) -> GameLine {
        let white = SideReport { time_us: 5, longest_us: 4, ..SideReport::default() };
        let black = SideReport {
            memory: Some(1 << 20),
            over_memory: true,
            complaint: Some("ERROR \"x\"\n".into()),
            ..white.clone()
        };
        let played = PlayedPly {
            action: Action::stone(Cell::new(14, 0)),
            ms: 17,
            eval: "+M13".into(),
            depth: 9,
            nodes: 1 << 40,
        };
        GameLine {
            game,
            players,
            fault: Some((Seat::Second, Fault::Overtime, "took é".into())),
            sides: [black, white],
            overhead_us: 77,
            record: FamilyRecord {
                terms: terms(),
                players: ["a".into(), "b".into()],
                opening: [Cell::new(7, 7), Cell::new(0, 14)].map(Action::stone).to_vec(),
                plies: vec![played],
                black: Seat::First,
                ending,
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
            assert!(text.contains("\"color\":1") && !text.contains("\"seat\""), "{text}");
            assert_eq!(GameLine::read(text.as_bytes(), 1, terms()).unwrap(), line);
        }
    }

    #[test]
    fn other_games_are_written_by_seats() {
        let mut line = line(3, [1, 0], Ending::Win(Seat::First));
        let terms = Terms::Family(Contest::new(Variant::from_name("connect6").unwrap()));
        line.record.terms = terms;
        line.record.opening = vec![Action::stone(Cell::new(9, 9))];
        line.record.plies[0].action = Action::stones(&[Cell::new(14, 0), Cell::new(15, 0)]);
        let text = line.write().unwrap();
        assert!(text.contains("\"ply\":\"o19,p19\"") && text.contains("\"seat\":1"), "{text}");
        assert!(text.contains("\"result\":\"first\"") && !text.contains("\"color\""), "{text}");
        assert_eq!(GameLine::read(text.as_bytes(), 1, terms).unwrap(), line);
        let nobody = text.replace("\"seat\":1,", "");
        assert!(GameLine::read(nobody.as_bytes(), 1, terms).is_err());
    }

    #[test]
    fn half_points_follow_the_engine_not_the_seat() {
        let half = |players, seat| line(0, players, Ending::Win(seat)).half_points(4);
        assert_eq!((half([4, 5], Seat::First), half([5, 4], Seat::First)), (2, 0));
        assert_eq!((half([4, 5], Seat::Second), half([5, 4], Seat::Second)), (0, 2));
        assert_eq!(line(0, [4, 5], Ending::Draw).half_points(4), 1);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let good = line(0, [0, 1], Ending::Draw).write().unwrap();
        for (old, new) in [
            ("\"draw\"", "null"),
            ("\"renju\"", "\"caro\""),
            ("\"sides\"", "\"aside\""),
            ("\"a1\"", "\"a16\""),
            ("\"a1\"", "\"?\""),
            ("\"color\":1", "\"color\":2"),
        ] {
            assert!(good.contains(old), "{good}");
            let bad = good.replace(old, new);
            assert!(GameLine::read(bad.as_bytes(), 1, terms()).is_err(), "{bad}");
        }
    }
}
