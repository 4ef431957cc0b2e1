//! Games of the family as they were played, ply by ply, and as JSON Lines.
//!
//! ```json
//! {"variant":"connect6","width":19,"height":19,"opened":"swap-3rd",
//!  "first":"a","second":"b","opening":["j10","i9,k11"],
//!  "plies":[{"ply":"h8,i8","ms":120,"eval":"35","depth":6,"nodes":5000}],
//!  "black":"first","result":"second","reason":"line"}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `variant`, `opened` | the game with its options, and how it is opened, as `goren games` names them |
//! | `tie_break` | true if the first to pass wins what would be a draw; else absent |
//! | `width`, `height` | columns and rows of the board |
//! | `first`, `second` | names of the players: who acts first, and the other |
//! | `opening` | plies made before the players took over |
//! | `plies` | what was played then, in turn: the `ply`, milliseconds (`ms`), how the mover evaluated the position (`eval`, absent if unknown), the `depth` and `nodes` he reported (absent if unknown) |
//! | `black` | who had Black at the end: first or second |
//! | `result` | first, second or draw: who won |
//! | `reason` | why the game ended |
//!
//! Plies are written in the game's own notation. Other fields belong to the
//! writer of the file, and are kept. Five in a row in the words of Gomocup is
//! written as [`json_game`](super::json_game) says.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::engine::Terms;
use super::json_game::{Effort, JsonGame};
use super::plies;
use goren_core::opening::{self, Action, Event, GameState, Seat};
use goren_core::record::import::{ImportedEvent, ImportedGame, MoveStats};
use goren_core::record::{GameRecord, PlayedMove};
use goren_core::rules::{Contest, OpeningId, Outcome, Setup, Variant};
use goren_core::types::{Cell, Color};

/// How a game ended, by seats.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A seat won.
    Win(Seat),
    /// Nobody did.
    Draw,
}

/// A ply that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedPly {
    /// What was done.
    pub action: Action,
    /// Milliseconds it took.
    pub ms: u64,
    /// How the mover evaluated the position, as its engine wrote it;
    /// empty if nothing is known.
    pub eval: String,
    /// Depth it reported, 0 if unknown.
    pub depth: u32,
    /// Nodes it reported, 0 if unknown.
    pub nodes: u64,
}

/// A game that was played to its end.
#[derive(Clone, PartialEq, Debug)]
pub struct FamilyRecord {
    /// The game and the words it was played in.
    pub terms: Terms,
    /// Names of the players by their seats.
    pub players: [String; 2],
    /// Plies made before the players took over.
    pub opening: Vec<Action>,
    /// What was played then, in turn.
    pub plies: Vec<PlayedPly>,
    /// Who had Black at the end.
    pub black: Seat,
    /// Who won.
    pub ending: Ending,
    /// Why it ended.
    pub reason: String,
}

/// The cells on which a ply places stones, in order.
fn stones(action: &Action) -> Vec<Cell> {
    match action {
        Action::Stones { cells, .. } => cells.clone(),
        Action::Choose { fifth, sixth } => vec![*fifth, *sixth],
        Action::Swap | Action::Pass | Action::Offer(_) => Vec::new(),
    }
}

impl FamilyRecord {
    /// The colour that won; `None` in a draw.
    pub fn winner(&self) -> Option<Color> {
        match self.ending {
            Ending::Win(seat) if seat == self.black => Some(Color::Black),
            Ending::Win(_) => Some(Color::White),
            Ending::Draw => None,
        }
    }

    /// The game as other files have theirs. Of several stones at once the last
    /// bears what is known of the ply. Where the opening has more than stones,
    /// the plies are there too.
    pub fn imported(&self) -> ImportedGame {
        if let Terms::Gomocup(setup) = self.terms {
            return self.gomocup(setup).imported();
        }
        let contest = self.terms.contest();
        let Contest { variant, width, height, opening, tie_break, .. } = contest;
        let mut game_state = GameState::new(contest);
        let name = |seat: Seat| self.players[seat.index()].clone();
        let mut game = ImportedGame {
            variant: Some(variant),
            opening: Some(opening),
            size: Some((width, height)),
            players: [name(self.black), name(!self.black)],
            tie_break,
            result: Some(self.winner().map_or(Outcome::Draw, Outcome::Win)),
            reason: self.reason.clone(),
            ..ImportedGame::default()
        };
        let played = self.plies.iter().map(|ply| (&ply.action, Some(ply)));
        let actions = self.opening.iter().map(|action| (action, None)).chain(played);
        let mut texts = Vec::new();
        for (number, (action, ply)) in actions.enumerate() {
            if number == self.opening.len() {
                game.prelude = game.events.len();
            }
            let before = game_state.clone();
            if game_state.apply(action).is_err() {
                break;
            }
            texts.push(opening::write(&before, action));
            let events = game.events.len();
            if *action == Action::Swap {
                game.events.push(ImportedEvent::Swap);
            }
            let mover = before.to_move();
            let new = game_state.events()[before.events().len()..].iter();
            game.events.extend(new.map(|event| match *event {
                Event::Stone(cell, color) => ImportedEvent::Stone(cell, Some(color)),
                Event::Pass => ImportedEvent::Pass(Some(mover)),
            }));
            if let Some(ply) = ply.filter(|_| game.events.len() > events) {
                let PlayedPly { ms, eval, depth, nodes, .. } = ply.clone();
                game.move_stats.resize_with(game.events.len() - 1, MoveStats::default);
                game.move_stats.push(MoveStats { ms, eval, depth, nodes });
            }
        }
        if self.plies.is_empty() {
            game.prelude = game.events.len();
        }
        while game.move_stats.last().is_some_and(|last| *last == MoveStats::default()) {
            game.move_stats.pop();
        }
        use OpeningId::{Centre, Free, LongPro, Pro};
        if !matches!(opening, Free | Centre | Pro | LongPro) {
            game.plies = texts;
        }
        game
    }

    /// A game in the words of Gomocup, where every ply is a stone.
    fn gomocup(&self, setup: Setup) -> GameRecord {
        let stone = |ply: &PlayedPly| {
            let PlayedPly { ms, eval, depth, nodes, .. } = ply.clone();
            let cell = *stones(&ply.action).first()?;
            Some(PlayedMove { cell, ms, eval, depth, nodes })
        };
        let name = |seat: Seat| self.players[seat.index()].clone();
        GameRecord {
            setup,
            players: [name(self.black), name(!self.black)],
            opening: self.opening.iter().flat_map(stones).collect(),
            moves: self.plies.iter().filter_map(stone).collect(),
            result: Some(self.winner().map_or(Outcome::Draw, Outcome::Win)),
            reason: self.reason.clone(),
        }
    }

    /// A game in the words of Gomocup; `None` if it was broken off.
    fn of_five(record: GameRecord) -> Option<FamilyRecord> {
        let GameRecord { setup, players, opening, moves, result, reason } = record;
        let ply = |PlayedMove { cell, ms, eval, depth, nodes }| {
            let action = Action::stone(cell);
            PlayedPly { action, ms, eval, depth, nodes }
        };
        Some(FamilyRecord {
            terms: Terms::Gomocup(setup),
            players,
            opening: opening.into_iter().map(Action::stone).collect(),
            plies: moves.into_iter().map(ply).collect(),
            black: Seat::First,
            ending: match result? {
                Outcome::Win(color) => Ending::Win(Seat::ALL[color.index()]),
                Outcome::Draw => Ending::Draw,
            },
            reason,
        })
    }

    /// The game as a line, without its end, with fields of the writer's own.
    pub fn to_line(&self, extra: Map<String, Value>) -> String {
        if let Terms::Gomocup(setup) = self.terms {
            return JsonGame { record: self.gomocup(setup), extra }.to_line();
        }
        let contest = self.terms.contest();
        let actions = self.opening.iter().chain(self.plies.iter().map(|ply| &ply.action));
        let actions: Vec<Action> = actions.cloned().collect();
        let mut texts = plies::texts(&contest, &actions).into_iter();
        let opening = texts.by_ref().take(self.opening.len()).collect();
        let ply = |(played, ply): (&PlayedPly, String)| {
            let PlayedPly { ms, eval, depth, nodes, .. } = played.clone();
            Ply { ply, effort: Effort { ms, eval, depth, nodes } }
        };
        let [first, second] = self.players.clone();
        let line = GameLine {
            variant: contest.variant.to_string(),
            width: contest.width,
            height: contest.height,
            opened: contest.opening.to_string(),
            tie_break: contest.tie_break,
            first,
            second,
            opening,
            plies: self.plies.iter().zip(texts).map(ply).collect(),
            black: Who::of(self.black),
            result: match self.ending {
                Ending::Win(seat) => Who::of(seat),
                Ending::Draw => Who::Draw,
            },
            reason: self.reason.clone(),
            extra,
        };
        // Only maps with keys that are no texts could fail.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// The game of a line, which is the `number`th of its file, and the fields
    /// that the writer added.
    ///
    /// # Errors
    /// The line is no game of these terms that was played to its end by the
    /// rules.
    pub fn from_line(
        text: &str,
        number: usize,
        terms: Terms,
    ) -> Result<(FamilyRecord, Map<String, Value>)> {
        if let Terms::Gomocup(setup) = terms {
            let JsonGame { record, extra } = JsonGame::from_line(text, number)?;
            ensure!(record.setup == setup, "a game of another rule or size");
            let record = FamilyRecord::of_five(record).context("a game without a result")?;
            return Ok((record, extra));
        }
        let line: GameLine = serde_json::from_str(text)?;
        let contest = terms.contest();
        let same = Variant::from_name(&line.variant)? == contest.variant
            && OpeningId::from_name(&line.opened) == Some(contest.opening)
            && (line.width, line.height) == (contest.width, contest.height)
            && line.tie_break == contest.tie_break;
        ensure!(same, "another game, board or opening");
        let texts = line.opening.iter().chain(line.plies.iter().map(|ply| &ply.ply));
        let game_state = plies::game(&contest, texts.map(String::as_str))?;
        let black = line.black.seat().filter(|&seat| seat == game_state.owner(Color::Black));
        let (opening, actions) = game_state.actions().split_at(line.opening.len());
        let ply = |(Ply { effort, .. }, action): (Ply, &Action)| {
            let (action, Effort { ms, eval, depth, nodes }) = (action.clone(), effort);
            PlayedPly { action, ms, eval, depth, nodes }
        };
        let record = FamilyRecord {
            terms,
            players: [line.first, line.second],
            opening: opening.to_vec(),
            plies: line.plies.into_iter().zip(actions).map(ply).collect(),
            black: black.context("it was the other seat that had Black")?,
            ending: line.result.seat().map_or(Ending::Draw, Ending::Win),
            reason: line.reason,
        };
        Ok((record, line.extra))
    }
}

/// The object of a line.
#[derive(Serialize, Deserialize)]
struct GameLine {
    variant: String,
    width: usize,
    height: usize,
    opened: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    tie_break: bool,
    first: String,
    second: String,
    #[serde(default)]
    opening: Vec<String>,
    plies: Vec<Ply>,
    black: Who,
    result: Who,
    reason: String,
    #[serde(flatten)]
    extra: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct Ply {
    ply: String,
    #[serde(flatten)]
    effort: Effort,
}

/// A seat, or none of them.
#[derive(Serialize, Deserialize, Copy, Clone)]
#[serde(rename_all = "lowercase")]
enum Who {
    First,
    Second,
    Draw,
}

impl Who {
    fn of(seat: Seat) -> Who {
        match seat {
            Seat::First => Who::First,
            Seat::Second => Who::Second,
        }
    }

    fn seat(self) -> Option<Seat> {
        match self {
            Who::First => Some(Seat::First),
            Who::Second => Some(Seat::Second),
            Who::Draw => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_example;
    use goren_core::record::samples::games;
    use proptest::prelude::*;

    const LINE: &str = r#"{"variant":"gomoku","width":15,"height":15,"opened":"swap-2","tie_break":true,"first":"a","second":"b","opening":["h8,i9,j8"],"plies":[{"ply":"h7,h9","ms":120,"eval":"35","depth":12,"nodes":5000},{"ply":"pass","ms":3},{"ply":"a1","ms":0}],"black":"first","result":"second","reason":"crash","round":3}"#;

    fn swap2() -> Contest {
        let gomoku = Contest::new(Variant::from_name("gomoku").unwrap());
        Contest { tie_break: true, ..gomoku.opened(OpeningId::Swap2).unwrap() }
    }

    fn read(text: &str) -> Result<(FamilyRecord, Map<String, Value>)> {
        FamilyRecord::from_line(text, 1, Terms::Family(swap2()))
    }

    #[test]
    fn a_line_is_read_and_written_as_documented() {
        let (record, extra) = read(LINE).unwrap();
        assert_eq!((record.opening.len(), record.plies.len()), (1, 3));
        assert_eq!((&record.plies[1].action, record.plies[0].depth), (&Action::Swap, 12));
        assert_eq!((record.black, record.winner()), (Seat::First, Some(Color::White)));
        assert_eq!(extra["round"], 3);
        assert_eq!(record.to_line(extra), LINE);
        let example = json_example::text(include_str!("json_family.rs"));
        let contest = Contest::new(Variant::from_name("connect6").unwrap());
        let terms = Terms::Family(contest.opened(OpeningId::Swap3rd).unwrap());
        let (record, extra) = FamilyRecord::from_line(&example, 1, terms).unwrap();
        assert_eq!(record.to_line(extra), example);
    }

    #[test]
    fn other_files_get_every_stone_swap_and_pass() {
        let (mut record, _) = read(LINE).unwrap();
        let game = record.imported();
        assert_eq!(game.players, ["a", "b"].map(String::from));
        assert_eq!((game.prelude, game.events.len()), (3, 7));
        assert_eq!(game.events[5], ImportedEvent::Swap);
        let ms: Vec<u64> = game.move_stats.iter().map(|stats| stats.ms).collect();
        assert_eq!(ms, [0, 0, 0, 0, 120, 3]);
        assert_eq!((game.result, game.tie_break), (Some(Outcome::Win(Color::White)), true));
        assert_eq!(game.plies, ["h8,i9,j8", "h7,h9", "pass", "a1"]);
        record.terms = Terms::Family(
            Contest::new(Variant::from_name("irensei").unwrap()).opened(OpeningId::Free).unwrap(),
        );
        record.opening = vec![Action::stone(Cell::new(3, 3)), Action::stone(Cell::new(4, 4))];
        record.plies.iter_mut().for_each(|ply| ply.action = Action::Pass);
        let game = record.imported();
        let pass = |color| ImportedEvent::Pass(Some(color));
        assert_eq!(game.events[2..], [pass(Color::Black), pass(Color::White)]);
        assert_eq!((game.prelude, game.plies.len()), (2, 0));
    }

    #[test]
    fn what_is_no_game_of_these_terms_is_refused() {
        for (old, new, why) in [
            ("gomoku", "freestyle", "another game"),
            ("\"width\":15", "\"width\":19", "another game"),
            ("swap-2", "swap-5", "another game"),
            ("\"tie_break\":true,", "", "another game"),
            ("gomoku", "go", "no game"),
            ("\"a1\"", "\"h8\"", "ply 4 (h8): the point is occupied"),
            ("\"a1\"", "\"a1,b1\"", "ply 4 (a1,b1)"),
            ("\"black\":\"first\"", "\"black\":\"second\"", "had Black"),
            ("\"result\":\"second\"", "\"result\":null", "expected"),
        ] {
            assert!(LINE.contains(old));
            let error = format!("{:#}", read(&LINE.replace(old, new)).unwrap_err());
            assert!(error.contains(why), "{new}: {error}");
        }
    }

    proptest! {
        #[test]
        fn games_in_the_words_of_gomocup_stay_as_they_are(record in games()) {
            let terms = Terms::Gomocup(record.setup);
            let line = JsonGame { record: record.clone(), extra: Map::new() }.to_line();
            match FamilyRecord::from_line(&line, 1, terms) {
                Ok((game_state, extra)) => {
                    prop_assert_eq!(game_state.to_line(extra), line);
                    prop_assert_eq!(game_state.imported(), record.imported());
                }
                Err(_) => prop_assert_eq!(record.result, None),
            }
        }
    }
}
