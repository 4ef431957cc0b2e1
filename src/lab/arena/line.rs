//! A game of a match as a line of JSON.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::game::{Fault, Played, SideReport};
use super::schedule::Slot;
use crate::lab::json_game::JsonGame;
use crate::record::GameRecord;
use crate::rules::{Outcome, Setup};
use crate::types::Color;

/// A game that was played, with its place in the match.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameLine {
    /// Number in the schedule.
    pub(super) game: u64,
    /// Numbers of Black and White among the engines of the match.
    pub(super) players: [usize; 2],
    /// Who lost by what beside the board, and in what words.
    pub(super) fault: Option<(Color, Fault, String)>,
    /// Black's and White's.
    pub(super) sides: [SideReport; 2],
    /// Microseconds in which neither engine thought.
    pub(super) overhead_us: u64,
    pub(super) record: GameRecord,
}

impl GameLine {
    pub(super) fn new(slot: Slot, played: Played, record: GameRecord) -> GameLine {
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
        match self.record.result {
            Some(Outcome::Win(color)) if self.players[color.index()] == first => 2,
            Some(Outcome::Win(_)) => 0,
            Some(Outcome::Draw) | None => 1,
        }
    }

    /// The line, with its end.
    ///
    /// # Errors
    /// None that can happen.
    pub(super) fn write(&self) -> Result<String> {
        let place = Place {
            game: self.game,
            engines: self.players,
            fault: self.fault.as_ref().map(|(color, kind, words)| JsonFault {
                color: color.index(),
                kind: *kind,
                words: words.clone(),
            }),
            sides: self.sides.clone(),
            overhead_us: self.overhead_us,
        };
        let Value::Object(extra) = serde_json::to_value(place)? else {
            bail!("a game is written as an object");
        };
        Ok(JsonGame { record: self.record.clone(), extra }.to_line() + "\n")
    }

    /// Reads a line, the `number`th of its file.
    ///
    /// # Errors
    /// It is no game of such a match.
    pub(super) fn read(line: &[u8], number: usize, setup: Setup) -> Result<GameLine> {
        let JsonGame { record, extra } = JsonGame::from_line(str::from_utf8(line)?, number)?;
        let place: Place = serde_json::from_value(Value::Object(extra))?;
        ensure!(record.setup == setup, "a game of another rule or size");
        ensure!(record.result.is_some(), "a game without a result");
        let fault = place.fault.map(|JsonFault { color, kind, words }| {
            let color = Color::ALL.get(color).with_context(|| format!("no colour {color}"))?;
            Ok::<_, anyhow::Error>((*color, kind, words))
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
    /// 0 for Black, 1 for White.
    color: usize,
    kind: Fault,
    words: String,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::PlayedMove;
    use crate::rules::RuleId;
    use crate::types::Cell;

    pub(in super::super) fn setup() -> Setup {
        Setup::new(RuleId::Renju, 15, 15).unwrap()
    }

    pub(in super::super) fn line(game: u64, players: [usize; 2], result: Outcome) -> GameLine {
        let white = SideReport { time_us: 5, longest_us: 4, ..SideReport::default() };
        let black = SideReport {
            memory: Some(1 << 20),
            over_memory: true,
            complaint: Some("ERROR \"x\"\n".into()),
            ..white.clone()
        };
        let played = PlayedMove {
            cell: Cell::new(14, 0),
            ms: 17,
            eval: "+M13".into(),
            depth: 9,
            nodes: 1 << 40,
        };
        GameLine {
            game,
            players,
            fault: Some((Color::White, Fault::Overtime, "took é".into())),
            sides: [black, white],
            overhead_us: 77,
            record: GameRecord {
                setup: setup(),
                players: ["a".into(), "b".into()],
                opening: vec![Cell::new(7, 7), Cell::new(0, 14)],
                moves: vec![played],
                result: Some(result),
                reason: "overtime".into(),
            },
        }
    }

    #[test]
    fn a_line_is_read_back_as_it_was_written() {
        for result in [Outcome::Draw, Outcome::Win(Color::Black), Outcome::Win(Color::White)] {
            let line = line(3, [1, 0], result);
            let text = line.write().unwrap();
            assert_eq!(text.matches('\n').count(), 1);
            assert!(text.contains("\"a15\"") && text.contains("\"o1\""), "{text}");
            assert_eq!(GameLine::read(text.as_bytes(), 1, setup()).unwrap(), line);
        }
    }

    #[test]
    fn half_points_follow_the_engine_not_the_colour() {
        let half = |players, color| line(0, players, Outcome::Win(color)).half_points(4);
        assert_eq!((half([4, 5], Color::Black), half([5, 4], Color::Black)), (2, 0));
        assert_eq!((half([4, 5], Color::White), half([5, 4], Color::White)), (0, 2));
        assert_eq!(line(0, [4, 5], Outcome::Draw).half_points(4), 1);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let good = line(0, [0, 1], Outcome::Draw).write().unwrap();
        for (old, new) in [
            ("\"draw\"", "null"),
            ("\"renju\"", "\"caro\""),
            ("\"sides\"", "\"aside\""),
            ("\"a15\"", "\"a16\""),
            ("\"a15\"", "\"?\""),
            ("\"color\":1", "\"color\":2"),
        ] {
            assert!(good.contains(old), "{good}");
            let bad = good.replace(old, new);
            assert!(GameLine::read(bad.as_bytes(), 1, setup()).is_err(), "{bad}");
        }
    }
}
